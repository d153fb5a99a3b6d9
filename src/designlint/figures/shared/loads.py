"""What carries a load, each as a bar with a mark where the load ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.figures.shared.canvas import WIDTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.figures.shared.canvas import Canvas

#: Where the bars stand, how long they are at most, where their words do, and their rows.
LEFT, LONG, WORDS, ROW, HIGH = 92.0, 260.0, 378.0, 21.0, 12.0


class Load(NamedTuple):
    """One carrier: its name, what it gives and what it has to carry, both also in words, what it is made of."""

    name: str
    given: float
    needed: float
    given_text: str
    needed_text: str
    made_of: str = ""

    @property
    def verdict(self) -> str:
        """Whether it carries its load."""
        return "good" if self.given >= self.needed else "bad"

    @property
    def description(self) -> str:
        """Both numbers."""
        made_of = f" ({self.made_of})" if self.made_of else ""
        return f"{self.given_text}{made_of} for {self.needed_text}"


def draw(canvas: Canvas, loads: Sequence[Load], top: float) -> float:
    """A row for each, on one scale; the height below them."""
    if not loads:
        return top
    canvas.text(0, top + 12, "Capacity with redundant units failed; the mark shows the load", "dim t-small", WIDTH)
    top += 20
    longest = max(max(one.given, one.needed) for one in loads) or 1.0
    for one in loads:
        wide, mark = one.given / longest * LONG, LEFT + one.needed / longest * LONG
        canvas.text(0, top + 11, one.name, "ink t-small", LEFT - 6)
        canvas.rect(LEFT, top + 1, wide, HIGH, one.verdict if one.verdict == "bad" else "c6", 2)
        canvas.line(mark, top - 2, mark, top + HIGH + 4, "s-ink thick")
        canvas.mark(WORDS - 9, top + 7, one.verdict)
        canvas.text(WORDS, top + 11, one.description, f"{one.verdict} t-small b", WIDTH - WORDS)
        top += ROW
    return top
