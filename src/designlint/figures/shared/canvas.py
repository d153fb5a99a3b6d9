"""Draws a picture as SVG text: shapes by class, so that one style sheet colours them; the same bytes for the same design."""

from __future__ import annotations

from hashlib import blake2s
from typing import TYPE_CHECKING

from designlint.figures.shared.figure import Figure
from designlint.figures.shared.style import sheet
from designlint.figures.shared.text import escape_xml, fit_size, fit_text

if TYPE_CHECKING:
    from designlint.design.design import Design

#: Units across: 17 cm of a page.
WIDTH = 680.0
#: Shapes of a mark, around its middle: what is told by colour is told by shape as well.
MARKS = {"good": "M-4 0l3 3.2 5-6.4", "bad": "M-3.5-3.5l7 7m0-7l-7 7"}


def number(value: float) -> str:
    """A coordinate, to a tenth."""
    return f"{round(value, 1) + 0.0:g}" if abs(value) < 1e5 else f"{value:.0f}"


def classes(names: str) -> str:
    """The class attribute for short names."""
    return " ".join(f"dl-{one}" for one in names.split())


class Canvas:
    """The elements drawn so far."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def rect(self, x: float, y: float, wide: float, high: float, look: str, round_: float = 0) -> None:
        """A rectangle; nothing where it has no width."""
        if wide > 0 and high > 0:
            corner = f' rx="{number(round_)}"' if round_ else ""
            place = f'x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}"'
            self._parts.append(f'<rect {place}{corner} class="{classes(look)}"/>')

    def line(self, x: float, y: float, to_x: float, to_y: float, look: str) -> None:
        """A straight line."""
        ends = f'x1="{number(x)}" y1="{number(y)}" x2="{number(to_x)}" y2="{number(to_y)}"'
        self._parts.append(f'<line {ends} class="{classes(look)}"/>')

    def path(self, shape: str, look: str, at: tuple[float, float] | None = None) -> None:
        """A shape in the letters of SVG, moved to a place; nothing where it has none."""
        if not shape:
            return
        moved = f' transform="translate({number(at[0])} {number(at[1])})"' if at else ""
        self._parts.append(f'<path d="{shape}" class="{classes(look)}"{moved}/>')

    def text(self, x: float, y: float, text: str, look: str = "ink t-text", room: float = 0) -> None:
        """A line of text from its baseline on, smaller or cut where room is short; `m` and `e` in its look centre and end it."""
        if room:
            size = next((one[2:] for one in look.split() if one.startswith("t-")), "text")
            smaller, bold = fit_size(text, room, size, bold="b" in look.split()), "b" in look.split()
            look, text = look.replace(f"t-{size}", f"t-{smaller}"), fit_text(text, room, smaller, bold=bold)
        self._parts.append(f'<text x="{number(x)}" y="{number(y)}" class="{classes(look)}">{escape_xml(text)}</text>')

    def mark(self, x: float, y: float, verdict: str) -> None:
        """A tick or a cross, in its colour; nothing for what was not judged."""
        if verdict in MARKS:
            self.path(MARKS[verdict], f"s-{verdict} thick", (x, y))

    def figure(self, design: Design, name: str, title: str, alternative: str, height: float) -> Figure:
        """The picture, whole."""
        key = f"dl-{blake2s(f'{design.document.file} {name}'.encode('utf-8', 'replace'), digest_size=6).hexdigest()}"
        size = f'width="{WIDTH:g}" height="{number(height)}" viewBox="0 0 {WIDTH:g} {number(height)}"'
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="dl-figure" {size} role="img" '
            f'aria-labelledby="{key}-t" aria-describedby="{key}-d"><title id="{key}-t">{escape_xml(title)}</title>'
            f'<desc id="{key}-d">{escape_xml(alternative)}</desc><style>{sheet()}</style>'
            f'<rect width="{WIDTH:g}" height="{number(height)}" class="dl-paper"/>{"".join(self._parts)}</svg>'
        )
        return Figure(name, title, svg, alternative)
