"""A fabric as built against the fabric as designed: in text, in Markdown, as data, and as a report."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from designlint.findings.model import Quantity
from designlint.findings.notices import Adjustment
from designlint.findings.report import Report
from designlint.language.sentences import many
from designlint.reporters.shared import tables
from designlint.reporters.shared.markup import code, inline_text
from designlint.reporters.shared.terminal import painter, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.comparing.asbuilt.comparison import AsBuiltComparison, Difference
    from designlint.design.design import Design
    from designlint.findings.model import Finding
    from designlint.reading.location import Location
    from designlint.reporters.shared.terminal import Paint

#: Differences of one rule that are shown in words; data has all.
MOST = 20
SCHEMA = 1


def text(found: AsBuiltComparison, head: str, *, color: bool = False) -> str:
    """The counts of both sides, how names were joined, every difference with its places, and what they come to."""
    return "\n".join(_text(found, head, painter(color=color)))


def _text(found: AsBuiltComparison, head: str, paint: Paint) -> Iterator[str]:
    yield paint("bold", printable(head))
    rows = [
        ("", "designed", "seen"),
        *((name, _count(one), _count(other)) for name, (one, other) in found.counts.items()),
    ]
    for (name, *counts), line in zip(rows, tables.align_rows(rows, right=(1, 2)), strict=True):
        differs = name and "?" not in counts and counts[0] != counts[1]
        yield paint("error", f"  {line}") if differs else f"  {line}"
    if found.design.fabric:
        yield f"  {joining(found)}"
    yield from (f"  {printable(one)}" for one in found.notes)
    for _, group in groupby(found.differences, key=lambda one: one.finding.rule):
        these = list(group)
        for one in these[:MOST]:
            at = f"{one.finding.severity}[{one.finding.rule}]"
            yield f"{paint(str(one.finding.severity), at)}: {printable(one.finding.message)}"
            yield paint("dim", f"  {_places(one)}")
        if len(these) > MOST:
            yield f"  ... {len(these) - MOST} more with --format json"
    yield total(found)


def joining(found: AsBuiltComparison) -> str:
    """How many names were joined, by which rule, and how many were not."""
    ways = ", ".join(f"{count} by {way}" for way, count in found.ways) or "none"
    ours, theirs = found.unjoined
    return f"names matched: {ways}; not matched: {ours} of the design, {theirs} of the dump"


def total(found: AsBuiltComparison) -> str:
    """What the differences come to, in a line."""
    counts = Counter(str(one.finding.severity) for one in found.differences)
    if not counts:
        return "Built as designed, as far as the dump shows"
    told = ", ".join(f"{count} info" if name == "info" else many(count, name) for name, count in counts.items())
    return f"{many(len(found.differences), 'difference')}: {told}"


def _count(number: int | None) -> str:
    return "?" if number is None else str(number)


def _places(one: Difference) -> str:
    places = [f"{what} {_place(at)}" for what, at in (("seen", one.seen), ("designed", one.designed)) if at is not None]
    return printable(", ".join(places))


def _place(at: Location) -> str:
    return f"{at.file}:{at.line}:{at.column}"


def markdown(found: AsBuiltComparison, head: str) -> str:
    """The same for a report or a ticket."""
    counts = [(inline_text(name), _count(one), _count(other)) for name, (one, other) in found.counts.items()]
    lines = [
        f"**{inline_text(total(found))}**",
        "",
        f"### {inline_text(head)}",
        "",
        *tables.markdown(("", "designed", "seen"), counts, right=(1, 2)),
        "",
        *([inline_text(joining(found))] if found.design.fabric else []),
        *(f"- {inline_text(one)}" for one in found.notes),
    ]
    rows: list[tuple[str, ...]] = []
    for _, group in groupby(found.differences, key=lambda one: one.finding.rule):
        these = list(group)
        for one in these[:MOST]:
            places = [code(_place(at)) if at is not None else "" for at in (one.seen, one.designed)]
            rows.append((inline_text(one.finding.message), code(one.finding.rule), *places))
        if len(these) > MOST:
            rows.append((f"... {len(these) - MOST} more with `--format json`", "", "", ""))
    if rows:
        lines += ["", *tables.markdown(("difference", "rule", "seen", "designed"), rows)]
    return "\n".join(lines) + "\n"


def data(found: AsBuiltComparison) -> dict[str, Any]:
    """All of it."""
    return {
        "version": SCHEMA,
        "fabric": found.design.fabric,
        "summary": dict(sorted(Counter(str(one.finding.severity) for one in found.differences).items())),
        "counts": {name: {"designed": one, "seen": other} for name, (one, other) in found.counts.items()},
        "joined": {
            "ways": dict(found.ways),
            "not_joined": {"design": found.unjoined[0], "dump": found.unjoined[1]},
            "switches": found.joined.switches,
            "servers": found.joined.servers,
        },
        "notes": list(found.notes),
        "differences": [_data(one) for one in found.differences],
    }


def report(found: AsBuiltComparison, design: Design, files: Sequence[str]) -> Report:
    """The differences as findings on the design, for formats that services read."""
    rules, file = design.engine.rules, design.document.file
    told = [_finding(one, file) for one in found.differences]
    return Report(
        files=[file, *files],
        findings=told,
        outcomes=[],
        settings=[Adjustment("built", (), note, "", "--built", (file,)) for note in found.notes],
        standards={name: rules[name].standard for name in sorted({one.rule for one in told})},
    )


def _finding(one: Difference, design: str) -> Finding:
    """A difference that is known by its words from dump to dump, and that leads to its place in the design, too."""
    values = dict(one.finding.values)
    if one.designed is not None and one.designed != one.finding.location:
        at = _place(one.designed)
        values["designed"] = Quantity(at, "", at, "stated", one.designed)
    return replace(one.finding, design=design, identity=one.finding.message, values=values)


def _data(one: Difference) -> dict[str, Any]:
    finding = one.finding
    values = {name: value.value for name, value in finding.values.items()}
    told = {name: getattr(finding, name) for name in ("rule", "message", "remedy")}
    places = {"designed": _at(one.designed), "seen": _at(one.seen)}
    return {**told, "severity": str(finding.severity), "values": values, **places, "switches": list(one.ends)}


def _at(at: Location | None) -> dict[str, Any] | None:
    return None if at is None else {"file": at.file, "line": at.line, "column": at.column}
