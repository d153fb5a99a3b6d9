"""How an expression answers to each word that it reads: which way the result moves where the word grows."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from designlint.expressions.operators import OPERATORS, Direction
from designlint.expressions.tree import Let, Limit, Node, Number, Operation, WordNode

if TYPE_CHECKING:
    from collections.abc import Callable


class Sign(Enum):
    """What is known of a number's sign: never negative, never positive, or nothing."""

    POSITIVE = 1
    NEGATIVE = -1
    EITHER = 0


#: Words of these kinds may be negative, whatever their least value says.
SIGNED = frozenset({"Temperature"})


def of_kind(node: WordNode | Limit) -> Sign:
    """The sign of a word by its kind: quantities are never negative, temperatures may be."""
    if isinstance(node, Limit):
        return Sign.POSITIVE if node.value >= 0 else Sign.NEGATIVE
    return Sign.EITHER if node.kind in SIGNED else Sign.POSITIVE


def sign(node: Node, known: Callable[[WordNode | Limit], Sign] = of_kind) -> Sign:
    """The sign of an expression, as far as it is certain."""
    if isinstance(node, Number):
        return Sign.POSITIVE if node.value >= 0 else Sign.NEGATIVE
    if isinstance(node, WordNode | Limit):
        return known(node)
    if isinstance(node, Let):
        return sign(node.body, known)
    return _of_operation(node, known) if isinstance(node, Operation) else Sign.EITHER


def _of_operation(node: Operation, known: Callable[[WordNode | Limit], Sign]) -> Sign:
    signs = [sign(one, known) for one in node.arguments]
    if node.operator in ("*", "/"):
        return Sign(signs[0].value * signs[1].value)
    if node.operator == "-":
        signs[1] = Sign(-signs[1].value)
    if node.operator in ("ABS", "STRLEN"):
        return Sign.POSITIVE
    if node.operator == "IF":
        signs = signs[1:]
    chosen = ("+", "-", "IF", "COALESCE", "FLOOR", "CEIL", "ROUND")
    return signs[0] if node.operator in chosen and len(set(signs)) == 1 else Sign.EITHER


def directions(node: Node) -> dict[str, Direction]:
    """The direction in which an expression answers to each word and limit in it, by name."""
    found: dict[str, Direction] = {}
    for name, direction in occurrences(node):
        found[name] = direction if found.get(name, direction) is direction else Direction.BOTH
    return found


def occurrences(
    node: Node, known: Callable[[WordNode | Limit], Sign] = of_kind, outer: Direction = Direction.UP
) -> list[tuple[str, Direction]]:
    """Each place where a word or limit stands, in the order of the text, with the direction of the whole in it."""
    if isinstance(node, WordNode | Limit):
        return [(node.name, outer)]
    if isinstance(node, Let):
        return occurrences(node.body, known, outer)
    if not isinstance(node, Operation):
        return []
    return [
        found
        for at, part in enumerate(node.arguments)
        for found in occurrences(part, known, argument(node, at, known).after(outer))
    ]


def argument(node: Operation, at: int, known: Callable[[WordNode | Limit], Sign] = of_kind) -> Direction:
    """How an operation answers to one of its arguments; products and quotients by the signs of both."""
    if node.operator in ("*", "/"):
        return _of_product(node, at, known)
    if node.operator == "ABS":
        return _along(sign(node.arguments[0], known))
    stated = OPERATORS[node.operator].directions
    return stated[min(at, len(stated) - 1)]


def _of_product(node: Operation, at: int, known: Callable[[WordNode | Limit], Sign]) -> Direction:
    along = _along(sign(node.arguments[1 - at], known))
    if node.operator == "*" or at == 0:
        return along
    divisor = sign(node.arguments[1], known)
    return Direction.BOTH if divisor is Sign.EITHER else along.turned


def _along(one: Sign) -> Direction:
    return {Sign.POSITIVE: Direction.UP, Sign.NEGATIVE: Direction.DOWN, Sign.EITHER: Direction.BOTH}[one]
