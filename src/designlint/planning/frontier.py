"""Days against GPUs: the run on fewer and on more GPUs than planned, and the picture of it."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

from designlint.figures.shared.canvas import WIDTH, Canvas
from designlint.figures.shared.curves import band, line
from designlint.figures.shared.text import sentences
from designlint.layouts.search import short
from designlint.planning.amounts import DAY, days, hours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.figures.shared.figure import Figure
    from designlint.planning.result import PlanAnswer
    from designlint.planning.sizes import Size

#: Sizes that are looked at, as multiples of the planned one.
MULTIPLES = (0.25, 0.5, 0.75, 1, 1.5, 2, 4)
TITLE = "Days of the run by number of GPUs"
#: The field of the curve, and where its words stand.
LEFT, RIGHT, TOP, HIGH = 66.0, WIDTH - 96.0, 44.0, 190.0


class FrontierPoint(NamedTuple):
    """One size: GPUs, time of the run as predicted and on the slow side [s], GPU time [s], power [W], layout."""

    gpus: int
    took: float
    late: float
    spent: float
    power: float
    layout: str
    planned: bool


def points(answer: PlanAnswer) -> list[FrontierPoint]:
    """The sizes on which a layout fits, the smallest first; none where the tokens are unknown."""
    size, sizes = answer.settled.size, answer.settled.free
    if size is None or sizes is None or answer.brief.tokens is None:
        return []
    found = []
    for servers in sorted({max(1, round(size.servers * one)) for one in MULTIPLES}):
        one: Size = size if servers == size.servers else sizes.at(servers)
        for best in (answer.layouts if one is size else one.candidates.layouts)[:1]:
            took, late = one.run_time(best, sure=False), one.run_time(best)
            if took is not None and late is not None:
                spent, layout = took * one.gpus, short(best.words)
                found.append(FrontierPoint(one.gpus, took, late, spent, one.power, layout, one is size))
    return found


def figure(answer: PlanAnswer, found: Sequence[FrontierPoint]) -> Figure | None:
    """The curve with its interval; None where fewer than two sizes are known."""
    if len(found) < 2:
        return None
    canvas, field = Canvas(), CurveField(found)
    here = next(one for one in found if one.planned)
    canvas.text(0, 13, f"{here.gpus} GPUs: {days(here.took)}, at most {days(here.late)}", "ink t-head b", WIDTH)
    canvas.text(0, 30, "predicted time and the slow end of its interval; logarithmic axes", "dim t-small", WIDTH)
    upper = [(field.x(one.gpus), field.y(one.late)) for one in found]
    lower = [(field.x(one.gpus), field.y(one.took)) for one in found]
    canvas.path(band(upper, lower), "c1 faint")
    canvas.path(line(lower), "s-c1 thick")
    base = TOP + HIGH
    canvas.line(LEFT, base, RIGHT, base, "s-edge")
    for (x, y), one in zip(lower, found, strict=True):
        canvas.line(x, base, x, base + 4, "s-edge")
        canvas.text(x, base + 17, str(one.gpus), f"{'ink b' if one.planned else 'dim'} t-small m")
        canvas.path("M-4.5-4.5h9v9h-9z" if one.planned else "M0-3.5l3.5 3.5l-3.5 3.5l-3.5-3.5z", "ink", (x, y))
        canvas.text(x + 8, y - 5, days(one.took), f"ink t-small {'b' if one.planned else ''}")
    _deadline(canvas, field, answer.brief.deadline)
    canvas.text(RIGHT, base + 34, "GPUs", "dim t-small e")
    told = [f"{one.gpus} GPUs: {days(one.took)}, at most {days(one.late)}, {hours(one.spent)}" for one in found]
    return canvas.figure(answer.job_design, "frontier", TITLE, sentences(*told), base + 42)


class CurveField:
    """The field that the curve is drawn in, by ratio both ways."""

    def __init__(self, found: Sequence[FrontierPoint]) -> None:
        self.least, self.most = found[0].gpus, max(one.gpus for one in found)
        self.low, self.high = min(one.took for one in found), max(one.late for one in found)

    def x(self, gpus: float) -> float:
        """Where a number of GPUs stands."""
        return LEFT + (RIGHT - LEFT) * log(gpus / self.least) / (log(self.most / self.least) or 1.0)

    def y(self, took: float) -> float:
        """Where a time stands; what is beyond the field, at its edge."""
        share = log(min(max(took, self.low), self.high) / self.low) / (log(self.high / self.low) or 1.0)
        return TOP + HIGH * (1 - 0.94 * share)


def _deadline(canvas: Canvas, field: CurveField, deadline: float | None) -> None:
    if deadline is None or not field.low <= deadline <= field.high:
        return
    y = field.y(deadline)
    canvas.line(LEFT, y, RIGHT, y, "s-bad dash")
    canvas.text(LEFT - 6, y + 4, f"{deadline / DAY:.0f} days", "bad t-small e b")
