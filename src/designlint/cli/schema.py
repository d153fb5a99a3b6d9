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
    CHANGES = "changes"


def command(
    of: Annotated[Of, typer.Argument(help="Of a design, of the JSON report, or of `diff --format json`.")] = Of.DESIGN,
) -> None:
    """Print the JSON Schema (2020-12) of designs, or of what `check` and `diff` write with `--format json`."""
    from designlint.docs import schema

    made = {
        Of.DESIGN: lambda: schema.of_design(engine.shipped().vocabulary),
        Of.REPORT: schema.of_report,
        Of.CHANGES: schema.of_changes,
    }
    put(json.dumps(made[of](), indent=2, ensure_ascii=False))
