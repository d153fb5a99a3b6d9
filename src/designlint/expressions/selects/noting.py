"""A SELECT about one subject, with all that the answer read: it holds until one of these facts is another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from designlint.expressions.selects.rows import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from designlint.expressions.selects.rows import Cells, Facts, Fitting, Row

    #: What an answer read: what a subject has with a word, who has a word or has it with a value, some rows of an inner query.
    Read: TypeAlias = Hashable


class Inner(Struct):
    """What an inner query answers, how it is asked, and what it read."""

    ask: Callable[[Run], Cells]
    cells: Cells
    reads: set[Read]

    def differing(self, query: Hashable, other: Inner) -> set[Read]:
        """What of a query is not the same in another answer, as it is read."""
        keys = self.cells.differing(other.cells)
        return {query} if keys is None else {(query, key) for key in keys}


class NotedRun(Run):
    """
    A run that notes what it reads.

    Args:
        kept: what inner queries answer; it serves all runs on the same facts.

    Attributes:
        reads: what was read.
    """

    __slots__ = ("kept", "reads")

    def __init__(self, facts: Facts, kept: dict[Hashable, Inner]) -> None:
        self.reads: set[Read] = set()
        super().__init__(_NotedFacts(facts, self.reads))
        self.kept = kept

    def values(self, subject: Any, word: str) -> Iterable[Any]:
        self.reads.add((subject, word))
        return super().values(subject, word)

    def inner(self, query: Hashable, ask: Callable[[Run], Cells]) -> Fitting:
        known = self.kept.get(query)
        if known is None:
            run = NotedRun(self.facts, self.kept)
            known = self.kept[query] = Inner(ask, ask(run), run.reads)
        cells = known.cells
        self.reads.add(query)

        def fitting(row: Row) -> Sequence[Sequence[Any]]:
            key = cells.key(row)
            self.reads.add((query, key))
            return cells.of(key)

        return fitting


class _NotedFacts:
    """Facts that note which words are asked of all subjects."""

    def __init__(self, facts: Facts, reads: set[Read]) -> None:
        self._facts, self._reads = facts, reads

    def of_class(self, cls: str) -> Sequence[Any]:
        return self._facts.of_class(cls)

    def holding(self, word: str) -> Sequence[Any]:
        self._reads.add(word)
        return self._facts.holding(word)

    def holders(self, word: str, value: Any) -> Sequence[Any]:
        self._reads.add((word, value.__class__, value))
        return self._facts.holders(word, value)


def affected(subject: Any, word: str, before: Any, now: Any) -> Iterable[Read]:
    """All that an answer may have read of a fact that was another before; None where it was unknown."""
    yield subject, word
    if before is None or now is None:
        yield word
    for fact in (before, now):
        for one in fact if isinstance(fact, list) else (fact,):
            yield word, one.__class__, one


def renewed(facts: Facts, kept: Mapping[Hashable, Inner], changed: set[Read]) -> dict[Hashable, Inner]:
    """What inner queries answer now that some facts are others; the rows that are others now come to what is changed."""
    found = dict(kept)
    for query, one in kept.items():  # those within others come first
        if not one.reads.isdisjoint(changed):
            run = NotedRun(facts, found)
            found[query] = Inner(one.ask, one.ask(run), run.reads)
            changed |= one.differing(query, found[query])
    return found
