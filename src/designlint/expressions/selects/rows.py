"""Rows of values, and what leads from one to the next: values of words, ends of paths, what is asked for inside expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from designlint.expressions.evaluation import Evaluate

    #: A value for each variable, None where it is unbound.
    Row: TypeAlias = "list[Any]"
    #: The rows of an inner query that may fit a row.
    Fitting: TypeAlias = "Callable[[Row], Sequence[Sequence[Any]]]"
    #: What a pattern makes of rows.
    Step: TypeAlias = "Callable[[list[Row], Run], list[Row]]"


class Facts(Protocol):
    """What a query asks of a graph. Subjects have `facts` by word and `kinds`, the classes that they are of."""

    def of_class(self, cls: str) -> Sequence[Any]:
        """The subjects of a class."""

    def holding(self, word: str) -> Sequence[Any]:
        """The subjects that have a word."""

    def holders(self, word: str, value: Any) -> Sequence[Any]:
        """The subjects that have a word with this value."""


class Run:
    """One answer: the facts, and what inner patterns and queries answer, which are asked once."""

    __slots__ = ("facts", "found")

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.found: dict[Hashable, Any] = {}

    def values(self, subject: Any, word: str) -> Iterable[Any]:
        """What a subject has with a word, each value once; nothing where it is no subject."""
        facts = getattr(subject, "facts", None)
        fact = None if facts is None else facts.get(word)
        if fact is None:
            return ()
        return distinct(fact) if fact.__class__ is list else (fact,)

    def inner(self, query: Hashable, ask: Callable[[Run], Cells]) -> Fitting:
        """What gives the rows of an inner query that may fit a row."""
        known: Cells | None = self.found.get(query)
        if known is None:
            known = self.found[query] = ask(Run(self.facts))
        return known.fitting


def exists(steps: Sequence[Step], slots: Sequence[int]) -> Evaluate:
    """
    Whether there is what patterns ask for.

    Args:
        slots: those that the patterns read: rows with the same values there have one answer.
    """

    def found(at: tuple[Row, Run]) -> bool:
        row, run = at
        values = [row[slot] for slot in slots]
        key = found, *values, *[one.__class__ for one in values]
        known: bool | None = run.found.get(key)
        if known is None:
            known = run.found[key] = _any(steps, row, run)
        return known

    return found


def _any(steps: Sequence[Step], row: Row, run: Run) -> bool:
    rows = [row]
    for step in steps:
        rows = step(rows, run)
        if not rows:
            return False
    return True


def searching(pattern: re.Pattern[str], text: Evaluate, put: str | None) -> Evaluate:
    """Whether a text has a pattern somewhere, or the text with what is put in the place of each."""

    def searched(at: Any) -> Any:
        value = text(at)
        if not isinstance(value, str):
            return None
        return pattern.search(value) is not None if put is None else pattern.sub(lambda _: put, value)

    return searched


def rank(value: Any) -> tuple[bool, str, Any]:
    """Where a value stands in an order: behind what is unbound, among those of its kind."""
    kind = "number" if value.__class__ in (int, float) else value.__class__.__name__
    return value is not None, kind, getattr(value, "path", value)


def extended(row: Row, slot: int, value: Any) -> Row:
    """A row with one more value."""
    more = row[:]
    more[slot] = value
    return more


class Cells:
    """Rows of an inner query, by the first of its columns that is never unbound."""

    def __init__(self, slots: Sequence[int], every: Sequence[Sequence[Any]]) -> None:
        self.every = every
        bound = (at for at in range(len(slots)) if all(cells[at] is not None for cells in every))
        self._column = next(bound, -1)
        self._slot = slots[self._column]
        self._by_value: dict[Hashable, list[Sequence[Any]]] = {}
        for cells in every if self._column >= 0 else ():
            value = cells[self._column]
            self._by_value.setdefault((value.__class__, value), []).append(cells)

    def key(self, row: Row) -> Hashable:
        """What tells the rows that may fit a row; None for all."""
        value = row[self._slot] if self._column >= 0 else None
        return None if value is None else (value.__class__, value)

    def of(self, key: Hashable) -> Sequence[Sequence[Any]]:
        """The rows with a key, in their order."""
        return self.every if key is None else self._by_value.get(key, ())

    def fitting(self, row: Row) -> Sequence[Sequence[Any]]:
        """Those that may fit a row, in their order."""
        return self.of(self.key(row))

    def differing(self, others: Cells) -> Iterable[Hashable] | None:
        """The keys whose rows are not the same among others; None where keys are other values."""
        if self._column != others._column:
            return None
        keys = {None, *self._by_value, *others._by_value}
        return [one for one in keys if not _alike(self.of(one), others.of(one))]


def _alike(these: Sequence[Sequence[Any]], those: Sequence[Sequence[Any]]) -> bool:
    """Whether rows have the same terms in the same order."""
    return len(these) == len(those) and all(all(map(same, one, other)) for one, other in zip(these, those, strict=True))


def joined(row: Row, slots: Sequence[int], cells: Sequence[Any]) -> Row | None:
    """A row with the columns of an inner query; None where they do not fit."""
    more = row[:]
    for slot, value in zip(slots, cells, strict=True):
        known = more[slot]
        if known is None:
            more[slot] = value
        elif value is not None and not same(known, value):
            return None
    return more


def same(first: Any, second: Any) -> bool:
    """Whether two values are one term."""
    return first is second or (first.__class__ is second.__class__ and bool(first == second))


def distinct(values: Iterable[Any]) -> list[Any]:
    """The different terms among values."""
    return list({(one.__class__, one): one for one in values}.values())


def starts(ways: Sequence[Sequence[str]], run: Run) -> list[Any]:
    """The subjects at which a path may begin."""
    found: list[Any] = []
    for way in ways:
        first = way[0]
        if first[0] == "^":
            found += [one for holder in run.facts.holding(first[1:]) for one in run.values(holder, first[1:])]
        else:
            found += run.facts.holding(first)
    return distinct(found)


def ends(start: Any, ways: Sequence[Sequence[str]], run: Run) -> list[Any]:
    """What stands at the ends of a path, each once."""
    found: list[Any] = []
    for way in ways:
        here = [start]
        for word in way:
            if word[0] == "^":
                here = [one for value in here for one in run.facts.holders(word[1:], value)]
            else:
                here = [one for subject in here for one in run.values(subject, word)]
        found += here
    return distinct(found)
