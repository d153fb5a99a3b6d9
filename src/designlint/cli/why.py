"""`designlint why`: the calculation behind a fact or a judgement."""

from __future__ import annotations

from typing import Annotated

import typer

from designlint.cli import put
from designlint.cli.loading import loaded


def command(
    file: Annotated[str, typer.Argument(help="A design.")],
    what: Annotated[
        str,
        typer.Argument(
            help="A fact such as workloads/pretrain/memory_per_gpu, its last word alone, or a rule; "
            "all derived facts when left out."
        ),
    ] = "",
) -> None:
    """Show how a value comes about, down to the lines of the file."""
    from designlint.views.why import told

    put(told(loaded(file), what))
