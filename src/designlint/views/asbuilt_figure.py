"""The differences of a fabric as built, as a picture: its tiers, the switches that differ, and the cables between them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from designlint.figures.shared.canvas import WIDTH, Canvas
from designlint.figures.shared.text import name
from designlint.language.tiers import TIERS
from designlint.views.asbuilt import total
from designlint.wiring.graph import PLURALS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.comparing.asbuilt.comparison import AsBuiltComparison, Difference
    from designlint.design.design import Design
    from designlint.figures.shared.figure import Figure

#: Switches of a tier that are drawn one by one, differences that are listed below, and where the row of a tier is drawn.
MOST, LISTED = 48, 24
LEFT, TOP, APART, BOX, LINE = 96.0, 44.0, 84.0, 18.0, 15.0
#: Widest box, the least that holds a name, and how far a cable to a server is drawn.
BROAD, ROOM, STUB = 96.0, 40.0, 22.0
#: How a cable of each kind of difference is drawn; the others are solid.
LOOKS = {
    "as-built/cable-not-seen": "s-bad thick dash",
    "as-built/switch-not-seen": "s-bad thick dash",
    "as-built/link-below-rate": "s-c3 thick dash",
    "as-built/wrong-port": "s-c4 thin dash",
}
OTHER = "s-bad thick"
#: Differences whose two switches are the ends of one cable.
PAIRED = frozenset(
    f"as-built/{one}" for one in ("cable-not-seen", "cable-not-designed", "link-below-rate", "wrong-port")
)
LEGEND = "dashed: not seen, below its rate, or in another port; solid: leads elsewhere, or is not designed"


class Spotted(NamedTuple):
    """A switch in the picture: its middle, the top of its row, and whether the dump shows it."""

    x: float
    y: float
    seen: bool


def draw(found: AsBuiltComparison, design: Design) -> Figure:
    """The picture."""
    canvas = Canvas()
    title = f"As built: {name(found.design.fabric)}"
    canvas.text(0, 13, title, "ink t-head b", WIDTH)
    told = total(found)
    canvas.text(0, 30, told, "dim t-small", WIDTH)
    places = _rows(canvas, found)
    _lines(canvas, found.differences, places)
    _boxes(canvas, places, {one for each in found.differences for one in each.ends})
    bottom = TOP + APART * len(_tiers(found)) + 8
    for number, one in enumerate(found.differences[:LISTED]):
        canvas.mark(5, bottom + LINE * number - 4, "bad")
        canvas.text(16, bottom + LINE * number, one.finding.message, "ink t-small", WIDTH - 16)
    shown = min(len(found.differences), LISTED)
    rest = len(found.differences) - shown
    if rest:
        canvas.text(16, bottom + LINE * shown, f"and {rest} more", "dim t-small", WIDTH - 16)
    messages = "; ".join(one.finding.message for one in found.differences[:LISTED])
    height = bottom + LINE * (shown + bool(rest))
    if found.differences:
        canvas.text(0, height + 4, LEGEND, "dim t-small", WIDTH)
        height += LINE
    return canvas.figure(design, "as-built", title, f"{told}. {messages}", height)


def _tiers(found: AsBuiltComparison) -> list[str]:
    """The tiers that either side has, the highest first."""
    sides = (found.design, found.built)
    return [role for role in reversed(TIERS) if any(side.tier(role) for side in sides)]


def _rows(canvas: Canvas, found: AsBuiltComparison) -> dict[str, Spotted]:
    """Where each switch that is drawn stands: all of a tier or, of many, those that differ."""
    places: dict[str, Spotted] = {}
    touched = {one for each in found.differences for one in each.ends}
    joined = set(found.joined.switches.values())
    for number, role in enumerate(_tiers(found)):
        top = TOP + APART * number + 16
        ours = [one.name for one in found.design.tier(role)]
        more = [one.name for one in found.built.tier(role) if one.name not in joined]
        every = [*ours, *more]
        drawn = every if len(every) <= MOST else [one for one in every if one in touched][:MOST]
        seen = sum(one in found.joined.switches for one in ours)
        canvas.text(0, top + 13, PLURALS[role], "ink t-small b", LEFT - 8)
        canvas.text(
            0, top + 27, f"{seen} of {len(ours)} seen{f', {len(more)} more' if more else ''}", "dim t-small", LEFT - 8
        )
        if len(drawn) < len(every):
            canvas.text(0, top + 41, f"{len(every) - len(drawn)} not drawn", "dim t-small", LEFT - 8)
        each = (WIDTH - LEFT) / max(1, len(drawn))
        for at, one in enumerate(drawn):
            places[one] = Spotted(LEFT + each * (at + 0.5), top, one in found.joined.switches or one in more)
    return places


def _lines(canvas: Canvas, differences: Sequence[Difference], places: dict[str, Spotted]) -> None:
    """Each cable between two tiers, or within one below it; of a cable to a server the end at each switch."""
    within = 0
    for one in differences:
        look = LOOKS.get(one.finding.rule, OTHER)
        between = one.finding.rule in PAIRED or len(one.ends) > 2
        for pair in (one.ends[:2], one.ends[2:]):
            ends = sorted((places[end] for end in pair if end in places), key=lambda end: end.y)
            if len(ends) == 2 and ends[0].y != ends[1].y:
                canvas.line(ends[0].x, ends[0].y + BOX, ends[1].x, ends[1].y, look)
                continue
            deep = STUB - 6.0 * (within % 3) if between and len(ends) == 2 else STUB
            for end in ends:
                canvas.line(end.x, end.y + BOX, end.x, end.y + BOX + deep, look)
            if between and len(ends) == 2:
                within += 1
                canvas.line(ends[0].x, ends[0].y + BOX + deep, ends[1].x, ends[1].y + BOX + deep, look)


def _boxes(canvas: Canvas, places: dict[str, Spotted], touched: set[str]) -> None:
    rows = Counter(one.y for one in places.values())
    for label, one in places.items():
        wide = min(BROAD, (WIDTH - LEFT) / rows[one.y] - 2)
        canvas.rect(one.x - wide / 2, one.y, wide, BOX, "panel" if one.seen else "paper", 2)
        look = "s-edge thin" if label not in touched else "s-bad thick" if one.seen else "s-bad thick dash"
        canvas.rect(one.x - wide / 2, one.y, wide, BOX, look, 2)
        if wide >= ROOM:
            canvas.text(one.x, one.y + BOX - 5, name(label), "ink t-small m", wide - 4)
        elif not one.seen:
            canvas.mark(one.x, one.y + BOX / 2, "bad")
