"""What figures with curves have in common: lines, bands between two of them, and the marks of the vertical axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from designlint.figures.shared.canvas import Canvas


def line(points: Iterable[tuple[float, float]]) -> str:
    """A path through points."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def band(upper: Sequence[tuple[float, float]], lower: Sequence[tuple[float, float]]) -> str:
    """The area between two curves."""
    return f"{line(upper)}{line(lower[::-1]).replace('M', 'L')}Z"


def heights(canvas: Canvas, left: float, right: float, marks: Iterable[tuple[float, float, str]]) -> None:
    """Values at the left edge, each with a line across: the value, where it stands, and its text."""
    for value, y, text in marks:
        canvas.line(left, y, right, y, "s-edge" if value == 0 else "s-grid thin")
        canvas.text(left - 6, y + 4, text, "dim t-small e")
