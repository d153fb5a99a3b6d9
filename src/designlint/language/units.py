"""What turns "400 Gbit/s" into 4e11 and back; the units themselves are data, in ontology/units.ttl."""

from __future__ import annotations

from math import ceil, floor, inf, isfinite, log10
from typing import TYPE_CHECKING, Any

from designlint.language.quantities import (
    LONGEST,
    NUMBER,
    BadQuantity,
    QuantityKind,
    Unit,
    read_quantity,
    spell,
    value_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.language.unit_faults import Explainer

#: Numbers that differ by a smaller share are the same: floats are computed, and facts are kept to twelve digits.
NOISE = 1e-9
#: Seconds of the unit `year` in `ontology/units.ttl`.
YEAR = 365 * 86400

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
Volume = float
Flow = float
Money = float
EnergyPrice = float
WaterUse = float


class Units:
    """The reader and printer of quantities, over a table made by `authoring.units`."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table = table
        self._kinds: dict[str, QuantityKind] = {}

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
            value = read_quantity(text, known)
            return self._faults.explain(text, known, like) if value is None else value
        if isinstance(given, bool) or not isinstance(given, int | float):
            return BadQuantity("not-a-number", None, f"not a text or number: write it like {known.example}")
        if (bare := known.spellings.get("")) is None or given != given or given in (inf, -inf):
            return self._faults.missing(given, repr(given) if isinstance(given, float) else "", known, like)
        return value_of(*given.as_integer_ratio(), bare, known)

    def with_unit(self, number: str, unit: str, kind: str) -> str | None:
        """A number with a unit as it is spelled in keys, such as `gbs` for GB/s; None where it is none, or several."""
        spellings = (one for one in self.kind(kind).spellings if one and unit.lower() in _spelled_in_keys(one))
        found = {one: self.parse(f"{number} {one}", kind) for one in spellings}
        read = {one: value for one, value in found.items() if not isinstance(value, BadQuantity)}
        return f"{number} {min(read)}" if len(set(read.values())) == 1 else None

    def with_twin_unit(self, number: str, unit: str, kind: str) -> str | None:
        """The same in this kind where the unit is one of bits, as `gbps` is mostly; None unless it measures a rate."""
        known = self.kind(kind)
        for name in self.kinds if known.dimension.endswith("/s") else ():
            other = self.kind(name)
            if other.dimension != known.dimension or other.scale >= known.scale or unit.lower().endswith("bs"):
                continue
            spelled = self.with_unit(number, unit, name)
            value = None if spelled is None else self.parse(spelled, name)
            if isinstance(value, int | float):
                return self.format(value * other.scale / known.scale, kind)
        return None

    def binary(self, value: float, kind: str) -> bool | None:
        """Whether a value is shown in a unit of powers of 1024; None of a kind that has no such units."""
        known = self._kinds.get(kind) or self.kind(kind)
        if not isfinite(value) or not any(unit.binary for unit in known.preferred):
            return None
        return _best(value, known, 4).binary

    def format(
        self, value: float, kind: str, *, unit: str | None = None, digits: int = 4, decimal: bool = False
    ) -> str:
        """
        The value as a person writes it: in the given unit, else the preferred one that shows it best.

        Args:
            decimal: in no unit of powers of 1024, as beside values in powers of 1000.
        """
        known = self._kinds.get(kind) or self.kind(kind)
        wanted = None if unit is None else known.spellings.get(unit)
        if unit is not None and (wanted is None or wanted.why):
            raise ValueError(f"no unit of {kind} is written {unit!r}")
        if not isfinite(value):
            return f"{value} {known.preferred[-1].symbol}".rstrip()
        chosen = wanted or _best(value, known, digits, decimal=decimal)
        if known.whole and not chosen.symbol and isinstance(value, int):
            return str(value)
        return spell(_number(_scale(value, chosen), digits), chosen)

    def format_planned(self, value: float, kind: str, how: str) -> str:
        """
        The value as a designer plans it, in round steps.

        Args:
            how: `up` and `down` round to fives of the third digit, never to the other side; `near` to halves of the first.
        """
        known = self._kinds.get(kind) or self.kind(kind)
        if not isfinite(value) or value <= 0:
            return self.format(value, kind)
        unit = _best(value, known, 4)
        scaled = _scale(value, unit)
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
        number = _scale(value, unit) * float(f"1e{-power}")
        if number == 0 == value or 0.1 <= abs(number) < 10_000:
            gap = text[len(text[: found.start(4)].rstrip()) : found.start(4)]
            tail = f"e{power}" if power else ""
            written = spell(_number(number, digits) + tail, unit, gap=gap, spelled=found[4])
            if not known.whole or read_quantity(written, known) == value:
                return written
        return f"{value:.0f}" if known.whole else self.format(value, kind, digits=digits)

    @property
    def _faults(self) -> Explainer:
        from designlint.language.unit_faults import Explainer

        return Explainer(self)

    @property
    def prefixes(self) -> Mapping[str, str]:
        """Names of prefixes and their symbols."""
        found: Mapping[str, str] = self._table["prefixes"]
        return found

    def kind(self, kind: str) -> QuantityKind:
        """The kind, made ready on first use."""
        if kind in self._kinds:
            return self._kinds[kind]
        row = self._table["kinds"][kind]
        units = [Unit(**cells) for cells in row["units"]]
        spellings = {text: units[place] for text, place in row["spellings"].items()}
        preferred = sorted((u for u in units if u.preferred), key=lambda u: -u.top / u.bottom)
        facts = {name: row[name] for name in ("whole", "compound", "example", "dimension", "scale")}
        self._kinds[kind] = QuantityKind(kind, spellings=spellings, preferred=tuple(preferred), **facts)
        return self._kinds[kind]


def _spelled_in_keys(spelling: str) -> tuple[str, ...]:
    """How a unit is spelled in keys of other languages, without capitals and strokes."""
    small = spelling.lower()
    return small, small.replace("/", ""), small.removesuffix("/s")


def _scale(value: float, unit: Unit) -> float:
    """The number to print before the unit."""
    top, bottom = value.as_integer_ratio()
    try:
        return (top * unit.bottom - unit.shift * bottom) / (bottom * unit.top)
    except OverflowError:
        return inf if value > 0 else -inf


def _best(value: float, kind: QuantityKind, digits: int, *, decimal: bool = False) -> Unit:
    """The largest unit that shows the value exactly, decimal before binary; else the largest not above it."""
    fitting: list[Unit] = []
    for unit in sorted((one for one in kind.preferred if not (decimal and one.binary)), key=lambda u: u.binary):
        scaled = abs(_scale(value, unit))
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
