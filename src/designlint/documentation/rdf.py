"""The vocabulary in the forms other RDF tools read: a JSON-LD context and SHACL shapes of the derived graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.language.vocabulary import NAMESPACE, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.language.words import Word

XSD = "http://www.w3.org/2001/XMLSchema#"
BASIC = {"Text": "xsd:string", "Flag": "xsd:boolean", "Date": "xsd:date", "Principle": "xsd:string"}


def context(vocabulary: Vocabulary) -> dict[str, Any]:
    """The JSON-LD 1.1 context of the graph: every word by its own name, values of names and parts as IRIs."""
    terms: dict[str, Any] = {}
    for words in vocabulary.classes.values():
        for word in words.values():
            if word.kind in vocabulary.classes and word.form != "catalog":
                terms[word.name] = {"@id": NAMESPACE + word.name, "@type": "@id"}
    return {
        "@context": {
            "@vocab": NAMESPACE,
            "xsd": XSD,
            "prov": "http://www.w3.org/ns/prov#",
            **dict(sorted(terms.items())),
        }
    }


def shapes(vocabulary: Vocabulary) -> str:
    """
    SHACL Core shapes of the graph, in Turtle: for each class its words with datatype, range, value set, unit and comment.

    They hold for the graph that designlint builds (values in canonical units), not for the YAML text.
    """
    head = [
        "# Generated from ontology/vocabulary/ by `make docs`. Do not edit.",
        f"@prefix : <{NAMESPACE}> .",
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        "@prefix sh: <http://www.w3.org/ns/shacl#> .",
        f"@prefix xsd: <{XSD}> .",
        "",
    ]
    return "\n".join([*head, *(line for name in sorted(vocabulary.classes) for line in _shape(vocabulary, name))])


def _shape(vocabulary: Vocabulary, name: str) -> Iterator[str]:
    words = vocabulary.classes[name].values()
    above = "".join(f" ;\n    rdfs:subClassOf :{one}" for one in vocabulary.is_a(name)[1:2])
    yield f":{name} a owl:Class, sh:NodeShape{above} ;"
    yield f"    rdfs:comment {_quote(vocabulary.comments[name])} ;"
    yield "    sh:property\n        " + " ,\n        ".join(_property(vocabulary, word) for word in words) + " .\n"


def _property(vocabulary: Vocabulary, word: Word) -> str:
    parts = [f"sh:path :{word.name}", f"sh:description {_quote(word.comment)}"]
    if word.kind in vocabulary.classes and word.form != "catalog":
        parts.append(f"sh:class :{word.kind}")
    elif word.kind in BASIC or word.form == "catalog":
        parts.append(f"sh:datatype {BASIC.get(word.kind, 'xsd:string')}")
    else:
        parts += [f":kind :{word.kind}", f":unit {_quote(vocabulary.units.symbol(word.kind) or '1')}"]
    if not word.many:
        parts.append("sh:maxCount 1")
    if word.allowed is not None and not word.open:
        parts.append(f"sh:in ( {' '.join(_quote(one) if isinstance(one, str) else str(one) for one in word.allowed)} )")
    parts += [
        f"sh:{facet} {value}"
        for facet, value in (("minInclusive", word.least), ("maxInclusive", word.most))
        if value is not None
    ]
    return f"[ {' ; '.join(parts)} ]"


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
