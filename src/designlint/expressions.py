"""
Judges in place what needs no query: expressions of SPARQL over the values of one subject.

Asking the query engine costs twenty times as much, nearly all of it for reading the query. What is not surely answered
as the engine would answer raises `BeyondError`: then the engine is asked. `tests/test_expressions.py` holds both against
each other.
"""

from __future__ import annotations

import operator
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from designlint import arithmetic
from designlint.arithmetic import INTEGERS, SCALE, BeyondError, Decimal
from designlint.graph.subjects import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    #: The value of an expression about a subject; None for unbound and for what SPARQL calls an error.
    Evaluate: TypeAlias = "Callable[[Subject], Any]"
    Operation: TypeAlias = "Callable[[Any, Any], Any]"

#: Functions by name with the number of their arguments; 0 where it varies.
FUNCTIONS = {
    "IF": 3, "COALESCE": 0, "BOUND": 1, "ABS": 1, "FLOOR": 1, "LCASE": 1, "STRSTARTS": 2, "CONTAINS": 2,
}  # fmt: skip
COMPARISONS: dict[str, Operation] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Day(str):
    """A date; such texts compare as the days do."""

    __slots__ = ()


def decider(plain: Sequence[Any]) -> Callable[[Subject], tuple[Any, Any]]:
    """Whether a rule applies to a subject and what it answers: true, false or None. Raises BeyondError."""
    when, judge = map(compiled, plain)

    def decide(subject: Subject) -> tuple[Any, Any]:
        applies = _truth(when(subject))
        return applies, _truth(judge(subject)) if applies else None

    return decide


def compiled(data: Sequence[Any]) -> Evaluate:
    """The expression, ready to be asked about one subject after the other."""
    head, *rest = data
    if head in ("value", "day"):
        return _value(rest[0], dated=head == "day")
    if head in ("is", "decimal"):
        fixed = rest[0] if head == "is" else Decimal(rest[0])
        return lambda _: fixed
    if head == "limit":
        return compiled(rest[1])
    parts = [compiled(one) for one in rest]
    if head == "in":
        return _among(parts[0], parts[1:], rest[1:])
    if head in COMPARISONS:
        return _compared(parts[0], parts[1], COMPARISONS[head], ordered=head not in ("=", "!="))
    return MAKERS[head](*parts)


def constant(text: str) -> list[Any]:
    """A literal of SPARQL: an integer, a decimal, a double."""
    if "e" in text.lower():
        return ["is", float(text)]
    if "." not in text:
        return ["is", int(text)]
    whole, _, part = text.partition(".")
    return ["decimal", int(whole or "0") * SCALE + int(part.ljust(18, "0")[:18])]


def limited(data: Any, name: str, value: float) -> Any:
    """An expression with another value of a limit."""
    if not isinstance(data, list):
        return data
    if data[:2] == ["limit", name]:
        return ["limit", name, constant(repr(value))]
    return [limited(part, name, value) for part in data]


def _value(path: Sequence[str], *, dated: bool) -> Evaluate:
    *way, word = path

    def value(subject: Subject) -> Any:
        for step in way:
            found = subject.facts.get(step)
            if found is None:
                return None
            if found.__class__ is not Subject:
                raise BeyondError
            subject = found
        return _plain(subject.facts.get(word), dated)

    return value


def _plain(fact: Any, dated: bool) -> Any:
    kind = fact.__class__
    if kind is str:
        return Day(fact) if dated else fact
    if kind is int and not -INTEGERS <= fact <= INTEGERS:
        raise BeyondError
    if kind is list:
        if len(fact) > 1:  # the engine answers once for each
            raise BeyondError
        return _plain(fact[0], dated) if fact else None
    return fact


def _truth(value: Any) -> Any:
    if value is True or value is False or value is None:
        return value
    raise BeyondError


def _joined(left: Evaluate, right: Evaluate, *, decisive: bool) -> Evaluate:
    """Two truths joined: one side that is decisive settles it, whatever the other is."""

    def joined(subject: Subject) -> Any:
        first = _truth(left(subject))
        if first is decisive:
            return decisive
        second = _truth(right(subject))
        return second if first is not None or second is decisive else None

    return joined


def _opposite(part: Evaluate) -> Evaluate:
    def opposite(subject: Subject) -> Any:
        value = _truth(part(subject))
        return None if value is None else not value

    return opposite


def _compared(left: Evaluate, right: Evaluate, compare: Operation, *, ordered: bool) -> Evaluate:
    def compared(subject: Subject) -> Any:
        first, second = left(subject), right(subject)
        if first is None or second is None:
            return None
        kind = first.__class__
        if kind is not second.__class__:
            first, second = arithmetic.alike(first, second)
        elif ordered and (kind is bool or kind is Subject):
            raise BeyondError
        return compare(first, second)

    return compared


def _among(part: Evaluate, choices: Sequence[Evaluate], data: Sequence[Any]) -> Evaluate:
    texts = {one[1] for one in data if one[0] == "is"}
    if len(texts) == len(data) and all(isinstance(one, str) for one in texts):

        def among(subject: Subject) -> Any:
            value = part(subject)
            if value is None or value.__class__ is str:
                return None if value is None else value in texts
            raise BeyondError

        return among
    found = _compared(part, choices[0], operator.eq, ordered=False)
    for one in choices[1:]:
        found = _joined(found, _compared(part, one, operator.eq, ordered=False), decisive=True)
    return found


def _calculated(work: Callable[[Any, Any, type], Any]) -> Callable[[Evaluate, Evaluate], Evaluate]:
    def make(left: Evaluate, right: Evaluate) -> Evaluate:
        def calculated(subject: Subject) -> Any:
            first, second = left(subject), right(subject)
            if first is None or second is None:
                return None
            if first.__class__ is not second.__class__:
                first, second = arithmetic.alike(first, second)
            if first.__class__ not in (int, float, Decimal):
                raise BeyondError
            return work(first, second, first.__class__)

        return calculated

    return make


def _chosen(condition: Evaluate, then: Evaluate, other: Evaluate) -> Evaluate:
    def chosen(subject: Subject) -> Any:
        value = _truth(condition(subject))
        return None if value is None else then(subject) if value else other(subject)

    return chosen


def _first(*parts: Evaluate) -> Evaluate:
    return lambda subject: next((value for one in parts if (value := one(subject)) is not None), None)


def _bound(part: Evaluate) -> Evaluate:
    return lambda subject: part(subject) is not None


def _number(work: Callable[[Any], Any]) -> Callable[[Evaluate], Evaluate]:
    def make(part: Evaluate) -> Evaluate:
        def number(subject: Subject) -> Any:
            value = part(subject)
            if value.__class__ not in (int, float, Decimal, type(None)):
                raise BeyondError
            return None if value is None else work(value)

        return number

    return make


def _text(work: Callable[..., Any]) -> Callable[..., Evaluate]:
    def make(*parts: Evaluate) -> Evaluate:
        def text(subject: Subject) -> Any:
            values = [one(subject) for one in parts]
            if None in values:
                return None
            if not all(value.__class__ is str and value.isascii() for value in values):
                raise BeyondError
            return work(*values)

        return text

    return make


MAKERS: Mapping[str, Callable[..., Evaluate]] = {
    "&&": partial(_joined, decisive=False),
    "||": partial(_joined, decisive=True),
    "!": _opposite,
    "+": _calculated(arithmetic.sum),
    "-": _calculated(arithmetic.difference),
    "*": _calculated(arithmetic.product),
    "/": _calculated(arithmetic.quotient),
    "IF": _chosen,
    "COALESCE": _first,
    "BOUND": _bound,
    "ABS": _number(arithmetic.absolute),
    "FLOOR": _number(arithmetic.floor),
    "LCASE": _text(str.lower),
    "STRSTARTS": _text(str.startswith),
    "CONTAINS": _text(str.__contains__),
}
