"""The report as RDF: a SHACL validation report, an EARL assertion for every judgement, and their provenance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.graph import judgements
from designlint.reporters.shared.fingerprints import fingerprints
from designlint.reporters.shared.places import path

if TYPE_CHECKING:
    from designlint.findings.report import Report
    from designlint.reporters.shared.options import RenderOptions


def render(report: Report, options: RenderOptions) -> str:
    """The report as Turtle; accepted findings are judgements that failed, and no results of the validation."""
    named = list(fingerprints([*report.findings, *report.accepted]))
    files = [*report.files, *report.texts, *(one.location.file for one, _ in named)]
    return judgements.write_report(report, named, {file: path(file) for file in files}, options.today)
