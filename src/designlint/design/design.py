"""A design as read: its text, its graph with all that follows from it, the store that rules and users query."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from designlint.design.overlay import NOTHING_HELD, overlaid
from designlint.findings.model import Problem
from designlint.findings.timing import time_call
from designlint.graph.asking import AskedGraph
from designlint.graph.build import Builder
from designlint.language import currencies
from designlint.reading import Document, Node

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    import rdflib

    from designlint.design.overlay import Held
    from designlint.graph.remembered import Remembered
    from designlint.graph.store import Store
    from designlint.graph.subjects import Graph
    from designlint.reading.bases import Base
    from designlint.rules.engine import Engine

#: What a design begins with.
FIRST = "designlint: 1"
#: Faults of text and shape that are listed: a hostile file has a hundred thousand.
MOST_PROBLEMS = 200
#: What may be the key of a waiver's condition, in a comment or in YAML.
CONDITIONAL = re.compile(r"\bwhile\b[^\n:=]*\s*[:=]")


class Design(Struct):
    """
    One design, read and derived, not yet judged.

    Attributes:
        held: files that it extends, as far as they are in memory.
        bases: the files that it extends, or would if they were there.
        others: those of them that were read, whatever of them counts in the end.
        layouts: what was searched for its jobs, by path.
        kept: what rules answered about designs that differ in one workload.
        steps: the calculations that were made; None for all.
    """

    document: Document
    graph: Graph
    engine: Engine
    problems: list[Problem]
    held: Held = field(default_factory=dict)
    bases: list[Base] = field(default_factory=list)
    others: list[Document] = field(default_factory=list)
    layouts: dict[str, Any] = field(default_factory=dict)
    kept: Remembered | None = None
    steps: Collection[int] | None = None
    _store: Store | None = None
    _judged: AskedGraph | None = None

    @property
    def store(self) -> Store:
        """The graph in RDF, loaded when first asked for."""
        from designlint.graph.store import Store

        if self._store is None:
            self._store = Store(self.graph)
        return self._store

    @property
    def judged(self) -> AskedGraph:
        """The graph as rules ask it."""
        if self._judged is None:
            engine = self.engine
            self._judged = AskedGraph(
                self.graph, engine.queried_words, partial(engine.queried_words, in_place=False), self.kept
            )
        return self._judged

    def query(self, sparql: str) -> list[dict[str, Any]]:
        """The rows of a SPARQL SELECT over the design, as plain values. Raises SyntaxError, ValueError."""
        names, rows = self.table(sparql)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def table(self, sparql: str) -> tuple[list[str], list[list[Any]]]:
        """The columns and rows of a SPARQL SELECT. Raises SyntaxError, ValueError."""
        return self.store.table(sparql)

    def texts(self) -> dict[str, str]:
        """The text of each file that the design is made of."""
        return {one.file: one.text for one in (self.document, *self.others)}

    def with_provenance(self) -> Design:
        """The same design, its store holding also where every fact comes from."""
        from designlint.graph.provenance import trace

        self.store.store.extend(trace(self.graph, self.engine.plan))
        return self

    def rdflib(self) -> rdflib.Graph:
        """The very same store as an rdflib graph, without a copy."""
        import rdflib
        from oxrdflib import OxigraphStore
        from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

        return rdflib.Graph(store=OxigraphStore(store=self.store.store), identifier=DATASET_DEFAULT_GRAPH_ID)


def read_design(
    document: Document, engine: Engine, held: Held = NOTHING_HELD, steps: Collection[int] | None = None
) -> Design:
    """
    Text -> tree -> graph -> derived facts.

    Args:
        held: files that it extends, as far as they are in memory.
        steps: the calculations that are made; all when left out, and where a waiver might ask for any word.
    """
    problems = [Problem(one.rule, document, one.start, one.end, one.values) for one in document.problems]
    bases: list[Base] = []
    others: list[Document] = []
    root = time_call("read", overlaid, document, problems, held, bases, others, engine.vocabulary.catalogue_name)
    steps = None if may_ask_any((document, *others)) else steps
    engine = in_currency(engine, root)
    graph, more = build_graph(_top(root, document, problems), engine, steps)
    found = [one for one in problems + more if one.rule in engine.rules]
    return Design(document, graph, engine, _few(found, document), held, bases, others, steps=steps)


def may_ask_any(documents: Iterable[Document]) -> bool:
    """Whether a waiver in one of some files may be conditional, and so ask for any word."""
    return any(CONDITIONAL.search(one.text) for one in documents)


def in_currency(engine: Engine, root: Node | None) -> Engine:
    """The engine with money in the currency that the design states."""
    stated = root.entries.get("currency") if root is not None and root.kind == "map" else None
    allowed = engine.vocabulary.classes["Design"]["currency"].allowed or ()
    code = stated.text if stated is not None and stated.text in allowed else currencies.USUAL
    vocabulary = engine.vocabulary.in_currency(code)
    return engine if vocabulary is engine.vocabulary else replace(engine, vocabulary=vocabulary)


def build_graph(root: Node, engine: Engine, steps: Collection[int] | None = None) -> tuple[Graph, list[Problem]]:
    """
    The graph of a tree with what follows from it, and what is wrong with its shape.

    Args:
        steps: the calculations that are made; all when left out.
    """
    builder = Builder(engine.vocabulary, engine.today)
    graph = time_call("graph", builder.build, root)
    time_call("derive", engine.plan.run, graph, steps)
    return graph, builder.problems


def _few(problems: list[Problem], document: Document) -> list[Problem]:
    """No more problems than a person would read; that there are more is a problem too."""
    if len(problems) <= MOST_PROBLEMS:
        return problems
    more = {"most": MOST_PROBLEMS, "what": "faults of text and shape; the rest is not listed"}
    return [*problems[:MOST_PROBLEMS], Problem("syntax/too-large", document, 0, 0, more)]


def _top(root: Node | None, document: Document, problems: list[Problem]) -> Node:
    """The mapping that a design is; an empty one where the file holds something else."""
    if root is not None and root.kind == "map":
        if "designlint" not in root.entries and document.complete:
            what = {"what": "a mapping without the key `designlint`", "first": FIRST}
            problems.append(Problem("shape/not-a-design", document, root.start, root.start + 1, what))
        return root
    if root is not None:
        kind = "a list" if root.kind == "list" else "a single value"
        problems.append(
            Problem("shape/not-a-design", document, root.start, min(root.end, root.start + 1), {"what": kind})
        )
    return Node(document, "map", 0, 0, outer=0)
