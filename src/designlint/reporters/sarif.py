"""The report as SARIF 2.1.0, for GitHub code scanning and other services and viewers of static analysis."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from designlint.findings.model import Finding, Fix, Severity, Verdict
from designlint.findings.notices import Standard
from designlint.language.vocabulary import HOME, RULE
from designlint.reporters.shared import places
from designlint.reporters.shared.fingerprints import fingerprints
from designlint.reporters.shared.indented import indent_json
from designlint.reporters.shared.notices import notices
from designlint.reporters.shared.terminal import printable, shorten
from designlint.reporters.text import reason
from designlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.findings.report import Report
    from designlint.reading.location import Location
    from designlint.reporters.shared.notices import Notice
    from designlint.reporters.shared.options import RenderOptions

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
#: What GitHub sorts alerts by, in its own words.
PROBLEMS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}
KINDS = {"waiver": "inSource", "baseline": "external", "revision": "external"}
#: What GitHub takes at most: letters of a description, tags of a rule, related locations that are worth a link.
LONGEST, MOST_TAGS, MOST_RELATED = 1024, 20, 100
BASE = "%SRCROOT%"
#: What a viewer would put an argument in place of.
ARGUMENT = re.compile(r"\{(\d+)\}")


def render(report: Report, options: RenderOptions) -> str:
    """One run, with the rules that found something. Accepted findings are left out but where they are asked for."""
    return indent_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report, options)]})


def _run(report: Report, options: RenderOptions) -> dict[str, Any]:
    found = [*report.findings, *(report.accepted if options.accepted else ())]
    fired = {name: number for number, name in enumerate(sorted({one.rule for one in found}))}
    results = [_result(one, fired[one.rule], mark) for one, mark in fingerprints(found)]
    if options.accepted:  # all results say whether they are suppressed, or none does
        for result, one in zip(results, found, strict=True):
            result["suppressions"] = list(_suppressions(one))
    return {
        "tool": {
            "driver": {
                "name": "designlint",
                "version": __version__,
                "semanticVersion": __version__,
                "informationUri": HOME,
                "rules": [_rule(name, report.standards.get(name) or _untold(name)) for name in fired],
            }
        },
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\r", "\n"],
        "originalUriBaseIds": {BASE: {"description": {"text": "The folder of the repository."}}},
        "artifacts": [{"location": _artifact(file), "roles": ["analysisTarget"]} for file in report.files],
        "invocations": [{"executionSuccessful": True, **_notifications(report)}],
        "results": results,
        "properties": {"judgements": {verdict.replace(" ", "_"): report.total(verdict) for verdict in Verdict}},
    }


def _notifications(report: Report) -> dict[str, Any]:
    """What is to be known beside the results, as SARIF tells how a tool was configured."""
    told = [
        {
            "level": "note",
            "message": {"text": _plain(shorten(one.text, LONGEST))},
            **({"locations": [{"physicalLocation": _noted_at(one)}]} if one.file else {}),
        }
        for one in notices(report)
    ]
    return {"toolConfigurationNotifications": told} if told else {}


def _noted_at(one: Notice) -> dict[str, Any]:
    region = {"region": {"startLine": one.line}} if one.line else {}
    return {"artifactLocation": _artifact(one.file), **region}


def _untold(name: str) -> Standard:
    """A rule of which only the id is known; GitHub takes none without descriptions."""
    return Standard(name, Severity.ERROR, name, name, (), ())


def _rule(name: str, standard: Standard) -> dict[str, Any]:
    topic, _, fault = name.partition("/")
    tags = [topic, *standard.principles][:MOST_TAGS]
    return {
        "id": name,
        "name": "".join(word.capitalize() for word in fault.split("-")),
        "shortDescription": {"text": shorten(standard.title, LONGEST)},
        "fullDescription": {"text": shorten(standard.problem, LONGEST)},
        "help": {
            "text": "\n\n".join(f"{heading}: {text}" for heading, text in _help(standard)).replace("*", ""),
            "markdown": "\n\n".join(f"**{heading}.** {text}" for heading, text in _help(standard)),
        },
        "helpUri": RULE + name,
        "defaultConfiguration": {"level": LEVELS[standard.severity]},
        "properties": {
            "tags": tags,
            "precision": "high",
            "problem.severity": PROBLEMS[standard.severity],
            "principles": list(standard.principles),
            "sources": list(standard.sources),
        },
    }


def _help(standard: Standard) -> Iterator[tuple[str, str]]:
    yield "Why", standard.problem
    yield "What to do", standard.remedy
    if standard.principles:
        yield "Principles", ", ".join(standard.principles)
    if standard.citations:
        yield "Sources", "; ".join(standard.citations)


def _result(one: Finding, rule: int, mark: str) -> dict[str, Any]:
    related = list(_related_locations(one))
    place: dict[str, Any] = {"physicalLocation": _physical(one.location)}
    if one.subject:
        place["logicalLocations"] = [{"fullyQualifiedName": one.subject}]
    result: dict[str, Any] = {
        "ruleId": one.rule,
        "ruleIndex": rule,
        "level": LEVELS[one.severity],
        "message": {"text": "\n".join(_message(one, related))},
        "locations": [place],
        # The second is the only one that GitHub knows an alert by.
        "partialFingerprints": {"designlint/v1": mark, "primaryLocationLineHash": f"{mark[:16]}:1"},
    }
    fixes = [_fix(fix) for fix in one.fixes if fix.replacements and fix.safety != "display"]
    if related:
        result["relatedLocations"] = related
    if fixes:
        result["fixes"] = fixes
    return result | {"properties": dict(_evidence(one))}


def _message(one: Finding, related: list[dict[str, Any]]) -> Iterator[str]:
    """What is wrong, what to do, and links to the values that it was compared with."""
    yield _plain(one.message)
    if one.remedy:
        yield _plain(one.remedy)
    if related:
        yield "See " + ", ".join(f"[{_label(place['message']['text'])}]({place['id']})" for place in related) + "."


def _plain(text: str) -> str:
    """Text in which nothing reads as a link or as a place for an argument."""
    return ARGUMENT.sub(r"{{\1}}", printable(text).replace("](", "] ("))


def _label(text: str) -> str:
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _related_locations(one: Finding) -> Iterator[dict[str, Any]]:
    others = {
        value.location: f"{name} = {value.text}" for name, value in one.values.items() if value.location is not None
    }
    others.pop(one.location, None)
    for number, (at, text) in enumerate(list(others.items())[:MOST_RELATED], 1):
        yield {"id": number, "physicalLocation": _physical(at), "message": {"text": _plain(shorten(text, 200))}}


def _evidence(one: Finding) -> Iterator[tuple[str, Any]]:
    yield "remedy", one.remedy
    for name, quantities in (("values", one.values), ("limits", one.limits)):
        if quantities:
            yield name, {key: value.text for key, value in quantities.items()}
    if one.margin is not None:
        yield "margin", asdict(one.margin)


def _suppressions(one: Finding) -> Iterator[dict[str, Any]]:
    if one.accepted is None:
        return
    told: dict[str, Any] = {
        "kind": KINDS[one.accepted.how],
        "justification": printable(reason(one.accepted)),
    }
    if one.accepted.location is not None:
        told["location"] = {"physicalLocation": _physical(one.accepted.location)}
    yield told


def _fix(fix: Fix) -> dict[str, Any]:
    by_file: dict[str, list[dict[str, Any]]] = {}
    for one in fix.replacements:
        change = {"deletedRegion": _region(one.location), "insertedContent": {"text": one.text}}
        by_file.setdefault(one.location.file, []).append(change)
    return {
        "description": {"text": f"{_plain(fix.title)} ({fix.safety}{', proven' if fix.proven else ''})"},
        "artifactChanges": [
            {"artifactLocation": _artifact(file), "replacements": told} for file, told in by_file.items()
        ],
        "properties": {"safety": fix.safety, "proven": fix.proven},
    }


def _physical(at: Location) -> dict[str, Any]:
    return {"artifactLocation": _artifact(at.file), "region": _region(at)}


def _artifact(file: str) -> dict[str, Any]:
    uri = places.uri(file)
    return {"uri": uri} if ":" in uri else {"uri": uri, "uriBaseId": BASE}


def _region(at: Location) -> dict[str, int]:
    return {"startLine": at.line, "startColumn": at.column, "endLine": at.end_line, "endColumn": at.end_column}
