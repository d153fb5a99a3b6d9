"""Tori: a sheet of switches in rows and columns, further sheets behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.figures.shared.canvas import WIDTH
from designlint.figures.shared.hosts import hosts_of
from designlint.figures.shared.links import Link, to_hosts
from designlint.figures.shared.switches import LEFT, RIGHT, DrawnSwitch, TierRow

if TYPE_CHECKING:
    from designlint.figures.shared.canvas import Canvas
    from designlint.figures.shared.facts import Facts
    from designlint.findings.report import Report

#: Rows, columns and sheets that are drawn; how far they are apart, and the size of a switch.
COLUMNS, ROWS, SHEETS = 6, 4, 3
ACROSS, DOWN, STEP, WIDE, HIGH = 40.0, 30.0, 10.0, 22.0, 15.0
TOP, EDGE, STUB = 46.0, 16.0, 9.0
#: Dimensions that are told one by one.
TOLD = 6


class TorusLine(NamedTuple):
    """The switches along one dimension, as they are drawn: how many there are, and the places shown; None for those left out."""

    size: int
    shown: list[int | None]

    @property
    def wraps(self) -> bool:
        """Whether a link closes the ring."""
        return self.size > 2


def lacks(facts: Facts) -> str:
    """Why its dimensions cannot be drawn; empty where they can."""
    if sizes(facts):
        return ""
    told = facts.fact("dimensions")
    return (
        f"the dimensions of {facts.name} are invalid" if told is not None else f"{facts.place('dimensions')} is unknown"
    )


def sizes(facts: Facts) -> list[int]:
    """Switches along each dimension."""
    found = facts.fact("dimensions")
    return [one for one in found if isinstance(one, int) and one > 0] if isinstance(found, list) else []


def draw(canvas: Canvas, report: Report, facts: Facts) -> tuple[list[str], float]:
    """A sheet of the first two dimensions, others behind it, and what is attached; in words, and the height below all."""
    across, down, deep, *more = [*sizes(facts), 1, 1, 1][: max(3, len(sizes(facts)))]
    columns, rows = _line(across, COLUMNS), _line(down, ROWS)
    shape = " × ".join(map(str, sizes(facts)[:TOLD])) + (" × …" if len(sizes(facts)) > TOLD else "")
    whole = deep == 1 and not more and None not in (*columns.shown, *rows.shown)
    note = "links that leave one side re-enter on the opposite side" + ("" if whole else "; not all switches are drawn")
    canvas.text(0, 30, "; ".join(filter(None, (facts.text_of("technology"), note))), "dim t-small", WIDTH)
    sheets = min(deep, SHEETS)
    wide, high = (len(columns.shown) - 1) * ACROSS + WIDE + 2 * EDGE, (len(rows.shown) - 1) * DOWN + HIGH + 2 * EDGE
    left, top = (LEFT + RIGHT - wide - STEP * (sheets - 1)) / 2, TOP + STEP * (sheets - 1)
    for at in reversed(range(sheets)):
        canvas.rect(left + STEP * at, top - STEP * at, wide, high, "paper", 4)
        canvas.rect(left + STEP * at, top - STEP * at, wide, high, "s-edge thin", 4)
    _sheet(canvas, columns, rows, left + EDGE + WIDE / 2, top + EDGE + HIGH / 2)
    words = [f"{across} across", *([f"{down} down"] if down > 1 else []), *([f"{deep} deep"] if deep > 1 else [])]
    block = (
        f", and {' × '.join(map(str, more[: TOLD - 3]))}{' × …' if len(more) > TOLD - 3 else ''} such blocks"
        if more
        else ""
    )
    canvas.text((LEFT + RIGHT) / 2, top + high + 15, f"{', '.join(words)}{block}", "dim t-small m", RIGHT - LEFT)
    canvas.text(0, top + high / 2 - 2, f"{facts.text_of('torus_switches')} switches".strip(), "ink t-head b", LEFT - 6)
    canvas.text(0, top + high / 2 + 12, shape, "dim t-small", LEFT - 6)
    links, hosts = [_links(facts), to_hosts(report, facts, "switch")], hosts_of(facts)
    links[0].words(canvas, top + high / 2)
    bottom = top + high + 60
    links[1].words(canvas, bottom - 12)
    hosts.draw(
        canvas,
        TierRow([DrawnSwitch((LEFT + RIGHT) / 2, " ", 0)], top + high - 6, WIDE, True, []),
        bottom,
        links[1].look,
    )
    return [
        f"It is {technology}" if (technology := facts.text_of("technology")) else "",
        f"Its dimensions are {shape}",
        *(one.description for one in links),
        hosts.description,
    ], bottom + 42


def _links(facts: Facts) -> Link:
    links, each, half = (facts.text_of(one) for one in ("torus_links", "torus_degree", "torus_bisection"))
    speed = facts.text_of("link_speed")
    lines = [f"{links} links{f' of {speed}' if speed else ''}" if links else "links not known"]
    lines += [f"{each} on each switch"] if each else []
    return Link(
        "Between switches",
        [*lines, f"{half} links between two halves" if half else "links between two halves: unknown"],
    )


def _line(count: int, most: int) -> TorusLine:
    """The switches of a dimension that are drawn: the first ones, none for those left out, the last."""
    every: list[int | None] = [*range(min(count, most))]
    return TorusLine(count, every if count <= most else [*every[: most - 2], None, count - 1])


def _sheet(canvas: Canvas, columns: TorusLine, rows: TorusLine, x: float, y: float) -> None:
    """Switches and the links to their neighbours; rings are open at the edges."""
    xs = [x + ACROSS * at for at in range(len(columns.shown))]
    ys = [y + DOWN * at for at in range(len(rows.shown))]
    for at, row in zip(ys, rows.shown, strict=True):
        out = (WIDE / 2 + STUB) if columns.wraps else 0
        canvas.line(xs[0] - out, at, xs[-1] + out, at, "s-edge thin" if row is not None else "s-grid thin dash")
    for at, column in zip(xs, columns.shown, strict=True):
        out = (HIGH / 2 + STUB) if rows.wraps else 0
        canvas.line(at, ys[0] - out, at, ys[-1] + out, "s-edge thin" if column is not None else "s-grid thin dash")
    for down, row in zip(ys, rows.shown, strict=True):
        for across, column in zip(xs, columns.shown, strict=True):
            if row is None or column is None:
                canvas.rect(across - 10, down - 6, 20, 12, "paper")
                canvas.text(across, down + 2, "…", "dim t-text m")
            else:
                canvas.rect(across - WIDE / 2, down - HIGH / 2, WIDE, HIGH, "panel", 2)
                canvas.rect(across - WIDE / 2, down - HIGH / 2, WIDE, HIGH, "s-edge", 2)
