"""Every operator and function of expressions: what it takes, what it gives, and how it answers to each argument."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.expressions.tree import Type

if TYPE_CHECKING:
    from collections.abc import Mapping


class Direction(StrEnum):
    """
    How a result answers to a growing argument.

    Of numbers: it never falls (`UP`), never rises (`DOWN`), may do both (`BOTH`). Truth grows from false over unknown to true.
    """

    UP = "up"
    DOWN = "down"
    BOTH = "both"

    @property
    def turned(self) -> Direction:
        """The direction of the contrary."""
        return {Direction.UP: Direction.DOWN, Direction.DOWN: Direction.UP}.get(self, self)

    def after(self, outer: Direction) -> Direction:
        """The direction of an outer function applied to a function of this direction."""
        if Direction.BOTH in (self, outer):
            return Direction.BOTH
        return self if outer is Direction.UP else self.turned


class Takes(StrEnum):
    """Types of arguments that depend on each other."""

    #: All arguments so marked are of one type.
    SAME = "same"
    #: The same, and values of that type have an order.
    ORDERED = "ordered"
    ANY = "any"


class Operator(Struct, frozen=True):
    """
    What there is to know of an operator or function.

    Attributes:
        takes: the type of each argument; the last one repeats where it is `variadic`.
        gives: the type of the result; that of its `SAME` arguments where it is None.
        directions: how the result answers to each argument, the last one repeated; products and quotients depend on signs.
        strength: how strongly a sign between two arguments binds; 0 for functions.
    """

    takes: tuple[Type | Takes, ...]
    gives: Type | None
    directions: tuple[Direction, ...] = (Direction.BOTH,)
    strength: int = 0
    variadic: bool = False


UP, DOWN, BOTH = Direction.UP, Direction.DOWN, Direction.BOTH
NUMBER, TEXT, FLAG = Type.NUMBER, Type.TEXT, Type.FLAG
#: The strength of comparisons, which do not chain, and of what stands before one argument.
COMPARING, PREFIX = 3, 6


def _between(strength: int, *directions: Direction) -> Operator:
    return Operator((NUMBER, NUMBER), NUMBER, directions, strength)


def _comparing(taken: Takes, *directions: Direction) -> Operator:
    return Operator((taken, taken), FLAG, directions, COMPARING)


def _of_texts(given: Type, count: int) -> Operator:
    return Operator((TEXT,) * count, given)


OPERATORS: Mapping[str, Operator] = MappingProxyType(
    {
        "||": Operator((FLAG, FLAG), FLAG, (UP, UP), 1),
        "&&": Operator((FLAG, FLAG), FLAG, (UP, UP), 2),
        "!": Operator((FLAG,), FLAG, (DOWN,)),
        "=": _comparing(Takes.SAME, BOTH, BOTH),
        "!=": _comparing(Takes.SAME, BOTH, BOTH),
        "<": _comparing(Takes.ORDERED, DOWN, UP),
        "<=": _comparing(Takes.ORDERED, DOWN, UP),
        ">": _comparing(Takes.ORDERED, UP, DOWN),
        ">=": _comparing(Takes.ORDERED, UP, DOWN),
        "IN": Operator((Takes.SAME, Takes.SAME), FLAG, (BOTH,), COMPARING, variadic=True),
        "+": _between(4, UP, UP),
        "-": _between(4, UP, DOWN),
        "*": _between(5, BOTH, BOTH),
        "/": _between(5, BOTH, BOTH),
        "IF": Operator((FLAG, Takes.SAME, Takes.SAME), None, (BOTH, UP, UP)),
        "COALESCE": Operator((Takes.SAME,), None, (UP,), variadic=True),
        "BOUND": Operator((Takes.ANY,), FLAG),
        "ABS": Operator((NUMBER,), NUMBER),
        "FLOOR": Operator((NUMBER,), NUMBER, (UP,)),
        "CEIL": Operator((NUMBER,), NUMBER, (UP,)),
        "ROUND": Operator((NUMBER,), NUMBER, (UP,)),
        "LCASE": _of_texts(TEXT, 1),
        "UCASE": _of_texts(TEXT, 1),
        "STRLEN": _of_texts(NUMBER, 1),
        "STRSTARTS": _of_texts(FLAG, 2),
        "STRENDS": _of_texts(FLAG, 2),
        "CONTAINS": _of_texts(FLAG, 2),
        "STRBEFORE": _of_texts(TEXT, 2),
        "STRAFTER": _of_texts(TEXT, 2),
        "CONCAT": Operator((TEXT,), TEXT, variadic=True),
        "STR": Operator((NUMBER,), TEXT),
        "XSD:INTEGER": _of_texts(NUMBER, 1),
    }
)
#: Functions: what is called by name with arguments between brackets.
FUNCTIONS = frozenset(name for name, one in OPERATORS.items() if name[0].isalpha() and name != "IN")
ORDERS = ("<", "<=", ">", ">=")
#: Each comparison of an order with both sides exchanged, and the one that holds where it does not.
EXCHANGED = MappingProxyType({"<=": ">=", "<": ">", ">=": "<=", ">": "<"})
REFUTED = MappingProxyType({"<=": ">", "<": ">=", ">=": "<", ">": "<="})
