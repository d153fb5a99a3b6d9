"""Switches as a few boxes that stand for all."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

from designlint.figures.shared.canvas import number

if TYPE_CHECKING:
    from designlint.figures.shared.canvas import Canvas

#: Where switches stand, from left to right; the words on the left end before.
LEFT, RIGHT = 112.0, 462.0
#: Height and greatest width of a switch; switches of a tier that are drawn, and of one of several planes.
BOX, BROAD, MOST, IN_PLANE = 28.0, 48.0, 7, 2
#: Rails and planes that are drawn one by one.
MOST_RAILS, MOST_PLANES = 9, 4


class DrawnSwitch(NamedTuple):
    """One box: its middle, what stands in it, the plane that it is in; without words it stands for those left out."""

    x: float
    words: str
    plane: int


class TierRow(NamedTuple):
    """One tier."""

    switches: list[DrawnSwitch]
    top: float
    wide: float
    counted: bool
    planes: list[tuple[float, float, str]]

    def draw(self, canvas: Canvas) -> None:
        """The boxes; dashed where nobody knows how many there are."""
        for one in self.switches:
            left = one.x - self.wide / 2
            if not one.words:
                canvas.text(one.x, self.top + BOX / 2 + 2, "…", "dim t-head b m")
                continue
            canvas.rect(left, self.top, self.wide, BOX, "paper", 3)
            canvas.rect(left, self.top, self.wide, BOX, "panel", 3)
            canvas.rect(left, self.top, self.wide, BOX, "s-edge" if self.counted else "s-edge dash", 3)
            canvas.text(one.x, self.top + BOX / 2 + 4, one.words, "ink t-small m", self.wide - 2)

    def name_planes(self, canvas: Canvas) -> None:
        """The names of its planes, above it."""
        for x, wide, words in self.planes:
            canvas.text(x + wide / 2, self.top - 6, words, "dim t-small m", wide)

    def join(self, canvas: Canvas, above: TierRow, look: str) -> None:
        """Links to the switches of the tier above, in the same plane."""
        pairs = product(filter(_is_drawn, self.switches), filter(_is_drawn, above.switches))
        ends = [(one.x, other.x) for one, other in pairs if one.plane == other.plane]
        top, bottom = number(above.top + BOX), number(self.top)
        canvas.path("".join(f"M{number(x)} {bottom}L{number(to)} {top}" for x, to in ends), look)

    def arch(self, canvas: Canvas, look: str, most: float) -> None:
        """Links among the switches of this tier, above it, each as high as it is long."""
        drawn = [*filter(_is_drawn, self.switches)]
        whole, y, shape = drawn[-1].x - drawn[0].x or 1.0, number(self.top), ""
        for one, other in combinations(drawn, 2):
            x, to = number(one.x), number(other.x)
            high = number(self.top - (8 + (most - 8) * (other.x - one.x) / whole) / 0.75)
            shape += f"M{x} {y}C{x} {high} {to} {high} {to} {y}"
        canvas.path(shape, look)

    def drop(self, canvas: Canvas, ends: tuple[float, float], top: float, look: str) -> None:
        """Links down to a box that stretches so far."""
        (start, end), shape = ends, ""
        first, last = self.switches[0].x, self.switches[-1].x
        straight = len(self.switches) > 1 and start < first and last < end
        for one in filter(_is_drawn, self.switches):
            share = (one.x - first) / (last - first) if last > first else 0.5
            x = one.x if straight else start + 12 + share * (end - start - 24)
            shape += f"M{number(one.x)} {number(self.top + BOX)}L{number(x)} {number(top)}"
        canvas.path(shape, look)


def _is_drawn(one: DrawnSwitch) -> bool:
    return bool(one.words)


def row(ends: tuple[float, float], top: float, count: int | None, planes: int, rails: int) -> TierRow:
    """A tier of so many switches, all planes together; by rails where these are told apart."""
    start, end = ends
    if 1 < rails <= MOST_RAILS and count and count >= rails:
        words = [f"rail {at + 1}" if rails <= 6 else f"r{at + 1}" for at in range(rails)]
        return _spread(words, ends, top, 0, counted=True)
    if planes < 2:
        return _spread(_some(count, MOST), ends, top, 0, counted=count is not None)
    shown = [*range(min(planes, MOST_PLANES))]
    numbers = shown if planes <= MOST_PLANES else [*shown[:-1], planes - 1]
    skipped = 14 if planes > MOST_PLANES else 0
    wide = (end - start - skipped + 10) / len(shown) - 10
    each = count // planes if count and count % planes == 0 else None
    places = [(start + at * (wide + 10) + (skipped if at == len(shown) - 1 else 0), wide) for at in shown]
    boxes = ["?"] * 2 if each is None else [" "] * each if each <= IN_PLANE else [" ", "", " "]
    rows = [_spread(boxes, (x, x + wide), top, at, counted=each is not None) for at, (x, wide) in enumerate(places)]
    labels = [(x, wide, f"plane {number + 1}") for number, (x, wide) in zip(numbers, places, strict=True)]
    if skipped:
        labels.append((places[-1][0] - 19, 14, "…"))
    return TierRow([one for plane in rows for one in plane.switches], top, rows[0].wide, each is not None, labels)


def _some(count: int | None, most: int) -> list[str]:
    """What stands in the boxes of so many switches: the first ones, an empty one for those left out, the last."""
    if count is None:
        return ["?"] * 3
    if count <= most:
        return [str(at + 1) for at in range(count)]
    return [*(str(at + 1) for at in range(most - 2)), "", str(count)]


def _spread(words: list[str], ends: tuple[float, float], top: float, plane: int, *, counted: bool) -> TierRow:
    """Boxes spread evenly."""
    start, end = ends
    each = (end - start) / max(1, len(words))
    switches = [DrawnSwitch(start + (at + 0.5) * each, one, plane) for at, one in enumerate(words)]
    return TierRow(switches, top, min(BROAD, each - 6), counted, [])
