"""`designlint report`: what an approver reads and signs."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from designlint import discovery, engine, pipeline
from designlint.cli import put, verdict, watch
from designlint.cli.choosing import options
from designlint.configuration import Policy
from designlint.errors import UsageError
from designlint.timing import HANGS

if TYPE_CHECKING:
    from designlint.compliance.dossier import Portfolio
    from designlint.design import Design
    from designlint.model import Report


class Format(StrEnum):
    """How the report is written."""

    HTML = "html"
    MARKDOWN = "markdown"
    JSON = "json"
    PDF = "pdf"
    OSCAL = "oscal"
    OSCAL_CATALOG = "oscal-catalog"


class Paper(StrEnum):
    """What it is printed on."""

    A4 = "A4"
    LETTER = "letter"


def command(
    paths: Annotated[list[str], typer.Argument(help="Designs, or folders that are searched for them.")],
    format: Annotated[Format, typer.Option(help="How the report is written.")] = Format.HTML,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to; standard output when left out.")
    ] = "",
    paper: Annotated[
        Paper | None, typer.Option(help="What it is printed on; for a PDF A4, for HTML what the printer has.")
    ] = None,
    profile: Annotated[
        str,
        typer.Option(metavar="NAME", help="Which principles it is about: `all-principles`, `training-run`, or a file."),
    ] = "all-principles",
    rules: Annotated[list[Path] | None, typer.Option(help="A further folder of rules; repeatable.")] = None,
    config: Annotated[str, typer.Option(help="The configuration of all designs, in place of the nearest one.")] = "",
    isolated: Annotated[bool, typer.Option("--isolated", help="Read no configuration.")] = False,
    today: Annotated[str, typer.Option(help="Judge as of this day, YYYY-MM-DD; evidence runs out.")] = "",
) -> None:
    """Write a report to read, question and sign: what is proven, violated, waived, attested, and what nobody knows."""
    if format is Format.PDF and not output:
        raise UsageError("a PDF goes to a file: give -o FILE")
    policy = Policy(options(rules=rules, today=today), config, isolated=isolated)
    made = _portfolio(paths, profile, policy, today)
    if output and Path(output).resolve() in {Path(one.file).resolve() for each in made.designs for one in each.files}:
        raise UsageError(f"{output}: a design is not overwritten by a report on it")
    from designlint.compliance import formats

    content = formats.written(format.value, made, paper.value if paper else "")
    if not output:
        put(content.decode())
        return
    from designlint.source import writing

    writing.put(Path(output), content)


def _portfolio(paths: list[str], profile: str, policy: Policy, today: str) -> Portfolio:
    from designlint.compliance import gather

    settings = {file: policy.settings(file) for file in discovery.discover(paths)}
    if any(one.rules for one in settings.values()):  # a rule pack is foreign data: none of its queries may hang the run
        watch(f"the rules take more than {HANGS} seconds", HANGS)
    results = [
        pipeline.lint(discovery.open_document(file), engine.configured(one), margins=True)
        for file, one in settings.items()
    ]
    reports = [one.report() for one in results]
    joined = verdict.joined(reports, list(settings.values()), paths, whole=True)
    judged = [_own(one.design, report, joined) for one, report in zip(results, reports, strict=True)]
    packs = dict.fromkeys(folder for one in settings.values() for folder in one.rules)
    return gather.portfolio(judged, profile, today, list(packs), joined.settings)


def _own(design: Design, report: Report, joined: Report) -> tuple[Design, Report]:
    """What the joined report says of one design; the first one is told what is about none."""
    file, first = report.files[0], joined.files[0]

    def own(name: str) -> bool:
        return (name if name in joined.files else first) == file

    return design, replace(
        report,
        findings=[one for one in joined.findings if own(one.design)],
        accepted=[one for one in joined.accepted if own(one.design)],
        texts={**joined.texts, **report.texts},
        standards=joined.standards,
    )
