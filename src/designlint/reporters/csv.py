"""The report as a table for spreadsheets: RFC 4180, a row for each finding."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from designlint.reporters.text import printable

if TYPE_CHECKING:
    from designlint.model import Finding, Report
    from designlint.reporters import Manner

COLUMNS = (
    "file", "line", "column", "end_line", "end_column", "severity", "rule", "subject", "message", "remedy", "principles",
    "fix", "safety", "accepted", "reason", "owner", "until",
)  # fmt: skip
#: What makes a spreadsheet take a cell for a formula, as typed and in full width.
FORMULAS = tuple("=+-@＝＋－＠")


def render(report: Report, manner: Manner) -> str:
    """A row of names, then the findings; accepted ones below where they are asked for."""
    table = io.StringIO(newline="")
    rows = csv.writer(table)
    rows.writerow(COLUMNS)
    rows.writerows(_row(one) for one in (*report.findings, *(report.accepted if manner.accepted else ())))
    return table.getvalue()


def _row(one: Finding) -> list[str | int]:
    fix, accepted = next(iter(one.fixes), None), one.accepted
    texts = (
        one.severity, one.rule, one.subject, one.message, one.remedy, " ".join(one.principles),
        *((fix.title, fix.safety) if fix else ("", "")),
        *((accepted.how, accepted.reason, accepted.owner, accepted.until) if accepted else ("",) * 4),
    )  # fmt: skip
    return [_cell(one.location.file), *one.location[1:], *map(_cell, texts)]


def _cell(text: str) -> str:
    told = printable(text)
    return f"'{told}" if told.startswith(FORMULAS) else told
