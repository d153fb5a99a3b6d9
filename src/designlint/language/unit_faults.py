"""What is wrong with a quantity that did not read, and the spelling that would be right; imported only then."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from math import inf, log10
from typing import TYPE_CHECKING

from designlint.language.quantities import (
    LARGEST_EXPONENT,
    LONGEST,
    NUMBER,
    TOO_LARGE,
    BadQuantity,
    QuantityKind,
    Unit,
    rational,
    read_quantity,
    spell,
    value_of,
)

if TYPE_CHECKING:
    from designlint.language.quantities import UnitTable

_BARE_LIMIT = 1e6  # a bare number beyond it was meant in the canonical unit
_HUGE = 1.7e308  # nearly the largest double
_FAR = 1.5  # half of what lies between kilo and mega, in orders of magnitude
#: Letters whose case tells units apart: milli and mega, bit and byte where not spelled out, 1000 and 1024 bytes.
_TELLING = re.compile("m|b(?!it|yte)|k(?=i?b)", re.IGNORECASE)
#: What follows the first number of a product: 8 x 8, 2x200 Gbit/s.
_FACTOR = re.compile(r"[x*\u00d7] ?([0-9]{1,9}) ?(.*)")
#: A percentage of something that is counted in a unit of its own: 5 % per year.
_SHARE = re.compile("(?:%|percent) ?(.+)")
_DIGITS = tuple("0123456789.,_'’")


class Explainer:
    """Explains faults in the words of one table of units."""

    def __init__(self, units: UnitTable) -> None:
        self.units = units

    def explain(self, text: str, kind: QuantityKind, like: str | None) -> BadQuantity:
        """What is wrong with a text that did not read."""
        if len(text) > LONGEST // 2:  # so that a proposal, which adds a unit, stays short enough to read
            return BadQuantity("not-a-number", None, f"too long: write it like {kind.example}")
        if (tidy := _tidy(text)) != text:
            fault = f"{text!r} is not a plain number: write digits as in 1000.5"
            return _offer("not-a-number", tidy, fault, kind, same=tidy == _plain(text))
        found = NUMBER.fullmatch(text)
        if found is None or found[4][:1] in _DIGITS:
            finite = text.lower().lstrip("+-.").split(" ")[0] not in ("nan", "inf", "infinity")
            code = "not-a-number" if finite else "not-finite"
            fault = "is not one number and its unit" if finite else "is not finite"
            return BadQuantity(code, None, f"{text!r} {fault}: write it like {kind.example}")
        number, spelled = text[: found.start(4)].rstrip(), found[4]
        if abs(int(found[3] or 0)) > LARGEST_EXPONENT:
            return BadQuantity("not-finite", None, TOO_LARGE)
        if not spelled:
            return self.missing(float(number), number, kind, like)
        if unit := kind.spellings.get(spelled):
            value = value_of(*rational(found), unit, kind) if unit.top else None
            proposal = self.units.format(value, kind.name, digits=9) if isinstance(value, int | float) else None
            return _offer("unknown-unit", proposal, unit.why, kind)
        return self._wrong_kind(number, spelled, kind) or self._unknown(number, spelled, kind)

    def missing(self, value: float, number: str, kind: QuantityKind, like: str | None) -> BadQuantity:
        """A bare number where a unit is needed; a huge one was meant in the canonical unit."""
        if not -_HUGE < value < _HUGE:
            return BadQuantity("not-finite", None, f"{number or 'so large a number'} is not finite")
        unit = _likeliest(value, kind, like)
        proposal = self.units.format(value, kind.name, digits=9) if unit is None else spell(number or str(value), unit)
        return _offer("missing-unit", proposal, f"the unit is missing: write it like {proposal}", kind)

    def _wrong_kind(self, number: str, spelled: str, kind: QuantityKind) -> BadQuantity | None:
        """A unit of another kind; where only a factor lies between them, the converted value is proposed."""
        holders = [name for name in self.units.kinds if spelled in self.units.kind(name).spellings]
        if not holders:
            return None
        others = [self.units.kind(name) for name in holders]
        other = min(others, key=lambda k: (k.dimension != kind.dimension, k.name == "Count"))
        text = f"{spelled} is a unit of {other.words}, not of {kind.words}"
        value = read_quantity(f"{number} {spelled}", other)
        if whole := kind.spellings.get(f"{spelled}{kind.preferred[-1].symbol}"):  # `400G` of a port
            return _offer("wrong-kind", spell(number, whole), text, kind)
        if not kind.dimension or other.dimension != kind.dimension or not isinstance(value, int | float):
            return BadQuantity("wrong-kind", None, text)
        proposal = self.units.format(value * other.scale / kind.scale, kind.name, digits=9)
        twin = self._closest(spelled, kind, guess=False)
        meant = f"; if {twin.symbol} was meant, write {spell(number, twin)}" if twin else ""
        return _offer("wrong-kind", proposal, f"{text}: {number} {spelled} = {proposal}{meant}", kind)

    def _unknown(self, number: str, spelled: str, kind: QuantityKind) -> BadQuantity:
        """A unit that nobody knows: a slip of case or spelling, most likely."""
        if (share := _SHARE.fullmatch(spelled)) and (unit := kind.spellings.get(share[1])):
            proposal = spell(f"{Decimal(number).scaleb(-2):f}", unit)
            return _offer("unknown-unit", proposal, f"{spelled!r} is not a unit: write the share as a number", kind)
        if any(map(str.isdigit, spelled)):
            return _second_number(number, spelled, kind)
        unit = self._closest(spelled, kind) or kind.spellings.get(spelled.split()[0])
        if unit is None or unit.why:
            return BadQuantity("unknown-unit", None, f"{spelled!r} is not a unit: write it like {kind.example}")
        text, same = f"{spelled!r} is not a unit; the nearest is {unit.symbol}", self._same(spelled, kind)
        for name in self.units.kinds:
            other = self.units.kind(name)
            if kind.dimension and other.dimension == kind.dimension and other is not kind:
                twin = self._closest(spelled, other, guess=False)
                text += f", but it could mean {twin.symbol}, too: b is a bit, B is a byte" if twin else ""
                same = same and twin is None
        return _offer("unknown-unit", spell(number, unit), text, kind, same=same)

    def _same(self, spelled: str, kind: QuantityKind) -> bool:
        """Whether only one unit is spelled so but for case and long prefixes, and no telling letter changes its case."""
        short = self._short(spelled)
        alike = {text: unit for text, unit in kind.spellings.items() if _fold(text) == _fold(short) and not unit.why}
        told = _TELLING.findall(short)
        amounts = {(unit.top, unit.shift, unit.bottom) for unit in alike.values()}
        return len(amounts) == 1 and any(_TELLING.findall(text) == told for text in alike)

    def _short(self, spelled: str) -> str:
        """A unit with the symbol of its prefix instead of the prefix's name."""
        for name, symbol in self.units.prefixes.items():
            if spelled.casefold().startswith(name):
                return symbol + spelled[len(name) :]
        return spelled

    def _closest(self, spelled: str, kind: QuantityKind, *, guess: bool = True) -> Unit | None:
        """The unit spelled alike but for case and long prefixes; at a guess, the most similar."""
        wanted = _fold(self._short(spelled))
        folded: dict[str, list[str]] = {}
        for text, unit in kind.spellings.items():
            if text and not unit.why:
                folded.setdefault(_fold(text), []).append(text)
        if wanted not in folded:
            near = _similar(wanted, tuple(folded)) if guess else None
            if near is None:
                return None
            wanted = near
        alike = max(folded[wanted], key=lambda text: sum(a == b for a, b in zip(text, spelled, strict=False)))
        return kind.spellings[alike]


def _second_number(number: str, spelled: str, kind: QuantityKind) -> BadQuantity:
    """A product, a range, or terms in the wrong order: which number counts is the author's to say."""
    if kind.compound and not _FACTOR.fullmatch(spelled):
        return BadQuantity("not-a-number", None, "terms run from the largest unit to the smallest, as in 1 h 30 min")
    if (found := _FACTOR.fullmatch(spelled)) and number.isdigit():
        return _offer(
            "unknown-unit", f"{int(number) * int(found[1])} {found[2]}".rstrip(), "products are not calculated", kind
        )
    text = (
        "a range is not one value"
        if spelled[0] in "-\u2013" or spelled.startswith("to ")
        else "this is more than one number"
    )
    return BadQuantity("unknown-unit", None, f"{text}: write it like {kind.example}")


def _offer(code: str, proposal: str | None, text: str, kind: QuantityKind, *, same: bool = False) -> BadQuantity:
    """A fault; its proposal is kept only if it reads."""
    reads = proposal is not None and isinstance(read_quantity(proposal, kind), int | float)
    return BadQuantity(code, proposal if reads else None, text, same=reads and same)


def _tidy(text: str) -> str:
    """The plain text with no thousands separators and a decimal point."""
    plain = re.sub(r"(?<=[0-9])[,_'’ ](?=[0-9]{3}(?![0-9]))", "", _plain(text))
    return re.sub(r"(?<=[0-9]),(?=[0-9])", ".", plain)


def _plain(text: str) -> str:
    """The text with ASCII digits, plain spaces and minus."""
    plain = "".join(str(int(c)) if c.isdecimal() else " " if c.isspace() else c for c in text)
    return plain.replace("\u2212", "-")


@lru_cache(maxsize=1024)  # one slip stands in many places, and is read again with every fix that is tried
def _similar(wanted: str, known: tuple[str, ...]) -> str | None:
    from difflib import get_close_matches

    return next(iter(get_close_matches(wanted, known, n=1, cutoff=0.75)), None)


def _fold(text: str) -> str:
    return "".join(text.casefold().split()).replace(".", "")


def _likeliest(value: float, kind: QuantityKind, like: str | None) -> Unit | None:
    """
    The unit that a bare number was most likely meant in; None for the canonical one, which huge numbers were meant in.

    It is the unit of the example, unless the number is far nearer to it in another unit: 1800 minutes beside an example of
    30 minutes were meant as seconds.
    """
    if abs(value) >= _BARE_LIMIT:
        return None
    text = next(text for text in (like, kind.example) if text and isinstance(read_quantity(text, kind), int | float))
    typical, found = read_quantity(text, kind), NUMBER.fullmatch(text)
    usual = kind.spellings[found[4]] if found else None
    if not value or not typical or usual is None or not isinstance(typical, int | float):
        return usual

    def far(unit: Unit) -> float:
        meant = value_of(*value.as_integer_ratio(), unit, kind)
        ratio = abs(meant / typical) if isinstance(meant, int | float) else 0
        return abs(log10(ratio)) if ratio else inf

    others = [unit for unit in kind.preferred if unit.symbol and not unit.binary and not unit.shift]
    nearest = min(others, key=far, default=usual)
    return nearest if far(nearest) + _FAR <= far(usual) else usual
