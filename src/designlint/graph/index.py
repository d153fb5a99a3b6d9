"""Subjects by what they hold, found when a query first asks for a word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from designlint.graph.subjects import Graph, Subject


class Index:
    """A graph as queries in place ask for it, see `designlint.expressions.selects.evaluation.Facts`."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._holding: dict[str, list[Subject]] = {}
        self._holders: dict[str, dict[tuple[type, Any], list[Subject]]] = {}

    def forget(self, words: Iterable[str]) -> None:
        """The facts of some words are others now."""
        for word in words:
            self._holding.pop(word, None)
            self._holders.pop(word, None)

    def of_class(self, cls: str) -> Sequence[Subject]:
        """The subjects of a class."""
        return self.graph.by_class.get(cls, ())

    def holding(self, word: str) -> Sequence[Subject]:
        """The subjects that have a word."""
        found = self._holding.get(word)
        if found is None:
            found = self._holding[word] = [one for one in self.graph.subjects.values() if word in one.facts]
        return found

    def holders(self, word: str, value: Any) -> Sequence[Subject]:
        """The subjects that have a word with this value, a whole number and a double being different ones."""
        found = self._holders.get(word)
        if found is None:
            found = self._holders[word] = {}
            for subject in self.holding(word):
                fact = subject.facts[word]
                for key in {(one.__class__, one) for one in (fact if isinstance(fact, list) else (fact,))}:
                    found.setdefault(key, []).append(subject)
        return found.get((value.__class__, value), ())
