"""`designlint schema`: the JSON Schema of designs, for editors, or of reports."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from designlint.cli.shared.terminal import print_text
from designlint.configuration import engine


class SchemaKind(StrEnum):
    """What the schema is of."""

    DESIGN = "design"
    REPORT = "report"
    CHANGES = "changes"
    CONFIG = "config"
    COMPLIANCE = "compliance"
    PLAN = "plan"


def command(
    of: Annotated[SchemaKind, typer.Argument(help="What the schema describes.")] = SchemaKind.DESIGN,
) -> None:
    """Print a JSON Schema (2020-12)."""
    from designlint.documentation import config_schema, schema
    from designlint.planning import data
    from designlint.report.schema import of_compliance

    made = {
        SchemaKind.DESIGN: lambda: schema.of_design(engine.shipped_engine().vocabulary),
        SchemaKind.REPORT: schema.of_report,
        SchemaKind.CHANGES: schema.of_changes,
        SchemaKind.CONFIG: config_schema.of_config,
        SchemaKind.COMPLIANCE: of_compliance,
        SchemaKind.PLAN: data.schema,
    }
    print_text(json.dumps(made[of](), indent=2, ensure_ascii=False))
