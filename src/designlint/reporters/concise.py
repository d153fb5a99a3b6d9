"""The report as one line per finding, for editors, pagers and `grep`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.reporters.shared.notices import shortly
from designlint.reporters.shared.terminal import painter, printable
from designlint.reporters.text import count_findings

if TYPE_CHECKING:
    from designlint.findings.model import Finding
    from designlint.findings.report import Report
    from designlint.reporters.shared.options import RenderOptions
    from designlint.reporters.shared.terminal import Paint


def render(report: Report, options: RenderOptions) -> str:
    """`file:line:column: severity[rule] message` for each finding, then what was counted."""
    paint = painter(color=options.color)
    accepted = report.accepted if options.accepted else ()
    found = [_line(one, paint) for one in (*report.findings, *accepted)]
    return "\n".join([*found, count_findings(report, paint), *(f"note: {printable(one)}" for one in shortly(report))])


def _line(one: Finding, paint: Paint) -> str:
    at = one.location
    where = paint("bold", f"{printable(at.file)}:{at.line}:{at.column}:")
    how = "" if one.accepted is None else f" ({one.accepted.how})"
    return f"{where} {paint(one.severity, f'{one.severity}[{one.rule}]')}{how} {printable(one.message)}"
