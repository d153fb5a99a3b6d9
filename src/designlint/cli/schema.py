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
    COMPLIANCE = "compliance"


def command(
    of: Annotated[
        Of, typer.Argument(help="Of a design, of a configuration, or of the JSON of `check`, `diff` or `report`.")
    ] = Of.DESIGN,
) -> None:
    """Print the JSON Schema (2020-12) of designs, of configurations, or of what `check`, `diff` and `report` write as JSON."""
    from designlint.compliance.schema import of_compliance
    from designlint.docs import config_schema, schema

    made = {
        Of.DESIGN: lambda: schema.of_design(engine.shipped().vocabulary),
        Of.REPORT: schema.of_report,
        Of.CHANGES: schema.of_changes,
        Of.CONFIG: config_schema.of_config,
        Of.COMPLIANCE: of_compliance,
    }
    put(json.dumps(made[of](), indent=2, ensure_ascii=False))
