"""`designlint schema`: the JSON Schema of designs, for editors, or of reports."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from designlint.cli.shared.terminal import put
from designlint.configuration import engine


class Of(StrEnum):
    """What the schema is of."""

    DESIGN = "design"
    REPORT = "report"
    CHANGES = "changes"
    CONFIG = "config"
    COMPLIANCE = "compliance"
    PLAN = "plan"


def command(
    of: Annotated[Of, typer.Argument(help="What the schema describes.")] = Of.DESIGN,
) -> None:
    """Print a JSON Schema (2020-12)."""
    from designlint.documentation import config_schema, schema
    from designlint.planning import data
    from designlint.report.schema import of_compliance

    made = {
        Of.DESIGN: lambda: schema.of_design(engine.shipped().vocabulary),
        Of.REPORT: schema.of_report,
        Of.CHANGES: schema.of_changes,
        Of.CONFIG: config_schema.of_config,
        Of.COMPLIANCE: of_compliance,
        Of.PLAN: data.schema,
    }
    put(json.dumps(made[of](), indent=2, ensure_ascii=False))
