"""How far a condition is from changing its answer: its comparisons of numbers, measured in the values of one subject."""

from __future__ import annotations

from functools import partial
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from msgspec import Struct

from designlint.expressions.evaluation import evaluate, of_subject
from designlint.expressions.operators import EXCHANGED, ORDERS, REFUTED
from designlint.expressions.tree import Let, Limit, Named, Node, Number, Operation, WordNode, collect_names, walk
from designlint.expressions.writing import spoken, write_expression
from designlint.findings.model import Margin
from designlint.language.values import is_number
from designlint.rules.wording import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from designlint.expressions.evaluation import Evaluate, Read
    from designlint.language.units import Units

    Measure: TypeAlias = "Callable[[Any], Reach | None]"

#: A strict comparison of whole numbers as the one that includes its limit, and the step to that.
INCLUSIVE = {"<": ("<=", -1), ">": (">=", 1)}
#: Comparisons as people write them.
SIGNS = {"<=": "≤", ">=": "≥"}
#: Kinds of quantity that change no unit when they multiply.
PLAIN = {"", "Ratio", "Count"}
#: What reads a number out of a text.
CAST = "XSD:INTEGER"
#: Digits that a room keeps: 0.1 + 0.2 is 0.3.
DIGITS = 12


class Reach(Struct, frozen=True):
    """How far a condition is from changing its answer; without end where no number decides it."""

    room: float
    holds: bool
    margin: Margin | None = None


class Comparison(Struct, frozen=True):
    """
    A comparison of numbers that decides a condition, in words.

    Attributes:
        sign: how the value must stand to the limit.
        name: the measured side as the rule writes it, and `against` the other side.
        told: the same for people; `told_against` is empty for a number, which its value tells.
        kind: the kind of quantity of both sides; empty where it has none.
    """

    sign: str
    name: str
    against: str
    told: str
    told_against: str
    kind: str


def compares(node: Node) -> bool:
    """Whether an expression compares numbers by their order, so that a margin can be told."""
    return any(isinstance(one, Operation) and one.operator in ORDERS and not _ordinal(one) for one in _decisive(node))


def _ordinal(node: Operation) -> bool:
    """Whether dates, or numbers of a version, are compared: they have an order, and no share of one means anything."""
    return any(isinstance(one, WordNode | Limit | Let) and one.kind == "Date" for one in node.arguments) or any(
        isinstance(one, Let) and not one.kind and isinstance(one.body, Operation) and one.body.operator == CAST
        for one in node.arguments
    )


def _decisive(node: Node) -> list[Node]:
    """The conditions that a condition is joined from."""
    if isinstance(node, Operation) and node.operator in ("&&", "||", "!", "COALESCE", "IF"):
        parts = node.arguments[1:] if node.operator == "IF" else node.arguments
        return [one for part in parts for one in _decisive(part)]
    return [node]


def measure(node: Node, units: Units, read: Read = of_subject, *, holds: bool = True) -> Measure:
    """
    What tells how far the condition, or with `holds` false its contrary, is from changing; None where it is unknown.

    What is joined by `&&` reaches as far as its tightest part, by `||` as far as its widest; parts that are unknown do not
    count where the others decide.
    """
    operator = node.operator if isinstance(node, Operation) else ""
    arguments = node.arguments if isinstance(node, Operation) else ()
    if operator in ("&&", "||"):
        parts = [measure(one, units, read, holds=holds) for one in arguments]
        return _join_parts(parts, decides=(operator == "||") is holds)
    if operator == "!":
        return measure(arguments[0], units, read, holds=not holds)
    if operator == "COALESCE":
        parts = [measure(one, units, read, holds=holds) for one in arguments]
        return lambda source: next((found for one in parts if (found := one(source)) is not None), None)
    if operator == "IF":
        then, other = (measure(one, units, read, holds=holds) for one in arguments[1:])
        return _chosen(partial(evaluate, arguments[0], read=read), then, other)
    plainly = _undecided_measure(partial(evaluate, node, read=read), holds=holds)
    if isinstance(node, Operation) and operator in ORDERS and not _ordinal(node):
        return _comparison_measure(node, plainly, units, read, holds=holds)
    return plainly


def _join_parts(parts: Sequence[Measure], *, decides: bool) -> Measure:
    def joined(source: Any) -> Reach | None:
        known = [found for one in parts if (found := one(source)) is not None]
        if len(known) < len(parts) and all(one.holds is not decides for one in known):
            return None
        return (max if decides else min)(known, key=lambda one: (one.room, one.holds))

    return joined


def _chosen(condition: Evaluate, then: Measure, other: Measure) -> Measure:
    def chosen(source: Any) -> Reach | None:
        met = condition(source)
        return None if met is None else then(source) if met else other(source)

    return chosen


def _undecided_measure(condition: Evaluate, *, holds: bool) -> Measure:
    """A condition that no number decides."""

    def answered(source: Any) -> Reach | None:
        met = condition(source)
        return None if met is None else Reach(inf if met is holds else -inf, met is holds)

    return answered


def _comparison_measure(node: Operation, plainly: Measure, units: Units, read: Read, *, holds: bool) -> Measure:
    left, right = node.arguments
    sign = node.operator if holds else REFUTED[node.operator]
    if _limit_is_left(left, right):
        left, sign, right = right, EXCHANGED[sign], left
    comparison = _comparison(left, sign, right, units)

    def compared(source: Any) -> Reach | None:
        reach, value, limit = plainly(source), evaluate(left, source, read), evaluate(right, source, read)
        if reach is None or not (_number(value) and _number(limit)):
            return reach
        margin = _margin(comparison, value, limit, units)
        return Reach(margin.room, reach.holds, margin)

    return compared


def _limit_is_left(left: Node, right: Node) -> bool:
    """The limit is the side that holds a declared one, else the one without variables, else the right one."""
    names = [collect_names(side, inside=False).values() for side in (left, right)]
    declared = [any(isinstance(one, Limit) for one in side) for side in names]
    if declared[0] != declared[1]:
        return declared[0]
    return bool(names[1]) and not names[0]


def _comparison(left: Node, sign: str, right: Node, units: Units) -> Comparison:
    told_against = "" if isinstance(right, Number) else _side_text(right) or "limit"
    name, against = write_expression(left, mark=""), write_expression(right, mark="")
    return Comparison(sign, name, against, _side_text(left) or "value", told_against, _kind(left, right, units))


def _side_text(side: Node) -> str:
    """A side as a person reads it: words spaced, what is computed by its formula; empty where it is not for people."""
    if isinstance(side, Limit):
        return "limit"
    if isinstance(side, Let):
        return spoken(side.body) or side.name.replace("_", " ")
    return spoken(side)


def _kind(left: Node, right: Node, units: Units) -> str:
    """The kind of both sides: that of a name which stands alone, else the only one in sums and shares of it."""

    def known(one: Named) -> str:
        return one.kind if one.kind in units else ""

    alone = [known(side) for side in (left, right) if isinstance(side, WordNode | Limit | Let)]
    mixed = {known(one) for side in (left, right) for one in collect_names(side, inside=False).values()} - PLAIN
    divided = any(
        isinstance(one, Operation) and one.operator == "/" for side in (left, right) for one in walk(side, inside=False)
    )
    return next(filter(None, alone), mixed.pop() if len(mixed) == 1 and not divided else "")


def _margin(one: Comparison, value: float, limit: float, units: Units) -> Margin:
    sign, against = one.sign, one.against
    if isinstance(value, int) and isinstance(limit, int) and sign in INCLUSIVE:
        sign, step = INCLUSIVE[sign]
        against = str(limit + step) if against == str(limit) else against
        limit += step
    left = limit - value if sign[0] == "<" else value - limit
    share = left / (abs(limit) or abs(value) or 1)
    text, limit_text = _text(value, one.kind, units), _text(limit, one.kind, units)
    words = (one.told, text, SIGNS.get(sign, sign), one.told_against, limit_text)
    room = float(f"{share:.{DIGITS}g}")
    unit = units.symbol(one.kind)
    return Margin(one.name, against, sign, value, limit, unit, room, text, limit_text, " ".join(filter(None, words)))


def _text(number: float, kind: str, units: Units) -> str:
    return str(number) if isinstance(number, int) and not kind else plain(number, kind, units)


def _number(value: Any) -> TypeGuard[int | float]:
    return is_number(value) and isfinite(value)
