"""Whole numbers as the shell computes them, without running anything."""

from __future__ import annotations

import ast
import operator
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

NAME = re.compile(r"\$\{?([A-Za-z_]\w*)\}?|(?<![\w])([A-Za-z_]\w*)")
ALLOWED = re.compile(r"[\d\s()+\-*/%<>=!&|]+\Z")
#: Numbers that start with 0: hexadecimal after `0x`, octal otherwise.
ROOTED = re.compile(r"(?<![\w.])0(?:[xX]([0-9a-fA-F]{1,15})|([0-7]{1,20}))(?!\w)")
#: `a ? b : c`, the last of those that stand in one another.
CHOICE = re.compile(r"([^?:]+)\?([^?:]+):([^?:]+)\Z")
OPERATORS: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
LARGEST, MOST_POWER = 2**63, 64


def evaluate(text: str, look_up: Callable[[str], str | None]) -> int | None:
    """The value of an arithmetic expression; None where a name has none, or where it is no such expression."""
    unknown = False

    def put(found: re.Match[str]) -> str:
        nonlocal unknown
        value = look_up(found[1] or found[2])
        if value is None or not re.fullmatch(r"\s*-?\d{1,18}\s*", value.replace("_", "")):
            unknown = True
            return "0"
        return f"({value.replace('_', '').strip()})"

    filled = NAME.sub(put, ROOTED.sub(lambda one: str(int(one[1], 16) if one[1] else int(one[2], 8)), text))
    filled = re.sub(r"(?<=\d)_(?=\d)", "", filled)
    if (choice := CHOICE.match(filled)) is not None and not unknown:
        holds, *sides = (evaluate(one, look_up) for one in choice.groups())
        return None if holds is None else sides[0 if holds else 1]
    if unknown or re.search(r"(?<!\d)0\d", filled) or len(filled) > 500 or not ALLOWED.match(filled):
        return None
    filled = filled.replace("&&", " and ").replace("||", " or ")
    filled = re.sub(r"!(?!=)", " not ", filled)
    try:
        return _value(ast.parse(filled.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, OverflowError, MemoryError):
        return None


def _value(node: ast.AST) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return _bound_value(int(node.value))
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand)
        return -inner if isinstance(node.op, ast.USub) else inner if isinstance(node.op, ast.UAdd) else int(not inner)
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Div):
            return int(abs(left) // abs(right)) * (1 if (left < 0) == (right < 0) else -1)
        if isinstance(node.op, ast.Pow):
            return _bound_value(int(left**right)) if 0 <= right < MOST_POWER else _refuse()
        if isinstance(node.op, ast.Mod):
            return left - right * (int(abs(left) // abs(right)) * (1 if (left < 0) == (right < 0) else -1))
        return _bound_value(OPERATORS[type(node.op)](left, right)) if type(node.op) in OPERATORS else _refuse()
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OPERATORS:
        return int(OPERATORS[type(node.ops[0])](_value(node.left), _value(node.comparators[0])))
    if isinstance(node, ast.BoolOp):
        values = [bool(_value(one)) for one in node.values]
        return int(all(values) if isinstance(node.op, ast.And) else any(values))
    return _refuse()


def _bound_value(value: int) -> int:
    return value if abs(value) < LARGEST else _refuse()


def _refuse() -> int:
    raise ValueError("not arithmetic of whole numbers")
