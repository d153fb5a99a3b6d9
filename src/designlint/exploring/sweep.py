"""The points of a sweep or a grid, one state of the design after another."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.exploring.columns import rules, words
from designlint.exploring.points import Explorer
from designlint.exploring.settings import MOST_VALUES
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.design.design import Design
    from designlint.exploring.columns import Column
    from designlint.exploring.settings import SettablePlace, Sweep


class SweepPoint(NamedTuple):
    """
    One point.

    Attributes:
        values: what the design states there, in the order of the sweeps.
        cells: what the columns show.
        error: whether the design has an error there.
    """

    values: tuple[str, ...]
    cells: tuple[Any, ...]
    error: bool


class SweepTable(NamedTuple):
    """
    All points of one or more sweeps.

    Attributes:
        reason: why each point was read again; empty where facts were changed in place.
        present: what the columns show of the design as it is.
    """

    design: Design
    sweeps: Sequence[Sweep]
    columns: Sequence[Column]
    points: Sequence[SweepPoint]
    present: SweepPoint
    reason: str


def sweep_table(
    design: Design, sweeps: Sequence[Sweep], columns: Sequence[Column], fixed: Sequence[tuple[SettablePlace, str]] = ()
) -> SweepTable:
    """
    The columns at every point of the sweeps, the last one running fastest.

    Args:
        fixed: values that are stated at every point besides.

    Raises:
        UsageError: too many points, one word swept twice, or a value that a file does not let be stated.
    """
    number = prod(len(one.values) for one in sweeps)
    if number > MOST_VALUES:
        raise UsageError(f"the sweeps have {number} points; {MOST_VALUES} are tried at most")
    places = [*(place for place, _ in fixed), *(one.place for one in sweeps)]
    if len({one.path for one in places}) < len(places):
        raise UsageError("one word is set or swept twice")
    explorer = Explorer(design, places, rules(design, columns), words(columns))
    points = [point(explorer, columns, fixed, values) for values in product(*(one.values for one in sweeps))]
    return SweepTable(design, sweeps, columns, points, _present(design, sweeps, columns), explorer.reason)


def point(
    explorer: Explorer, columns: Sequence[Column], fixed: Sequence[tuple[SettablePlace, str]], values: tuple[str, ...]
) -> SweepPoint:
    """What the columns show at one point."""
    with explorer.at([*(value for _, value in fixed), *values]) as state:
        return SweepPoint(values, tuple(one.value(state) for one in columns), state.errors > 0)


def _present(design: Design, sweeps: Sequence[Sweep], columns: Sequence[Column]) -> SweepPoint:
    with Explorer(design, ()).at(()) as state:
        nodes = [one.place.subject.keys.get(one.place.word.name) for one in sweeps]
        values = tuple("" if node is None or node.kind != "scalar" else node.text for node in nodes)
        return SweepPoint(values, tuple(one.value(state) for one in columns), state.errors > 0)
