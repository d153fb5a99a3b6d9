"""The graph written out in the syntaxes of RDF, sorted, so that the same design gives the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from designlint.graph.provenance import entity
from designlint.graph.rdf import PREFIXES, iri

if TYPE_CHECKING:
    from designlint.design.design import Design
    from designlint.graph.subjects import Graph

#: A path holds slashes, which a prefixed name would have to escape: nodes are written in full.
SHOWN = {name: namespace for name, namespace in PREFIXES.items() if name != "design"}
FORMATS = {"turtle": ox.RdfFormat.TURTLE, "n-triples": ox.RdfFormat.N_TRIPLES, "json-ld": ox.RdfFormat.JSON_LD}


def serialize(design: Design, syntax: str) -> str:
    """All triples of a design but those about parts of which nothing is known. `syntax` is one of FORMATS."""
    silent = _silent(design.graph)
    triples = (quad.triple for quad in design.store.store)
    told = sorted((one for one in triples if one.subject not in silent and one.object not in silent), key=str)
    return (ox.serialize(told, format=FORMATS[syntax], prefixes=SHOWN) or b"").decode()


def _silent(graph: Graph) -> set[ox.NamedNode]:
    """The parts that no file states and of which nothing is known, and the facts that only say that they are there."""
    parts = graph.silent()
    facts = {
        entity(subject, word)
        for subject in graph.subjects.values()
        for word, fact in subject.facts.items()
        if any(fact is part for part in parts)
    }
    return facts | {iri(part.path) for part in parts}
