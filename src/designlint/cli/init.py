"""`designlint init`: a design to start from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from designlint import engine, resources
from designlint.cli import put
from designlint.errors import UsageError

#: The schema that the first line of the starter names, in the same folder.
SCHEMA = "design.schema.json"


def command(file: Annotated[Path, typer.Argument(help="Where to write it.")] = Path("design.yaml")) -> None:
    """Write a commented design to start from, and its schema for editors; a file that is there already is left alone."""
    if file.exists():
        raise UsageError(f"{file} exists already")
    beside = file.parent / SCHEMA
    try:
        file.write_text(resources.ontology("starter.yaml").read_text("utf-8"), "utf-8")
        written = _schema(beside)
    except OSError as error:
        raise UsageError(f"{error.filename}: {error.strerror or error}") from None
    put("\n".join([str(file), *([str(beside)] if written else []), f"Next: designlint check {file}"]))


def _schema(beside: Path) -> bool:
    """Write the schema, unless something is there."""
    from designlint.docs import schema

    made = json.dumps(schema.of_design(engine.shipped().vocabulary), indent=2, ensure_ascii=False)
    try:
        with beside.open("x", encoding="utf-8") as stream:
            stream.write(f"{made}\n")
    except FileExistsError:
        return False
    return True
