"""The graph in RDF: one store that SPARQL queries, that other tools read and that is written out."""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from designlint.graph.remembered import recall
from designlint.graph.subjects import Graph, Subject
from designlint.language.vocabulary import DESIGN, NAMESPACE, SOURCE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from designlint.graph.remembered import Remembered

    Cells = ox.QuerySolution | tuple[Any, ...]

RDF_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
XSD = "http://www.w3.org/2001/XMLSchema#"
BOOLEAN, INTEGER, DOUBLE, DATE = (ox.NamedNode(XSD + name) for name in ("boolean", "integer", "double", "date"))
#: By datatype, what reads a literal; text and dates stay as they are.
READERS: dict[str, Any] = {
    BOOLEAN.value: "true".__eq__,
    INTEGER.value: int,
    DOUBLE.value: float,
    XSD + "decimal": float,
    XSD + "float": float,
}
TRUE, FALSE = ox.Literal("true", datatype=BOOLEAN), ox.Literal("false", datatype=BOOLEAN)
#: Integers beyond 64 bits are stated as doubles: SPARQL engines hold no larger ones.
LARGEST = 2**63 - 1
#: Prefixes that a user's query need not declare.
PREFIXES = {"": NAMESPACE, "design": DESIGN, "xsd": XSD, "prov": "http://www.w3.org/ns/prov#", "source": SOURCE}
#: Size and depth of a query: the engine's parser recurses, and several times as much ends the process.
LONGEST, DEEPEST = 4000, 100
#: What a query names; the engine wants no gap before a keyword (`1SERVICE`), so keywords are sought in all that is left.
NAMES = re.compile(r"[?$]\w+|\w*:\w*", re.ASCII)
REMOTE = re.compile("SERVICE", re.IGNORECASE)
OUTSIDE = re.compile("SERVICE|FROM|GRAPH|LOAD|INSERT|DELETE|CONSTRUCT", re.IGNORECASE)
#: A path that is an IRI as it stands, as nearly all are.
PLAIN = re.compile(r"[A-Za-z0-9/_.~-]*")
#: A percent sign that begins no escape.
STRAY = re.compile(r"%(?![0-9A-Fa-f]{2})")
#: Letters that an IRI may hold as they are; any letter outside ASCII is legal too.
SAFE = "/:@!$&'()*+,;=-._~%?"


def iri(path: str) -> ox.NamedNode:
    """The IRI of a node: its path in the design."""
    if not PLAIN.fullmatch(path):
        from urllib.parse import quote

        path = "".join(
            letter if letter.isalnum() or letter in SAFE else quote(letter, safe="", errors="replace")
            for letter in STRAY.sub("%25", path)
        )
    return ox.NamedNode(DESIGN + path)


def term(word_kind: str, fact: Any) -> ox.NamedNode | ox.Literal:
    """A fact as an RDF term."""
    if isinstance(fact, Subject):
        return iri(fact.path)
    if isinstance(fact, bool):
        return TRUE if fact else FALSE
    if isinstance(fact, int) and abs(fact) <= LARGEST:
        return ox.Literal(str(fact), datatype=INTEGER)
    if isinstance(fact, int | float):
        return ox.Literal(repr(float(fact)), datatype=DOUBLE)
    return ox.Literal(fact, datatype=DATE) if word_kind == "Date" else ox.Literal(fact)


def reaches(query: str, words: re.Pattern[str] = OUTSIDE) -> bool:
    """Whether a query has keywords that reach outside the design's own graph."""
    return words.search(NAMES.sub(" ", query)) is not None


def bounded(query: str) -> str:
    """The query, where the engine can parse it without exhausting its stack. Raises ValueError."""
    if len(query) > LONGEST:
        raise ValueError(f"a query has at most {LONGEST} characters")
    depth = 0
    for letter in query:
        depth += (letter in "({[") - (letter in ")}]")
        if depth > DEEPEST:
            raise ValueError(f"brackets nest at most {DEEPEST} deep in a query")
    return query


class Store:
    """
    A graph in pyoxigraph, loaded when it is first asked.

    Args:
        words: the words that are loaded then, more of them when a judgement reads them; all where it is None.
        kept: what judgements answered about graphs like this one.
    """

    def __init__(self, graph: Graph, words: Collection[str] | None = None, kept: Remembered | None = None) -> None:
        self.graph = graph
        self.words = None if words is None else set(words)
        #: What a fact that is not known waits for, as far as it was asked.
        self.asked: dict[tuple[str, str], list[str]] = {}
        self.order = {path: at for at, path in enumerate(graph.subjects)}
        self.recall = recall(graph, kept, words or ())
        self._terms: dict[tuple[type, Any], ox.Literal | ox.NamedNode] = {}

    @cached_property
    def nodes(self) -> dict[str, ox.NamedNode]:
        """The IRI of every subject, by path."""
        return {path: iri(path) for path in self.graph.subjects}

    @cached_property
    def subjects(self) -> dict[str, Subject]:
        """The subjects by IRI."""
        return {node.value: self.graph.subjects[path] for path, node in self.nodes.items()}

    @cached_property
    def store(self) -> ox.Store:
        """The store itself."""
        store = ox.Store()
        store.extend(self.quads())
        return store

    def quads(self) -> Iterator[ox.Quad]:
        """What is loaded at first: the classes of every subject, and its facts."""
        classes = self.graph.vocabulary.classes
        yield from self._kinds()
        yield from self._facts(
            {name for words in classes.values() for name in words} if self.words is None else self.words
        )

    def _kinds(self) -> Iterator[ox.Quad]:
        names = {kind: ox.NamedNode(NAMESPACE + kind) for kind in self.graph.by_class}
        for path, subject in self.graph.subjects.items():
            for kind in subject.kinds:
                yield ox.Quad(self.nodes[path], RDF_TYPE, names[kind])

    def _facts(self, wanted: Collection[str]) -> Iterator[ox.Quad]:
        classes, nodes, quad = self.graph.vocabulary.classes, self.nodes, ox.Quad
        names = {word: ox.NamedNode(NAMESPACE + word) for word in wanted}
        for path, subject in self.graph.subjects.items():
            node, words = nodes[path], classes[subject.cls]
            for word in subject.facts.keys() & names.keys():
                fact = subject.facts[word]
                for one in fact if isinstance(fact, list) else (fact,):
                    yield quad(node, names[word], self._term(words[word].kind, one))

    def _term(self, kind: str, fact: Any) -> ox.NamedNode | ox.Literal:
        """A fact as an RDF term; equal ones are made once."""
        if isinstance(fact, Subject):
            return self.nodes[fact.path]
        if kind == "Date":
            return term(kind, fact)
        key = fact.__class__, fact
        known = self._terms.get(key)
        if known is None:
            known = self._terms[key] = term(kind, fact)
        return known

    @contextmanager
    def patched(self, facts: Mapping[Any, Any]) -> Iterator[None]:
        """
        The store with the facts that the graph has now at these places.

        Args:
            facts: what the store holds, by subject and word; None where it holds nothing.
        """
        if self.recall is not None:
            self.recall.forget()
        loaded = {place: old for place, old in facts.items() if self.words is None or place[1] in self.words}
        before = [quad for (subject, word), old in loaded.items() for quad in self._quads(subject, word, old)]
        now = [quad for one, word in loaded for quad in self._quads(one, word, one.facts.get(word))]
        self._exchange(before, now)
        try:
            yield
        finally:
            self._exchange(now, before)
            if self.recall is not None:
                self.recall.forget()

    def _exchange(self, old: list[ox.Quad], new: list[ox.Quad]) -> None:
        if "store" not in self.__dict__:  # it loads what the graph says then
            return
        for quad in old:
            self.store.remove(quad)
        self.store.extend(new)

    def _quads(self, subject: Subject, word: str, fact: Any) -> Iterator[ox.Quad]:
        kind = self.graph.vocabulary.classes[subject.cls][word].kind
        name = ox.NamedNode(NAMESPACE + word)
        for one in fact if isinstance(fact, list) else () if fact is None else (fact,):
            yield ox.Quad(self.nodes[subject.path], name, self._term(kind, one))

    def select(self, query: str, words: Collection[str] = ()) -> tuple[list[str], list[Cells]]:
        """The variables and rows of a judgement that reads these words, the terms as the engine gives them."""
        if self.recall is None:
            return self._asked(query, words)
        return self.recall.rows(query, words, self.nodes, self._path, lambda: self._asked(query, words))

    def _path(self, node: ox.NamedNode) -> str | None:
        subject = self.subjects.get(node.value)
        return None if subject is None else subject.path

    def _asked(self, query: str, words: Collection[str]) -> tuple[list[str], list[Cells]]:
        store = self.store
        if self.words is not None and (more := set(words) - self.words):
            store.extend(self._facts(more))
            self.words |= more
        found = store.query(query)
        if not isinstance(found, ox.QuerySolutions):
            raise TypeError("a judgement is a SELECT")
        return [variable.value for variable in found.variables], list(found)

    def table(self, query: str) -> tuple[list[str], list[list[Any]]]:
        """The columns and rows of a query by a user. Raises SyntaxError, ValueError."""
        if reaches(query, REMOTE):
            raise ValueError("SERVICE would reach over the network")
        found = self.store.query(bounded(query), prefixes=PREFIXES)
        if not isinstance(found, ox.QuerySolutions):
            raise ValueError("only SELECT queries are answered")
        names = [variable.value for variable in found.variables]
        return names, [[None if value is None else self._told(value) for value in row] for row in found]

    def _told(self, value: Any) -> Any:
        plain = self.plain(value)
        return plain.path or "." if isinstance(plain, Subject) else plain

    def plain(self, value: Any) -> Any:
        """An RDF term as a Python value; None, for unbound, stays None."""
        if value is None:
            return None
        if isinstance(value, ox.Literal):
            read = READERS.get(value.datatype.value)
            return value.value if read is None else read(value.value)
        return self.subjects.get(value.value, value.value) if isinstance(value, ox.NamedNode) else str(value)
