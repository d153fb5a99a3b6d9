"""`designlint graph`: the knowledge graph of a design."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from designlint.cli import put
from designlint.cli.loading import loaded


class Syntax(StrEnum):
    """Ways to write RDF."""

    TURTLE = "turtle"
    JSON_LD = "json-ld"
    N_TRIPLES = "n-triples"


def command(
    file: Annotated[str, typer.Argument(help="A design.")],
    format: Annotated[Syntax, typer.Option(help="RDF syntax.")] = Syntax.TURTLE,
) -> None:
    """Write everything that is known about a design as RDF: stated and derived facts, each with its provenance."""
    from designlint.graph.export import written

    put(written(loaded(file).with_provenance(), format))
