"""Tokens of expressions, and of the SPARQL that whole queries are written in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

#: An IRI stands before a `<`; whatever else is not named here is a token of one character.
TOKEN = re.compile(
    r"""(?P<gap>\s+|\#[^\n]*) | (?P<iri><[^<>"{}|^`\\\s=]*>) | (?P<variable>[?$]\w+)
    | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?) | (?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    | (?P<sign>\|\||&&|[<>!]=|[=<>!+*/(),-]) | (?P<name>[A-Za-z]\w*(?::\w+)?) | (?P<other>.)""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
OPENING, CLOSING = "({[", ")}]"


class ExpressionError(ValueError):
    """
    What an author wrote is no expression.

    Attributes:
        start: where in the text the fault begins, in characters, and `end` where it ends.
    """

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.start, self.end = start, end


class Token(NamedTuple):
    """
    One token.

    Attributes:
        kind: `variable`, `number`, `text`, `sign`, `name`, `iri`, `other`, or `end` behind the last one.
        start: where it begins in the text, in characters, and `end` where it ends.
    """

    kind: str
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """The token in capitals: names of functions are the same in any case."""
        return self.text.upper()


def tokens(text: str, *, iris: bool = False) -> list[Token]:
    """The tokens of a text, without gaps and comments, with an empty one of kind `end` behind them; IRIs only where wanted."""
    found: list[Token] = []
    at = 0
    while (one := TOKEN.match(text, at)) is not None:
        kind, at = str(one.lastgroup), one.end()
        if kind == "iri" and not iris:
            kind, at = "sign", one.start() + (2 if text.startswith("<=", one.start()) else 1)
        if kind != "gap":
            found.append(Token(kind, text[one.start() : at], one.start(), at))
    return [*found, Token("end", "", len(text), len(text))]


def outermost(found: list[Token]) -> Iterator[int]:
    """The positions of the tokens that no bracket encloses."""
    depth = 0
    for at, one in enumerate(found):
        depth -= one.text in CLOSING and one.kind != "end"
        if depth == 0 and (one.text not in CLOSING or one.kind == "end"):
            yield at
        depth += one.text in OPENING and one.kind != "end"


class TokenCursor:
    """
    A place among tokens, which moves on as they are taken.

    Attributes:
        at: the number of the next token.
    """

    def __init__(self, found: list[Token]) -> None:
        self.tokens, self.at = found, 0

    @property
    def next(self) -> Token:
        """The token that is taken next."""
        return self.tokens[self.at]

    def take(self) -> Token:
        """The next token; the one that ends the text is never passed."""
        found = self.next
        self.at += found.kind != "end"
        return found
