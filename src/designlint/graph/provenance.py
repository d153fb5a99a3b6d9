"""Where every fact comes from, in PROV-O: one entity for each fact, derived from the facts it was computed from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from designlint.graph.rdf import RDF_TYPE, iri, term
from designlint.language.vocabulary import CATALOG, NAMESPACE, SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.graph.derive import Plan
    from designlint.graph.subjects import Graph, Origin, Subject

PROV = "http://www.w3.org/ns/prov#"
ENTITY, VALUE, DERIVED, SOURCED = (
    ox.NamedNode(PROV + name) for name in ("Entity", "value", "wasDerivedFrom", "hadPrimarySource")
)
ABOUT, WORD, ORIGIN, FORMULA, LINE = (
    ox.NamedNode(NAMESPACE + name) for name in ("about", "word", "origin", "formula", "line")
)


def entity(subject: Subject, word: str) -> ox.NamedNode:
    """The IRI of a fact: that of its node, with the word as fragment."""
    return ox.NamedNode(f"{iri(subject.path).value}#{word}")


def trace(graph: Graph, plan: Plan) -> Iterator[ox.Quad]:
    """The provenance of every fact of a graph."""
    for subject in graph.subjects.values():
        for word, origin in subject.origins.items():
            yield from _of(graph, plan, subject, word, origin)


def _of(graph: Graph, plan: Plan, subject: Subject, word: str, origin: Origin) -> Iterator[ox.Quad]:
    fact = entity(subject, word)
    yield ox.Quad(fact, RDF_TYPE, ENTITY)
    yield ox.Quad(fact, ABOUT, iri(subject.path))
    yield ox.Quad(fact, WORD, ox.NamedNode(NAMESPACE + word))
    yield ox.Quad(fact, ORIGIN, ox.Literal(origin.how))
    stated, kind = subject.facts[word], graph.vocabulary.classes[subject.cls][word].kind
    for one in stated if isinstance(stated, list) else (stated,):
        yield ox.Quad(fact, VALUE, term(kind, one))
    for source, name in origin.inputs:
        yield ox.Quad(fact, DERIVED, entity(source, name))
    if origin.how == "catalog":
        yield ox.Quad(fact, DERIVED, ox.NamedNode(CATALOG + origin.note))
    sources = (
        (origin.source,)
        if origin.source
        else plan.description(origin.step).get("sources", ())
        if origin.step >= 0
        else ()
    )
    for key in sources:
        yield ox.Quad(fact, SOURCED, ox.NamedNode(SOURCE + key))
    if origin.how == "derived":
        yield ox.Quad(fact, FORMULA, ox.Literal(plan.description(origin.step)["formula"]))
    node = subject.keys.get(word)
    if node is not None:
        line = node.document.place(node.start, node.end)[0]
        yield ox.Quad(fact, LINE, ox.Literal(f"{node.document.file}:{line}"))
