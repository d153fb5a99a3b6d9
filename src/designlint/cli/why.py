"""`designlint why`: the calculation behind a fact or a judgement."""

from __future__ import annotations

from typing import Annotated

import typer

from designlint.cli.shared import values
from designlint.cli.shared.loading import load_design
from designlint.cli.shared.terminal import Color, ListFormat, is_colored, print_text


def command(
    file: Annotated[str, typer.Argument(help="A design, or a folder that contains one.")],
    what: Annotated[
        str,
        typer.Argument(
            help="A fact such as workloads/pretrain/memory_per_gpu, its last word alone, or a rule; "
            "by default all derived facts.",
            autocompletion=values.answerable_names,
        ),
    ] = "",
    depth: Annotated[int | None, typer.Option(min=0, help="Levels of the calculation to show.")] = None,
    format: Annotated[ListFormat, typer.Option(help="Output format.")] = ListFormat.TEXT,
    color: Annotated[Color, typer.Option(help="Colour the output.")] = Color.AUTO,
) -> None:
    """Show how a value was derived, down to the lines of the file, or how a rule was evaluated."""
    from designlint.views import why

    design = load_design(file)
    if format is ListFormat.JSON:
        print_text(why.as_json(design, what, depth))
    else:
        print_text(why.explanation(design, what, depth, color=is_colored(wanted=color)), styled=True)
