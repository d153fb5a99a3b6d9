"""What turns "400 Gbit/s" into 4e11 and back; the units themselves are data, in ontology/units.ttl."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

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

_LONGEST = 64  # characters; no quantity needs more, and the work on a hostile one stays bounded
_LARGEST_EXPONENT = 400  # beyond what a double holds
_WHOLE_LIMIT = 2**63  # xsd:integer as the graph store holds it
_BARE_LIMIT = 1e6  # a bare number beyond it was meant in the canonical unit
_HUGE = 1.7e308  # nearly the largest double
_TOO_LARGE = "beyond what a computer's number holds"
_DIGITS = tuple("0123456789.,_'’")
NUMBER = re.compile(r"([+-]?(?=\.?[0-9])[0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))? *(.*)")
_TERM = re.compile(r"([0-9]+(?:\.[0-9]+)?) *([^\W\d_]+) *")


@dataclass(frozen=True, slots=True)
class BadQuantity:
    """Why a text is no value of its kind, and the spelling that would be."""

    code: str
    proposal: str | None
    text: str


class _Unit(NamedTuple):
    """One spelling class; value = (number * top + shift) / bottom, all integers, hence exact."""

    symbol: str
    one: str
    top: int
    shift: int
    bottom: int
    preferred: bool
    binary: bool
    why: str


class _Kind(NamedTuple):
    """A kind with all its spellings; `preferred` runs from the largest unit to the smallest."""

    name: str
    whole: bool
    compound: bool
    example: str
    dimension: str
    scale: int
    spellings: dict[str, _Unit]
    preferred: tuple[_Unit, ...]

    @property
    def words(self) -> str:
        return re.sub(r"(?<=.)([A-Z])", r" \1", self.name).lower()


class Units:
    """The reader and printer of quantities, over a table made by `authoring.units`."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table = table
        self._kinds: dict[str, _Kind] = {}

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
        known = self._kinds.get(kind) or self._load(kind)
        if isinstance(given, str):
            text = given.strip()
            value = _read(text, known)
            return self._explain(text, known, like) if value is None else value
        if isinstance(given, bool) or not isinstance(given, int | float):
            return BadQuantity("not-a-number", None, f"not a text or number: write it like {known.example}")
        if (bare := known.spellings.get("")) is None or given != given or given in (inf, -inf):
            return self._missing(given, repr(given) if isinstance(given, float) else "", known, like)
        return _value(*given.as_integer_ratio(), bare, known)

    def format(self, value: float, kind: str, *, unit: str | None = None, digits: int = 4) -> str:
        """The value as a person writes it: in the given unit, else the preferred one that shows it best."""
        known = self._kinds.get(kind) or self._load(kind)
        wanted = None if unit is None else known.spellings.get(unit)
        if unit is not None and (wanted is None or wanted.why):
            raise ValueError(f"no unit of {kind} is written {unit!r}")
        if not isfinite(value):
            return f"{value} {known.preferred[-1].symbol}".rstrip()
        chosen = wanted or _best(value, known, digits)
        if known.whole and not chosen.symbol and isinstance(value, int):
            return str(value)
        return _spell(_number(_scaled(value, chosen), digits), chosen)

    def like(self, value: float, kind: str, original: str, *, digits: int = 6) -> str:
        """The value in the unit, spacing and exponent of the original text where that stays readable."""
        known = self._kinds.get(kind) or self._load(kind)
        text = original.strip()
        found = NUMBER.fullmatch(text) if len(text) <= _LONGEST and isfinite(value) else None
        unit = known.spellings.get(found[4]) if found else None
        if found is None or unit is None or unit.why:
            return self.format(value, kind, digits=digits)
        power = int(found[3] or 0)
        number = _scaled(value, unit) * float(f"1e{-power}")
        if number == 0 == value or 0.1 <= abs(number) < 10_000:
            gap = text[len(text[: found.start(4)].rstrip()) : found.start(4)]
            tail = f"e{power}" if power else ""
            written = _spell(_number(number, digits) + tail, unit, gap=gap, spelled=found[4])
            if not known.whole or _read(written, known) == value:
                return written
        return str(value) if known.whole else self.format(value, kind, digits=digits)

    def _load(self, kind: str) -> _Kind:
        """The kind, made ready on first use."""
        row = self._table["kinds"][kind]
        units = [_Unit(**cells) for cells in row["units"]]
        spellings = {text: units[place] for text, place in row["spellings"].items()}
        preferred = sorted((u for u in units if u.preferred), key=lambda u: -u.top / u.bottom)
        facts = {name: row[name] for name in ("whole", "compound", "example", "dimension", "scale")}
        self._kinds[kind] = _Kind(kind, spellings=spellings, preferred=tuple(preferred), **facts)
        return self._kinds[kind]

    def _explain(self, text: str, kind: _Kind, like: str | None) -> BadQuantity:
        """What is wrong with a text that did not read."""
        if len(text) > _LONGEST // 2:  # so that a proposal, which adds a unit, stays short enough to read
            return BadQuantity("not-a-number", None, f"too long: write it like {kind.example}")
        if (tidy := _tidy(text)) != text:
            return _offer("not-a-number", tidy, f"{text!r} is no plain number: write digits as in 1000.5", kind)
        found = NUMBER.fullmatch(text)
        if found is None or found[4][:1] in _DIGITS:
            finite = text.lower().lstrip("+-.").split(" ")[0] not in ("nan", "inf", "infinity")
            code = "not-a-number" if finite else "not-finite"
            fault = "is not one number and its unit" if finite else "is not finite"
            return BadQuantity(code, None, f"{text!r} {fault}: write it like {kind.example}")
        number, spelled = text[: found.start(4)].rstrip(), found[4]
        if abs(int(found[3] or 0)) > _LARGEST_EXPONENT:
            return BadQuantity("not-finite", None, _TOO_LARGE)
        if not spelled:
            return self._missing(float(number), number, kind, like)
        if unit := kind.spellings.get(spelled):
            value = _value(*rational(found), unit, kind) if unit.top else None
            proposal = self.format(value, kind.name, digits=9) if isinstance(value, int | float) else None
            return _offer("unknown-unit", proposal, unit.why, kind)
        return self._wrong_kind(number, spelled, kind) or self._unknown(number, spelled, kind)

    def _missing(self, value: float, number: str, kind: _Kind, like: str | None) -> BadQuantity:
        """A bare number where a unit is needed; a huge one was meant in the canonical unit."""
        if not -_HUGE < value < _HUGE:
            return BadQuantity("not-finite", None, f"{number or 'so large a number'} is not finite")
        hint = NUMBER.fullmatch(like or "")
        unit = kind.spellings.get(hint[4]) if hint else None
        if unit is None or unit.why:
            unit = kind.spellings[kind.example.partition(" ")[2]]
        bare = abs(value) < _BARE_LIMIT
        proposal = _spell(number or str(value), unit) if bare else self.format(value, kind.name, digits=9)
        return _offer("missing-unit", proposal, f"the unit is missing: write it like {proposal}", kind)

    def _wrong_kind(self, number: str, spelled: str, kind: _Kind) -> BadQuantity | None:
        """A unit of another kind; where only a factor lies between them, the converted value is proposed."""
        holders = [name for name in self.kinds if spelled in self._table["kinds"][name]["spellings"]]
        if not holders:
            return None
        others = [self._kinds.get(name) or self._load(name) for name in holders]
        other = min(others, key=lambda k: (k.dimension != kind.dimension, k.name == "Count"))
        text = f"{spelled} is a unit of {other.words}, not of {kind.words}"
        value = _read(f"{number} {spelled}", other)
        if not kind.dimension or other.dimension != kind.dimension or not isinstance(value, int | float):
            return BadQuantity("wrong-kind", None, text)
        proposal = self.format(value * other.scale / kind.scale, kind.name, digits=9)
        twin = self._closest(spelled, kind, guess=False)
        meant = f"; if {twin.symbol} was meant, write {_spell(number, twin)}" if twin else ""
        return _offer("wrong-kind", proposal, f"{text}: {number} {spelled} = {proposal}{meant}", kind)

    def _unknown(self, number: str, spelled: str, kind: _Kind) -> BadQuantity:
        """A unit that nobody knows: a slip of case or spelling, most likely."""
        if kind.compound and any(map(str.isdigit, spelled)):
            text = "terms run from the largest unit to the smallest, as in 1 h 30 min"
            return BadQuantity("not-a-number", None, text)
        unit = self._closest(spelled, kind)
        if unit is None:
            return BadQuantity("unknown-unit", None, f"{spelled!r} is no unit: write it like {kind.example}")
        text = f"{spelled!r} is no unit; the nearest is {unit.symbol}"
        for name in self.kinds:
            other = self._kinds.get(name) or self._load(name)
            if kind.dimension and other.dimension == kind.dimension and other is not kind:
                twin = self._closest(spelled, other, guess=False)
                text += f", but it could mean {twin.symbol}, too: b is a bit, B is a byte" if twin else ""
        return _offer("unknown-unit", _spell(number, unit), text, kind)

    def _closest(self, spelled: str, kind: _Kind, *, guess: bool = True) -> _Unit | None:
        """The unit spelled alike but for case and long prefixes; at a guess, the most similar."""
        wanted = _fold(spelled)
        for name, symbol in self._table["prefixes"].items():
            if wanted.startswith(name):
                wanted = _fold(symbol) + wanted.removeprefix(name)
        folded: dict[str, list[str]] = {}
        for text, unit in kind.spellings.items():
            if text and not unit.why:
                folded.setdefault(_fold(text), []).append(text)
        if wanted not in folded:
            from difflib import get_close_matches

            near = get_close_matches(wanted, folded, n=1, cutoff=0.6) if guess else []
            if not near:
                return None
            wanted = near[0]
        alike = max(folded[wanted], key=lambda text: sum(a == b for a, b in zip(text, spelled, strict=False)))
        return kind.spellings[alike]


def _offer(code: str, proposal: str | None, text: str, kind: _Kind) -> BadQuantity:
    """A fault; its proposal is kept only if it reads."""
    reads = proposal is not None and isinstance(_read(proposal, kind), int | float)
    return BadQuantity(code, proposal if reads else None, text)


def _read(text: str, kind: _Kind) -> int | float | BadQuantity | None:
    """The value of a well-spelled text; None where the spelling is at fault."""
    if len(text) > _LONGEST or (found := NUMBER.fullmatch(text)) is None:
        return None
    unit = kind.spellings.get(found[4])
    if unit is None:
        return _compound(text, kind) if kind.compound else None
    if unit.why:
        return None
    if found[3] and abs(int(found[3])) > _LARGEST_EXPONENT:
        return BadQuantity("not-finite", None, _TOO_LARGE)
    return _value(*rational(found), unit, kind)


def rational(found: re.Match[str]) -> tuple[int, int]:
    """The number of a match as an exact fraction."""
    whole, part, power = found[1], found[2] or "", int(found[3] or 0)
    power -= len(part)
    return (int(whole + part) * 10**power, 1) if power >= 0 else (int(whole + part), 10**-power)


def _value(top: int, bottom: int, unit: _Unit, kind: _Kind) -> int | float | BadQuantity:
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
        return BadQuantity("not-finite", None, _TOO_LARGE)
    return value if value or not top else BadQuantity("out-of-range", None, "too small to tell from zero")


def _compound(text: str, kind: _Kind) -> float | None:
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


def _tidy(text: str) -> str:
    """The text with ASCII digits, plain spaces and minus, no thousands separators and a decimal point."""
    plain = "".join(str(int(c)) if c.isdecimal() else " " if c.isspace() else c for c in text)
    plain = re.sub(r"(?<=[0-9])[,_'’ ](?=[0-9]{3}(?![0-9]))", "", plain.replace("\u2212", "-"))
    return re.sub(r"(?<=[0-9]),(?=[0-9])", ".", plain)


def _fold(text: str) -> str:
    return "".join(text.casefold().split()).replace(".", "")


def _scaled(value: float, unit: _Unit) -> float:
    """The number to print before the unit."""
    top, bottom = value.as_integer_ratio()
    try:
        return (top * unit.bottom - unit.shift * bottom) / (bottom * unit.top)
    except OverflowError:
        return inf if value > 0 else -inf


def _best(value: float, kind: _Kind, digits: int) -> _Unit:
    """The largest unit that shows the value exactly, decimal before binary; else the largest not above it."""
    fitting: list[_Unit] = []
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


def _spell(number: str, unit: _Unit, *, gap: str = " ", spelled: str | None = None) -> str:
    """Number and unit; a spelling of the author's own stays as it is, but for singular and plural."""
    if spelled is None or spelled in (unit.symbol, unit.one):
        spelled = unit.one if unit.one and number == "1" else unit.symbol
    return number + ("" if spelled[:1] in ("", ":") else gap) + spelled
