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
    CONFIG = "config"


def command(
    of: Annotated[
        Of, typer.Argument(help="Of a design, of the JSON report, of `diff --format json`, or of a configuration.")
    ] = Of.DESIGN,
) -> None:
    """Print the JSON Schema (2020-12) of designs, of configurations, or of what `check` and `diff` write as JSON."""
    from designlint.docs import config_schema, schema

    made = {
        Of.DESIGN: lambda: schema.of_design(engine.shipped().vocabulary),
        Of.REPORT: schema.of_report,
        Of.CHANGES: schema.of_changes,
        Of.CONFIG: config_schema.of_config,
    }
    put(json.dumps(made[of](), indent=2, ensure_ascii=False))
