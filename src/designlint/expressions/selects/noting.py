"""A SELECT about one subject, with all that the answer read: it holds until one of these facts is another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from designlint.expressions.selects.rows import Run

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from designlint.expressions.selects.rows import Cells, FactSource, Fitting, Query

    #: What an answer read: what a subject has with a word, who has a word or has it with a value, some rows of an inner query.
    Read: TypeAlias = Hashable


class Inner(Struct):
    """What an inner query answers, and what it read."""

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

    def __init__(self, facts: FactSource, kept: dict[Query, Inner]) -> None:
        self.reads: set[Read] = set()
        super().__init__(_NotedFacts(facts, self.reads))
        self.kept = kept

    def values(self, subject: Any, word: str) -> Iterable[Any]:
        self.reads.add((subject, word))
        return super().values(subject, word)

    def inner(self, query: Query) -> Fitting:
        known = self.kept.get(query)
        if known is None:
            known = self.kept[query] = answer_inner(query, self.facts, self.kept)
        cells = known.cells
        self.reads.add(query)

        def fitting(values: Sequence[Any]) -> Sequence[Sequence[Any]]:
            key = cells.key(values)
            self.reads.add((query, key))
            return cells.of(key)

        return fitting


def answer_inner(query: Query, facts: FactSource, kept: dict[Query, Inner]) -> Inner:
    """What an inner query answers now; `kept` as `NotedRun` has it."""
    run = NotedRun(facts, kept)
    return Inner(query(run), run.reads)


class _NotedFacts:
    """Facts that note which words are asked of all subjects."""

    def __init__(self, facts: FactSource, reads: set[Read]) -> None:
        self._facts, self._reads = facts, reads

    def of_class(self, cls: str) -> Sequence[Any]:
        return self._facts.of_class(cls)

    def holding(self, word: str) -> Sequence[Any]:
        self._reads.add(word)
        return self._facts.holding(word)

    def holders(self, word: str, value: Any) -> Sequence[Any]:
        self._reads.add((word, value.__class__, value))
        return self._facts.holders(word, value)


def affected_reads(subject: Any, word: str, before: Any, now: Any) -> Iterable[Read]:
    """All that an answer may have read of a fact that was another before; None where it was unknown."""
    yield subject, word
    if before is None or now is None:
        yield word
    for fact in (before, now):
        for one in fact if isinstance(fact, list) else (fact,):
            yield word, one.__class__, one


def renew_answers(facts: FactSource, kept: Mapping[Query, Inner], changed: set[Read]) -> dict[Query, Inner]:
    """What inner queries answer now that some facts are others; the rows that are others now come to what is changed."""
    found = dict(kept)
    for query, one in kept.items():  # those within others come first
        if not one.reads.isdisjoint(changed):
            found[query] = answer_inner(query, facts, found)
            changed |= one.differing(query, found[query])
    return found
