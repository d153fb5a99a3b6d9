"""The slip of unit or magnitude that a number outside all that has been seen most likely is; imported only then."""

from __future__ import annotations

from math import inf, log10, sqrt
from typing import TYPE_CHECKING, NamedTuple

from designlint.language.quantities import NUMBER, read_quantity, spell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.language.units import Units

#: By how many digits a number is written too long or too short.
DIGITS = (1, -1, 2, -2, 3, -3)
#: What a wrong digit counts against a wrong unit, in orders of magnitude from the middle of the range.
EACH_DIGIT = 0.3
#: Of a range that begins at 0, the share of its end that counts as its beginning.
LEAST_SHARE = 1e-6


class Slip(NamedTuple):
    """
    A slip that explains a number.

    Attributes:
        meant: the value that was most likely meant, as its author would write it; empty where no single slip explains it.
        only: whether no other unit of the number, and where it is no unit no other count of digits, comes inside the range.
    """

    meant: str
    only: bool


def slip(text: str, kind: str, units: Units, least: float, most: float, example: str = "") -> Slip:
    """
    The slip of unit or digits that most likely happened.

    Args:
        text: the number with its unit as the design has it.
        least: of the range in which it should lie, in the canonical unit, and `most`.
        example: a typical value of the word.
    """
    usual = units.parse(example, kind) if example else None
    middle = (
        usual
        if isinstance(usual, int | float) and usual > 0
        else sqrt(max(least, most * LEAST_SHARE, 0) * max(most, 0))
    )
    ways = [*_units(text, kind, units), *_digits(text, kind, units)]
    inside = [(abs(_order(value, middle)) + doubt, doubt, way) for way, value, doubt in ways if least <= value <= most]
    if not inside:
        return Slip("", only=False)
    _, doubt, meant = min(inside)
    return Slip(meant, only=sum(not one[1] for one in inside) == 1 if not doubt else len(inside) == 1)


def _order(value: float, middle: float) -> float:
    return log10(value / middle) if value > 0 and middle > 0 else inf


def _units(text: str, kind: str, units: Units) -> Iterator[tuple[str, float, float]]:
    """The same number in another unit, its value, and no doubt."""
    found, known = NUMBER.fullmatch(text.strip()), units.kind(kind)
    own = known.spellings.get(found[4]) if found else None
    if found is None or own is None or (known.whole and found[3]):  # 1e3 is no slip for 1e3 M
        return
    number = text.strip()[: found.start(4)].rstrip()
    for unit in dict.fromkeys(known.spellings.values()):
        if unit.symbol == own.symbol or unit.why or unit.binary != own.binary:
            continue
        way = spell(number, unit)
        value = read_quantity(way, known)
        if isinstance(value, int | float):
            yield way, value, 0


def _digits(text: str, kind: str, units: Units) -> Iterator[tuple[str, float, float]]:
    """The number with digits too many or too few, its value, and how much less likely each digit makes it."""
    value = units.parse(text, kind)
    if not isinstance(value, int | float):
        return
    found = NUMBER.fullmatch(text.strip())
    for power in DIGITS:
        meant = value * 10.0**power
        if found and found[3]:
            begin, end = found.span(3)
            shown = f"{text.strip()[:begin]}{int(found[3]) + power}{text.strip()[end:]}"
        else:
            shown = units.like(meant, kind, text)
        back = units.parse(shown, kind)
        if isinstance(back, int | float) and abs(back - meant) <= 1e-9 * abs(meant):
            yield shown, meant, abs(power) * EACH_DIGIT
