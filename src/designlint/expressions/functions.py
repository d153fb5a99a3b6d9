"""What operators and functions of expressions give for values that are known."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

from designlint.expressions.tree import EXACT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: The largest whole number that a text may stand for, and its digits.
LARGEST, DIGITS = 2**63 - 1, 19


def _double(value: Any) -> Any:
    """A whole number as it is kept: as a double where that would not hold it exactly."""
    return value if value.__class__ is float or -EXACT <= value <= EXACT else float(value)


def _as_doubles(work: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda first, second: _double(work(first, second))


def _quotient(first: Any, second: Any) -> Any:
    return None if second == 0 else first / second


def _whole(work: Callable[[Any], int]) -> Callable[[Any], Any]:
    def rounded(value: Any) -> Any:
        return value if value.__class__ is int or not math.isfinite(value) else _double(work(value))

    return rounded


def _nearest(value: float) -> int:
    """The nearest whole number; of two alike, the larger one."""
    below = math.floor(value)
    return below + (value - below >= 0.5)


def _before(text: str, mark: str) -> str:
    at = text.find(mark)
    return text[:at] if at >= 0 else ""


def _after(text: str, mark: str) -> str:
    at = text.find(mark)
    return text[at + len(mark) :] if at >= 0 else ""


def _integer(text: str) -> Any:
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= DIGITS) or int(digits) > LARGEST:
        return None
    return _double(int(text))


def _text(value: Any) -> str:
    """A number in digits, without an exponent; nothing below nothing has no sign."""
    if value.__class__ is int:
        return str(value)
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "INF" if value > 0 else "-INF"
    from decimal import Decimal

    return format(Decimal(repr(value + 0)), "f").removesuffix(".0")


#: What is unknown where an argument is, by name.
STRICT: Mapping[str, Callable[..., Any]] = {
    "!": operator.not_,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "+": _as_doubles(operator.add),
    "-": _as_doubles(operator.sub),
    "*": _as_doubles(operator.mul),
    "/": _quotient,
    "ABS": abs,
    "FLOOR": _whole(math.floor),
    "CEIL": _whole(math.ceil),
    "ROUND": _whole(_nearest),
    "LCASE": str.lower,
    "UCASE": str.upper,
    "STRLEN": len,
    "STRSTARTS": str.startswith,
    "STRENDS": str.endswith,
    "CONTAINS": operator.contains,
    "STRBEFORE": _before,
    "STRAFTER": _after,
    "CONCAT": lambda *texts: "".join(texts),
    "STR": _text,
    "XSD:INTEGER": _integer,
}
