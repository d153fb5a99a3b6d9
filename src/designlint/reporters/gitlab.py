"""The report as GitLab's Code Quality artifact, which merge requests show beside the changed lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from designlint.model import Finding, Report, Severity
from designlint.reporters.shared.fingerprints import fingerprints
from designlint.reporters.shared.places import path
from designlint.reporters.text import printable, shortened

if TYPE_CHECKING:
    from designlint.reporters import Manner

SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "minor"}
LONGEST = 4000


def render(report: Report, manner: Manner) -> str:
    """A list of findings; the format knows none that are accepted, so these are left out."""
    return json.dumps([_issue(*one) for one in fingerprints(report.findings)], indent=2, ensure_ascii=False)


def _issue(one: Finding, mark: str) -> dict[str, Any]:
    return {
        "description": shortened(printable(f"{one.message}. {one.remedy}" if one.remedy else one.message), LONGEST),
        "check_name": one.rule,
        "fingerprint": mark,
        "severity": SEVERITIES[one.severity],
        "location": {
            "path": path(one.location.file),
            "lines": {"begin": one.location.line, "end": one.location.end_line},
        },
    }
