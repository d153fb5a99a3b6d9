"""`designlint why`: the calculation behind a fact or a judgement."""

from __future__ import annotations

from typing import Annotated

import typer

from designlint.cli.shared import values
from designlint.cli.shared.loading import loaded
from designlint.cli.shared.terminal import Color, ListFormat, colored, put


def command(
    file: Annotated[str, typer.Argument(help="A design, or a folder that contains one.")],
    what: Annotated[
        str,
        typer.Argument(
            help="A fact such as workloads/pretrain/memory_per_gpu, its last word alone, or a rule; "
            "by default all derived facts.",
            autocompletion=values.answered,
        ),
    ] = "",
    depth: Annotated[int | None, typer.Option(min=0, help="Levels of the calculation to show.")] = None,
    format: Annotated[ListFormat, typer.Option(help="Output format.")] = ListFormat.TEXT,
    color: Annotated[Color, typer.Option(help="Colour the output.")] = Color.AUTO,
) -> None:
    """Show how a value was derived, down to the lines of the file, or how a rule was evaluated."""
    from designlint.views import why

    design = loaded(file)
    if format is ListFormat.JSON:
        put(why.as_json(design, what, depth))
    else:
        put(why.explanation(design, what, depth, color=colored(wanted=color)), styled=True)
