"""What is nearest to its limit, or furthest beyond it: a table of judgements, tightest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.findings.model import Verdict
from designlint.reporters.shared.terminal import painter, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.findings.model import Margin, Outcome
    from designlint.findings.report import Report

#: Judgements that are shown; all of them stand in the report for machines.
MOST = 15
#: What is measured is cut where it is longer: an expression may be.
WIDEST = 36


def table(report: Report, *, color: bool = False) -> Iterator[str]:
    """The tightest margins, a line each; those that exactly meet their limit, as nominal figures do, in one line."""
    every = [one for one in report.margins() if not one.doubts]
    found = tightest(report)
    paint = painter(color=color)
    yield paint("bold", f"The tightest of {len(every)} margins, as remaining shares of the limit:")
    lines = [cells(one) for one in found[:MOST]]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for one, (room, *others) in zip(found, lines, strict=False):
        rest = "  ".join(cell.ljust(width) for cell, width in zip(others, widths[1:], strict=True))
        beyond = one.margin is not None and one.margin.room < 0
        yield f"  {paint('error' if beyond else 'good', room.rjust(widths[0]))}  {rest}".rstrip()
    if len(every) > len(found):
        yield paint("dim", f"  {len(every) - len(found)} exactly meet their limit; --format json lists all")


def tightest(report: Report) -> list[Outcome]:
    """
    The judgements with a margin but for those that exactly meet their limit, tightest first.

    What doubts a stated number is left out: its room says how plausible the number is, not how near the design is to a limit.
    """
    near = (one for one in report.margins() if not one.doubts)
    return [one for one in near if one.verdict is Verdict.FAIL or one.margin is None or one.margin.room]


def cells(one: Outcome) -> list[str]:
    """The share that is left, what is judged, what is compared, the rule, the place."""
    place = "" if one.location is None else f"{one.location.file}:{one.location.line}:{one.location.column}"
    told = ("", "") if one.margin is None else (percent(one.margin.room), describe_margin(one.margin))
    return [printable(cell) for cell in (told[0], one.subject or "the design", told[1], one.rule, place)]


def percent(room: float) -> str:
    """A share as a person reads it."""
    return f"{100 * room:.3g} %" if abs(room) < 10 else f"{100 * room:.0f} %"


def describe_margin(margin: Margin) -> str:
    """What was compared with what: `tensor 16 <= scale_up_domain 8`, names cut where they are long."""
    limit = (
        margin.limit_text if margin.against == margin.limit_text else f"{_cut_name(margin.against)} {margin.limit_text}"
    )
    return f"{_cut_name(margin.name)} {margin.text} {margin.comparison} {limit}"


def _cut_name(name: str) -> str:
    return name if len(name) <= WIDEST else name[: WIDEST - 1] + "…"
