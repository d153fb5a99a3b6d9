"""The matrix of principles by itself: what decides each, or how a design stands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgspec import to_builtins

from designlint.compiler import principles
from designlint.language.citations import LABELS
from designlint.report import statuses
from designlint.report.dossier import Status
from designlint.report.profile import load
from designlint.reporters.shared import tables
from designlint.reporters.shared.terminal import PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from designlint.compiler.principles import PrincipleRow
    from designlint.design.design import Design
    from designlint.findings.report import Report
    from designlint.report.dossier import DossierJudged
    from designlint.reporters.shared.terminal import Paint

#: Rules of a principle that a line of text names.
MOST = 3
COLORS = {
    Status.VIOLATED: "error",
    Status.UNKNOWN: "warning",
    Status.PARTLY: "warning",
    Status.WAIVED: "info",
    Status.ATTESTED: "good",
    Status.PROVEN: "good",
    Status.NOT_APPLICABLE: "dim",
    Status.TAILORED: "dim",
}


def of(design: Design, report: Report, profile: str) -> list[DossierJudged]:
    """Every principle of a profile as a design stands, the worst first. Raises UsageError, AuthoringError."""
    known = principles.shipped_principles()
    rows = principles.coverage(design.engine.rules)
    found = statuses.judge_principles(rows, design, report, load(profile, known))
    return sorted(found, key=lambda one: list(Status).index(one.status))


def render(judged: Sequence[DossierJudged], format: str, paint: Paint = PLAIN) -> str:
    """How a design stands, as `text`, with its statuses painted, `json` or `markdown`."""
    if format == "json":
        return _json(map(to_builtins, judged))
    counts = ", ".join(f"{number} {status}" for status, number in statuses.count_statuses(judged) if number)
    summary = f"{len(judged)} principles: {counts}"
    if format == "markdown":
        rows = [(f"`{one.id}`", _cell(one.statement), one.status, _judges(one)) for one in judged]
        return _markdown(summary, ("Principle", "Statement", "Status", "Decided by"), rows)
    lines = tables.align_rows([(one.status, one.id, _judges(one, MOST)) for one in judged])
    lines = [
        paint(COLORS[one.status], one.status) + line[len(one.status) :] for one, line in zip(judged, lines, strict=True)
    ]
    return "\n".join([*lines, "", summary])


def of_rules(rows: Sequence[PrincipleRow], format: str) -> str:
    """Which rules or whose evidence decide each principle, as `text`, `json` or `markdown`."""
    if format == "json":
        return _json(to_builtins(row.principle) | {"rules": row.rules, "mapped": row.mapped} for row in rows)
    if format == "markdown":
        cells = [
            (f"`{row.principle.id}`", _cell(row.principle.statement), row.principle.source, _deciders(row, code=True))
            for row in rows
        ]
        return _markdown(_summary(rows), ("Principle", "Statement", "Source", "Decided by"), cells)
    lines = tables.align_rows([(row.principle.id, _deciders(row)) for row in rows])
    return "\n".join([*lines, "", *_sources(rows), "", _summary(rows)])


def _json(rows: Iterable[object]) -> str:
    return json.dumps([*rows], indent=2, ensure_ascii=False)


def _markdown(summary: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join([f"{summary}.", "", *tables.markdown(head, rows)])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _judges(one: DossierJudged, most: int | None = None) -> str:
    """The rules that decide a principle of a design, those that say most first, else whose word does."""
    rules = sorted(one.rules, key=lambda rule: list(Status).index(rule.status))
    told = [rule.rule if rule.status is one.status else f"{rule.rule} ({rule.status})" for rule in rules]
    told = told[:most] + [f"{len(told) - len(told[:most])} more"] * (len(told) > len(told[:most]))
    return ", ".join([*told, *(["evidence"] if one.judged_by == "evidence" or one.evidence else [])]) or "nothing yet"


def _deciders(row: PrincipleRow, *, code: bool = False) -> str:
    """The rules that cite a principle, or whose word decides it."""
    rules = [f"`{name}`" for name in row.rules] if code else row.rules
    return ", ".join([*rules, *(["evidence"] if row.judged_by == "evidence" else [])]) or "nothing yet"


def _summary(rows: Sequence[PrincipleRow]) -> str:
    ruled = [row for row in rows if row.judged_by == "rule"]
    cited, others = sum(row.mapped for row in ruled), len(rows) - len(ruled)
    return f"{len(rows)} principles: {len(ruled)} checked by rules ({cited} have one so far), {others} by evidence"


def _sources(rows: Sequence[PrincipleRow]) -> Iterator[str]:
    """The documents of the principles, by how their content is known."""
    for confidence, label in LABELS.items():
        documents = dict.fromkeys(row.principle.document for row in rows if row.principle.confidence == confidence)
        if documents:
            yield f"Sources ({label}): {', '.join(documents)}"
