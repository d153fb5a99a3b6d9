"""What is nearest to its limit, or furthest beyond it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.figures.shared.canvas import WIDTH, Canvas
from designlint.figures.shared.figure import Omission
from designlint.figures.shared.text import name, width
from designlint.findings.model import Verdict
from designlint.reporters.shared.margins import percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design.design import Design
    from designlint.figures.shared.figure import Figure
    from designlint.findings.model import Outcome
    from designlint.findings.report import Report

PLACE, TITLE = 7, "The tightest margins"
#: Judgements that are drawn.
MOST = 14
#: Room beyond which only that it is beyond is said.
FAR = 10.0
#: Where bars start, how long they are at most to either side, and their rows.
ZERO, SIDE, ROW = 540.0, 76.0, 31.0


def draw(design: Design, report: Report) -> Iterator[Figure | Omission]:
    """
    One figure of the judgements with least room; those that exactly meet their limit, as nominal figures do, are counted.

    What doubts a stated number is left out: its room says how plausible the number is, not how near the design is to a limit.
    """
    mine = (one for one in report.margins() if one.file == design.document.file and one.margin)
    every = [one for one in mine if not one.doubts]
    found = [one for one in every if one.verdict is Verdict.FAIL or (one.margin and one.margin.room)]
    if not found:
        reason = (
            "no number of the design was compared with a limit"
            if not every
            else "all comparisons meet their limit exactly"
        )
        yield Omission("margins", TITLE, reason)
        return
    canvas, shown = Canvas(), found[:MOST]
    reach = _reach(shown)
    height = 24 + ROW * len(shown)
    canvas.text(ZERO - 6, 12, "beyond the limit", "bad t-small e")
    canvas.text(ZERO + 6, 12, "within the limit", "good t-small")
    for number, one in enumerate(shown):
        _row(canvas, one, 22 + ROW * number, reach)
    canvas.line(ZERO, 18, ZERO, height, "s-edge")
    rest = f"{len(shown)} of {len(every)} comparisons are shown; {len(every) - len(found)} meet their limit exactly."
    canvas.text(0, height + 16, rest, "dim t-small", WIDTH)
    yield canvas.figure(design, "margins", TITLE, "\n".join([*map(_description, shown), rest]), height + 22)


def _reach(shown: list[Outcome]) -> float:
    """The room that the longest bar stands for; what is beyond is cut, and its number says so."""
    return min(1.0, max(abs(one.margin.room) for one in shown if one.margin) or 1.0)


def _row(canvas: Canvas, one: Outcome, top: float, reach: float) -> None:
    if one.margin is None:
        return
    room, look = one.margin.room, "bad" if one.verdict is Verdict.FAIL else "good"
    wide = min(abs(room) / reach, 1.0) * SIDE
    canvas.mark(6, top + 13, look)
    text = percent(room) if abs(room) < FAR else f"{'< -' if room < 0 else '> '}{percent(FAR)}"
    for_words = ZERO - 27 if room >= 0 else ZERO - wide - 5 - width(text, "small", bold=True) - 22
    canvas.text(17, top + 11, name(one.margin.words, 100), "ink t-text", for_words)
    canvas.text(17, top + 24, f"{name(one.subject) or 'the design'}, {one.rule}", "dim t-small", for_words)
    canvas.line(0, top - 2, WIDTH, top - 2, "s-grid thin")
    x = ZERO - wide if room < 0 else ZERO
    canvas.rect(x, top + 6, max(wide, 1.5), 14, look)
    if abs(room) > reach:  # a bar that is cut shows it
        edge = x + 6 if room < 0 else x + wide - 10
        canvas.path("M0 0l4 0l-5 14l-4 0z", "paper", (edge, top + 6))
    canvas.text(x - 5 if room < 0 else x + wide + 5, top + 17, text, f"{look} t-small b {'e' if room < 0 else ''}")


def _description(one: Outcome) -> str:
    if one.margin is None:
        return ""
    held = "fails" if one.verdict is Verdict.FAIL else "holds"
    room = percent(abs(one.margin.room))
    return f"{name(one.subject) or 'the design'}: {name(one.margin.words, 100)} {held} by {room} ({one.rule})."
