"""The functions of `logic` as lines within a function that is being written: what reads an argument becomes the lines of it."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache, partial
from typing import TYPE_CHECKING, Protocol

from designlint.expressions import logic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from designlint.expressions.tree import Node


class ValueWriter(Protocol):
    """What writes the function."""

    def line(self, text: str) -> None:
        """Write a line."""

    def inside(self, head: str, work: Callable[[], None]) -> None:
        """Write a block."""

    def value(self, node: Node) -> str:
        """Write what gives the value of a node; what stands for it."""


def write(writer: ValueWriter, made: str, operator: str, arguments: Sequence[Node]) -> None:
    """Write the operation, so that its value is `made`."""
    function = _functions()[logic.LAZY[operator].__name__]
    given = dict(zip((one.arg for one in function.args.args), arguments, strict=True))
    _Inlined(writer, given, made).lines(function.body)


@cache
def _functions() -> dict[str, ast.FunctionDef]:
    tree = ast.parse(inspect.getsource(logic))
    return {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}


class _Inlined:
    """
    One operation.

    Attributes:
        given: its arguments by parameter.
        names: what stands for its variables.
    """

    def __init__(self, writer: ValueWriter, given: dict[str, Node], made: str) -> None:
        self.writer, self.given, self.names = writer, given, {"found": made}

    def lines(self, body: Sequence[ast.stmt]) -> None:
        for one in body:
            if isinstance(one, ast.Assign):
                self.assign(ast.unparse(one.targets[0]), one.value)
            elif isinstance(one, ast.If):
                self.writer.inside(f"if {self.text(one.test)}:", partial(self.lines, one.body))
                if one.orelse:
                    self.writer.inside("else:", partial(self.lines, one.orelse))

    def assign(self, name: str, value: ast.expr) -> None:
        if not isinstance(value, ast.Call):
            self.writer.line(f"{self.names[name]} = {self.text(value)}")
            return
        argument = self.writer.value(self.given[ast.unparse(value.func)])
        if name in self.names:
            self.writer.line(f"{self.names[name]} = {argument}")
        else:
            self.names[name] = argument

    def text(self, part: ast.expr) -> str:
        return re.sub(r"\w+", lambda found: self.names.get(found[0], found[0]), ast.unparse(part))
