"""What functions that were written for SELECTs ask of a graph: values of words, ends of paths, rows of inner queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    #: The rows of an inner query that may fit values of its columns.
    Fitting: TypeAlias = "Callable[[Sequence[Any]], Sequence[Sequence[Any]]]"
    #: An inner query.
    Query: TypeAlias = "Callable[[Run], Cells]"


class FactSource(Protocol):
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

    def __init__(self, facts: FactSource) -> None:
        self.facts = facts
        self.found: dict[Hashable, Any] = {}

    def values(self, subject: Any, word: str) -> Iterable[Any]:
        """What a subject has with a word, each value once; nothing where it is no subject."""
        facts = getattr(subject, "facts", None)
        fact = None if facts is None else facts.get(word)
        if fact is None:
            return ()
        return distinct(fact) if fact.__class__ is list else (fact,)

    def inner(self, query: Query) -> Fitting:
        """What gives the rows of an inner query that may fit values of its columns."""
        known: Cells | None = self.found.get(query)
        if known is None:
            known = self.found[query] = query(Run(self.facts))
        return known.fitting


def matches_any(run: Run, pattern: Callable[..., bool], *values: Any) -> bool:
    """Whether there is what a pattern asks for: of the same values it is asked once."""
    key = pattern, *values, *[one.__class__ for one in values]
    known: bool | None = run.found.get(key)
    if known is None:
        known = run.found[key] = pattern(run, *values)
    return known


def of_class(run: Run, known: Any, cls: str) -> Sequence[Any]:
    """The subjects of a class; of one that is known, itself or none."""
    if known is None:
        return run.facts.of_class(cls)
    return (known,) if cls in getattr(known, "kinds", ()) else ()


def pairs(run: Run, holder: Any, word: str, value: Any) -> Sequence[tuple[Any, Any]]:
    """Who has a word with what, as far as neither is known."""
    if holder is not None:
        there = run.values(holder, word)
        if value is None:
            return [(holder, one) for one in there]
        return [(holder, value)] if among(there, value) else []
    if value is not None:
        return [(one, value) for one in run.facts.holders(word, value)]
    return [(one, each) for one in run.facts.holding(word) for each in run.values(one, word)]


def paths(run: Run, start: Any, ways: Sequence[Sequence[str]], end: Any) -> Iterable[tuple[Any, Any]]:
    """The beginnings and ends of a path, as far as neither is known."""
    for here in starts(ways, run) if start is None else (start,):
        for there in ends(here, ways, run):
            if end is None or same(end, there):
                yield here, there


def fitting(known: Any, values: Sequence[Any]) -> Sequence[Any]:
    """Those of some values that fit one that may be known."""
    return [one for one in values if known is None or same(known, one)]


def rank(value: Any) -> tuple[bool, str, Any]:
    """Where a value stands in an order: behind what is unbound, among those of its kind."""
    kind = "number" if value.__class__ in (int, float) else value.__class__.__name__
    return value is not None, kind, getattr(value, "path", value)


class Cells:
    """Rows of an inner query, by the first of its columns that is never unbound."""

    def __init__(self, width: int, every: Sequence[Sequence[Any]]) -> None:
        self.every = every
        bound = (at for at in range(width) if all(cells[at] is not None for cells in every))
        self._column = next(bound, -1)
        self._by_value: dict[Hashable, list[Sequence[Any]]] = {}
        for cells in every if self._column >= 0 else ():
            value = cells[self._column]
            self._by_value.setdefault((value.__class__, value), []).append(cells)

    def key(self, values: Sequence[Any]) -> Hashable:
        """What tells the rows that may fit values of the columns, None for what is not known; None for all."""
        value = values[self._column] if self._column >= 0 else None
        return None if value is None else (value.__class__, value)

    def of(self, key: Hashable) -> Sequence[Sequence[Any]]:
        """The rows with a key, in their order."""
        return self.every if key is None else self._by_value.get(key, ())

    def fitting(self, values: Sequence[Any]) -> Sequence[Sequence[Any]]:
        """Those that may fit values of the columns, in their order."""
        return self.of(self.key(values))

    def differing(self, others: Cells) -> Iterable[Hashable] | None:
        """The keys whose rows are not the same among others; None where keys are other values."""
        if self._column != others._column:
            return None
        keys = {None, *self._by_value, *others._by_value}
        return [one for one in keys if not _alike(self.of(one), others.of(one))]


def _alike(these: Sequence[Sequence[Any]], those: Sequence[Sequence[Any]]) -> bool:
    """Whether rows have the same terms in the same order."""
    return len(these) == len(those) and all(all(map(same, one, other)) for one, other in zip(these, those, strict=True))


def fits(known: Any, cell: Any) -> bool:
    """Whether a value and a cell of an inner query may stand in one row."""
    return known is None or cell is None or same(known, cell)


def among(values: Iterable[Any], wanted: Any) -> bool:
    """Whether a value is among others."""
    return any(same(wanted, one) for one in values)


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
