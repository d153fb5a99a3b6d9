"""What a calculation reads of a graph: its arguments, and its result as the graph keeps it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.graph.subjects import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

#: A parameter of a calculation: the parts that lead to it, its word, its mode, the whole path, its steps that may be gaps.
Param: TypeAlias = tuple[tuple[str, ...], str, str, list[str], list[int]]
#: A float keeps so many digits in the graph: enough for any design, and 0.1 + 0.2 is 0.3.
DIGITS = 12


def parameters(step: Mapping[str, Any]) -> list[Param]:
    """What a calculation reads."""
    read = step.get("params", ())
    return [(tuple(path[:-1]), path[-1], mode, path, gaps[0] if gaps else []) for path, mode, *gaps in read]


def entry(table: Mapping[str, Any], named: Any) -> Any:
    """What a table of the catalogue has under a name, in whatever case, with spaces for hyphens; None where it has nothing."""
    return table.get("-".join(str(named).lower().split()))


def inputs(subject: Subject, params: Sequence[Param]) -> tuple[list[Any], list[tuple[Subject, str]]] | None:
    """The arguments of a calculation and where each came from; None where a needed one is missing."""
    values: list[Any] = []
    used: list[tuple[Subject, str]] = []
    for parts, word, mode, path, gaps in params:
        end: Subject | None = subject
        if mode == "each":
            found = each(subject, path, gaps)
            values.append(tuple(None if one is None else one.facts.get(word) for one in found))
            used += [(one, word) for one in found if one is not None and word in one.facts]
            continue
        if mode == "all":
            ends = list(subject.follow(path))
            if not ends or not all(word in one.facts for one, word in ends):
                return None
            facts = [one.facts[word] for one, word in ends]
            values.append(tuple(facts[0] if len(facts) == 1 and isinstance(facts[0], list) else facts))
            used += ends
            continue
        if parts:
            end = single(subject, parts)
        if end is not None and word in end.facts:
            values.append(end.facts[word])
            used.append((end, word))
        elif mode == "optional" and not (end is not None and word in end.unread):
            values.append(None)
        else:
            return None
    return values, used


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
        return float(f"{result:.{DIGITS}g}") if math.isfinite(result) else None
    return result
