"""What a calculation reads of a graph: its arguments, and its result as the graph keeps it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.graph.subjects import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    #: A fact that is read: the subject and the word.
    Used: TypeAlias = tuple[Subject, str]
    #: What takes all values along a path, and notes where they stand; None where a needed one is missing.
    Several: TypeAlias = Callable[[Subject, list[Used]], "tuple[Any, ...] | None"]
    #: A parameter: the number of the way that leads to it, its word, whether it is needed, and what takes several values.
    Param: TypeAlias = tuple[int, str, bool, Several | None]

#: How a float is kept in the graph: with enough digits for any design, and 0.1 + 0.2 is 0.3.
KEPT = "%.12g"
#: The way that leads nowhere else.
HERE = ()


class Parameters:
    """
    What a calculation reads.

    Attributes:
        ways: the parts that lead to other subjects, each way once; the first leads to the subject itself.
    """

    def __init__(self, step: Mapping[str, Any]) -> None:
        numbers: dict[Sequence[str], int] = {HERE: 0}
        self.words: list[Param] = []
        for path, mode, *gaps in step.get("params", ()):
            several = _SEVERAL[mode](path, *gaps) if mode in _SEVERAL else None
            way = HERE if several is not None else tuple(path[:-1])
            self.words.append((numbers.setdefault(way, len(numbers)), path[-1], mode != "optional", several))
        self.ways = [way for way in numbers if way]

    def of(self, subject: Subject) -> tuple[list[Any], list[Used]] | None:
        """The arguments of a calculation and where each came from; None where a needed one is missing."""
        ends: list[Any] = [subject]
        for way in self.ways:
            end: Any = subject
            for part in way:
                end = end.facts.get(part)
                if end.__class__ is not Subject:
                    end = None
                    break
            ends.append(end)
        values: list[Any] = []
        used: list[Used] = []
        for number, word, needed, several in self.words:
            if several is not None:
                found = several(subject, used)
                if found is None:
                    return None
                values.append(found)
                continue
            end = ends[number]
            fact = None if end is None else end.facts.get(word)
            if fact is not None:
                values.append(fact)
                used.append((end, word))
            elif needed or (end is not None and word in end.unread):
                return None
            else:
                values.append(None)
        return values, used


def entry(table: Mapping[str, Any], named: Any) -> Any:
    """What a table of the catalogue has under a name, in whatever case, with spaces for hyphens; None where it has nothing."""
    return table.get("-".join(str(named).lower().split()))


def _each(path: Sequence[str], gaps: Sequence[int] = ()) -> Several:
    word = path[-1]

    def taken(subject: Subject, used: list[Used]) -> tuple[Any, ...]:
        found = each(subject, path, gaps)
        used += [(one, word) for one in found if one is not None and word in one.facts]
        return _values([None if one is None else one.facts.get(word) for one in found])

    return taken


def _all(path: Sequence[str]) -> Several:
    def taken(subject: Subject, used: list[Used]) -> tuple[Any, ...] | None:
        ends = list(subject.follow(path))
        facts = [one.facts.get(word) for one, word in ends]
        if not facts or None in facts:
            return None
        used += ends
        return _values(facts)

    return taken


def _values(facts: list[Any]) -> tuple[Any, ...]:
    """The values of one list where there is but one, or one value of each part."""
    return tuple(facts[0] if len(facts) == 1 and isinstance(facts[0], list) else facts)


_SEVERAL: Mapping[str, Callable[..., Several]] = {"each": _each, "all": _all}


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


def safely(function: Callable[..., Any], values: list[Any]) -> Any:
    """The result, rounded; None where the numbers of the design leave the formula's range."""
    try:
        result = function(*values)
    except (ZeroDivisionError, OverflowError):
        return None
    if isinstance(result, float):
        return float(KEPT % result) if math.isfinite(result) else None
    return result
