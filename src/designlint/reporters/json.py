"""The report for machines; its shape is `ontology/generated/report.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from designlint.findings.model import Acceptance, Finding, Fix, Outcome, Quantity, Severity, Verdict
from designlint.reporters.shared.indented import indent_json
from designlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.findings.notices import Fixed
    from designlint.findings.report import Report
    from designlint.reading.location import Location
    from designlint.reporters.shared.options import RenderOptions


def render(report: Report, options: RenderOptions) -> str:
    """The report as one JSON object."""
    return indent_json(as_data(report))


def as_data(report: Report) -> dict[str, Any]:
    """The report as plain data."""
    return {
        "designlint": __version__,
        **_known_values(error=report.error),
        "summary": _summary(report),
        "findings": [_finding(one) for one in report.findings],
        "accepted": [_finding(one) for one in report.accepted],
        "not_judged": [_not_judged(one) for one in report.outcomes if one.verdict is Verdict.UNKNOWN],
        "settings": [asdict(one) for one in report.settings],
        **_known_values(unjudged=[asdict(one) for one in report.unjudged]),
        "avoid": [asdict(one) for one in report.avoid],
        "files": list(report.files),
        **_known_values(
            margins=[_verdict_data(one) for one in report.margins()], fixed=[_fix_data(one) for one in report.fixed]
        ),
    }


def _known_values(**values: Any) -> dict[str, Any]:
    """Those of the values that say something."""
    return {name: value for name, value in values.items() if value}


def _summary(report: Report) -> dict[str, Any]:
    return {
        "files": len(report.files),
        **{f"{severity}s": report.count(severity) for severity in Severity},
        "accepted": len(report.accepted),
        "rules_left_out": report.left_out(),
        **_known_values(fixes_not_tried=report.untried),
        "judgements": {verdict.replace(" ", "_"): report.total(verdict) for verdict in Verdict},
        "unlocking": [{"file": file, "fact": fact, "rules": rules} for file, fact, rules in report.unlocking()],
    }


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "severity": one.severity,
        "message": one.message,
        "location": _location(one.location),
        "subject": one.subject,
        **_known_values(constraint=one.constraint, design=one.design if one.design != one.location.file else ""),
        "values": _quantities(one.values),
        "limits": _quantities(one.limits),
        "principles": list(one.principles),
        "remedy": one.remedy,
        "fixes": [_fix(fix) for fix in one.fixes],
        **_known_values(margin=one.margin and asdict(one.margin), accepted=one.accepted and _acceptance(one.accepted)),
        **_known_values(caused_by=one.caused_by and dict(zip(("rule", "subject"), one.caused_by, strict=True))),
    }


def _acceptance(one: Acceptance) -> dict[str, Any]:
    return _known_values(**asdict(one) | {"location": one.location and _location(one.location)})


def _location(one: Location) -> dict[str, Any]:
    return one._asdict()


def _quantities(values: Mapping[str, Quantity]) -> dict[str, Any]:
    return {name: _quantity(one) for name, one in values.items()}


def _quantity(one: Quantity) -> dict[str, Any]:
    data: dict[str, Any] = {"value": one.value, "unit": one.unit, "text": one.text, "origin": one.origin}
    known = _known_values(confidence=one.confidence, certainty=one.certainty, error=one.error)
    return data | _known_values(location=one.location and _location(one.location)) | known


def _fix(one: Fix) -> dict[str, Any]:
    return {
        "title": one.title,
        "safety": one.safety,
        "because": one.because,
        "proven": one.proven,
        "changes": [change._asdict() for change in one.changes],
        **({"resolves": one.resolves, "causes": one.causes} if one.proven else {}),
        **_known_values(reveals=one.reveals or None),
        **_known_values(replacements=[{"location": _location(at), "text": text} for at, text in one.replacements]),
    }


def _fix_data(one: Fixed) -> dict[str, Any]:
    return asdict(one) | {"changes": [change._asdict() for change in one.changes]}


def _not_judged(one: Outcome) -> dict[str, Any]:
    return {"rule": one.rule, "file": one.file, "subject": one.subject, "missing": list(one.missing)}


def _verdict_data(one: Outcome) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "file": one.file,
        "subject": one.subject,
        "verdict": one.verdict,
        **_known_values(margin=one.margin and asdict(one.margin), location=one.location and _location(one.location)),
    }
