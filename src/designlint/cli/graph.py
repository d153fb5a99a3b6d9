"""`designlint graph`: the knowledge graph of a design, or a picture drawn from it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from designlint import figures
from designlint.cli import put
from designlint.cli.loading import drawn, loaded
from designlint.cli.output import encoded
from designlint.errors import UsageError


class Syntax(StrEnum):
    """Ways to write RDF."""

    TURTLE = "turtle"
    JSON_LD = "json-ld"
    N_TRIPLES = "n-triples"


def command(
    file: Annotated[str, typer.Argument(help="A design.")],
    format: Annotated[Syntax, typer.Option(help="RDF syntax.")] = Syntax.TURTLE,
    figure: Annotated[str, typer.Option(help=f"Draw a figure as SVG instead: {', '.join(figures.kinds())}.")] = "",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file to write to.")] = None,
) -> None:
    """Write everything that is known about a design as RDF: stated and derived facts, each with its provenance; or draw it."""
    if figure:
        text = drawn(file, figure).svg
    else:
        from designlint.graph.export import written

        text = written(loaded(file).with_provenance(), format)
    if output is None:
        put(text)
        return
    if output.exists() and Path(file).exists() and output.samefile(file):
        raise UsageError(f"{output}: a design is not overwritten by what is drawn from it")
    from designlint.source import writing

    writing.put(output, encoded(text if text.endswith("\n") else f"{text}\n"))
