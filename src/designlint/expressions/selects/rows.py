"""Rows of values, and what leads from one to the next: values of words, ends of paths, what is asked for inside expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Sequence

    from designlint.expressions.evaluation import Evaluate

    #: A value for each variable, None where it is unbound.
    Row: TypeAlias = "list[Any]"
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
    """One answer: the facts, and the rows of inner queries, which are answered once."""

    __slots__ = ("facts", "found")

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.found: dict[int, Any] = {}


def exists(steps: Sequence[Step]) -> Evaluate:
    def found(at: tuple[Row, Run]) -> bool:
        rows, run = [at[0]], at[1]
        for step in steps:
            rows = step(rows, run)
            if not rows:
                return False
        return True

    return found


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


def values_of(subject: Any, word: str) -> Iterable[Any]:
    """What a subject has with a word, each value once; nothing where it is no subject."""
    fact = getattr(subject, "facts", {}).get(word)
    if fact is None:
        return ()
    return distinct(fact) if fact.__class__ is list else (fact,)


def distinct(values: Iterable[Any]) -> list[Any]:
    """The different terms among values."""
    return list({(one.__class__, one): one for one in values}.values())


def starts(ways: Sequence[Sequence[str]], run: Run) -> list[Any]:
    """The subjects at which a path may begin."""
    found: list[Any] = []
    for way in ways:
        first = way[0]
        if first[0] == "^":
            found += [one for holder in run.facts.holding(first[1:]) for one in values_of(holder, first[1:])]
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
                here = [one for subject in here for one in values_of(subject, word)]
        found += here
    return distinct(found)
