"""The points of comparison: what the files of points say, and what designlint computes for each."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designlint.configuration import engine
from designlint.findings.model import Verdict
from designlint.language.quantities import NUMBER
from tools.accuracy import sweeps
from tools.accuracy.designs import Tree, base, change_words, fact, parse_yaml, read, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FOLDER = Path(__file__).parent / "points"
#: A miss larger than this needs an explanation.
UNEXPLAINED = 0.01
#: Facts keep twelve digits: no two differ by less.
EXACT = 1e-9


@dataclass(frozen=True, slots=True)
class Row:
    """
    One line of a table.

    Attributes:
        error: predicted over published, less 1; 0 inside a published range; None for a verdict.
        bound: the most that the error may be, either way.
        floor: what is predicted is a lower bound, which may fall short but not go beyond.
        agrees: for a verdict, whether it is what happened; None where the rules leave it open.
        why: key of the note that explains the miss.
    """

    what: str
    predicted: str
    published: str
    source: str
    error: float | None = None
    bound: float = 0.0
    floor: bool = False
    agrees: bool | None = None
    why: str = ""

    @property
    def holds(self) -> bool:
        """Whether the row keeps its bound, and a miss is explained."""
        if self.error is None:
            return self.agrees is True or bool(self.why)
        inside = -self.bound - EXACT <= self.error <= (0 if self.floor else self.bound) + EXACT
        return inside and (abs(self.error) <= UNEXPLAINED or bool(self.why))


@dataclass(frozen=True, slots=True)
class Table:
    """Lines that share a heading."""

    title: str
    about: str
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class Section:
    """One file of points."""

    title: str
    about: str
    tables: list[Table]
    notes: dict[str, str] = field(default_factory=dict)


def files() -> list[str]:
    """The names of the files of points, in the order of the page."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def sections() -> list[Section]:
    """Every file of points, computed."""
    return [section(name) for name in files()]


@cache
def section(name: str) -> Section:
    """One file of points, computed."""
    said = parse_yaml((FOLDER / f"{name}.yaml").read_text("utf-8"))
    designs = {name: base(entry) for name, entry in said.get("designs", {}).items()}
    tables = [Table(one.get("title", ""), one.get("about", ""), list(rows(one, designs))) for one in said["tables"]]
    return Section(said["title"], said["about"], tables, said.get("notes", {}))


def rows(table: Mapping[str, Any], designs: Mapping[str, Tree]) -> Iterator[Row]:
    """The lines of one table; what a line leaves out, its table says."""
    if "sweep" in table:
        for one in getattr(sweeps, table["sweep"])():
            yield Row(bound=ratio(table["bound"]), why=reason(table.get("why", ""), one["what"]), **one)
    for point in table.get("points", ()):
        entry = {**{key: value for key, value in table.items() if key not in ("title", "about", "points")}, **point}
        design = change_words(designs[entry["design"]], entry.get("set", {}))
        yield verdict(entry, design) if "rules" in entry else quantity(entry, design)


def reason(why: Any, what: str) -> str:
    """The note of one line of a sweep: one for all, or by what the line is about."""
    return str(why.get(what, "") if isinstance(why, dict) else why)


def verdict(entry: Mapping[str, Any], design: Tree) -> Row:
    """A line that compares what the rules say with what happened."""
    said = verdicts(design, entry["rules"])
    happened, agrees = entry["published"], None
    if Verdict.FAIL in said:
        says, agrees = "does not fit: " + ", ".join(f"`{rule}`" for rule in said[Verdict.FAIL]), happened != "ran"
    elif Verdict.UNKNOWN in said:
        says = "unknown: " + ", ".join(f"`{rule}`" for rule in said[Verdict.UNKNOWN])
    else:
        says, agrees = "fits", happened == "ran"
    return Row(entry["what"], says, happened, entry["source"], agrees=agrees, why=entry.get("why", ""))


def quantity(entry: Mapping[str, Any], design: Tree) -> Row:
    """A line that compares a number with a published one, or with the ends of a published range."""
    computed = read(design)
    value, kind = fact(computed, entry["fact"])
    if "per" in entry:
        value, kind = value / fact(read(change_words(design, entry["per"])), entry["fact"])[0], "Ratio"
    units = engine.shipped_engine().vocabulary.units
    if entry.get("published_fact"):
        least = most = fact(computed, entry["published_fact"])[0]
        shown, spelled = units.format(least, kind), units.format(value, kind)
    else:
        shown, ends = ends_of(entry["published"])
        least, most = (canonical(end, kind) for end in (ends[0], ends[-1]))
        spelled = as_published(value, kind, ends[-1], entry.get("digits", 4))
    near = min(max(value, least), most)
    return Row(
        entry["what"],
        spelled,
        shown,
        entry["source"],
        error=value / near - 1 if near else 0.0,
        bound=ratio(entry["bound"]),
        floor=entry.get("floor", False),
        why=entry.get("why", ""),
    )


def ends_of(published: Any) -> tuple[str, list[str]]:
    """What was published as it is shown, and the one value or both ends of the range."""
    ends = [str(end) for end in published] if isinstance(published, list) else [str(published)]
    return " to ".join(ends), ends


def as_published(value: float, kind: str, published: str, digits: int) -> str:
    """The computed value in the unit, and with the power of ten, of the published one."""
    units = engine.shipped_engine().vocabulary.units
    found = NUMBER.fullmatch(published)
    if found is None or found[3]:
        return units.like(value, kind, published, digits=digits)
    return units.format(value, kind, unit=found[4], digits=digits)


def canonical(text: str, kind: str) -> float:
    """A published quantity in the canonical unit. Raises ValueError."""
    value = engine.shipped_engine().vocabulary.units.parse(text, kind)
    if not isinstance(value, int | float):
        raise ValueError(f"{text!r} is no {kind}: {value.text}")
    return value


def ratio(text: Any) -> float:
    """A bound such as 5 %."""
    return canonical(str(text), "Ratio")


def every_row(*chosen: Section) -> Iterator[Row]:
    """All lines of some sections."""
    return (row for one in chosen for table in one.tables for row in table.rows)
