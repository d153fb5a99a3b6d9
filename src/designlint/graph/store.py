"""The graph in RDF: one store that SPARQL queries, that other tools read and that is written out."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from designlint.graph.rdf import PREFIXES, RDF_TYPE, READERS, REMOTE, bound_query, iri, reaches, term
from designlint.graph.subjects import Graph, Subject
from designlint.language.vocabulary import NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping


class Store:
    """
    A graph in pyoxigraph, loaded when it is first asked.

    Args:
        words: the words that are loaded then, more of them when a judgement reads them; all where it is None.
    """

    def __init__(self, graph: Graph, words: Collection[str] | None = None) -> None:
        self.graph = graph
        self.words = None if words is None else set(words)
        self._terms: dict[tuple[type, Any], ox.Literal | ox.NamedNode] = {}

    @cached_property
    def order(self) -> dict[str, int]:
        """The place of each subject in the design, by path."""
        return {path: at for at, path in enumerate(self.graph.subjects)}

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

    def exchange(self, facts: Mapping[Any, Any]) -> Callable[[], None]:
        """
        Take the facts that the graph has now at these places; what is given back takes the old ones again.

        Args:
            facts: what the store holds, by subject and word; None where it holds nothing.
        """
        loaded = {place: old for place, old in facts.items() if self.words is None or place[1] in self.words}
        before = [quad for (subject, word), old in loaded.items() for quad in self._quads(subject, word, old)]
        now = [quad for one, word in loaded for quad in self._quads(one, word, one.facts.get(word))]
        self._exchange(before, now)
        return lambda: self._exchange(now, before)

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

    def select(self, query: str, words: Collection[str] = ()) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The variables of a judgement that reads these words, and its rows as plain values."""
        store = self.store
        if self.words is not None and (more := set(words) - self.words):
            store.extend(self._facts(more))
            self.words |= more
        found = store.query(query)
        if not isinstance(found, ox.QuerySolutions):
            raise TypeError("a judgement is a SELECT")
        return [variable.value for variable in found.variables], [tuple(map(self.plain, row)) for row in found]

    def table(self, query: str) -> tuple[list[str], list[list[Any]]]:
        """The columns and rows of a query by a user. Raises SyntaxError, ValueError."""
        if reaches(query, REMOTE):
            raise ValueError("SERVICE would reach over the network")
        found = self.store.query(bound_query(query), prefixes=PREFIXES)
        if not isinstance(found, ox.QuerySolutions):
            raise ValueError("only SELECT queries are answered")
        names = [variable.value for variable in found.variables]
        return names, [[None if value is None else self._plain_value(value) for value in row] for row in found]

    def _plain_value(self, value: Any) -> Any:
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
