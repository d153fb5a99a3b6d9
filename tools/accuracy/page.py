"""The page: sections of tables, each line with its error, the bound it must keep, and the note that explains a miss."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tools.accuracy import faults, step_times, swaps
from tools.accuracy.points import EXACT, every_row, sections

if TYPE_CHECKING:
    from tools.accuracy.points import Row, Section, Table

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "accuracy.md"
HEAD = """\
# Accuracy

What designlint computes, beside what was measured or published. `make accuracy` writes this page, `tests/test_accuracy.py`
holds it to what the code computes now, and each error to its bound. Every prediction is a fact of a small design
(`tools/accuracy/points/`, or a row of `tests/corpus/`), read through `designlint.linting.pipeline`: nothing is computed twice.

*Error* is predicted over published, less 1. Inside a published range it is 0. *Bound* is the most that the error may be
before the tests fail; `floor` marks lower bounds, which may fall short but never go beyond. Letters lead to the explanation
of a miss. A miss of more than 1 % without an explanation fails the tests, too. Sources such as `llama3-2024` are keys of
`ontology/sources.ttl`.

Exact rows test formulas and counts. Where the truth depends on how a run went (GPU hours, failures, energy), the misses are those
of the stated inputs, and large.
"""
SHARE = "{} numbers compared: {} within 1 %, {} within 5 %, {} within 10 %. {} verdicts: {} agree, {} differ, {} are left open."


def text() -> str:
    """The whole page."""
    parts = [part(one) for one in sections()]
    single = [one.read_text("utf-8") for one in (faults.SECTION, swaps.SECTION) if one.is_file()]
    return "\n".join([HEAD, summary() + "\n", *parts, step_times.section(), *single]).rstrip("\n") + "\n"


def summary() -> str:
    """How good it is, in a sentence; lower bounds are not counted, they are meant to fall short."""
    rows = list(every_row(*sections()))
    errors = [abs(row.error) for row in rows if row.error is not None and not row.floor]
    verdicts = [row.agrees for row in rows if row.error is None]
    within = [sum(error <= most for error in errors) for most in (0.01, 0.05, 0.1)]
    return SHARE.format(len(errors), *within, len(verdicts), *map(verdicts.count, (True, False, None)))


def part(section: Section) -> str:
    """One section: its tables, then its notes."""
    notes = [f"- ({key}) {note.strip()}" for key, note in section.notes.items()]
    lines = [f"## {section.title}", "", section.about.strip(), ""]
    for table in section.tables:
        lines += [
            *([f"### {table.title}", ""] if table.title else []),
            *([table.about.strip(), ""] if table.about else []),
        ]
        lines += [*lines_of(table), ""]
    return "\n".join([*lines, *notes, *([""] if notes else [])])


def lines_of(table: Table) -> list[str]:
    """A table in Markdown; verdicts have no bound."""
    if all(row.error is None for row in table.rows):
        head = ["| what | designlint | published | | source |", "| --- | --- | --- | --- | --- |"]
        return head + [
            f"| {row.what} | {row.predicted} | {row.published} | {is_correct(row)} | {row.source} |"
            for row in table.rows
        ]
    head = ["| what | predicted | published | error | bound | source |", "| --- | --- | --- | --- | --- | --- |"]
    return head + [
        f"| {row.what} | {row.predicted} | {row.published} | {format_error(row)} | {error_bound(row)} | {row.source} |"
        for row in table.rows
    ]


def is_correct(row: Row) -> str:
    """Whether a verdict is what happened; unknown is not pass."""
    return {True: "agrees", False: "differs", None: "open"}[row.agrees] + note_letter(row)


def format_error(row: Row) -> str:
    """The error, to a tenth of a percent; `exact` where no digit differs."""
    if row.error is None or abs(row.error) <= EXACT:
        return ("inside" if " to " in row.published else "exact") + note_letter(row)
    small = abs(row.error) < 0.0005
    return (f"{row.error:+.0e}" if small else f"{100 * row.error:+.1f} %") + note_letter(row)


def error_bound(row: Row) -> str:
    """The most that the error may be."""
    return "floor" if row.floor else f"{100 * row.bound:g} %"


def note_letter(row: Row) -> str:
    """The letter of the note."""
    return f" ({row.why})" if row.why else ""
