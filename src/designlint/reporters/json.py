"""The report for machines; its shape is `ontology/generated/report.schema.json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from designlint.model import Finding, Fix, Location, Outcome, Quantity, Report, Severity, Verdict
from designlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.reporters import Manner


def render(report: Report, manner: Manner) -> str:
    """The report as one JSON object."""
    return json.dumps(as_data(report), indent=2, ensure_ascii=False)


def as_data(report: Report) -> dict[str, Any]:
    """The report as plain data."""
    data: dict[str, Any] = {"designlint": __version__}
    if report.error:
        data["error"] = report.error
    return (
        data
        | {
            "summary": _summary(report),
            "findings": [_finding(one) for one in report.findings],
            "not_judged": [_not_judged(one) for one in report.outcomes if one.verdict is Verdict.UNKNOWN],
            "avoid": [one._asdict() for one in report.avoid],
            "files": list(report.files),
        }
        | ({"margins": list(map(_judged, margins))} if (margins := report.margins()) else {})
    )


def _summary(report: Report) -> dict[str, Any]:
    return {
        "files": len(report.files),
        **{f"{severity}s" if severity != "info" else "infos": report.count(severity) for severity in Severity},
        "judgements": {verdict.replace(" ", "_"): report.total(verdict) for verdict in Verdict},
        "unlocking": [{"file": file, "fact": fact, "rules": rules} for file, fact, rules in report.unlocking()],
    }


def _finding(one: Finding) -> dict[str, Any]:
    measured = {} if one.margin is None else {"margin": one.margin._asdict()}
    return measured | {
        "rule": one.rule,
        "severity": one.severity,
        "message": one.message,
        "location": _location(one.location),
        "subject": one.subject,
        "values": _quantities(one.values),
        "limits": _quantities(one.limits),
        "principles": list(one.principles),
        "remedy": one.remedy,
        "fixes": [_fix(fix) for fix in one.fixes],
    }


def _location(one: Location) -> dict[str, Any]:
    return {
        "file": one.file,
        "line": one.line,
        "column": one.column,
        "end_line": one.end_line,
        "end_column": one.end_column,
    }


def _quantities(values: Mapping[str, Quantity]) -> dict[str, Any]:
    return {name: _quantity(one) for name, one in values.items()}


def _quantity(one: Quantity) -> dict[str, Any]:
    data: dict[str, Any] = {"value": one.value, "unit": one.unit, "text": one.text, "origin": one.origin}
    return data if one.location is None else data | {"location": _location(one.location)}


def _fix(one: Fix) -> dict[str, Any]:
    changes = [{"path": change.path, "value": change.value} for change in one.changes]
    return {"title": one.title, "safety": one.safety, "because": one.because, "proven": one.proven, "changes": changes}


def _not_judged(one: Outcome) -> dict[str, Any]:
    return {"rule": one.rule, "file": one.file, "subject": one.subject, "missing": list(one.missing)}


def _judged(one: Outcome) -> dict[str, Any]:
    data: dict[str, Any] = {"rule": one.rule, "file": one.file, "subject": one.subject, "verdict": one.verdict}
    data |= {} if one.margin is None else {"margin": one.margin._asdict()}
    return data | ({} if one.location is None else {"location": _location(one.location)})
