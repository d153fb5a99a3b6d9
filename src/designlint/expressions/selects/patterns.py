"""Tokens, constants and paths of a query: what its patterns are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.expressions.parser import parse
from designlint.expressions.selects.scope import UnsupportedError
from designlint.expressions.tokens import CLOSING, OPENING, Token, TokenCursor
from designlint.expressions.tree import Type, WordNode, encode_node

if TYPE_CHECKING:
    from typing import TypeAlias

    #: The parts of a path: words, and alternatives, each a list of ways.
    Path: TypeAlias = list[Any]

#: How variables begin that stand for a pattern, a search or an aggregate inside an expression, or for a step of a path.
INNER = "__in"


class PathReader(TokenCursor):
    """Reads tokens from left to right; `made` numbers the inner variables."""

    def __init__(self, found: list[Token]) -> None:
        super().__init__(found)
        self.made = 0

    def expect(self, wanted: str) -> Token:
        found = self.take()
        if found.word != wanted or found.kind == "text":
            raise UnsupportedError
        return found

    def accept(self, wanted: str) -> bool:
        if self.next.kind == "text" or self.next.word != wanted:
            return False
        self.take()
        return True

    def inner(self) -> str:
        self.made += 1
        return f"{INNER}{self.made}"

    def closing_position(self, at: int | None = None) -> int:
        """The position behind the bracket that closes the one at this position."""
        depth, at = 0, self.at if at is None else at
        while True:
            one = self.tokens[at]
            if one.kind == "end":
                raise UnsupportedError
            if one.kind != "text":
                depth += (one.text in OPENING) - (one.text in CLOSING)
            at += 1
            if depth == 0:
                return at

    def chain_steps(self, subject: Any, path: Path, value: Any) -> list[Any]:
        """The steps of one path: a sequence leads over inner variables, alternatives are one step."""
        if path == ["a"]:
            return [["class", subject, value]]
        if subject == value or not isinstance(subject, str) or (path[-1][0] == "^" and not isinstance(value, str)):
            raise UnsupportedError
        steps, here = list[Any](), subject
        for at, part in enumerate(path):
            there = value if at == len(path) - 1 else f"?{self.inner()}"
            if not isinstance(part, str):
                steps.append(["path", here, part, there])
            elif part[0] == "^":
                steps.append(["word", there, part[1:], here])
            else:
                steps.append(["word", here, part, there])
            here = there
        return steps

    def class_name(self) -> str:
        self.expect(":")
        return self.take().text

    def constant(self, one: Token) -> Any:
        if one.kind not in ("number", "text") and one.text not in ("true", "false"):
            raise UnsupportedError
        if one.text.endswith("."):  # the sign that ends a triple
            raise UnsupportedError
        return encode_node(parse(one.text, variable))

    def path(self) -> Path:
        """A path: words one after the other, one that leads backwards with `^` before it, or the ways of an alternative."""
        if self.accept("A"):
            return ["a"]
        ways = [self.sequence()]
        while self.accept("|"):
            ways.append(self.sequence())
        if len(ways) == 1:
            return ways[0]
        if not all(isinstance(part, str) for way in ways for part in way):
            raise UnsupportedError
        return [ways]

    def sequence(self) -> Path:
        found = self.part()
        while self.accept("/"):
            found = [*found, *self.part()]
        return found

    def part(self) -> Path:
        if self.accept("("):
            found = self.path()
            self.expect(")")
            return found
        backwards = "^" if self.accept("^") else ""
        self.expect(":")
        word = self.take()
        if word.kind != "name" or ":" in word.text:
            raise UnsupportedError
        return [backwards + word.text]


def variable(name: str) -> WordNode:
    """A variable of a query in an expression."""
    return WordNode(name, (name,), "", Type.ANY)
