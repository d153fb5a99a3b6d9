"""Principle by principle, how a design stands: the matrix of a report, by itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgspec import to_builtins

from designlint.compiler import principles
from designlint.report import statuses
from designlint.report.dossier import Status
from designlint.report.profile import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.design.design import Design
    from designlint.findings.report import Report
    from designlint.report.dossier import DossierJudged

#: Rules of a principle that a line of text names.
MOST = 3


def of(design: Design, report: Report, profile: str) -> list[DossierJudged]:
    """Every principle of a profile as a design stands, the worst first. Raises UsageError, AuthoringError."""
    known = principles.shipped()
    rows = principles.coverage(design.engine.rules)
    found = statuses.judged(rows, design, report, load(profile, known))
    return sorted(found, key=lambda one: list(Status).index(one.status))


def render(judged: Sequence[DossierJudged], format: str) -> str:
    """The matrix as `text`, `json` or `markdown`."""
    if format == "json":
        return json.dumps([to_builtins(one) for one in judged], indent=2, ensure_ascii=False)
    counts = ", ".join(f"{number} {status}" for status, number in statuses.counted(judged) if number)
    summary = f"{len(judged)} principles: {counts}"
    if format == "markdown":
        head = [f"{summary}.", "", "| Principle | Statement | Status | Decided by |", "| --- | --- | --- | --- |"]
        return "\n".join([*head, *(_row(one) for one in judged)])
    wide, long = (max((len(text) for text in texts), default=0) for texts in zip(*map(_ends, judged), strict=True))
    lines = [f"{one.status:{long}}  {one.id:{wide}}  {_deciders(one, MOST)}" for one in judged]
    return "\n".join([*lines, "", summary])


def _ends(one: DossierJudged) -> tuple[str, str]:
    return one.id, one.status


def _deciders(one: DossierJudged, most: int | None = None) -> str:
    """The rules that decide a principle, those that say most first, else whose word does."""
    rules = sorted(one.rules, key=lambda rule: list(Status).index(rule.status))
    told = [rule.rule if rule.status is one.status else f"{rule.rule} ({rule.status})" for rule in rules]
    told = told[:most] + [f"{len(told) - len(told[:most])} more"] * (len(told) > len(told[:most]))
    return ", ".join([*told, *(["evidence"] if one.judged_by == "evidence" or one.evidence else [])]) or "nothing yet"


def _row(one: DossierJudged) -> str:
    statement = one.statement.replace("|", "\\|")
    return f"| `{one.id}` | {statement} | {one.status} | {_deciders(one)} |"
