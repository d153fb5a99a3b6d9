"""What turns "400 Gbit/s" into 4e11 and back; the units themselves are data, in ontology/units.ttl."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil, floor, inf, isfinite, log10
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.model import NOISE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.unit_faults import Explainer

# Types for the signatures of derivations: one per kind, in the canonical unit of that kind.
Count = int
Ratio = float
Bytes = float
Bits = float
DataRate = float
Bandwidth = float
Computation = float
ComputeRate = float
OperationsRate = float
Duration = float
Rate = float
Frequency = float
Power = float
ApparentPower = float
Energy = float
Voltage = float
Current = float
Temperature = float
Mass = float
Length = float
Area = float
AreaLoad = float
Flow = float
Money = float
EnergyPrice = float
WaterUse = float

LONGEST = 64  # characters; no quantity needs more, and the work on a hostile one stays bounded
LARGEST_EXPONENT = 400  # beyond what a double holds
_WHOLE_LIMIT = 2**63  # xsd:integer as the graph store holds it
TOO_LARGE = "beyond what a computer's number holds"
NUMBER = re.compile(r"([+-]?(?=\.?[0-9])[0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))? *(.*)")
_TERM = re.compile(r"([0-9]+(?:\.[0-9]+)?) *([^\W\d_]+) *")


@dataclass(frozen=True, slots=True)
class BadQuantity:
    """
    Why a text is no value of its kind, and the spelling that would be.

    Attributes:
        same: whether the proposal is the same amount for every reader, so that nothing is guessed.
    """

    code: str
    proposal: str | None
    text: str
    same: bool = False


class Unit(NamedTuple):
    """One spelling class; value = (number * top + shift) / bottom, all integers, hence exact."""

    symbol: str
    one: str
    top: int
    shift: int
    bottom: int
    preferred: bool
    binary: bool
    why: str


class Kind(NamedTuple):
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


class Units:
    """The reader and printer of quantities, over a table made by `authoring.units`."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table = table
        self._kinds: dict[str, Kind] = {}

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names of all kinds, sorted."""
        return tuple(sorted(self._table["kinds"]))

    def __contains__(self, kind: object) -> bool:
        return kind in self._table["kinds"]

    def symbol(self, kind: str) -> str:
        """The canonical unit of a kind; empty for a plain number and for what is no kind."""
        known = self._table["kinds"].get(kind)
        return known["si"] if known else ""

    def parse(self, given: object, kind: str, *, like: str | None = None) -> int | float | BadQuantity:
        """
        The value in the canonical unit of the kind, or what is wrong with the text.

        Args:
            like: a typical value of the property; a bare number is proposed in its unit.
        """
        known = self._kinds.get(kind) or self.kind(kind)
        if isinstance(given, str):
            text = given.strip()
            value = read(text, known)
            return self._faults.explain(text, known, like) if value is None else value
        if isinstance(given, bool) or not isinstance(given, int | float):
            return BadQuantity("not-a-number", None, f"not a text or number: write it like {known.example}")
        if (bare := known.spellings.get("")) is None or given != given or given in (inf, -inf):
            return self._faults.missing(given, repr(given) if isinstance(given, float) else "", known, like)
        return value_of(*given.as_integer_ratio(), bare, known)

    def format(self, value: float, kind: str, *, unit: str | None = None, digits: int = 4) -> str:
        """The value as a person writes it: in the given unit, else the preferred one that shows it best."""
        known = self._kinds.get(kind) or self.kind(kind)
        wanted = None if unit is None else known.spellings.get(unit)
        if unit is not None and (wanted is None or wanted.why):
            raise ValueError(f"no unit of {kind} is written {unit!r}")
        if not isfinite(value):
            return f"{value} {known.preferred[-1].symbol}".rstrip()
        chosen = wanted or _best(value, known, digits)
        if known.whole and not chosen.symbol and isinstance(value, int):
            return str(value)
        return spell(_number(_scaled(value, chosen), digits), chosen)

    def planned(self, value: float, kind: str, how: str) -> str:
        """
        The value as a designer plans it, in round steps.

        Args:
            how: `up` and `down` round to fives of the third digit, never to the other side; `near` to halves of the first.
        """
        known = self._kinds.get(kind) or self.kind(kind)
        if not isfinite(value) or value <= 0:
            return self.format(value, kind)
        unit = _best(value, known, 4)
        scaled = _scaled(value, unit)
        step = (0.5 if how == "near" else 0.05) * 10.0 ** floor(log10(scaled))
        steps = scaled / step
        whole = round(steps) if how == "near" else ceil(steps - NOISE) if how == "up" else floor(steps + NOISE)
        return spell(_number(whole * step, 6), unit)

    def like(self, value: float, kind: str, original: str, *, digits: int = 6) -> str:
        """The value in the unit, spacing and exponent of the original text where that stays readable."""
        known = self._kinds.get(kind) or self.kind(kind)
        text = original.strip()
        found = NUMBER.fullmatch(text) if len(text) <= LONGEST and isfinite(value) else None
        unit = known.spellings.get(found[4]) if found else None
        if found is None or unit is None or unit.why:
            return self.format(value, kind, digits=digits)
        power = int(found[3] or 0)
        number = _scaled(value, unit) * float(f"1e{-power}")
        if number == 0 == value or 0.1 <= abs(number) < 10_000:
            gap = text[len(text[: found.start(4)].rstrip()) : found.start(4)]
            tail = f"e{power}" if power else ""
            written = spell(_number(number, digits) + tail, unit, gap=gap, spelled=found[4])
            if not known.whole or read(written, known) == value:
                return written
        return str(value) if known.whole else self.format(value, kind, digits=digits)

    @property
    def _faults(self) -> Explainer:
        from designlint.unit_faults import Explainer

        return Explainer(self)

    @property
    def prefixes(self) -> Mapping[str, str]:
        """Names of prefixes and their symbols."""
        found: Mapping[str, str] = self._table["prefixes"]
        return found

    def kind(self, kind: str) -> Kind:
        """The kind, made ready on first use."""
        if kind in self._kinds:
            return self._kinds[kind]
        row = self._table["kinds"][kind]
        units = [Unit(**cells) for cells in row["units"]]
        spellings = {text: units[place] for text, place in row["spellings"].items()}
        preferred = sorted((u for u in units if u.preferred), key=lambda u: -u.top / u.bottom)
        facts = {name: row[name] for name in ("whole", "compound", "example", "dimension", "scale")}
        self._kinds[kind] = Kind(kind, spellings=spellings, preferred=tuple(preferred), **facts)
        return self._kinds[kind]


def read(text: str, kind: Kind) -> int | float | BadQuantity | None:
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


def value_of(top: int, bottom: int, unit: Unit, kind: Kind) -> int | float | BadQuantity:
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


def _compound(text: str, kind: Kind) -> float | None:
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


def _scaled(value: float, unit: Unit) -> float:
    """The number to print before the unit."""
    top, bottom = value.as_integer_ratio()
    try:
        return (top * unit.bottom - unit.shift * bottom) / (bottom * unit.top)
    except OverflowError:
        return inf if value > 0 else -inf


def _best(value: float, kind: Kind, digits: int) -> Unit:
    """The largest unit that shows the value exactly, decimal before binary; else the largest not above it."""
    fitting: list[Unit] = []
    for unit in sorted(kind.preferred, key=lambda u: u.binary):
        scaled = abs(_scaled(value, unit))
        shown = float(f"{scaled:.{digits}g}")
        if shown >= 1:
            if shown == float(f"{scaled:.15g}") and shown < 10**digits:
                return unit
            fitting.append(unit)
    if fitting:
        return fitting[0]
    plain = [unit for unit in kind.preferred if unit.top == unit.bottom]
    return plain[0] if plain and not value else [u for u in kind.preferred if not u.binary][-1]


def _number(value: float, digits: int) -> str:
    """The shortest text of a number rounded to so many digits; whole numbers are never cut short."""
    shown = float(f"{value:.{digits}g}")
    if 10**digits <= abs(shown) < 1e15:
        return f"{value:.0f}"
    mantissa, e, power = f"{shown + 0.0:.{digits}g}".partition("e")
    return f"{mantissa}e{int(power)}" if e else mantissa


def spell(number: str, unit: Unit, *, gap: str = " ", spelled: str | None = None) -> str:
    """Number and unit; a spelling of the author's own stays as it is, but for singular and plural."""
    if spelled is None or spelled in (unit.symbol, unit.one):
        spelled = unit.one if unit.one and number == "1" else unit.symbol
    return number + ("" if spelled[:1] in ("", ":") else gap) + spelled
