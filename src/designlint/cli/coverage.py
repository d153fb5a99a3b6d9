"""`designlint coverage`: principle by principle, what judges it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from designlint.cli.shared import values
from designlint.cli.shared.terminal import Color, colored, put
from designlint.configuration import engine
from designlint.reporters.shared.terminal import painter


class CoverageFormat(StrEnum):
    """Output formats."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


def command(
    design: Annotated[str, typer.Argument(help="A design: show the status of each principle in it.")] = "",
    profile: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Principles to show for the design; as for `report`.", autocompletion=values.profiles
        ),
    ] = "all-principles",
    format: Annotated[CoverageFormat, typer.Option(help="Output format.")] = CoverageFormat.TEXT,
    color: Annotated[Color, typer.Option(help="Colour the output.")] = Color.AUTO,
) -> None:
    """Show which rules or evidence decide each principle, and its status in a design."""
    from designlint.compiler import principles
    from designlint.report import coverage

    if not design:
        put(coverage.of_rules(principles.coverage(engine.shipped().rules), format.value))
        return
    from designlint.cli.shared.loading import loaded
    from designlint.linting import pipeline

    read = loaded(design)
    report = pipeline.lint(read.document, read.engine, repair=False).report()
    put(
        coverage.render(coverage.of(read, report, profile), format.value, painter(color=colored(wanted=color))),
        styled=True,
    )
