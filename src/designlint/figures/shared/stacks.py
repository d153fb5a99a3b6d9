"""Bars whose parts add up, each against a limit: memory against capacity, a step against its budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.figures.shared.canvas import WIDTH, Canvas
from designlint.figures.shared.facts import Facts
from designlint.figures.shared.figure import Omission
from designlint.figures.shared.style import PARTS
from designlint.figures.shared.text import sentences, width

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from designlint.design.design import Design
    from designlint.figures.shared.figure import Figure

#: Workloads that are drawn.
MOST = 6
HIGH, LEGEND, SWATCH, GAP = 30.0, 19.0, 15.0, 16.0


class Part(NamedTuple):
    """One part of a bar: where it stands among the kinds of parts, how much it is, and that in words."""

    kind: int
    label: str
    value: float
    text: str


class Span(NamedTuple):
    """A stretch of a bar that is pointed at: where it starts and ends, what it is, `good`, `bad` or nothing."""

    start: float
    end: float
    text: str
    verdict: str = ""


class Bar(NamedTuple):
    """
    One bar.

    Attributes:
        head: what it says, and the `verdict` on it: `good`, `bad` or nothing.
        limit: what its parts should stay below, and that in words; None where it is not known.
        notes: what is said below it.
        spans: what is pointed at below it, each on a line of its own.
    """

    head: str
    verdict: str
    parts: Sequence[Part]
    limit: float | None
    limit_text: str
    notes: Sequence[str] = ()
    spans: Sequence[Span] = ()


def stack_figure(
    design: Design,
    name: str,
    title: str,
    needed: Sequence[str],
    bar: Callable[[Facts], Bar],
    told: Callable[[Facts], str],
) -> Figure | Omission:
    """One figure of all workloads of which the facts that are needed are known: a bar and a sentence for each."""
    workloads = Facts.of_kind(design, "Workload")
    known = [one for one in workloads if not one.lacks(needed)]
    if not known:
        return Omission(name, title, workloads[0].lacks(needed) if workloads else "the design states no workload")
    canvas, shown = Canvas(), known[:MOST]
    height = _draw(canvas, [bar(one) for one in shown], 0)
    more = f"{len(workloads) - len(shown)} more workloads are not drawn" if len(workloads) > len(shown) else ""
    if more:
        canvas.text(0, height + 16, more, "dim t-small")
        height += 20
    return canvas.figure(design, name, title, sentences(*map(told, shown), more), height)


def _draw(canvas: Canvas, bars: Sequence[Bar], top: float) -> float:
    """All bars on one scale, from a height on; the height below them."""
    longest = max(max(sum(one.value for one in bar.parts), bar.limit or 0) for bar in bars)
    scale = (WIDTH - 2) / longest if longest > 0 else 0
    for bar in bars:
        top = _bar(canvas, bar, top, scale) + 18
    return top - 12


def _bar(canvas: Canvas, bar: Bar, top: float, scale: float) -> float:
    canvas.mark(6, top + 9, bar.verdict)
    at = 16 if bar.verdict else 0
    canvas.text(at, top + 13, bar.head, f"{bar.verdict or 'ink'} t-head b", WIDTH - at)
    top += 42
    x, reached = 1.0, 1 + (bar.limit or 0) * scale
    if bar.limit is not None:
        canvas.rect(1, top, reached - 1, HIGH, "panel")
    for one in bar.parts:
        wide = one.value * scale
        canvas.rect(x, top, max(wide - 1, min(wide, 1)), HIGH, PARTS[one.kind % len(PARTS)])
        tag = str(one.kind + 1)
        if wide >= 16:
            words = f"{tag}  {one.label}" if width(f"{tag}  {one.label}", "small", bold=True) + 10 <= wide else tag
            canvas.text(x + (wide - 1) / 2, top + 19, words, "paper t-small b m")
        x += wide
    if bar.limit is not None:
        _limit(canvas, bar, top, reached, x)
    top += HIGH + 8
    for span in bar.spans:
        top = _span(canvas, span, top, scale)
    return _legend(canvas, bar, top)


def _span(canvas: Canvas, one: Span, top: float, scale: float) -> float:
    """A stretch with its ends, its words below it as near to its middle as there is room."""
    start, end, look = 1 + one.start * scale, 1 + one.end * scale, one.verdict or "ink"
    canvas.path(f"M{start:.1f} {top:.1f}v6m0-3H{end:.1f}m0-3v6", f"s-{look} thin")
    half = min(width(one.text, "small", bold=True), WIDTH) / 2
    middle = min(max((start + end) / 2, half), WIDTH - half)
    canvas.text(middle, top + 18, one.text, f"{look} t-small b m", WIDTH)
    return top + 27


def _limit(canvas: Canvas, bar: Bar, top: float, reached: float, end: float) -> None:
    look = bar.verdict if bar.verdict == "bad" else "ink"
    canvas.line(reached, top - 7, reached, top + HIGH + 4, f"s-{look} thick")
    left = reached > WIDTH / 2
    canvas.text(reached - 4 if left else reached + 4, top - 8, bar.limit_text, f"{look} t-small {'e' if left else ''}")
    if end > reached + 1:
        canvas.path(f"M{reached:.1f} {top - 3:.1f}H{end - 1:.1f}", "s-bad thick")


def _legend(canvas: Canvas, bar: Bar, top: float) -> float:
    """The parts with their numbers, in the order of the bar; then the notes."""
    x = 0.0
    for one in bar.parts:
        words = f"{one.label} {one.text}"
        wide = SWATCH + 5 + width(words, "small") + GAP
        if x and x + wide - GAP > WIDTH:
            x, top = 0.0, top + LEGEND
        canvas.rect(x, top, SWATCH, SWATCH - 1, PARTS[one.kind % len(PARTS)], 2)
        canvas.text(x + SWATCH / 2, top + 11, str(one.kind + 1), "paper t-small b m")
        canvas.text(x + SWATCH + 5, top + 11, words, "ink t-small")
        x += wide
    top += LEGEND if bar.parts else 0
    for note in bar.notes:
        canvas.text(0, top + 11, note, "dim t-small", WIDTH)
        top += LEGEND - 3
    return top
