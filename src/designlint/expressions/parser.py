"""From the text of an expression to its tree, types checked; every fault has its place."""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.expressions.operators import COMPARING, FUNCTIONS, OPERATORS, PREFIX, Takes
from designlint.expressions.templates import Placeholder, Template
from designlint.expressions.tokens import ExpressionError, Token, TokenCursor, tokens
from designlint.expressions.tree import (
    EXACT,
    Flag,
    Let,
    Limit,
    Node,
    Number,
    Operation,
    Text,
    Type,
    Unknown,
    WordNode,
    parts,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: Beyond so many levels, or parts with computed values written out, an expression is refused: judging stays quick.
DEEPEST, MOST_PARTS = 40, 2000
#: Digits of a number that is read as a whole one.
LONGEST_NUMBER = 20
#: A place for a value: `{name}`, `{name:.1f}` or `{name:up}`.
PLACE = re.compile(r"\{(?P<name>\w+)(?::(?P<form>,?(?:\.[0-9])?[fg%d]|up|down|near))?\}", re.ASCII)
LOOSE = re.compile(r"[{}]")
ESCAPE = re.compile(r"\\(.)")
ESCAPES = {"n": "\n", "t": "\t"}


def parse(text: str, resolve: Callable[[str], WordNode | Limit | Let]) -> Node:
    """
    The tree of an expression.

    Args:
        resolve: gives what a name stands for; raises LookupError, with what is wrong in words.

    Raises:
        ExpressionError: with the place of the fault.
    """
    reader = _Reader(tokens(text), resolve)
    found = reader.read_expression()
    reader.expect("")
    if size(found) > MOST_PARTS:
        raise ExpressionError(f"an expression has at most {MOST_PARTS} parts", 0, len(text))
    return found


def size(node: Node) -> int:
    """How many parts an expression has with its computed values written out."""
    known: dict[str, int] = {}

    def counted(one: Node) -> int:
        if not isinstance(one, Let):
            return 1 + sum(map(counted, parts(one)))
        if one.name not in known:
            known[one.name] = counted(one.body)
        return known[one.name]

    return counted(node)


def type_of(node: Node) -> Type:
    """The type of a node's values."""
    if isinstance(node, WordNode):
        return node.type
    if isinstance(node, Let):
        return type_of(node.body)
    if isinstance(node, Operation):
        return OPERATORS[node.operator].gives or _common(node)
    return {Number: Type.NUMBER, Limit: Type.NUMBER, Text: Type.TEXT, Flag: Type.FLAG, Unknown: Type.ANY}[type(node)]


def _common(node: Operation) -> Type:
    """The one type of the arguments that share it; ANY where no argument is ever known."""
    found = (type_of(one) for one, wanted in _expected_types(node.operator, node.arguments) if wanted is Takes.SAME)
    return next((one for one in found if one is not Type.ANY), Type.ANY)


def _expected_types(operator: str, arguments: Sequence[Node]) -> list[tuple[Node, Type | Takes]]:
    """Each argument with the type that it must have."""
    takes = OPERATORS[operator].takes
    return [(one, takes[min(at, len(takes) - 1)]) for at, one in enumerate(arguments)]


class _Reader(TokenCursor):
    """Reads by precedence: `||` binds least, then `&&`, comparisons, sums, products, `!` and a minus before a value."""

    def __init__(self, found: list[Token], resolve: Callable[[str], WordNode | Limit | Let]) -> None:
        super().__init__(found)
        self.depth, self.resolve = 0, resolve

    def expect(self, wanted: str) -> Token:
        found = self.take()
        if found.word != wanted or found.kind == "text":
            said = f"`{found.text}`" if found.text else "the end"
            raise ExpressionError(f"{said} where {f'`{wanted}`' if wanted else 'the end'} is expected", *found[2:])
        return found

    def read_expression(self, least: int = 1) -> Node:
        """An expression whose signs bind at least so strongly."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise ExpressionError(f"an expression is at most {DEEPEST} levels deep", *self.next[2:])
        left = self.operand()
        while (strength := self.strength()) >= least:
            left = self.read_operator(left, strength)
            if strength == COMPARING and self.strength() == COMPARING:
                raise ExpressionError("comparisons do not chain; join two by `&&`", *self.next[2:])
        self.depth -= 1
        return left

    def strength(self) -> int:
        """How strongly the next token binds; 0 where it is no sign between two values."""
        if self.next.kind == "name":
            return COMPARING if self.next.word in ("IN", "NOT") else 0
        known = OPERATORS.get(self.next.text) if self.next.kind == "sign" else None
        return 0 if known is None else known.strength

    def read_operator(self, left: Node, strength: int) -> Node:
        sign = self.take()
        if sign.kind == "sign":
            return self.operation(sign.text, (left, self.read_expression(strength + 1)), left.span[0])
        if sign.word == "NOT":
            self.expect("IN")
        among = self.operation("IN", (left, *self.arguments()), left.span[0])
        return self.operation("!", (among,), left.span[0]) if sign.word == "NOT" else among

    def operand(self) -> Node:
        found = self.take()
        span = found.start, found.end
        if found.kind == "variable":
            return self.read_name(found)
        if found.kind == "number":
            return Number(_number(found), span)
        if found.kind == "text":
            return Text(ESCAPE.sub(lambda one: ESCAPES.get(one[1], one[1]), found.text[1:-1]), span)
        if found.text == "(":
            inside = self.read_expression()
            self.expect(")")
            return inside
        if found.text == "!":
            return self.operation("!", (self.read_expression(PREFIX),), found.start)
        if found.text == "-":
            return self.negative(found.start)
        if found.kind == "name" and found.text in ("true", "false"):
            return Flag(found.text == "true", span)
        if found.kind == "name" and found.word in FUNCTIONS and self.next.text == "(":
            return self.operation(found.word, self.arguments(), found.start)
        raise self.unreadable(found)

    def negative(self, start: int) -> Node:
        value = self.read_expression(PREFIX)
        if isinstance(value, Number):
            return Number(-value.value, (start, value.span[1]))
        return self.operation("-", (Number(0, (start, start)), value), start)

    def unreadable(self, found: Token) -> ExpressionError:
        if found.kind == "name" and found.word in ("EXISTS", "NOT"):
            said = "a pattern such as EXISTS needs a whole SELECT; for one word of the subject write BOUND(?word)"
        elif found.kind in ("name", "iri") and self.next.text == "(":
            said = f"`{found.text}` is not a function of expressions; they are {', '.join(sorted(FUNCTIONS))}"
        else:
            said = f"`{found.text}` where a value is expected" if found.text else "a value is missing at the end"
        return ExpressionError(said, found.start, found.end)

    def read_name(self, found: Token) -> Node:
        try:
            return replace(self.resolve(found.text[1:]), span=(found.start, found.end))
        except LookupError as error:
            raise ExpressionError(str(error.args[0]), found.start, found.end) from None

    def arguments(self) -> tuple[Node, ...]:
        self.expect("(")
        found = [self.read_expression()]
        while self.next.text == "," and self.next.kind == "sign":
            self.take()
            found.append(self.read_expression())
        self.expect(")")
        return tuple(found)

    def operation(self, operator: str, arguments: tuple[Node, ...], start: int) -> Node:
        span = start, self.tokens[self.at - 1].end
        _check(operator, arguments, span)
        if operator == "/" and isinstance(arguments[1], Number) and arguments[1].value == 0:
            return Unknown(span)
        return Operation(operator, arguments, span)


def _number(found: Token) -> int | float:
    """A number as it is calculated with: whole numbers beyond those that a double holds exactly are doubles."""
    whole = int(found.text) if found.text.isdigit() and len(found.text) <= LONGEST_NUMBER else None
    if whole is not None and whole <= EXACT:
        return whole
    value = float(found.text)
    if not isfinite(value):
        raise ExpressionError(f"`{found.text}` is beyond what a computer's number holds", found.start, found.end)
    return value


def _check(operator: str, arguments: Sequence[Node], span: tuple[int, int]) -> None:
    """Raise where the arguments are too few, too many, or of other types than the operator takes."""
    known = OPERATORS[operator]
    if len(arguments) < len(known.takes) or (len(arguments) > len(known.takes) and not known.variadic):
        least = f"{len(known.takes)} or more" if known.variadic else str(len(known.takes))
        raise ExpressionError(f"`{operator}` takes {least} arguments, not {len(arguments)}", *span)
    if operator == "BOUND" and not isinstance(arguments[0], WordNode | Limit | Let):
        raise ExpressionError("`BOUND` takes a ?word", *span)
    shared: Type | None = None
    for one, wanted in _expected_types(operator, arguments):
        given = type_of(one)
        if given is Type.ANY or wanted is Takes.ANY:
            continue
        if wanted is Takes.ORDERED and given in (Type.FLAG, Type.PART):
            raise ExpressionError(f"`{operator}` cannot order a {given}", *span)
        if isinstance(wanted, Takes):
            shared = shared or given
            if given is not shared:
                raise ExpressionError(f"`{operator}` takes values of one type, not a {shared} and a {given}", *span)
        elif given is not wanted:
            raise ExpressionError(f"`{operator}` takes a {wanted}, not a {given}", *span)


def template(text: str) -> Template:
    """A text in its parts. Raises ExpressionError at a brace that belongs to no value."""
    found: list[str | Placeholder] = []
    at = 0
    for one in PLACE.finditer(text):
        found += [text[at : one.start()], Placeholder(one["name"], one["form"] or "")]
        at = one.end()
    found.append(text[at:])
    for part in found:
        if isinstance(part, str) and (loose := LOOSE.search(part)):
            start = text.index(part) + loose.start()
            raise ExpressionError("a text names its values as {name}, {name:.2f} or {name:up}", start, start + 1)
    return Template(tuple(one for one in found if one != ""))
