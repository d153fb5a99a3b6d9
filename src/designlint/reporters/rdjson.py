"""The report in reviewdog's diagnostic format, which it posts beside changed lines, one-click suggestions included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.findings.model import Severity
from designlint.language.vocabulary import HOME, RULE
from designlint.reporters.shared.indented import indent_json
from designlint.reporters.shared.notices import notices
from designlint.reporters.shared.places import path
from designlint.reporters.shared.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.findings.model import Finding
    from designlint.findings.report import Report
    from designlint.reading.location import Location
    from designlint.reporters.shared.options import RenderOptions

SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO"}


def render(report: Report, options: RenderOptions) -> str:
    """The findings; the format knows none that are accepted: these are notes on the first line of a design."""
    told = [_diagnostic(one, report) for one in report.findings]
    first = next(iter(report.files), "")
    for note in notices(report):
        if at := note.file or first:
            place = {"path": path(at), "range": {"start": {"line": note.line or 1}}}
            told.append({"message": printable(note.text), "location": place, "severity": "INFO"})
    return indent_json({"source": {"name": "designlint", "url": HOME}, "diagnostics": told})


def _diagnostic(one: Finding, report: Report) -> dict[str, Any]:
    told: dict[str, Any] = {
        "message": printable(f"{one.message}. {one.remedy}" if one.remedy else one.message),
        "location": {"path": path(one.location.file), "range": _range(one.location, report)},
        "severity": SEVERITIES[one.severity],
        "code": {"value": one.rule, "url": RULE + one.rule},
    }
    suggestions = list(_suggestions(one, report))
    return {**told, "suggestions": suggestions} if suggestions else told


def _suggestions(one: Finding, report: Report) -> Iterator[dict[str, Any]]:
    """
    Proven fixes of one stretch of the finding's file; reviewdog takes each stretch for a fix of its own.

    None whose text a reviewer could not see whole.
    """
    for fix in one.fixes:
        if fix.proven and fix.safety != "display" and len(fix.replacements) == 1:
            (change,) = fix.replacements
            visible = all(printable(line) == line for line in change.text.splitlines())
            if visible and change.location.file == one.location.file:
                yield {"range": _range(change.location, report), "text": change.text}


def _range(at: Location, report: Report) -> dict[str, Any]:
    start, end = (at.line, at.column), (at.end_line, at.end_column)
    return {"start": _position(at.file, *start, report), "end": _position(at.file, *end, report)}


def _position(file: str, line: int, column: int, report: Report) -> dict[str, int]:
    """A place; columns count bytes of UTF-8."""
    before = report.line(file, line)[: column - 1]
    return {"line": line, "column": column - len(before) + len(before.encode(errors="replace"))}
