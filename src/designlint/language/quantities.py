"""A number and its unit, read from a text and spelled."""

from __future__ import annotations

import re
from math import inf
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST = 64  # characters; no quantity needs more, and the work on a hostile one stays bounded


LARGEST_EXPONENT = 400  # beyond what a double holds


_WHOLE_LIMIT = 2**63  # xsd:integer as the graph store holds it


TOO_LARGE = "beyond what a computer's number holds"


NUMBER = re.compile(r"([+-]?(?=\.?[0-9])[0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))? *(.*)")


_TERM = re.compile(r"([0-9]+(?:\.[0-9]+)?) *([^\W\d_]+) *")


class BadQuantity(Struct, frozen=True):
    """
    Why a text is no value of its kind, and the spelling that would be.

    Attributes:
        same: whether the proposal is the same amount for every reader, so that nothing is guessed.
    """

    code: str
    proposal: str | None
    text: str
    same: bool = False


class Unit(Struct, frozen=True):
    """One spelling class; value = (number * top + shift) / bottom, all integers, hence exact."""

    symbol: str
    one: str
    top: int
    shift: int
    bottom: int
    preferred: bool
    binary: bool
    why: str


class QuantityKind(Struct, frozen=True):
    """A kind with all its spellings; `preferred` runs from the largest unit to the smallest."""

    name: str
    whole: bool
    compound: bool
    example: str
    dimension: str
    scale: int
    spellings: dict[str, Unit]
    preferred: tuple[Unit, ...]

    @property
    def words(self) -> str:
        return re.sub(r"(?<=.)([A-Z])", r" \1", self.name).lower()


def read_quantity(text: str, kind: QuantityKind) -> int | float | BadQuantity | None:
    """The value of a well-spelled text; None where the spelling is at fault."""
    if len(text) > LONGEST or (found := NUMBER.fullmatch(text)) is None:
        return None
    unit = kind.spellings.get(found[4])
    if unit is None:
        return _compound(text, kind) if kind.compound else None
    if unit.why:
        return None
    if found[3] and abs(int(found[3])) > LARGEST_EXPONENT:
        return BadQuantity("not-finite", None, TOO_LARGE)
    return value_of(*rational(found), unit, kind)


def rational(found: re.Match[str]) -> tuple[int, int]:
    """The number of a match as an exact fraction."""
    whole, part, power = found[1], found[2] or "", int(found[3] or 0)
    power -= len(part)
    return (int(whole + part) * 10**power, 1) if power >= 0 else (int(whole + part), 10**-power)


def value_of(top: int, bottom: int, unit: Unit, kind: QuantityKind) -> int | float | BadQuantity:
    """The canonical value of top/bottom units, correctly rounded."""
    top, bottom = top * unit.top + unit.shift * bottom, bottom * unit.bottom
    if kind.whole:
        count, rest = divmod(top, bottom)
        if rest:
            return BadQuantity("not-whole", None, "not a whole number")
        return count if abs(count) < _WHOLE_LIMIT else BadQuantity("out-of-range", None, "beyond 2^63")
    try:
        value = top / bottom
    except OverflowError:
        return BadQuantity("not-finite", None, TOO_LARGE)
    return value if value or not top else BadQuantity("out-of-range", None, "too small to tell from zero")


def _compound(text: str, kind: QuantityKind) -> float | None:
    """The sum of terms such as 1 h 30 min, largest unit first."""
    terms = _TERM.findall(text)
    units = [kind.spellings.get(spelled) for _, spelled in terms]
    if len(terms) < 2 or _TERM.sub("", text) or not all(unit and not unit.why for unit in units):
        return None
    top, bottom, last = 0, 1, inf
    for (number, _), unit in zip(terms, units, strict=True):
        if unit is None or unit.top / unit.bottom >= last:
            return None
        last = unit.top / unit.bottom
        whole, _, part = number.partition(".")
        share, of = int(whole + part) * unit.top, 10 ** len(part) * unit.bottom
        top, bottom = top * of + share * bottom, bottom * of
    return top / bottom


def spell(number: str, unit: Unit, *, gap: str = " ", spelled: str | None = None) -> str:
    """Number and unit; a spelling of the author's own stays as it is, but for singular and plural."""
    if spelled is None or spelled in (unit.symbol, unit.one):
        spelled = unit.one if unit.one and number == "1" else unit.symbol
    return number + ("" if spelled[:1] in ("", ":") else gap) + spelled


class UnitTable(Protocol):
    """A table of units, as far as faults are explained by it."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of the kinds of quantities."""

    @property
    def prefixes(self) -> Mapping[str, str]:
        """Names of prefixes and their symbols."""

    def kind(self, kind: str) -> QuantityKind:
        """A kind by its name."""

    def format(self, value: float, kind: str, *, unit: str | None = None, digits: int = 4) -> str:
        """A canonical number in the unit that reads best."""
