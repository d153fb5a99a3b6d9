"""The numbers of SPARQL as its engine calculates with them: integers, decimals, doubles; `BeyondError` where that is not sure."""

from __future__ import annotations

import math
from typing import Any

#: Decimals have eighteen digits after the point.
SCALE = 10**18
#: Integers that the engine holds, those that a double holds exactly, and units of decimals within its limits.
INTEGERS, EXACT, DECIMALS = 2**63 - 1, 2**53, 10**36
#: Decimals with no more than nine digits after the point, and not too large, divide and multiply without loss.
FINE, DIVIDED = 10**9, 10**28


class BeyondError(Exception):
    """Only the query engine can answer."""


class Decimal(int):
    """A decimal of SPARQL, in units of its last digit."""


def alike(first: Any, second: Any) -> tuple[Any, Any]:
    """Two numbers of different types as the wider of them."""
    kinds = {first.__class__, second.__class__}
    if not kinds <= {int, Decimal, float}:
        raise BeyondError
    if float in kinds:
        return _double(first), _double(second)
    return _decimal(first), _decimal(second)


def _double(number: Any) -> float:
    if number.__class__ is float:
        return float(number)
    if number.__class__ is int and -EXACT <= number <= EXACT:
        return float(number)
    shift = SCALE
    while number.__class__ is Decimal and shift > 1 and number % 10 == 0:
        number, shift = Decimal(number // 10), shift // 10
    if number.__class__ is int or abs(number) > EXACT:
        raise BeyondError
    return int(number) / shift


def _decimal(number: Any) -> Decimal:
    return _near(number if number.__class__ is Decimal else number * SCALE)


def _near(units: int) -> Decimal:
    if not -DECIMALS <= units <= DECIMALS:
        raise BeyondError
    return Decimal(units)


def sum(first: Any, second: Any, kind: type) -> Any:
    """The sum of two numbers of one type."""
    return _held(int.__add__(first, second) if kind is Decimal else first + second, kind)


def difference(first: Any, second: Any, kind: type) -> Any:
    """The difference of two numbers of one type."""
    return _held(int.__sub__(first, second) if kind is Decimal else first - second, kind)


def product(first: Any, second: Any, kind: type) -> Any:
    """The product of two numbers of one type."""
    if kind is not Decimal:
        return _held(first * second, kind)
    if first % FINE or second % FINE:
        raise BeyondError
    return _near(int(first) * int(second) // SCALE)


def quotient(first: Any, second: Any, kind: type) -> Any:
    """The quotient of two numbers of one type; of two integers it is a decimal."""
    if not second or (kind is not float and (first <= 0 or second < 0)):
        raise BeyondError
    if kind is float:
        return _held(first / second, kind)
    if kind is Decimal and (second % FINE or first > DIVIDED):
        raise BeyondError
    return _near(int(first) * SCALE // int(second))


def _held(number: Any, kind: type) -> Any:
    """A result that the engine holds too; an overflow is unbound there."""
    if kind is Decimal:
        return _near(number)
    if (kind is int and not -INTEGERS <= number <= INTEGERS) or (kind is float and not math.isfinite(number)):
        raise BeyondError
    return number


def absolute(value: Any) -> Any:
    """The number without its sign."""
    return Decimal(abs(value)) if value.__class__ is Decimal else abs(value)


def floor(value: Any) -> Any:
    """The largest whole number that is not above, of the same type."""
    if value.__class__ is int:
        return value
    return float(math.floor(value)) if value.__class__ is float else Decimal(value // SCALE * SCALE)
