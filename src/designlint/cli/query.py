"""`designlint query`: SPARQL over a design."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from designlint.cli import Format, put, watch
from designlint.cli.loading import loaded
from designlint.errors import UsageError

#: Seconds that a query may take.
PATIENCE = 60


def command(
    file: Annotated[str, typer.Argument(help="A design.")],
    sparql: Annotated[str, typer.Argument(help="A SELECT query; the prefix `:` is the vocabulary's.")],
    format: Annotated[Format, typer.Option(help="How the rows are written.")] = Format.TEXT,
) -> None:
    """Ask the knowledge graph of a design. Rows come in the order of the query, values in SI units."""
    design = loaded(file).with_provenance()
    watch(f"the query takes more than {PATIENCE} seconds", PATIENCE)
    try:
        names, rows = design.table(sparql)
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"the query cannot run: {error}") from None
    if format is Format.JSON:
        put(json.dumps([dict(zip(names, row, strict=True)) for row in rows], indent=2, ensure_ascii=False))
        return
    put("\n".join("\t".join("" if cell is None else str(cell) for cell in row) for row in [names, *rows]))
