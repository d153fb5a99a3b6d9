"""What a calculation reads of a graph: its arguments, and its result as the graph keeps it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.graph.subjects import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    #: A fact that is read: the subject and the word.
    Used: TypeAlias = tuple[Subject, str]

#: How a float is kept in the graph: with enough digits for any design, and 0.1 + 0.2 is 0.3.
KEPT = "%.12g"
#: Whole numbers below this have no more digits than that.
WHOLE = 1e12


def entry(table: Mapping[str, Any], named: Any) -> Any:
    """What a table of the catalogue has under a name, in whatever case, with spaces for hyphens; None where it has nothing."""
    return table.get("-".join(str(named).lower().split()))


def each_value(subject: Subject, path: Sequence[str], gaps: Sequence[int]) -> tuple[tuple[Any, ...], list[Used]]:
    """The values at the end of a path, None in the place of each that is missing, and where the known ones stand."""
    word = path[-1]
    found = each(subject, path, gaps) if gaps else [one for one, _ in subject.follow(path)]
    values = _values([None if one is None else one.facts.get(word) for one in found])
    return values, [(one, word) for one in found if one is not None and word in one.facts]


def all_values(subject: Subject, path: Sequence[str]) -> tuple[tuple[Any, ...], list[Used]] | None:
    """The values at the end of a path and where they stand; None where one is missing, or there is none."""
    ends = list(subject.follow(path))
    facts = [one.facts.get(word) for one, word in ends]
    if not facts or None in facts:
        return None
    return _values(facts), ends


def _values(facts: list[Any]) -> tuple[Any, ...]:
    """The values of one list where there is but one, or one value of each part."""
    return tuple(facts[0] if len(facts) == 1 and facts[0].__class__ is list else facts)


def each(subject: Subject, path: Sequence[str], gaps: Sequence[int]) -> list[Subject | None]:
    """The subjects at the end of a path; None in the place of each that is missing."""
    here: list[Subject | None] = [subject]
    for at, step in enumerate(path[:-1]):
        missing: list[Subject | None] = [None] if at in gaps else []
        here = [end for one in here for end in ([None] if one is None else one.step(step) or missing)]
    return here


def single(subject: Subject, parts: Sequence[str]) -> Subject | None:
    """The subject at the end of a path of parts, or None where one is missing."""
    at = subject
    for step in parts:
        fact = at.facts.get(step)
        if not isinstance(fact, Subject):
            return None
        at = fact
    return at


def safely(function: Callable[..., Any], values: Sequence[Any]) -> Any:
    """The result, rounded; None where the numbers of the design leave the formula's range."""
    try:
        result = function(*values)
    except (ZeroDivisionError, OverflowError):
        return None
    if isinstance(result, float):
        if result.is_integer() and -WHOLE < result < WHOLE:
            return result
        return float(KEPT % result) if math.isfinite(result) else None
    return result
