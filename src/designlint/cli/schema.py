"""`designlint schema`: the JSON Schema of designs, for editors, or of reports."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from designlint import engine
from designlint.cli import put


class Of(StrEnum):
    """What the schema is of."""

    DESIGN = "design"
    REPORT = "report"


def command(of: Annotated[Of, typer.Argument(help="Whether of a design or of the JSON report.")] = Of.DESIGN) -> None:
    """Print the JSON Schema (2020-12) of designs, or of `check --format json`."""
    from designlint.docs import schema

    made = schema.of_design(engine.shipped().vocabulary) if of is Of.DESIGN else schema.of_report()
    put(json.dumps(made, indent=2, ensure_ascii=False))
