"""The report in the fewest words that let a program act: what is wrong, and the exact edits that mend it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from designlint.findings.model import Severity, Verdict
from designlint.language.sentences import many
from designlint.reporters.shared.notices import shortly
from designlint.reporters.shared.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.findings.model import Finding, Fix
    from designlint.findings.report import Report
    from designlint.reporters.shared.options import RenderOptions

#: Facts that are asked for at the end.
MOST_NEXT = 5


def render(report: Report, options: RenderOptions) -> str:
    """
    A line a finding, under it its fix, at the end what is unknown.

    A fix is what it sets, then the edits of the text: `line:column-line:column "text"`, where the text takes the place of
    the stretch, its end exclusive. All edits of a fix belong together.
    """
    shown = sorted((one for one in report.findings if options.shows(one.severity)), key=lambda one: one.severity.rank)
    lines = [line for one in shown for line in _finding(one)]
    return "\n".join([*lines, *(f"note: {printable(one)}" for one in shortly(report)), *_count_lines(report)])


def _finding(one: Finding) -> Iterator[str]:
    at = one.location
    yield printable(f"{at.file}:{at.line}:{at.column} {one.severity} {one.rule}: {one.message}")
    fix = next((fix for fix in one.fixes if fix.proven), None)
    yield printable(f"  do: {one.remedy}" if fix is None else f"  fix ({fix.safety}): {_describe_edits(fix, at.file)}")


def _describe_edits(fix: Fix, file: str) -> str:
    """What a fix sets, and the stretches of text that it replaces."""
    sets = ", ".join(f"{path} = {value}" if value is not None else f"without {path}" for path, value in fix.changes)
    edits = (
        f"{'' if at.file == file else f'{at.file}:'}{at.line}:{at.column}-{at.end_line}:{at.end_column} "
        f"{json.dumps(text, ensure_ascii=False)}"
        for at, text in fix.replacements
    )
    return " | ".join([sets, *edits])


def _count_lines(report: Report) -> Iterator[str]:
    names = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
    counts = [many(report.count(one), name) for one, name in names.items()]
    yield f"{', '.join(counts)}, {report.total(Verdict.UNKNOWN)} unknown"
    missing = ", ".join(fact for _, fact, _ in report.unlocking(MOST_NEXT))
    if missing:
        yield printable(f"state next: {missing}")
