"""`designlint init`: a design to start from."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from designlint.cli.shared.terminal import print_text
from designlint.configuration import engine
from designlint.language import resources
from designlint.reading.errors import UsageError
from designlint.reading.writing import write_file as put_file

#: The schema that the first line of the starter names, in the same folder.
SCHEMA = "design.schema.json"


def command(
    file: Annotated[Path, typer.Argument(help="File to write.")] = Path("design.yaml"),
    plan: Annotated[
        str,
        typer.Option(metavar="BRIEF", help="Start from a plan: a brief, or model,tokens,gpu,gpus (70b,2T,h100,512)."),
    ] = "",
) -> None:
    """Write a commented starter design, or a planned one, and its JSON Schema."""
    if os.path.lexists(file):
        raise UsageError(f"{file} exists already")
    if not file.parent.is_dir():
        raise UsageError(f"{file}: there is no folder {file.parent}")
    beside = file.parent / SCHEMA
    try:
        put_file(file, _plan_design(plan) if plan else resources.ontology("starter.yaml").read_bytes())
        written = _schema(beside)
    except OSError as error:
        raise UsageError(f"{error.filename}: {error.strerror or error}") from None
    print_text("\n".join([str(file), *([str(beside)] if written else []), f"Next: designlint check {file}"]))


def _plan_design(given: str) -> bytes:
    """The design that a plan comes to. Raises UsageError where there is none."""
    from designlint.planning import brief as briefs
    from designlint.planning.answer import lines
    from designlint.planning.plan import plan_cluster

    file = Path(given).suffix in (".yaml", ".yml")
    if file:
        stated = briefs.of_file(given, engine.shipped_engine())
    else:
        names, values = ("model", "tokens", "gpu", "gpus"), [one.strip() for one in given.split(",")]
        if len(values) != len(names):
            raise UsageError(f"--plan: `{given}` is neither a brief.yaml nor {','.join(names)}")
        rest = {"deadline": "", "power": "", "budget": ""}
        stated = briefs.of_options(**dict(zip(names, values, strict=True)), **rest)
    found = plan_cluster(stated, engine.shipped_engine(), folder=str(Path(given).parent) if file else "")
    if found.error:
        raise UsageError(" ".join(one.strip() for one in lines(found, 1)))
    return found.text.encode()


def _schema(beside: Path) -> bool:
    """Write the schema, unless something is there."""
    from designlint.documentation import schema

    made = json.dumps(schema.of_design(engine.shipped_engine().vocabulary), indent=2, ensure_ascii=False)
    try:
        with beside.open("x", encoding="utf-8") as stream:
            stream.write(f"{made}\n")
    except FileExistsError:
        return False
    return True
