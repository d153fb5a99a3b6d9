"""The graph as rules ask it: in place where they can be answered so, by SPARQL where they cannot."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from designlint.expressions.evaluation import AddressError
from designlint.graph.index import Index
from designlint.graph.remembered import recall

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from designlint.expressions.selects.evaluation import Select
    from designlint.graph.remembered import Remembered
    from designlint.graph.store import Store
    from designlint.graph.subjects import Graph


class Query(Protocol):
    """A query: its text, and the words that it reads."""

    @property
    def sparql(self) -> str: ...
    @property
    def words(self) -> Collection[str]: ...


class AskedGraph:
    """
    A graph with what was answered about it.

    Args:
        words: gives those that queries are likely to read, and `engine_words` those of queries that only an engine answers.
        kept: what judgements answered about graphs like this one.

    Attributes:
        order: the place of each subject in the design, by path.
    """

    def __init__(
        self,
        graph: Graph,
        words: Callable[[], Collection[str]],
        engine_words: Callable[[], Collection[str]],
        kept: Remembered | None = None,
    ) -> None:
        self.graph = graph
        self.order = {path: at for at, path in enumerate(graph.subjects)}
        self.recall = recall(graph, kept, words)
        self.index = Index(graph)
        self._engine_words = engine_words

    @cached_property
    def store(self) -> Store:
        """The part of the graph that an engine is asked about."""
        from designlint.graph.store import Store

        return Store(self.graph, self._engine_words())

    def rows(self, select: Select | None, query: Query) -> tuple[Sequence[str], Sequence[tuple[Any, ...]]]:
        """
        The columns and rows of a judgement.

        Args:
            select: the query as it is answered in place; None where only an engine answers it.
        """

        def ask() -> tuple[Sequence[str], Sequence[tuple[Any, ...]]]:
            if select is not None:
                with suppress(AddressError):
                    return select.names, select.rows(self.index)
            return self.store.select(query.sparql, query.words)

        return ask() if self.recall is None else self.recall.rows(query.sparql, query.words, ask)

    @contextmanager
    def patching(self, facts: Mapping[Any, Any]) -> Iterator[None]:
        """
        The graph as it is with the facts that it has now at these places.

        Args:
            facts: what it had there before, by subject and word; None where it had nothing.
        """
        words = {word for _, word in facts}
        self._forget(words)
        back = self.store.exchange(facts) if "store" in self.__dict__ else None
        try:
            yield
        finally:
            self._forget(words)
            if back is not None:
                back()
            elif "store" in self.__dict__:  # first asked meanwhile, it holds what was tried
                del self.store

    @contextmanager
    def others(self, words: Collection[str]) -> Iterator[None]:
        """The graph as queries in place ask it while the facts of some words are others."""
        self.index.forget(words)
        try:
            yield
        finally:
            self.index.forget(words)

    @contextmanager
    def undone(self, facts: Mapping[Any, Any]) -> Iterator[None]:
        """
        The graph as queries in place asked it before some facts were others.

        Args:
            facts: what it had there before, by subject and word; None where it had nothing.
        """
        now = {place: place[0].facts.get(place[1]) for place in facts}
        words = {word for _, word in facts}
        try:
            _put_facts(facts)
            with self.others(words):
                yield
        finally:
            _put_facts(now)

    def _forget(self, words: set[str]) -> None:
        self.index.forget(words)
        if self.recall is not None:
            self.recall.forget()


def _put_facts(facts: Mapping[Any, Any]) -> None:
    """Let facts stand at their places, or none."""
    for (subject, word), fact in facts.items():
        if fact is None:
            subject.facts.pop(word, None)
        else:
            subject.facts[word] = fact
