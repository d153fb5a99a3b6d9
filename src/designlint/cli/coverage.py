"""`designlint coverage`: principle by principle, what judges it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from designlint.cli.shared import values
from designlint.cli.shared.terminal import Color, is_colored, print_text
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
        print_text(coverage.of_rules(principles.coverage(engine.shipped_engine().rules), format.value))
        return
    from designlint.cli.shared.loading import load_design
    from designlint.linting import pipeline

    read = load_design(design)
    report = pipeline.lint(read.document, read.engine, repair=False).report()
    print_text(
        coverage.render(coverage.of(read, report, profile), format.value, painter(color=is_colored(wanted=color))),
        styled=True,
    )
