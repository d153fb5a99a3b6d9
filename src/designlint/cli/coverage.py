"""`designlint coverage`: principle by principle, what judges it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from designlint import engine
from designlint.cli import put


class Format(StrEnum):
    """Output formats."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


def command(format: Annotated[Format, typer.Option(help="How the matrix is written.")] = Format.TEXT) -> None:
    """Show which rules, or whose evidence, decide each principle."""
    from designlint.authoring import principles

    put(principles.render(principles.coverage(engine.shipped().rules), format.value))
