"""Tiers of switches as a few boxes that stand for all, and what is attached below them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.figures.shared.facts import Facts
from designlint.figures.shared.text import name

if TYPE_CHECKING:
    from designlint.figures.shared.canvas import Canvas

#: Height and greatest width of a switch; switches of a tier that are drawn, and of one of several planes.
BOX, BROAD, MOST, IN_PLANE = 28.0, 48.0, 7, 2
#: Rails and planes that are drawn one by one.
MOST_RAILS, MOST_PLANES = 9, 4


class Switch(NamedTuple):
    """One box: its middle, what stands in it, the plane that it is in; without words it stands for those left out."""

    x: float
    words: str
    plane: int


class Row(NamedTuple):
    """One tier."""

    switches: list[Switch]
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

    def join(self, canvas: Canvas, above: Row, look: str) -> None:
        """Links to the switches of the tier above, in the same plane."""
        for one in filter(_drawn, self.switches):
            for other in filter(_drawn, above.switches):
                if one.plane == other.plane:
                    canvas.line(one.x, self.top, other.x, above.top + BOX, look)

    def drop(self, canvas: Canvas, ends: tuple[float, float], top: float) -> None:
        """Links down to a box that stretches so far."""
        start, end = ends
        for one in filter(_drawn, self.switches):
            first, last = self.switches[0].x, self.switches[-1].x
            share = (one.x - first) / (last - first) if last > first else 0.5
            straight = len(self.switches) > 1 and start < first and last < end
            x = one.x if straight else start + 12 + share * (end - start - 24)
            canvas.line(one.x, self.top + BOX, x, top, "s-edge thin")


def _drawn(one: Switch) -> bool:
    return bool(one.words)


def row(ends: tuple[float, float], top: float, count: int | None, planes: int, rails: int) -> Row:
    """A tier of so many switches, all planes together; by rails where these are told apart."""
    start, end = ends
    if 1 < rails <= MOST_RAILS and count and count >= rails:
        words = [f"rail {at + 1}" if rails <= 6 else f"r{at + 1}" for at in range(rails)]
        return _spread(words, ends, top, 0, counted=True)
    if planes < 2:
        return _spread(_some(count, MOST), ends, top, 0, counted=count is not None)
    shown = [*range(min(planes, MOST_PLANES))]
    numbers = shown if planes <= MOST_PLANES else [*shown[:-1], planes - 1]
    wide = (end - start + 10) / len(shown) - 10
    each = count // planes if count and count % planes == 0 else None
    places = [(start + at * (wide + 10), wide) for at in shown]
    boxes = ["?"] * 2 if each is None else [" "] * each if each <= IN_PLANE else [" ", "", " "]
    rows = [_spread(boxes, (x, x + wide), top, at, counted=each is not None) for at, (x, wide) in enumerate(places)]
    labels = [(x, wide, f"plane {number + 1}") for number, (x, wide) in zip(numbers, places, strict=True)]
    return Row([one for plane in rows for one in plane.switches], top, rows[0].wide, each is not None, labels)


def _some(count: int | None, most: int) -> list[str]:
    """What stands in the boxes of so many switches: the first ones, an empty one for those left out, the last."""
    if count is None:
        return ["?"] * 3
    if count <= most:
        return [str(at + 1) for at in range(count)]
    return [*(str(at + 1) for at in range(most - 2)), "", str(count)]


def _spread(words: list[str], ends: tuple[float, float], top: float, plane: int, *, counted: bool) -> Row:
    """Boxes spread evenly."""
    start, end = ends
    each = (end - start) / max(1, len(words))
    switches = [Switch(start + (at + 0.5) * each, one, plane) for at, one in enumerate(words)]
    return Row(switches, top, min(BROAD, each - 6), counted, [])


class Host(NamedTuple):
    """What is attached to a fabric, of one kind: its name, how many ports it takes, the same in short, all in a sentence."""

    name: str
    about: str
    brief: str
    told: str


def hosts_of(fabric: Facts) -> list[Host]:
    """The pools and storage that name a fabric."""
    found: list[Host] = []
    for one in fabric.subject.back.get("fabric", ()):
        for pool in one.back.get("networks", ()):
            found.append(_pool(Facts(fabric.design, pool), Facts(fabric.design, one)))
        if "StorageTier" in one.kinds:
            told = name(one.name)
            found.append(Host(told, "storage", "storage", f"storage {told} is attached"))
    return found


def _pool(pool: Facts, attachment: Facts) -> Host:
    servers, ports = pool.told("installed_servers") or pool.told("count"), attachment.told("ports")
    many = f"{servers} server{'' if servers == '1' else 's'}" if servers else "servers"
    about = f"{many} × {ports} port{'' if ports == '1' else 's'}" if ports else many
    return Host(pool.name, about, about.replace(" servers", "").replace(" server", ""), f"{pool.name}: {about}")
