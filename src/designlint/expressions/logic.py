"""
Operators that may be known although an argument is not; each reads an argument only where it can matter.

This is the one statement of what they mean. `evaluation` calls them; `python` writes their lines into functions, which it can as
long as `name = argument()` alone reads an argument, and `found` alone is returned, at the end.
"""

from __future__ import annotations

from functools import reduce
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.expressions.tree import Operation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from designlint.expressions.tree import Node

    #: Gives the value of an argument.
    Argument: TypeAlias = Callable[[], Any]


def conjunction(left: Argument, right: Argument) -> Any:
    found = left()
    if found is not False:
        second = right()
        found = second if found or second is False else None
    return found


def disjunction(left: Argument, right: Argument) -> Any:
    found = left()
    if found is not True:
        second = right()
        found = second if found is False or second is True else None
    return found


def choice(condition: Argument, then: Argument, other: Argument) -> Any:
    met = condition()
    found = None
    if met:
        found = then()
    elif met is not None:
        found = other()
    return found


def first_known(left: Argument, right: Argument) -> Any:
    found = left()
    if found is None:
        found = right()
    return found


LAZY: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"&&": conjunction, "||": disjunction, "IF": choice, "COALESCE": first_known}
)


def simpler(node: Operation) -> Node:
    """The same with two arguments where an operator takes any number."""
    name, (first, *rest) = node.operator, node.arguments
    if name == "COALESCE" and len(rest) != 1:
        return Operation(name, (first, Operation(name, tuple(rest)))) if rest else first
    if name == "IN":
        equal = [Operation("=", (first, one)) for one in rest]
        return reduce(lambda left, right: Operation("||", (left, right)), equal)
    return node
