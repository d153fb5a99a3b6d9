"""What share of time becomes progress, by how often a job saves its state: where the design stands, and where it could."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

from designlint.derivations.operations.checkpoint import checkpoint_overhead
from designlint.derivations.operations.reliability import goodput
from designlint.figures.shared.canvas import WIDTH, Canvas
from designlint.figures.shared.curves import band, heights, line
from designlint.figures.shared.facts import each
from designlint.figures.shared.scales import steps, times
from designlint.figures.shared.text import sentences, width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.design.design import Design
    from designlint.figures.shared.facts import Facts
    from designlint.figures.shared.figure import Figure, Omission
    from designlint.findings.report import Report


PLACE, TITLE = 5, "Time lost to checkpoints and failures"
#: Workloads that are drawn.
MOST = 6
NEEDED = ("interval", "mtbf", "detect", "restart")
#: The field of the curve, which starts further right where the words of its scale are wide.
LEFT, RIGHT, TOP, HIGH = 46.0, WIDTH - 8.0, 56.0, 190.0
POINTS = 97
UNKNOWN_STALL = "The checkpoint stall is unknown, so the loss is a lower bound"
#: The intervals that are pointed at, and what they are called.
POINTED = {"chosen": "interval", "best": "young_checkpoint_interval"}


class Loss(NamedTuple):
    """How the share of lost time follows from the interval; the time for a checkpoint is 0 where it is not known."""

    stall: float
    mtbf: float
    detect: float
    restart: float

    def all(self, interval: float) -> float:
        """Everything that is lost."""
        kept = goodput(self.stall, interval, interval, self.mtbf, self.detect, self.restart)
        return 1.0 if kept is None else 1.0 - kept

    def saving(self, interval: float) -> float:
        """What standing still for checkpoints takes of it."""
        return min(checkpoint_overhead(self.stall, interval) or 0.0, self.all(interval))


def draw(design: Design, report: Report) -> Iterator[Figure | Omission]:
    """A figure for each workload whose interval and failures are known."""

    def drawn(one: Facts, label: str) -> Figure | str:
        if not (lacking := one.lacks(NEEDED)) and not _drawable(one):
            return f"{one.name}: intervals or failure rates too extreme to draw"
        return lacking or _figure(design, one, label)

    return each(design, "checkpoint", TITLE, "Workload", MOST, drawn)


def _drawable(facts: Facts) -> bool:
    values = [facts.number(word) or 0.0 for word in ("interval", "mtbf")]
    return all(1e-3 < one < 1e12 for one in values) and (facts.number("checkpoint_stall") or 0.0) < 1e12


def _figure(design: Design, facts: Facts, label: str) -> Figure:
    canvas, loss, chosen = Canvas(), _loss(facts), facts.number("interval") or 1.0
    best = facts.number("young_checkpoint_interval") or chosen
    ticks = steps(min(1.0, 2.6 * max(loss.all(chosen), loss.all(best))) or 1.0)
    intervals = _intervals(loss, min(chosen, best), max(chosen, best), ticks[-1])
    field = Field(
        max(LEFT, *(6 + width(_share(one), "small") for one in ticks)), intervals[0], intervals[-1], ticks[-1]
    )
    canvas.text(0, 13, _head(facts, loss), "ink t-head b", WIDTH)
    canvas.text(0, 31, "share of time lost, by time between checkpoints", "dim t-small", WIDTH)
    _axes(canvas, facts, field, ticks)
    _curves(canvas, field, loss, intervals)
    _points(canvas, facts, field, loss)
    bottom = _legend(canvas, facts, TOP + HIGH + 34)
    return canvas.figure(design, label, f"{TITLE}: {facts.name}", _description(facts, loss), bottom)


def _intervals(loss: Loss, low: float, high: float, top: float) -> list[float]:
    """The intervals that are drawn: around those that count, as far as the curve stays in its field."""
    wide = [low / 6 * (36 * high / low) ** (at / (POINTS - 1)) for at in range(POINTS)]
    return sorted({low, high, *(one for one in wide if loss.all(one) <= top)})


def _loss(facts: Facts) -> Loss:
    return Loss(*(facts.number(one) or 0.0 for one in ("checkpoint_stall", "mtbf", "detect", "restart")))


class Field(NamedTuple):
    """The field that curves are drawn in: times across from its left edge on, on a scale of ratios; shares up."""

    left: float
    least: float
    most: float
    top: float

    def x(self, interval: float) -> float:
        """Where an interval stands."""
        return self.left + (RIGHT - self.left) * log(interval / self.least) / log(self.most / self.least)

    def y(self, share: float) -> float:
        """Where a share stands; what is beyond the field, at its edge."""
        return TOP + HIGH * (1 - min(share, self.top) / self.top)


def _axes(canvas: Canvas, facts: Facts, field: Field, ticks: Sequence[float]) -> None:
    heights(canvas, field.left, RIGHT, ((one, field.y(one), _share(one)) for one in ticks))
    end = 0.0
    for one in times(field.least, field.most):
        words, x = facts.amount(one, "Duration"), field.x(one)
        half = width(words, "small") / 2
        if x - half > end and x + half < WIDTH:
            canvas.line(x, TOP + HIGH, x, TOP + HIGH + 4, "s-edge")
            canvas.text(x, TOP + HIGH + 17, words, "dim t-small m")
            end = x + half + 12


def _share(one: float) -> str:
    return f"{100 * one:.3g} %"


def _curves(canvas: Canvas, field: Field, loss: Loss, intervals: Sequence[float]) -> None:
    whole = [(field.x(one), field.y(loss.all(one))) for one in intervals]
    saving = [(field.x(one), field.y(loss.saving(one))) for one in intervals]
    base = field.y(0)
    if loss.stall:
        canvas.path(f"{line(saving)}L{RIGHT:g} {base:g}L{field.left:g} {base:g}Z", "c1 faint")
        canvas.path(line(saving), "s-c1 thick")
    canvas.path(band(whole, saving), "c3 faint")
    canvas.path(line(whole), "s-c3 thick" if loss.stall else "s-c3 thick dash")


def _points(canvas: Canvas, facts: Facts, field: Field, loss: Loss) -> None:
    """The chosen interval and the best one, their words on the sides that point away from each other."""
    found = {told: facts.number(word) for told, word in POINTED.items()}
    first = min((at, told) for told, at in found.items() if at is not None)[1]
    for level, (told, at) in enumerate(found.items()):
        if at is None:
            continue
        x, y, height = field.x(at), field.y(loss.all(at)), TOP + 16 + 18 * level
        words = f"{told} {facts.text_of(POINTED[told])}: {_share(loss.all(at))} lost"
        wide = width(words, "small", bold=True) + 12
        right = x - wide < field.left if told == first and len(found) > 1 else x + wide < WIDTH
        canvas.line(x, height - 12, x, y, "s-ink thin dash")
        canvas.path("M0-5l5 5l-5 5l-5-5z" if told == "best" else "M-4.5-4.5h9v9h-9z", "ink", (x, y))
        canvas.text(x + 5 if right else x - 5, height - 4, words, f"ink t-small b {'' if right else 'e'}")


def _legend(canvas: Canvas, facts: Facts, top: float) -> float:
    stall = facts.text_of("checkpoint_stall")
    entries = [("c1", f"checkpoint stalls, {stall} each")] if stall else []
    lost = f"lost work and restarts: one failure every {facts.text_of('mtbf')}, "
    entries.append(("c3", f"{lost}{facts.text_of('detect')} to detect, {facts.text_of('restart')} to restart"))
    for color, words in entries:
        canvas.rect(LEFT, top, 12, 12, color, 2)
        canvas.text(LEFT + 18, top + 10, words, "ink t-small", WIDTH - LEFT - 20)
        top += 18
    if not stall:
        canvas.text(LEFT, top + 10, f"{UNKNOWN_STALL}.", "dim t-small", WIDTH - LEFT)
        top += 18
    return top + 2


def _head(facts: Facts, loss: Loss) -> str:
    lost = loss.all(facts.number("interval") or 1.0)
    least = "" if facts.text_of("checkpoint_stall") else "at least "
    return f"{facts.name}: {least}{_share(lost)} of time is lost with a checkpoint every {facts.text_of('interval')}"


def _description(facts: Facts, loss: Loss) -> str:
    best, progress = facts.number("young_checkpoint_interval"), facts.text_of("goodput")
    told = (
        f"The best interval is {facts.text_of('young_checkpoint_interval')}" if best else "The best interval is unknown"
    )
    lost = f", {_share(loss.all(best))} lost" if best else ""
    share = f"Goodput {progress}" if progress else ""
    mtbf, detect, restart = (facts.text_of(one) for one in ("mtbf", "detect", "restart"))
    times_ = f"One failure every {mtbf}, {detect} to detect, {restart} to restart"
    stall = facts.text_of("checkpoint_stall")
    stands = f"Training stalls for {stall} per checkpoint" if stall else UNKNOWN_STALL
    return sentences(_head(facts, loss), share, f"{told}{lost}", stands, times_)
