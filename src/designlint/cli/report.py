"""`designlint report`: what an approver reads and signs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace

from designlint.cli.shared import values, verdict
from designlint.cli.shared.choosing import options
from designlint.cli.shared.common import Config, Isolated, Rules, Today
from designlint.cli.shared.terminal import print_text
from designlint.configuration import Policy, engine
from designlint.linting import pipeline
from designlint.reading import discovery
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from designlint.design.design import Design
    from designlint.findings.report import Report
    from designlint.report.dossier import Portfolio


class ReportFormat(StrEnum):
    """Report formats."""

    HTML = "html"
    MARKDOWN = "markdown"
    JSON = "json"
    PDF = "pdf"
    OSCAL = "oscal"
    OSCAL_CATALOG = "oscal-catalog"


#: Formats in which the day is a part of every identifier: it has to be stated.
DATED = (ReportFormat.OSCAL, ReportFormat.OSCAL_CATALOG)


class Paper(StrEnum):
    """Paper sizes."""

    A4 = "A4"
    LETTER = "letter"


def command(
    paths: Annotated[list[str], typer.Argument(help="Designs, or folders to search.")],
    format: Annotated[ReportFormat, typer.Option(help="Report format.")] = ReportFormat.HTML,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Output file; standard output by default.")
    ] = "",
    paper: Annotated[Paper | None, typer.Option(help="Paper size; A4 for PDF by default.")] = None,
    profile: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Principles to report on: `all-principles`, `training-run`, or a file.",
            autocompletion=values.profiles,
        ),
    ] = "all-principles",
    prices: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Price list (YAML): also show what the design costs.")
    ] = None,
    rules: Rules = None,
    config: Config = "",
    isolated: Isolated = False,
    today: Today = "",
) -> None:
    """Write the compliance report that an approver reads and signs."""
    if format is ReportFormat.PDF and not output:
        raise UsageError("a PDF goes to a file: give -o FILE")
    policy = Policy(options(rules=rules, today=today), config, isolated=isolated)
    day = today or ("" if format in DATED else engine.shipped_engine().today)
    made = gather_portfolio(paths, profile, policy, day, prices)
    if output and Path(output).resolve() in {Path(one.file).resolve() for each in made.designs for one in each.files}:
        raise UsageError(f"{output}: refusing to overwrite a design with a report")
    from designlint.report import formats

    content = formats.write_document(format.value, made, paper.value if paper else "")
    if not output:
        print_text(content.decode())
        return
    from designlint.reading import writing

    writing.write_file(Path(output), content)


def gather_portfolio(paths: list[str], profile: str, policy: Policy, today: str, prices: Path | None) -> Portfolio:
    """What the document says, whatever its format. Raises UsageError and AuthoringError."""
    from designlint.report import gather

    settings = {file: policy.settings(file) for file in discovery.discover(paths)}
    results = [
        pipeline.lint(discovery.open_document(file), engine.configure_engine(one), margins=True)
        for file, one in settings.items()
    ]
    reports = [one.report() for one in results]
    joined = verdict.join_reports(reports, list(settings.values()), paths, whole=True)
    judged = [_own(one.design, report, joined) for one, report in zip(results, reports, strict=True)]
    packs = dict.fromkeys(folder for one in settings.values() for folder in one.rules)
    made = gather.portfolio(judged, profile, today, list(packs), joined.settings)
    if prices is None:
        return made
    from designlint.materials.prices import read_prices
    from designlint.report.money import with_money

    return with_money(made, [design for design, _ in judged], read_prices(prices))


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
