"""`designlint plan`: from model, tokens, deadline and hardware to a design."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from designlint.cli.shared import values
from designlint.cli.shared.terminal import Exit, ListFormat, complain, print_text
from designlint.configuration import Policy
from designlint.reading.errors import UsageError
from designlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.materials.money import Money
    from designlint.planning.result import PlanAnswer

#: Seconds after which progress is shown.
PATIENCE = 1.0
#: Endings of documents.
HTML, MARKDOWN = (".html", ".htm"), (".md", ".markdown", ".txt", "")


class Progress:
    """Says on a terminal what is being looked at, where a plan takes longer than a second."""

    def __init__(self) -> None:
        self.start = time.monotonic()

    def __call__(self, text: str) -> None:
        if sys.stderr.isatty() and time.monotonic() - self.start > PATIENCE:
            complain(f"designlint plan: {text}")


def command(
    brief: Annotated[str, typer.Argument(help="A brief: a design that states what is fixed and the targets.")] = "",
    model: Annotated[
        str,
        typer.Option(
            metavar="MODEL",
            help="A published model (llama-3-405b), a config.json, or parameters (70e9).",
            autocompletion=values.models,
        ),
    ] = "",
    tokens: Annotated[str, typer.Option(metavar="TOKENS", help="Tokens to train on, such as 15.6T.")] = "",
    gpu: Annotated[
        str, typer.Option(metavar="GPU", help="A GPU from the catalogue, such as h100.", autocompletion=values.gpus)
    ] = "",
    gpus: Annotated[
        str, typer.Option(metavar="COUNT", help="GPUs of the job; the fewest that meet the deadline by default.")
    ] = "",
    deadline: Annotated[str, typer.Option(metavar="TIME", help="Deadline for the run, such as 90 days.")] = "",
    power: Annotated[str, typer.Option(metavar="POWER", help="Site power limit, such as 10 MW.")] = "",
    budget_gpu_hours: Annotated[str, typer.Option(metavar="HOURS", help="GPU-hour budget, such as 3e6.")] = "",
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="Write the design to this file.")] = "",
    document: Annotated[
        str, typer.Option(metavar="FILE", help="Write the architecture document to this file (.md or .html).")
    ] = "",
    prices: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Price list (YAML): show what the plan costs.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Layouts to list.")] = 5,
    format: Annotated[ListFormat, typer.Option(help="Output format.")] = ListFormat.TEXT,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Plan a cluster: layout, network, storage, power."""
    from designlint.materials.money import data as spending
    from designlint.materials.money import lines as told
    from designlint.planning import answer, data, plan
    from designlint.planning import brief as briefs
    from designlint.reading import writing
    from designlint.reporters.shared.terminal import printable

    given = {"model": model, "tokens": tokens, "gpu": gpu, "gpus": gpus, "deadline": deadline, "power": power}
    given["budget"] = _hours(budget_gpu_hours)
    if document and Path(document).suffix.lower() not in (*HTML, *MARKDOWN):
        raise UsageError(f"{document}: the document is Markdown or HTML; name the file .md or .html")
    for file in filter(None, (output, document)):
        if Path(file).exists() and not force:
            raise UsageError(f"{file} exists already; --force overwrites it")
    engine = Policy().engine(brief or "plan.yaml")
    stated = briefs.join_options(briefs.of_file(brief, engine) if brief else {}, briefs.of_options(**given))
    found = plan.plan_cluster(stated, engine, Progress(), str(Path(brief).parent) if brief else "")
    spent = _money(found, prices)
    if format is ListFormat.JSON:
        more = {} if spent is None else {"money": spending(spent)}
        print_text(json.dumps(data.data(found, top) | more, indent=2, ensure_ascii=False))
    else:
        print_text(
            "\n".join(
                [
                    *map(printable, answer.lines(found, top, briefs.places(brief, given))),
                    *(["", *told(spent)] if spent is not None else []),
                ]
            )
        )
    if found.refusal:
        if format is not ListFormat.JSON and found.settled.beyond_memory:
            print_text(json.dumps({"error": found.error}))
        if document:
            _document(found, Path(document), briefs.places(brief, given))
        sys.exit(Exit.FINDINGS)
    if output:
        writing.write_file(Path(output), found.text.encode())
    if document:
        _document(found, Path(document), {})
    sys.exit(Exit.CLEAN)


def _hours(text: str) -> str:
    """A budget with its unit, which it may have already; empty where none is given."""
    return text if not text or text.endswith(("h", "hour", "hours")) else f"{text} h"


def _document(found: PlanAnswer, file: Path, places: Mapping[str, str]) -> None:
    """
    Writes the architecture document, or why there is no plan: as HTML where the file is named so, else as Markdown.

    Args:
        places: where the brief states its aims.
    """
    from designlint.planning import architecture, frontier
    from designlint.reading import writing
    from designlint.report.pages import page

    points = [] if found.refusal else frontier.points(found)
    text = architecture.write_refusal(found, places) if found.refusal else architecture.write_document(found, points)
    if file.suffix.lower() in HTML:
        drawn = None if found.refusal else frontier.figure(found, points)
        name = found.brief.job.get("name", "Plan") if found.refusal else found.job.facts["name"]
        title = str(name) if found.refusal else f"{name} on {found.brief.gpu}"
        text = page(title, "Architecture", text, {architecture.SIZE: drawn} if drawn else {}, __version__)
    writing.write_file(file, text.encode())


def _money(found: PlanAnswer, prices: Path | None) -> Money | None:
    """What a plan costs; None without a price list or a plan."""
    if prices is None or found.refusal:
        return None
    from designlint.materials.money import money
    from designlint.materials.prices import read_prices

    return money(found.job_design, read_prices(prices))
