"""Conditions of `if`, in three values: true, false, or unknown where an operand is."""

from __future__ import annotations

import fnmatch
import re
from typing import TYPE_CHECKING

from designlint.importers.shell import arithmetic
from designlint.importers.shell.pieces import flat, reason

if TYPE_CHECKING:
    from designlint.importers.shell.expansion import Expander
    from designlint.importers.shell.pieces import Text

NUMERIC = {"-eq": "==", "-ne": "!=", "-lt": "<", "-le": "<=", "-gt": ">", "-ge": ">="}
#: How the reason ends for which a variable is not known that is surely set.
LATER = " is set when the job runs"
#: Zeros before a number, which is decimal in brackets.
ZEROS = re.compile(r"\A0+(?=\d)")
EQUALITY = ("=", "==", "!=")
JOINTS = ("&&", "||", "-a", "-o")
TOKEN = re.compile(
    r"""\s*(&&|\|\||\(|\)|!(?=\s)|(?:\$\((?:[^()]|\([^()]*\))*\)|\$\{[^}]*\}|"(?:\\.|[^"\\])*"|'[^']*'|[^\s()&|"'])+|[&|])"""
)


def holds(text: str, start: int, expander: Expander) -> bool | None:
    """Whether a condition in brackets is true; None where it is not known."""
    bare = text.strip()
    lead = start + len(text) - len(text.lstrip())
    if bare.startswith("((") and bare.endswith("))"):
        result = arithmetic.evaluate(bare[2:-2], expander.look_up)
        return None if result is None else bool(result)
    for opened, closed in (("[[", "]]"), ("[", "]")):
        if bare.startswith(opened) and bare.endswith(closed):
            inside = bare[len(opened) : -len(closed)]
            tokens = [(found[1], lead + len(opened) + found.start(1)) for found in TOKEN.finditer(inside)]
            return _Reader(tokens, expander).either()
    return {"true": True, ":": True, "false": False}.get(bare)


class _Reader:
    """Reads a condition from left to right: `or` over `and` over `not` over tests."""

    def __init__(self, tokens: list[tuple[str, int]], expander: Expander) -> None:
        self.tokens, self.expander, self.at = tokens[:200], expander, 0

    def peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def take(self) -> tuple[str, int]:
        self.at += 1
        return self.tokens[self.at - 1]

    def either(self) -> bool | None:
        result = self.both()
        while self.peek() in ("||", "-o"):
            self.take()
            other = self.both()
            result = True if True in (result, other) else None if None in (result, other) else False
        return result

    def both(self) -> bool | None:
        result = self.primary()
        while self.peek() in ("&&", "-a"):
            self.take()
            other = self.primary()
            result = False if False in (result, other) else None if None in (result, other) else True
        return result

    def primary(self) -> bool | None:
        if not self.peek():
            return None
        if self.peek() == "!":
            self.take()
            result = self.primary()
            return None if result is None else not result
        if self.peek() == "(":
            self.take()
            result = self.either()
            if self.peek() == ")":
                self.take()
            return result
        first, place = self.take()
        if first.startswith("-") and len(first) == 2 and first[1].isalpha():
            return self._unary(first)
        operand = self._text(first, place)
        if not self.peek() or self.peek() in (*JOINTS, ")"):
            return None if reason(operand) else bool(flat(operand))
        operator = self.take()[0]
        return self._binary(operand, operator)

    def _text(self, token: str, place: int) -> Text:
        return self.expander.text(token, place)

    def _unary(self, operator: str) -> bool | None:
        """Emptiness; files are not looked for."""
        if not self.peek() or operator not in ("-z", "-n"):
            if self.peek() and self.peek() not in JOINTS:
                self.take()
            return None
        token, place = self.take()
        empty = _is_empty(self._text(token, place))
        return empty if operator == "-z" or empty is None else not empty

    def _binary(self, left: Text, operator: str) -> bool | None:
        if not self.peek():
            return None
        token, place = self.take()
        right = self._text(token, place)
        if operator in EQUALITY and "" in (token.strip("\"'"), flat(left) if not reason(left) else None):
            empty = _is_empty(left if not token.strip("\"'") else right)
            return empty if operator != "!=" or empty is None else not empty
        if reason(left) or reason(right):
            return None
        one, other = flat(left).strip(), flat(right).strip()
        if operator in NUMERIC:
            one, other = (ZEROS.sub("", text) for text in (one, other))
            result = (
                arithmetic.evaluate(f"{one} {NUMERIC[operator]} {other}", self.expander.look_up)
                if one and other
                else None
            )
            return None if result is None else bool(result)
        if operator in ("=", "=="):
            return fnmatch.fnmatchcase(one, other) if len(one) < 2000 else None
        if operator == "!=":
            return not fnmatch.fnmatchcase(one, other) if len(one) < 2000 else None
        return None


def _is_empty(text: Text) -> bool | None:
    """Emptiness is judged as if nobody had set what neither the file nor the scheduler sets; files are not looked for."""
    why = reason(text)
    if why and not why.endswith(("is not set in the file", LATER)):
        return None
    return not why.endswith(LATER) if why else not flat(text)
