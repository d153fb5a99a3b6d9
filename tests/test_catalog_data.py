"""Vocabulary, bibliography and catalogue as data: words exist, sources exist, names are unambiguous."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, QuerySolutions, RdfFormat, Store

ONTOLOGY = Path(__file__).parents[1] / "ontology"
FILES = ["units.ttl", "sources.ttl", "vocabulary/*.ttl", "catalog/*.ttl"]
CONFIDENCES = {"verified", "secondary", "from-memory"}
PREFIXES = """
    PREFIX : <https://w3id.org/designlint/ns#>
    PREFIX dcterms: <http://purl.org/dc/terms/>
    PREFIX owl: <http://www.w3.org/2002/07/owl#>
    PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
    PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
    PREFIX sh: <http://www.w3.org/ns/shacl#>
    PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
"""
NS = "https://w3id.org/designlint/ns#"
ABOUT_THE_FIGURES = {"confidence"}  # words of a figures block that are not words of the design language
LITERALS = {"Count": "integer", "Flag": "boolean"}  # everything else is written as a string


class Word(NamedTuple):
    """One word of a class: how it holds its value, of which kind, and the values it is closed to."""

    verb: str
    kind: str
    allowed: frozenset[str]


def local(node: object) -> str:
    """The part of an IRI that follows its last # or /."""
    if not isinstance(node, NamedNode):
        raise TypeError(node)
    return node.value.rsplit("#", 1)[-1].rsplit("/", 1)[-1]


def text(node: object) -> str:
    """The text of a literal; empty for anything else."""
    return node.value if isinstance(node, Literal) else ""


@pytest.fixture(scope="module")
def store() -> Store:
    """Everything under ontology/ that is written by hand."""
    store = Store()
    for path in sorted(path for pattern in FILES for path in ONTOLOGY.glob(pattern)):
        store.load(path.read_bytes(), format=RdfFormat.TURTLE)
    return store


def rows(store: Store, query: str) -> list[tuple[object, ...]]:
    """The solutions of a SELECT, as tuples."""
    solutions = store.query(PREFIXES + query)
    return [tuple(solution) for solution in solutions] if isinstance(solutions, QuerySolutions) else []


def words(store: Store) -> dict[str, dict[str, Word]]:
    """The words of every class, inherited ones included."""
    found: dict[str, dict[str, Word]] = {}
    query = """SELECT ?class ?word ?verb ?kind (GROUP_CONCAT(?value; separator="\\n") AS ?values) WHERE {
        ?class rdfs:subClassOf*/sh:property ?bracket . ?bracket sh:path ?word ; ?verb ?kind .
        FILTER (?verb IN (:holds, :lists, :names, :lists_names, :from_catalog))
        OPTIONAL { ?bracket sh:in/rdf:rest*/rdf:first ?value . FILTER NOT EXISTS { ?bracket :open true } }
    } GROUP BY ?class ?word ?verb ?kind"""
    for cls, word, verb, kind, values in rows(store, query):
        allowed = frozenset(text(values).split("\n")) - {""}
        found.setdefault(local(cls), {})[local(word)] = Word(local(verb), local(kind), allowed)
    return found


def entries(store: Store) -> list[tuple[str, NamedNode]]:
    """Class and name of every catalogue entry."""
    found = rows(store, "SELECT DISTINCT ?class ?entry { ?entry a ?class ; :figures [] }")
    return [(local(cls), entry) for cls, entry in found if isinstance(entry, NamedNode)]


def figures(store: Store, entry: NamedNode) -> list[BlankNode]:
    """The figures blocks of an entry."""
    found = store.quads_for_pattern(entry, NamedNode(NS + "figures"), None)
    return [quad.object for quad in found if isinstance(quad.object, BlankNode)]


def stated(store: Store, block: BlankNode) -> list[Quad]:
    """The statements of a block that are words of the design language."""
    quads = store.quads_for_pattern(block, None, None)
    return [
        quad for quad in quads if quad.predicate.value.startswith(NS) and local(quad.predicate) not in ABOUT_THE_FIGURES
    ]


def items(store: Store, node: object) -> Iterator[object]:
    """The members of a Turtle list."""
    rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    while isinstance(node, BlankNode):
        yield from (quad.object for quad in store.quads_for_pattern(node, NamedNode(rdf + "first"), None))
        node = next(quad.object for quad in store.quads_for_pattern(node, NamedNode(rdf + "rest"), None))


def complaints(
    store: Store,
    known: dict[str, dict[str, Word]],
    names: dict[str, Counter[str]],
    cls: str,
    block: BlankNode,
) -> Iterator[str]:
    """What is wrong with the figures of one block, nested parts included."""
    for quad in stated(store, block):
        name = local(quad.predicate)
        word = known[cls].get(name)
        if word is None or word.verb == "from_catalog":
            yield f"{cls} has no word {name} that a figure may state"
            continue
        values = list(items(store, quad.object)) if word.verb.startswith("lists") else [quad.object]
        if not values:
            yield f"{cls}.{name} is an empty list"
        for value in values:
            if isinstance(value, BlankNode):
                yield from complaints(store, known, names, word.kind, value)
            elif not isinstance(value, Literal):
                yield f"{cls}.{name}: {value} is neither a value nor a part"
            elif word.kind in known:
                if value.value not in names.get(word.kind, {}):
                    yield f"{cls}.{name}: no catalogue entry {value.value}"
            elif local(value.datatype) != LITERALS.get(word.kind, "string"):
                yield f"{cls}.{name}: {value} is not written as {word.kind}"
            elif word.allowed and value.value not in word.allowed:
                yield f"{cls}.{name}: {value.value} is none of {sorted(word.allowed)}"


def catalog_names(store: Store) -> dict[str, Counter[str]]:
    """How often each spelling stands for an entry, by class."""
    found: dict[str, Counter[str]] = {}
    for cls, entry in entries(store):
        found.setdefault(cls, Counter())[local(entry)] += 1
    query = "SELECT DISTINCT ?class ?entry ?name { ?entry a ?class ; skos:altLabel ?name ; :figures [] }"
    for kind, _, name in rows(store, query):
        found[local(kind)][text(name)] += 1
    return found


def test_words_hold_what_exists(store: Store) -> None:
    query = """SELECT ?word ?kind {
        [] sh:path ?word ; :holds|:lists|:names|:lists_names|:from_catalog|:derives ?kind .
        FILTER (?kind NOT IN (:Text, :Flag, :Date, :Principle))
        FILTER NOT EXISTS { ?kind a ?class FILTER (?class IN (owl:Class, :Kind)) } }"""
    assert not rows(store, query)


def test_a_class_has_each_word_once(store: Store) -> None:
    query = """SELECT ?class ?word { ?class sh:property ?one, ?two . ?one sh:path ?word . ?two sh:path ?word .
        FILTER (?one != ?two) }"""
    assert not rows(store, query)


def test_words_say_what_they_mean(store: Store) -> None:
    query = """SELECT ?word { [] sh:property ?b . ?b sh:path ?word . OPTIONAL { ?b rdfs:comment ?comment }
        FILTER (!BOUND(?comment) || !STRENDS(?comment, ".")) }"""
    assert not rows(store, query)


def test_figures_use_words_of_their_class(store: Store) -> None:
    known, names = words(store), catalog_names(store)
    wrong = [
        f"{local(entry)}: {complaint}"
        for cls, entry in entries(store)
        for block in figures(store, entry)
        for complaint in complaints(store, known, names, cls, block)
    ]
    assert not wrong


def test_figures_are_stated_once(store: Store) -> None:
    for _, entry in entries(store):
        stating = Counter(local(quad.predicate) for block in figures(store, entry) for quad in stated(store, block))
        assert set(stating.values()) == {1}, (local(entry), stating.most_common(1))


def test_figures_have_a_source_and_a_confidence(store: Store) -> None:
    query = """SELECT ?entry ?source ?confidence { ?entry :figures ?block .
        OPTIONAL { ?block dcterms:source ?source . ?source a :Source }
        OPTIONAL { ?block :confidence ?confidence } }"""
    for entry, source, confidence in rows(store, query):
        assert source is not None, f"{entry}: source missing, or not in sources.ttl"
        assert text(confidence) in CONFIDENCES, entry


def test_sources_are_complete(store: Store) -> None:
    query = """SELECT ?source ?title ?creator ?identifier ?confidence { ?source a :Source .
        OPTIONAL { ?source dcterms:title ?title } OPTIONAL { ?source dcterms:creator ?creator }
        OPTIONAL { ?source dcterms:identifier ?identifier } OPTIONAL { ?source :confidence ?confidence } }"""
    found = rows(store, query)
    assert len({source for source, *_ in found}) == len(found), "a source states something twice"
    for source, title, creator, identifier, confidence in found:
        assert all(map(text, (title, creator, identifier))), source
        assert text(confidence) in CONFIDENCES, source


def test_names_are_unambiguous(store: Store) -> None:
    for cls, spellings in catalog_names(store).items():
        assert max(spellings.values()) == 1, (cls, spellings.most_common(1))
        assert all(name == name.lower() and " " not in name for name in spellings), cls


def test_entries_are_labelled(store: Store) -> None:
    query = "SELECT ?entry { ?entry :figures [] . FILTER NOT EXISTS { ?entry rdfs:label ?label } }"
    assert not rows(store, query)
