"""The graph of a design as one of many: its triples for a store of named graphs, and a store of such graphs in memory."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import pyoxigraph as ox

from designlint.graph.provenance import trace
from designlint.graph.rdf import DOUBLE, RDF_TYPE, iri
from designlint.graph.store import Store
from designlint.language.vocabulary import DESIGN, NAMESPACE, UNREAD

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from designlint.graph.derive import Plan
    from designlint.graph.subjects import Graph

#: How the names of graphs begin: of designs, and of what was found on a day.
GRAPH, DAY = "urn:designlint:design:", "urn:designlint:day:"


def graph_name(file: str) -> str:
    """The name of the graph of a design."""
    return GRAPH + quote(file.replace("\\", "/"), safe="/._-~@+")


def file_of(graph: str) -> str:
    """The file of a design by the name of its graph."""
    return unquote(graph.removeprefix(GRAPH))


def path_of(node: str) -> str:
    """The path of a node by its IRI."""
    return unquote(node.removeprefix(DESIGN))


def triples(graph: Graph, plan: Plan | None) -> Iterator[str]:
    """The facts of a design in N-Triples; with a plan, where each comes from, too."""
    for quad in Store(graph).quads():
        yield f"{quad.triple} ."
    for subject in graph.subjects.values():
        for word in sorted(subject.unread):
            yield line(iri(subject.path).value, UNREAD, word)
    if plan is not None:
        for quad in trace(graph, plan):
            yield f"{quad.triple} ."


def node(path: str) -> str:
    """The IRI of a node of a design."""
    return iri(path).value


def line(subject: str, word: str, value: str | int) -> str:
    """One statement in N-Triples: an IRI, a word of the vocabulary, and a text or number."""
    told = ox.Literal(value)
    return f"{ox.NamedNode(subject)} {ox.NamedNode(NAMESPACE + word)} {told} ."


def type_triple(subject: str, cls: str) -> str:
    """That something is of a class, in N-Triples."""
    return f"{ox.NamedNode(subject)} {RDF_TYPE} {ox.NamedNode(NAMESPACE + cls)} ."


def link_triple(subject: str, word: str, path: str) -> str:
    """That something is about a node of its design, in N-Triples."""
    return f"{ox.NamedNode(subject)} {ox.NamedNode(NAMESPACE + word)} {iri(path)} ."


#: By how much a double that a store prints in few digits differs from its decimal at most.
ROUGH = 1e-5


class Copy:
    """
    Part of a design of a store, in memory.

    Args:
        rows: `s`, `p` and `o` of each statement, as the standard's JSON writes terms, and `e`, a double as a decimal.
        flags: the words whose values are truths: some stores keep them as numbers.
    """

    def __init__(self, rows: Collection[Mapping[str, Any]], flags: Collection[str]) -> None:
        self._quads = [ox.Quad(_term(one["s"]), _term(one["p"]), _value(one, flags)) for one in rows]
        kinds = {one["o"]["value"] for one in rows if one["p"]["value"] == RDF_TYPE.value}
        self.classes = {one.removeprefix(NAMESPACE) for one in kinds}
        self.unread = {one["o"]["value"] for one in rows if one["p"]["value"] == NAMESPACE + UNREAD}
        self._of: dict[str, list[int]] = {}
        for quad in self._quads:
            word = quad.object.value if quad.predicate == RDF_TYPE else quad.predicate.value  # type: ignore[union-attr]
            self._of.setdefault(word.removeprefix(NAMESPACE), []).append(hash((quad.subject, quad.object)))

    @cached_property
    def store(self) -> ox.Store:
        """The statements."""
        store = ox.Store()
        store.extend(self._quads)
        return store

    def digest(self, names: Sequence[str]) -> int:
        """A number that is the same for copies that say the same with these words and classes."""
        return hash(tuple(tuple(sorted(self._of.get(name, ()))) for name in names))

    def select(self, query: str) -> list[dict[str, str]]:
        """The rows of a SELECT, each its bound variables as text."""
        found = self.store.query(query)
        if not isinstance(found, ox.QuerySolutions):
            raise TypeError("a judgement is a SELECT")
        names = [one.value for one in found.variables]
        return [
            {name: getattr(cell, "value", "") for name, cell in zip(names, row, strict=True) if cell is not None}
            for row in found
        ]


def _value(row: Mapping[str, Any], flags: Collection[str]) -> Any:
    cell, word = row["o"], row["p"]["value"].removeprefix(NAMESPACE)
    if word in flags and cell["value"] in ("0", "1"):
        return ox.Literal(cell["value"] == "1")
    if cell.get("datatype") == DOUBLE.value and "e" in row:
        rough, whole = float(cell["value"]), float(row["e"]["value"])
        near = abs(whole - rough) <= ROUGH * abs(rough)
        return ox.Literal(repr(whole if near else rough), datatype=DOUBLE)
    return _term(cell)


def _term(cell: Mapping[str, str]) -> Any:
    if cell["type"] == "uri":
        return ox.NamedNode(cell["value"])
    return ox.Literal(cell["value"], datatype=ox.NamedNode(cell["datatype"]) if "datatype" in cell else None)
