"""How the result of a calculation answers to each word that it reads, by its source: it never falls, never rises, or is open."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from designlint.expressions.directions import SIGNED
from designlint.expressions.operators import Direction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.derivations.base import Derivation

#: Functions that never fall where an argument grows.
RISING = frozenset({"max", "min", "ceil", "floor", "int", "float", "round", "sqrt", "log2", "log"})


class StepByStepError(Exception):
    """The function has statements that are not followed."""


class SlopeValue(Struct, frozen=True):
    """
    What is known of a value.

    Attributes:
        slopes: its direction in each word that it depends on.
        positive: it is never negative.
    """

    slopes: dict[str, Direction] = field(default_factory=dict)
    positive: bool = True

    def along(self, direction: Direction, *, positive: bool) -> SlopeValue:
        """What answers to it in a direction."""
        return SlopeValue({name: one.after(direction) for name, one in self.slopes.items()}, positive)


def of(one: Derivation) -> tuple[list[str], list[str]]:
    """
    The direction of a calculation in each word that it reads, empty where it does not depend on it; and words by name that
    decide by a remainder whether there is a result: of degrees that do not divide there is none.
    """
    words = dict(one.words)
    try:
        tree = ast.parse(one.text or textwrap.dedent(inspect.getsource(one.function))).body[0]
        if not isinstance(tree, ast.FunctionDef) or one.groups:
            raise StepByStepError
        reader = _Reader(words, one.function.__globals__)
        slopes = reader.read_statements(tree.body).slopes
    except StepByStepError:
        slopes, dividing = dict.fromkeys(words, Direction.BOTH), set[str]()
    else:
        dividing = reader.dividing
    slopes |= dict.fromkeys(one.grows, Direction.UP)
    return [slopes[name].value if name in slopes else "" for name in words], sorted(dividing)


def join_slopes(values: Iterable[SlopeValue], *, positive: bool) -> SlopeValue:
    """What answers to several values as they grow."""
    found: dict[str, Direction] = {}
    for value in values:
        for name, one in value.slopes.items():
            found[name] = one if found.get(name, one) is one else Direction.BOTH
    return SlopeValue(found, positive)


class _Reader:
    """One function: what its names stand for."""

    def __init__(self, words: dict[str, str], known: dict[str, Any]) -> None:
        self.known = known
        self.names = {
            name: SlopeValue({name: Direction.UP}, kind.removesuffix(" | None") not in SIGNED)
            for name, kind in words.items()
        }
        self.dividing: set[str] = set()
        self.counts = {name for name, kind in words.items() if kind.removesuffix(" | None") == "Count"}

    def read_statements(self, body: list[ast.stmt]) -> SlopeValue:
        """What statements return, where that is something."""
        absent: list[SlopeValue] = []
        for at, statement in enumerate(body):
            match statement:
                case ast.Expr(value=ast.Constant()):
                    continue
                case ast.Return(value=value) if value is not None:
                    return self._read_return(value, absent)
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.names[name] = self.value(value)
                case ast.If(test=test, body=[ast.Return(value=ast.Constant(value=None))], orelse=[]):
                    absent.append(self._absent(test))
                case ast.If(test=test, body=inner, orelse=[]) if isinstance(inner[-1], ast.Return):
                    values = [self.read_statements(inner), self.read_statements(body[at + 1 :])]
                    return join_slopes([self._chosen(test, values), *absent], positive=False)
                case ast.If(test=test, body=inner, orelse=other):
                    self._assign_choice(test, inner, other)
                case _:
                    raise StepByStepError
        raise StepByStepError

    def _read_return(self, node: ast.expr, absent: list[SlopeValue]) -> SlopeValue:
        """A value that is returned, and all that decides whether there is one."""
        match node:
            case ast.IfExp(test=test, body=body, orelse=ast.Constant(value=None)):
                return self._read_return(body, [*absent, self._absent(test)])
            case ast.IfExp(test=test, body=ast.Constant(value=None), orelse=body):
                return self._read_return(body, [*absent, self._absent(test)])
        return join_slopes([self.value(node), *absent], positive=False)

    def _absent(self, test: ast.expr) -> SlopeValue:
        """What decides whether there is a result; remainders are noted apart."""
        match test:
            case ast.BinOp(op=ast.Mod()):
                self.dividing |= self.open(test).slopes.keys()
                return SlopeValue()
        return SlopeValue() if _asks_presence(test) else self.open(test)

    def _assign_choice(self, test: ast.expr, inner: list[ast.stmt], other: list[ast.stmt]) -> None:
        """What names stand for after a choice: either value."""
        for statement in (*inner, *other):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    before = [self.names[name]] if name in self.names else []
                    self.names[name] = self._chosen(test, [*before, self.value(value)])
                case _:
                    raise StepByStepError

    def _chosen(self, test: ast.expr, values: list[SlopeValue]) -> SlopeValue:
        """One of several values, by a condition: open in all that decides it, but for what only has to be there."""
        deciding = SlopeValue() if _asks_presence(test) else self.open(test)
        return join_slopes([*values, deciding], positive=all(one.positive for one in values))

    def open(self, *expressions: ast.expr) -> SlopeValue:
        """What may answer in any way to all that it names."""
        names = {node.id for one in expressions for node in ast.walk(one) if isinstance(node, ast.Name)}
        values = [self.names[name] for name in sorted(names) if name in self.names]
        return join_slopes((one.along(Direction.BOTH, positive=False) for one in values), positive=False)

    def value(self, node: ast.expr) -> SlopeValue:
        """What is known of an expression."""
        match node:
            case ast.Constant(value=value):
                return SlopeValue(positive=not isinstance(value, int | float) or value >= 0)
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.Name(id=name) if isinstance(self.known.get(name), int | float):
                return SlopeValue(positive=self.known[name] >= 0)
            case ast.BinOp(left=left, op=operator, right=right):
                return self._operation(node, operator, self.value(left), self.value(right))
            case ast.IfExp(test=test, body=body, orelse=other):
                return self._chosen(test, [self.value(body), self.value(other)])
            case ast.BoolOp(op=ast.Or(), values=[ast.Name(id=name), ast.Constant(value=0 | 1 as least)]):
                return self.names[name] if not least or name in self.counts else self.open(node)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name(id="math"), attr=name), keywords=[]):
                return self._read_call(node, name)
        return self.open(node)

    def _read_call(self, node: ast.Call, name: str) -> SlopeValue:
        if name not in RISING or name in self.known or any(isinstance(one, ast.Starred) for one in node.args):
            return self.open(node)
        parts = [self.value(one) for one in node.args]
        some = any if name == "max" else all
        return join_slopes(parts, positive=some(one.positive for one in parts))

    def _operation(self, node: ast.expr, operator: ast.operator, left: SlopeValue, right: SlopeValue) -> SlopeValue:
        both = left.positive and right.positive
        match operator:
            case ast.Add():
                return join_slopes([left, right], positive=both)
            case ast.Sub():
                return join_slopes([left, right.along(Direction.DOWN, positive=False)], positive=False)
            case ast.Mult() if both:
                return join_slopes([left, right], positive=True)
            case ast.Div() | ast.FloorDiv() if both:
                return join_slopes([left, right.along(Direction.DOWN, positive=True)], positive=True)
        return self.open(node)


def _asks_presence(test: ast.expr) -> bool:
    """Whether a condition only asks whether words are there."""
    match test:
        case ast.Compare(left=ast.Name(), ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
        case ast.BoolOp(values=values):
            return all(map(_asks_presence, values))
    return False
