"""The report as GitLab's Code Quality artifact, which merge requests show beside the changed lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.findings.model import Finding, Severity
from designlint.reporters.shared.fingerprints import fingerprints, number_keys
from designlint.reporters.shared.indented import indent_json
from designlint.reporters.shared.notices import notices
from designlint.reporters.shared.places import path
from designlint.reporters.shared.terminal import printable, shorten

if TYPE_CHECKING:
    from designlint.findings.report import Report
    from designlint.reporters.shared.notices import Notice
    from designlint.reporters.shared.options import RenderOptions

SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "minor"}
LONGEST = 4000


def render(report: Report, options: RenderOptions) -> str:
    """A list of findings; the format knows none that are accepted: these are notes."""
    issues = [_issue(*one) for one in fingerprints(report.findings)]
    first = next(iter(report.files), "")
    noted = [(one, one.file or first) for one in notices(report) if one.file or first]
    marks = number_keys((path(file), one.text) for one, file in noted)
    issues += [_notice_issue(one, file, mark) for (one, file), mark in zip(noted, marks, strict=True)]
    return indent_json(issues)


def _notice_issue(one: Notice, file: str, mark: str) -> dict[str, Any]:
    """What is to be known beside the findings, on its line or at the first one of the first design."""
    line = one.line or 1
    return {
        "description": shorten(printable(one.text), LONGEST),
        "check_name": "designlint/note",
        "fingerprint": mark,
        "severity": "info",
        "location": {"path": path(file), "lines": {"begin": line, "end": line}},
    }


def _issue(one: Finding, mark: str) -> dict[str, Any]:
    return {
        "description": shorten(printable(f"{one.message}. {one.remedy}" if one.remedy else one.message), LONGEST),
        "check_name": one.rule,
        "fingerprint": mark,
        "severity": SEVERITIES[one.severity],
        "location": {
            "path": path(one.location.file),
            "lines": {"begin": one.location.line, "end": one.location.end_line},
        },
    }
