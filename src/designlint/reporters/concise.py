"""The report as one line per finding, for editors, pagers and `grep`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.reporters.text import counted, painter, printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.model import Finding, Report
    from designlint.reporters import Manner


def render(report: Report, manner: Manner) -> str:
    """`file:line:column: severity[rule] message` for each finding, then what was counted."""
    paint = painter(color=manner.color)
    accepted = report.accepted if manner.accepted else ()
    return "\n".join([*(_line(one, paint) for one in (*report.findings, *accepted)), counted(report, paint)])


def _line(one: Finding, paint: Callable[[str, str], str]) -> str:
    at = one.location
    where = paint("bold", f"{printable(at.file)}:{at.line}:{at.column}:")
    how = "" if one.accepted is None else f" ({one.accepted.how})"
    return f"{where} {paint(one.severity, f'{one.severity}[{one.rule}]')}{how} {printable(one.message)}"
