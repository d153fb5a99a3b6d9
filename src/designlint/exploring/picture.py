"""A sweep as a figure: a curve for each column, or the cells of a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from designlint.figures.shared.canvas import WIDTH, Canvas
from designlint.figures.shared.curves import heights
from designlint.figures.shared.scales import steps
from designlint.figures.shared.text import width
from designlint.language.values import is_number
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.exploring.columns import Column
    from designlint.exploring.sweep import SweepTable

LEFT, RIGHT, HIGH, GAP = 92.0, WIDTH - 10.0, 110.0, 50.0
#: Curves of one figure, and rows and columns of a grid.
MOST_CURVES, MOST_CELLS = 8, 40


def draw_table(table: SweepTable) -> str:
    """The figure as SVG text. Raises UsageError where it cannot be drawn."""
    if len(table.sweeps) > 2:
        raise UsageError("a figure shows one sweep or two; write more as --format csv")
    return _grid(table) if len(table.sweeps) == 2 else _curves(table)


def _curves(table: SweepTable) -> str:
    """A panel for each column of numbers, one below the other; points with an error are crossed."""
    shown = [at for at in range(len(table.columns)) if any(is_number(one.cells[at]) for one in table.points)]
    if not shown:
        raise UsageError("no column holds numbers to draw; name others with --show")
    canvas, path = Canvas(), table.sweeps[0].place.path
    canvas.text(0, 13, f"What follows from {path}", "ink t-head b", WIDTH)
    canvas.text(0, 30, "a cross: the design has an error there", "dim t-small", WIDTH)
    places, top = _across(table.sweeps[0].values), 62.0
    for at in shown[:MOST_CURVES]:
        _panel(canvas, table, at, places, top)
        top += HIGH + GAP
    _below(canvas, table.sweeps[0].values, places, top - GAP + 6)
    canvas.text((LEFT + RIGHT) / 2, top - GAP + 40, path, "dim t-small m")
    alternative = "\n".join(_description(table, at) for at in shown[:MOST_CURVES])
    return canvas.figure(table.design, "what-if", f"What follows from {path}", alternative, top - GAP + 50).svg


def _across(values: Sequence[str]) -> list[float]:
    """Where values stand: by their numbers where all are numbers, else side by side."""
    numbers = [_leading(one) for one in values]
    known = [one for one in numbers if one is not None]
    if len(known) < len(numbers) or not known or max(known) == min(known):
        return [LEFT + (RIGHT - LEFT) * (at + 0.5) / len(values) for at in range(len(values))]
    least, most = min(known), max(known)
    return [LEFT + (RIGHT - LEFT) * (one - least) / (most - least) for one in known]


def _leading(text: str) -> float | None:
    try:
        return float(text.split()[0])
    except (ValueError, IndexError):
        return None


def _panel(canvas: Canvas, table: SweepTable, at: int, places: Sequence[float], top: float) -> None:
    units = table.design.engine.vocabulary.units
    column = _in_one_unit(table.columns[at], table, at)
    cells = [column.number(one.cells[at], units) if is_number(one.cells[at]) else None for one in table.points]
    known = [one for one in cells if one is not None]
    least, most = min(0.0, *known), max(known) if max(known) > 0 else 1.0
    marks = steps(most, 3)
    high = marks[-1]

    def y(value: float) -> float:
        return float(top + HIGH * (1 - (value - least) / (high - least)))

    canvas.text(
        0, top - 10, column.name + (f" [{column.unit}]" if column.unit.strip("1") else ""), "ink t-small b", WIDTH
    )
    heights(canvas, LEFT, RIGHT, ((mark, y(mark), f"{mark:g}") for mark in marks))
    _line(canvas, [(x, cell, one.error) for x, cell, one in zip(places, cells, table.points, strict=True)], y)


def _in_one_unit(column: Column, table: SweepTable, at: int) -> Column:
    """The column in the unit that suits its largest value, where none is asked for."""
    units = table.design.engine.vocabulary.units
    if column.unit or column.kind not in units:
        return column
    text = units.format(max(one.cells[at] for one in table.points if is_number(one.cells[at])), column.kind)
    unit = text.partition(" ")[2]
    return replace(column, unit=unit if unit in units.kind(column.kind).spellings else units.symbol(column.kind))


def _line(canvas: Canvas, points: Sequence[tuple[float, Any, bool]], y: Any) -> None:
    """The curve, broken where a value is unknown, and its points."""
    shape, pen = "", "M"
    for x, value, _ in points:
        if not is_number(value):
            pen = "M"
            continue
        shape, pen = f"{shape}{pen}{x:.1f} {y(value):.1f}", "L"
    canvas.path(shape, "s-c1 thick")
    sparse = len(points) <= 60
    for at, (x, value, error) in enumerate(points):
        if is_number(value) and (sparse or at % (len(points) // 30) == 0):
            if error:
                canvas.mark(x, y(value), "bad")
            else:
                canvas.rect(x - 2.5, y(value) - 2.5, 5, 5, "c1", 2.5)


def _below(canvas: Canvas, values: Sequence[str], places: Sequence[float], top: float) -> None:
    end = 0.0
    for x, value in zip(places, values, strict=True):
        half = width(value, "small") / 2
        at = min(x, WIDTH - half)
        if at - half > end:
            canvas.text(at, top + 10, value, "dim t-small m")
            end = at + half + 10


def _description(table: SweepTable, at: int) -> str:
    column, units = table.columns[at], table.design.engine.vocabulary.units
    ends = [table.points[0], table.points[-1]]
    first, last = (f"{column.text(one.cells[at], units)} at {one.values[0]}" for one in ends)
    return f"{column.name}: {first}, {last}."


def _grid(table: SweepTable) -> str:
    """A cell for each point: its first column, and a mark whether the design has an error there."""
    rows, across = (one.values for one in table.sweeps)
    if len(rows) > MOST_CELLS or len(across) > MOST_CELLS:
        raise UsageError(f"a figure of a grid has at most {MOST_CELLS} rows and columns; sweep in larger steps")
    canvas, column = Canvas(), table.columns[0]
    paths = [one.place.path for one in table.sweeps]
    title = f"{column.name} by {paths[0]} (down) and {paths[1]} (across)"
    canvas.text(0, 13, title, "ink t-head b", WIDTH)
    canvas.text(0, 30, "a tick: no error; a cross: the design has an error there", "dim t-small", WIDTH)
    left = 12 + max(width(one, "small") for one in rows)
    wide, top = (WIDTH - left) / len(across), 60.0
    for at, value in enumerate(across):
        canvas.text(left + wide * (at + 0.5), top - 8, value, "dim t-small m", wide)
    for number, point in enumerate(table.points):
        row, at = divmod(number, len(across))
        x, y = left + wide * at, top + 24 * row
        if not at:
            canvas.text(left - 8, y + 16, rows[row], "dim t-small e")
        _cell(canvas, table, column, point.cells[0], point.error, (x, y, wide))
    height = top + 24 * len(rows) + 8
    alternative = f"{title}: {sum(not one.error for one in table.points)} of {len(table.points)} points have no error."
    return canvas.figure(table.design, "what-if", title, alternative, height).svg


def _cell(
    canvas: Canvas, table: SweepTable, column: Column, value: Any, error: bool, place: tuple[float, float, float]
) -> None:
    x, y, wide = place
    look = "bad" if error else "good"
    canvas.rect(x + 1, y + 1, wide - 2, 22, "panel", 2)
    canvas.mark(x + 10, y + 12, look)
    if wide > 50:
        text = column.text(value, table.design.engine.vocabulary.units)
        canvas.text(x + 20, y + 16, text, f"{look} t-small", wide - 24)
