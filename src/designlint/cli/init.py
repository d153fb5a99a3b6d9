"""`designlint init`: a design to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from designlint import resources
from designlint.cli import put
from designlint.errors import UsageError


def command(file: Annotated[Path, typer.Argument(help="Where to write it.")] = Path("design.yaml")) -> None:
    """Write a commented design to start from; a file that is there already is left alone."""
    if file.exists():
        raise UsageError(f"{file} exists already")
    try:
        file.write_text(resources.ontology("starter.yaml").read_text("utf-8"), "utf-8")
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from None
    put(f"{file}\nNext: designlint check {file}")
