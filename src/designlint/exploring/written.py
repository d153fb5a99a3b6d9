"""A sweep as text, CSV or JSON."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from designlint.exploring.columns import meanings
from designlint.exploring.search import FORBIDDEN
from designlint.findings.model import Severity
from designlint.language.sentences import many, series
from designlint.reporters.shared import spreadsheet
from designlint.reporters.shared.tables import align_rows
from designlint.reporters.shared.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.exploring.search import SearchOutcome
    from designlint.exploring.sweep import SweepPoint, SweepTable
    from designlint.findings.model import Finding

#: Findings that are listed beside what a search found.
MOST_BESIDE = 8


def text(table: SweepTable) -> str:
    """A line a point, and how the points were judged."""
    units = table.design.engine.vocabulary.units
    head = [*_names(table), *(one.name for one in table.columns)]
    rows = [head, *(_row(table, one) for one in table.points)]
    present = ["now " + (" ".join(table.present.values) or ""), *[""] * (len(table.sweeps) - 1)]
    told = [one.text(value, units) for one, value in zip(table.columns, table.present.cells, strict=True)]
    rows.append([*present, *told])
    lines = align_rows(rows, right=range(len(head)))
    return "\n".join([*lines, "", *map(printable, meanings(table.design, table.columns)), _describe_findings(table)])


def _row(table: SweepTable, one: SweepPoint) -> list[str]:
    units = table.design.engine.vocabulary.units
    cells = (column.text(value, units) for column, value in zip(table.columns, one.cells, strict=True))
    return [printable(cell) for cell in (*one.values, *cells)]


def _names(table: SweepTable) -> list[str]:
    """The last words of what is swept; whole paths where these are the same."""
    names = [one.place.word.name for one in table.sweeps]
    return names if len(set(names)) == len(names) else [one.place.path for one in table.sweeps]


def _describe_findings(table: SweepTable) -> str:
    clean = sum(not one.error for one in table.points)
    how = f"each read and checked again, because {table.reason}" if table.reason else "recalculated in place"
    return f"{many(len(table.points), 'point')}, {how}; {clean} without errors"


def comma_separated(table: SweepTable) -> str:
    """Numbers without units, which stand in the first line."""
    units = table.design.engine.vocabulary.units
    head = [*(one.place.path for one in table.sweeps), *(one.title(units) for one in table.columns)]
    numbers = (
        [column.number(value, units) for column, value in zip(table.columns, one.cells, strict=True)]
        for one in table.points
    )
    rows = ([*one.values, *cells] for one, cells in zip(table.points, numbers, strict=True))
    return spreadsheet.comma_separated([head, *rows], end="\n")


def data(table: SweepTable) -> str:
    """All of it; numbers in the canonical unit of their kind."""
    return json.dumps(
        {
            "design": table.design.document.file,
            "sweeps": [{"path": one.place.path, "values": list(one.values)} for one in table.sweeps],
            "columns": list(_columns(table)),
            "points": [_point(one) for one in table.points],
            "present": _point(table.present),
            "in_place": not table.reason,
            "reason": table.reason,
        },
        indent=2,
        ensure_ascii=False,
    )


def _columns(table: SweepTable) -> Iterator[dict[str, Any]]:
    for one in table.columns:
        unit = table.design.engine.vocabulary.units.symbol(one.kind)
        yield {"name": one.name, "subject": one.path, "word": one.word, "kind": one.kind, "unit": unit}


def _point(one: SweepPoint) -> dict[str, Any]:
    return {"values": list(one.values), "cells": list(one.cells), "error": one.error}


def outcome(one: SearchOutcome) -> str:
    """What a search came to, how it searched, and what is wrong beside the value."""
    goal, values = one.goal, one.goal.values
    what = f"no {goal.what}" if goal.what in FORBIDDEN else f"no finding of {goal.what}"
    end = "lowest" if goal.least else "highest"
    if one.value is None:
        head = f"No value of {goal.place.path} from {values[0]} to {values[-1]} has {what}"
    else:
        head = f"{goal.place.path} = {one.value} is the {end} value from {values[0]} to {values[-1]} with {what}"
    tried = f"{one.tried} of {len(values)} values checked"
    how = f"By bisection, {tried}: the rules show that findings change only once"
    lines = [head, how if one.bisected else f"By enumeration, {tried}; bisection could miss values: {one.reason}"]
    if one.beside:
        lines.append(f"At {one.at}:" if one.value is not None else f"At {one.at}, which leaves fewest:")
        lines += [printable(f"  {bad.severity}[{bad.rule}]: {bad.message}") for bad in one.beside[:MOST_BESIDE]]
    if len(one.beside) > MOST_BESIDE:
        lines.append(f"  ... {len(one.beside) - MOST_BESIDE} more with --format json")
    return "\n".join([*lines, *_describe_remaining(one)])


def _describe_remaining(one: SearchOutcome) -> Iterator[str]:
    """What is still found at the value: in full what judges a target, else its number."""
    told = [many(number, name) for name, number in _counts(one.left).items()]
    if not told:
        return
    aims = [bad for bad in one.left if bad.rule in one.aims and bad.severity is not Severity.INFO]
    remain = "remains" if len(one.left) == 1 else "remain"
    yield f"At {one.value}, {series(told)} {remain}" + ("; about targets:" if aims else "")
    yield from (printable(f"  {bad.severity}[{bad.rule}]: {bad.message}") for bad in aims)


def _counts(found: Sequence[Finding]) -> dict[str, int]:
    """How many there are of each severity, the worst first."""
    names = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
    counts = Counter(one.severity for one in found)
    return {name: counts[one] for one, name in names.items() if counts[one]}


def found_data(one: SearchOutcome) -> dict[str, Any]:
    """The same as data."""
    return {
        "path": one.goal.place.path,
        "value": one.value,
        "way": "bisection" if one.bisected else "enumeration",
        "reason": one.reason,
        "tried": one.tried,
        "values": len(one.goal.values),
        "at": one.at,
        "findings": [_bad(bad) for bad in one.beside],
        "remaining": [_bad(bad) | {"target": bad.rule in one.aims} for bad in one.left],
    }


def _bad(one: Finding) -> dict[str, Any]:
    return {"rule": one.rule, "severity": one.severity, "subject": one.subject, "message": one.message}
