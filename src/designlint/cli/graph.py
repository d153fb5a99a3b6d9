"""`designlint graph`: the knowledge graph of a design, or a picture drawn from it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from designlint import figures
from designlint.cli.shared.loading import draw_figure, load_design
from designlint.cli.shared.output import encode
from designlint.cli.shared.terminal import print_text
from designlint.language.sentences import many
from designlint.reading.errors import UsageError


class Syntax(StrEnum):
    """Ways to write RDF."""

    TURTLE = "turtle"
    JSON_LD = "json-ld"
    N_TRIPLES = "n-triples"


def command(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="A design; with --to, designs and folders.")],
    format: Annotated[Syntax, typer.Option(help="RDF syntax.")] = Syntax.TURTLE,
    figure: Annotated[
        str,
        typer.Option(help=f"Draw a figure as SVG instead: {', '.join(figures.kinds())}.", autocompletion=figures.kinds),
    ] = "",
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Output file.")] = None,
    to: Annotated[
        str,
        typer.Option(metavar="URL", help="Load the designs into this SPARQL store instead, each as a named graph."),
    ] = "",
    facts_only: Annotated[
        bool, typer.Option("--facts-only", help="With --to: leave out the provenance of each fact.")
    ] = False,
    day: Annotated[
        str, typer.Option(metavar="DAY", help="With --to: record the findings under this day (YYYY-MM-DD).")
    ] = "",
) -> None:
    """Export a design's facts as RDF with provenance, draw it, or load designs into a SPARQL store."""
    if to:
        _load(to, files, facts_only=facts_only, day=day)
        return
    if len(files) > 1:
        raise UsageError("one design is exported at a time; --to loads several into a store")
    (file,) = files
    if figure:
        text = draw_figure(file, figure).svg
    else:
        from designlint.design.export import serialize

        text = serialize(load_design(file).with_provenance(), format)
    if output is None:
        print_text(text)
        return
    if output.exists() and Path(file).exists() and output.samefile(file):
        raise UsageError(f"{output}: refusing to overwrite a design with its output")
    from designlint.reading import writing

    writing.write_file(output, encode(text if text.endswith("\n") else f"{text}\n"))


def _load(url: str, paths: list[str], *, facts_only: bool, day: str) -> None:
    """Load designs into a store."""
    from datetime import UTC, datetime

    from designlint.configuration import Policy
    from designlint.fleet import client, loading
    from designlint.language.values import is_date
    from designlint.reading.discovery import discover

    if day and not is_date(day):
        raise UsageError(f"--day: `{day}` is not a date such as 2026-11-20")
    found = list(discover(paths))
    as_of = day or f"{datetime.now(UTC):%Y-%m-%d}"
    loaded = loading.load(client.Client(url), found, Policy(), as_of, provenance=not facts_only)
    print_text(f"{many(loaded.designs, 'design')}, {loaded.triples} statements loaded into {url}")
