"""The report as Checkstyle's XML, which Jenkins, SonarQube and many other services read."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from designlint.findings.model import Severity
from designlint.reporters.shared.notices import notices
from designlint.reporters.shared.places import path
from designlint.reporters.shared.terminal import printable

if TYPE_CHECKING:
    from designlint.findings.report import Report
    from designlint.reporters.shared.options import RenderOptions

SEVERITIES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "info"}


def render(report: Report, options: RenderOptions) -> str:
    """The findings of each file; the format knows none that are accepted: these are notes on the first line of a design."""
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    for one in report.findings:
        text = f"{one.message}. {one.remedy}" if one.remedy else one.message
        place = {"line": str(one.location.line), "column": str(one.location.column)}
        found[one.location.file].append(
            {
                **place,
                "severity": SEVERITIES[one.severity],
                "message": printable(text),
                "source": f"designlint.{one.rule}",
            }
        )
    first = next(iter(report.files), "")
    for note in notices(report):
        if at := note.file or first:
            told = {"line": str(note.line or 1), "severity": "info", "message": printable(note.text)}
            found[at].append({**told, "source": "designlint.note"})
    top = ElementTree.Element("checkstyle", version="4.3")
    for file, errors in found.items():
        part = ElementTree.SubElement(top, "file", name=printable(path(file)))
        part.extend(ElementTree.Element("error", error) for error in errors)
    ElementTree.indent(top)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(top, encoding="unicode")}\n'
