"""The part of SPARQL that most judgements are written in, as plain data that needs no query: see `designlint.expressions`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.expressions import FUNCTIONS, constant

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

#: An expression as JSON-able data: what it does, then what it does it to.
Data: TypeAlias = "list[Any]"

TOKEN = re.compile(
    r"""\s*(?:(?P<name>\?\w+)|(?P<double>\d+(?:\.\d*)?[eE][+-]?\d+)|(?P<decimal>\d*\.\d+)|(?P<integer>\d+)
    |"(?P<text>[^"\\\n]*)"|(?P<sign>\|\||&&|[!<>]=|[=<>!+*/(),-])|(?P<word>[A-Za-z]+))""",
    re.VERBOSE,
)
#: How strongly a sign binds; comparisons do not chain.
STRENGTH = {
    "||": 1, "&&": 2, **dict.fromkeys(("=", "!=", "<", ">", "<=", ">=", "IN", "NOT"), 3), "+": 4, "-": 4, "*": 5, "/": 5,
}  # fmt: skip
#: Beyond so many parts or levels an expression is left to the query engine.
MOST_PARTS, DEEPEST = 400, 40


class NotPlainError(Exception):
    """The expression is one for the query engine."""


def plain(
    texts: Sequence[str],
    limits: Mapping[str, Mapping[str, Any]],
    lets: Mapping[str, Mapping[str, str]],
    paths: Mapping[str, tuple[Sequence[str], str]],
) -> list[Data] | None:
    """
    Expressions as data; None where one does more than compare and calculate with values of its own subject.

    Args:
        limits: constants of the rule, by variable.
        lets: computed values, each with its expression under `is`.
        paths: by variable, the words that lead to its value, and the kind of that.
    """

    def variable(name: str) -> Data:
        if name in limits:
            return ["limit", name, constant(repr(limits[name]["value"]))]
        if name in lets:
            return _Reader(lets[name]["is"], variable).whole()
        path, kind = paths[name]
        return ["day" if kind == "Date" else "value", list(path)]

    try:
        return [_Reader(text, variable).whole() for text in texts]
    except (NotPlainError, KeyError, RecursionError):
        return None


def size(data: Sequence[Any]) -> int:
    """How many parts an expression has."""
    return 1 + sum(size(part) for part in data if isinstance(part, list))


class _Reader:
    """Reads by precedence: `||` binds least, then `&&`, comparisons, sums, products, `!`."""

    def __init__(self, text: str, variable: Callable[[str], Data]) -> None:
        self.variable, self.parts, self.depth = variable, 0, 0
        self.tokens: list[tuple[str, str]] = []
        at, text = 0, text.rstrip()
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None or found.lastgroup is None:
                raise NotPlainError
            self.tokens.append((found.lastgroup, found[found.lastgroup]))
            at = found.end()
        self.tokens.append(("end", ""))

    def whole(self) -> Data:
        found = self.read()
        if self.tokens[0][0] != "end":
            raise NotPlainError
        return found

    def take(self, wanted: str = "") -> tuple[str, str]:
        if wanted and self.tokens[0][1].upper() != wanted:
            raise NotPlainError
        return self.tokens.pop(0)

    def read(self, least: int = 1) -> Data:
        self.depth += 1
        if self.depth > DEEPEST:
            raise NotPlainError
        left = self.operand()
        while self.tokens[0][0] in ("sign", "word") and STRENGTH.get(self.tokens[0][1].upper(), 0) >= least:
            sign = self.take()[1].upper()
            if sign in ("IN", "NOT"):
                if sign == "NOT":
                    self.take("IN")
                left = ["in", left, *self.arguments()]
                left = ["!", left] if sign == "NOT" else left
            else:
                left = [sign, left, self.read(STRENGTH[sign] + 1)]
            if STRENGTH[sign] == 3 and STRENGTH.get(self.tokens[0][1].upper(), 0) == 3:
                raise NotPlainError
        self.depth -= 1
        return left

    def operand(self) -> Data:
        kind, text = self.take()
        if kind == "name":
            found = self.variable(text[1:])
            self.parts += size(found)
            if self.parts > MOST_PARTS:
                raise NotPlainError
            return found
        if kind in ("integer", "decimal", "double"):
            return constant(text)
        if kind == "text":
            return ["is", text]
        if text == "!":
            return ["!", self.read(6)]
        if text == "(":
            found = self.read()
            self.take(")")
            return found
        if text in ("true", "false"):
            return ["is", text == "true"]
        if kind == "word" and text.upper() in FUNCTIONS:
            return self.called(text.upper())
        raise NotPlainError

    def called(self, name: str) -> Data:
        arguments = self.arguments()
        if FUNCTIONS[name] not in (0, len(arguments)):
            raise NotPlainError
        return [name, *arguments]

    def arguments(self) -> list[Data]:
        self.take("(")
        found = [self.read()]
        while self.tokens[0][1] == ",":
            self.take()
            found.append(self.read())
        self.take(")")
        return found
