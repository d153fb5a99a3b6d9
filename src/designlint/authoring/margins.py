"""Takes a judgement apart into its comparisons of numbers, so that each row can tell how far it is from its limit."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from designlint.rules import MEASURE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

#: A comparison by its number, or a list: how parts are joined (`and`, `or`, `first`), then the parts.
Tree: TypeAlias = "int | list[Any]"

#: The tokens of SPARQL as far as brackets, names and comparisons are concerned; an IRI before a `<`.
TOKEN = re.compile(
    r"""(?P<skipped>\s+|\#[^\n]*) | <[^<>"{}|^`\\\s]*> | "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*'
    | \|\| | && | [<>!]= | [?$]?\w+ | .""",
    re.VERBOSE | re.DOTALL,
)
#: Each order comparison: what it is when both sides change places, and what it is when it does not hold.
TURNED = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}
REFUTED = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}
EQUALS = ("=", "!=", "IN")
#: Kinds of quantity that change no unit when they multiply.
PLAIN = {"", "Ratio", "Count"}
OPENING, CLOSING = "({[", ")}]"
#: Signs of an expression that a person reads as they stand, or in another form; anything else is not for people.
SPOKEN = {"+": "+", "-": "-", "*": "×", "/": "/", "(": "(", ")": ")"}
#: Letters beyond which an expression is not for people.
LONGEST = 48


class Token(NamedTuple):
    """A stretch of the text."""

    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        return self.text.upper()


class Kinds(NamedTuple):
    """What is known of a judgement's variables: the declared limits, the kind of those that are measured, the computed ones."""

    limits: Collection[str]
    of: Mapping[str, str]
    lets: Mapping[str, Mapping[str, str]] = MappingProxyType({})


def tokens(text: str) -> list[Token]:
    """The tokens of a SPARQL text."""
    return [Token(one[0], one.start(), one.end()) for one in TOKEN.finditer(text) if one["skipped"] is None]


def apart(judgement: str, kinds: Kinds) -> dict[str, Any] | None:
    """The comparisons of numbers in a judgement and how they are joined; None where it has none."""
    reader = _Reader(judgement, kinds)
    tree = reader.condition(tokens(judgement))
    if not any(one["comparison"] for one in reader.leaves):
        return None
    return {"tree": tree, "leaves": reader.leaves}


def columns(margin: dict[str, Any] | None) -> str:
    """What a query selects besides, so that the margin can be told."""
    asked: list[str] = []
    for number, leaf in enumerate(margin["leaves"] if margin is not None else ()):
        asked.append(f"(({leaf['holds']}) AS ?{MEASURE}{number})")
        if leaf["comparison"]:
            asked += [f"(({leaf[side]}) AS ?{MEASURE}{number}_{side})" for side in ("value", "limit")]
    return "".join(f" {one}" for one in asked)


class _Reader:
    """Takes a condition apart; the smallest conditions are numbered as they are met."""

    def __init__(self, text: str, kinds: Kinds) -> None:
        self.text, self.kinds = text, kinds
        self.leaves: list[dict[str, Any]] = []

    def condition(self, found: Sequence[Token], *, holds: bool = True) -> Tree:
        """The tree of a condition or, where it should not hold, of its contrary."""
        found = _bare(found)
        for sign, joined, contrary in (("||", "or", "and"), ("&&", "and", "or")):
            parts = _parted(found, sign)
            if len(parts) > 1:
                return [joined if holds else contrary, *(self.condition(one, holds=holds) for one in parts)]
        at = next((at for at in outermost(found) if found[at].word in (*TURNED, *EQUALS)), None)
        if at is not None and found[at].text in TURNED:
            return self._comparison(found[:at], found[at].text, found[at + 1 :], holds=holds)
        refuted = next((at for at, one in enumerate(found) if one.text != "!"), 0) if at is None else 0
        if refuted:
            return self.condition(found[refuted:], holds=holds == (refuted % 2 == 0))
        return self._choice(found, holds=holds)

    def _choice(self, found: Sequence[Token], *, holds: bool) -> Tree:
        """COALESCE and IF as what they choose from; anything else, and what IF asks, is a condition without numbers."""
        called = found[0].word if len(found) > 2 and _bare(found[1:]) != found[1:] else ""
        chosen = _parted(found[2:-1], ",") if called else []
        if called == "COALESCE":
            return ["first", *(self.condition(one, holds=holds) for one in chosen)]
        if called == "IF" and len(chosen) == 3:
            asked, then, other = chosen
            met, unmet = self._leaf(self._source(asked)), self._leaf(f"!({self._source(asked)})")
            either = ((met, then), (unmet, other))
            return ["or", *(["and", choice, self.condition(one, holds=holds)] for choice, one in either)]
        return self._leaf(self._source(found) if holds else f"!({self._source(found)})")

    def _comparison(self, left: Sequence[Token], sign: str, right: Sequence[Token], *, holds: bool) -> Tree:
        left, right = _bare(left), _bare(right)
        sign = sign if holds else REFUTED[sign]
        whole = f"({self._source(left)}) {sign} ({self._source(right)})"
        if self._limit_is_left(left, right):
            left, sign, right = right, TURNED[sign], left
        kind = self._kind(left, right)
        if kind == "Date":
            return self._leaf(whole)
        sides = {"value": self._source(left), "limit": self._source(right)}
        named = {"name": _words(sides["value"]), "against": _words(sides["limit"])}
        named |= {"told": self._told(left) or "value", "told_against": self._told(right) or "limit"}
        if not _variables(right) and len(right) == 1:  # a number is told by its value
            named["told_against"] = ""
        return self._leaf(whole, comparison=sign, kind=kind, **sides, **named)

    def _limit_is_left(self, left: Sequence[Token], right: Sequence[Token]) -> bool:
        """The limit is the side that holds a declared one, else the one without variables, else the right one."""

        def declared(side: Sequence[Token]) -> bool:
            return any(name in self.kinds.limits for name in _variables(side))

        if declared(left) != declared(right):
            return declared(left)
        return bool(_variables(right)) and not _variables(left)

    def _told(self, side: Sequence[Token]) -> str:
        """A side as a person reads it: words spaced, what is computed by its formula; empty where it is not for people."""
        if len(side) == 1 and _variables(side):
            name = side[0].text[1:]
            if name in self.kinds.limits:
                return "limit"
            formula = tokens(self.kinds.lets[name]["is"]) if name in self.kinds.lets else []
            told = _spoken(formula)
            return told or name.replace("_", " ")
        return _spoken(side)

    def _kind(self, *sides: Sequence[Token]) -> str:
        """The kind of both sides: that of a variable which stands alone, else the only one in sums and shares of it."""
        alone = [self.kinds.of.get(side[0].text[1:], "") for side in sides if len(side) == 1 and _variables(side)]
        mixed = {self.kinds.of.get(name, "") for side in sides for name in _variables(side)} - PLAIN
        divided = any(one.text == "/" for side in sides for one in side)
        return next(filter(None, alone), mixed.pop() if len(mixed) == 1 and not divided else "")

    def _leaf(self, holds: str, *, comparison: str = "", **more: str) -> int:
        leaf = {"holds": holds, "comparison": comparison, **more}
        if leaf not in self.leaves:
            self.leaves.append(leaf)
        return self.leaves.index(leaf)

    def _source(self, found: Sequence[Token]) -> str:
        return self.text[found[0].start : found[-1].end] if found else "true"


def outermost(found: Sequence[Token]) -> Iterable[int]:
    """The places of the tokens that no bracket holds."""
    depth = 0
    for at, one in enumerate(found):
        depth -= one.text in CLOSING
        if depth == 0 and one.text not in CLOSING:
            yield at
        depth += one.text in OPENING


def _parted(found: Sequence[Token], sign: str) -> list[Sequence[Token]]:
    """The stretches between the signs that no bracket holds."""
    cuts = [at for at in outermost(found) if found[at].text == sign]
    return [found[start:end] for start, end in zip([0, *(at + 1 for at in cuts)], [*cuts, len(found)], strict=True)]


def _bare(found: Sequence[Token]) -> Sequence[Token]:
    """The tokens without brackets around all of them."""
    while len(found) > 1 and found[0].text == "(" and list(outermost(found)) == [0]:
        found = found[1:-1]
    return found


def _variables(found: Sequence[Token]) -> list[str]:
    return [one.text[1:] for one in found if one.text[0] in "?$" and len(one.text) > 1]


def _spoken(found: Sequence[Token]) -> str:
    """A short expression of words, numbers and signs as a person reads it; empty for any other."""
    told = []
    for one in found:
        if one.text not in SPOKEN and not re.fullmatch(r"[?$]\w+|[\d.]+", one.text):
            return ""
        told.append(SPOKEN.get(one.text) or one.text.lstrip("?$").replace("_", " "))
    words = " ".join(told).replace("( ", "(").replace(" )", ")")
    return words if len(words) <= LONGEST else ""


def _words(expression: str) -> str:
    """An expression as a person reads it."""
    return " ".join(expression.replace("?", "").split())
