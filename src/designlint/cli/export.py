"""`designlint export`: what a design says, in the format of another tool."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from designlint import exporters
from designlint.cli.shared.loading import load_design
from designlint.cli.shared.terminal import Exit, complain, print_text
from designlint.exporters import ExportRefusal, Order
from designlint.reading.errors import UsageError


def command(
    design: Annotated[str, typer.Argument(help="The design.")],
    to: Annotated[
        str,
        typer.Option(
            metavar="FORMAT",
            help=f"Format: {', '.join(exporters.names())}.",
            autocompletion=exporters.names,
        ),
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Write to this file instead of standard output.")
    ] = "",
    fabric: Annotated[
        str, typer.Option(metavar="NAME", help="The fabric to export; the training fabric by default.")
    ] = "",
    workload: Annotated[
        str, typer.Option(metavar="NAME", help="The workload to export; the first one by default.")
    ] = "",
    overwrite: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Export a design for Slurm, Kueue, ibsim, NCCL or Megatron-LM, or as a cable schedule."""
    if to not in exporters.names():
        raise UsageError(f"--to: `{to}` is not one of {', '.join(exporters.names())}")
    if output and not overwrite and Path(output).exists():
        raise UsageError(f"{output} exists; overwrite it with --force")
    found = load_design(design)
    try:
        export = exporters.load_format(to).write(Order(found, fabric, workload))
    except ExportRefusal as error:
        place = found.document.file
        if error.spot is not None:
            line, column, _, _ = error.spot.document.place(error.spot.start, error.spot.end)
            place = f"{error.spot.document.file}:{line}:{column}"
        complain(f"{place}: not exported: {error.why}")
        sys.exit(Exit.FINDINGS)
    if output:
        Path(output).write_text(export.text, "utf-8")
    else:
        print_text(export.text.removesuffix("\n"))
    for note in export.notes:
        complain(f"{found.document.file}: {note}")
    sys.exit(Exit.CLEAN)
