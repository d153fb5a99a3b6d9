"""Answers about graphs that differ in one workload: what was asked of the same facts before is not asked again."""

from __future__ import annotations

from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.graph.subjects import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

    from designlint.findings.model import Verdict
    from designlint.graph.subjects import Fact, Graph

#: Stands for the path of the workload, which is named otherwise in every graph.
OWN = "\0"


class SpelledPath(str):
    """The path of a subject among values that are remembered."""

    __slots__ = ()


class Gap(NamedTuple):
    """
    What an unknown comes to.

    Attributes:
        verdict: unknown, or not applicable where it waits for what a sound design need not have.
        facts: those that it waits for.
        weight: what it could turn out to be, see `Outcome`.
    """

    verdict: Verdict
    facts: tuple[str, ...]
    weight: int = 0


#: Answers of each kind that are kept at most; then all of the kind are forgotten.
MOST = 100_000


class Remembered:
    """
    What was answered so far.

    Attributes:
        rows: of queries, by their text and the facts that they read.
        gaps: what unknowns come to, by what is known of the graph.
        leads: by class, the words that may lead to other subjects.
    """

    def __init__(self) -> None:
        self.rows: dict[Hashable, tuple[Sequence[str], list[tuple[Any, ...]]]] = {}
        self.gaps: dict[Hashable, Gap] = {}
        self._numbers: dict[Hashable, int] = {}
        self._next = count()
        self.leads: dict[str, frozenset[str]] = {}

    def number(self, content: Hashable) -> int:
        """A number that stands for a content, the same for equal ones; no other content ever gets it."""
        known = self._numbers.get(content)
        if known is None:
            known = self._numbers[content] = next(self._next)
        return known

    def spare(self) -> None:
        """Forget what too much is kept of."""
        kept: tuple[dict[Hashable, Any], ...] = (self.rows, self.gaps, self._numbers)
        for one in kept:
            if len(one) > MOST:
                one.clear()


class Recall:
    """
    A graph of one workload, as far as answers depend on it.

    Args:
        words: those that queries are likely to read.
    """

    def __init__(self, graph: Graph, kept: Remembered, words: Collection[str]) -> None:
        self.graph, self.kept, self._likely = graph, kept, set(words)
        self.own = graph.by_class["Workload"][0].path
        self._words: dict[str, int] = {}
        self._shape: int | None = None
        self._named: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._leads = kept.leads
        kept.spare()

    def forget(self) -> None:
        """The facts of the graph are others now."""
        self._words, self._shape = {}, None

    def rows(
        self, query: Hashable, words: Collection[str], ask: Callable[[], tuple[Sequence[str], Iterable[Iterable[Any]]]]
    ) -> tuple[Sequence[str], list[tuple[Any, ...]]]:
        """The columns and rows of a query that reads these words, asked only where they are not known."""
        key = query, self._read_numbers(words)
        known = self.kept.rows.get(key)
        if known is None:
            names, found = ask()
            known = self.kept.rows[key] = names, [tuple(map(self._cell, row)) for row in found]
        names, kept = known
        subjects = self.graph.subjects
        return names, [
            tuple([subjects[self._path(one)] if one.__class__ is SpelledPath else one for one in row]) for row in kept
        ]

    def gap(self, key: Hashable, subject: Subject, find: Callable[[], Gap]) -> Gap:
        """What an unknown about a subject comes to, found out only where that is not known."""
        if self._shape is None:
            self._shape = self.kept.number(tuple(map(self._known_words, self.graph.subjects.values())))
        whole = key, self._spell_path(subject.path), self._shape
        known = self.kept.gaps.get(whole)
        if known is None:
            found = find()
            if any(" = " in one for one in found.facts):  # it names a subject, maybe the workload
                return found
            known = self.kept.gaps[whole] = found._replace(facts=tuple(map(self._spell_path, found.facts)))
        facts = self._named.get(known.facts)
        if facts is None:
            facts = self._named[known.facts] = tuple(map(self._path, known.facts))
        return Gap(known.verdict, facts, known.weight)

    def _read_numbers(self, words: Collection[str]) -> tuple[int, ...]:
        """What the graph says with these words and classes, as numbers."""
        if not self._words.keys() >= frozenset(words):
            new = set(words).difference(self._words)
            new |= self._likely.difference(self._words)
            found: dict[str, list[Hashable]] = {one: [] for one in new}
            for subject in self.graph.subjects.values():
                for word in subject.facts.keys() & new:
                    found[word].append((self._spell_path(subject.path), self._value(subject.facts[word])))
            for cls in self.graph.by_class.keys() & new:
                found[cls] += [self._spell_path(one.path) for one in self.graph.by_class[cls]]
            self._words |= {word: self.kept.number(tuple(one)) for word, one in found.items()}
        return tuple(map(self._words.__getitem__, _order_words(frozenset(words))))

    def _known_words(self, subject: Subject) -> Hashable:
        """Which words of a subject are known, and which subjects they lead to."""
        facts = subject.facts
        led = tuple((word, self._value(facts[word])) for word in facts.keys() & self._leading(subject.cls))
        return self._spell_path(subject.path), subject.cls, frozenset(subject.facts), frozenset(led)

    def _leading(self, cls: str) -> frozenset[str]:
        """The words of a class that may lead to subjects, or have several values."""
        known = self._leads.get(cls)
        if known is None:
            classes = self.graph.vocabulary.classes
            words = (name for name, word in classes[cls].items() if word.many or word.kind in classes)
            known = self._leads[cls] = frozenset(words)
        return known

    def _value(self, fact: Fact) -> Hashable:
        if isinstance(fact, Subject):
            return Subject, self._spell_path(fact.path)
        return tuple(map(self._value, fact)) if isinstance(fact, list) else (fact.__class__, fact)

    def _cell(self, cell: Any) -> Any:
        """A value; of a subject, its path."""
        return SpelledPath(self._spell_path(cell.path)) if isinstance(cell, Subject) else cell

    def _spell_path(self, path: str) -> str:
        """A path without the name of the workload."""
        mine = path.startswith(self.own) and path[len(self.own) : len(self.own) + 1] in ("", "/")
        return OWN + path[len(self.own) :] if mine else path

    def _path(self, spelled: str) -> str:
        return self.own + spelled[1:] if spelled[:1] == OWN else spelled


def recall(graph: Graph, kept: Remembered | None, words: Callable[[], Collection[str]]) -> Recall | None:
    """What of a graph may be remembered; None unless it has one workload."""
    workloads: Sequence[Subject] = graph.by_class.get("Workload", ())
    return None if kept is None or len(workloads) != 1 else Recall(graph, kept, words())


@lru_cache
def _order_words(words: frozenset[str]) -> list[str]:
    return sorted(words)
