"""The report as a table for spreadsheets: RFC 4180, one row per finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.reporters.shared.notices import notices
from designlint.reporters.shared.spreadsheet import comma_separated

if TYPE_CHECKING:
    from designlint.findings.model import Finding
    from designlint.findings.report import Report
    from designlint.reporters.shared.notices import Notice
    from designlint.reporters.shared.options import RenderOptions

COLUMNS = (
    "file", "line", "column", "end_line", "end_column", "severity", "rule", "subject", "message", "remedy", "principles",
    "fix", "safety", "accepted", "reason", "owner", "until",
)  # fmt: skip


def render(report: Report, options: RenderOptions) -> str:
    """A row of names, then the findings; accepted ones below where they are asked for."""
    found = (*report.findings, *(report.accepted if options.accepted else ()))
    return comma_separated([COLUMNS, *map(_row, found), *map(_notice_row, notices(report))])


def _notice_row(one: Notice) -> list[str | int]:
    """A row for what is to be known beside the findings: of no severity and no rule."""
    place: list[str | int] = [one.line, "", "", ""] if one.line else ["", "", "", ""]
    return [one.file, *place, "note", "", "", one.text, *[""] * (len(COLUMNS) - 9)]


def _row(one: Finding) -> list[str | int]:
    fix, accepted = next(iter(one.fixes), None), one.accepted
    texts = (
        one.severity, one.rule, one.subject, one.message, one.remedy, " ".join(one.principles),
        *((fix.title, fix.safety) if fix else ("", "")),
        *((accepted.how, accepted.reason, accepted.owner, accepted.until) if accepted else ("",) * 4),
    )  # fmt: skip
    return [one.location.file, *one.location[1:], *texts]
