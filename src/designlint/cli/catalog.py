"""`designlint catalog`: the parts and models that a design can name, with their figures and sources."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from designlint.cli.shared import values
from designlint.cli.shared.terminal import ListFormat, print_text


def command(
    search: Annotated[
        list[str] | None,
        typer.Argument(
            help="A name, or words that must all match; lists everything by default.", autocompletion=values.parts
        ),
    ] = None,
    format: Annotated[ListFormat, typer.Option(help="Output format.")] = ListFormat.TEXT,
) -> None:
    """List catalogue parts and models, with figures and sources."""
    from designlint.views import catalog

    words = search or []
    print_text(
        json.dumps(catalog.data(words), indent=2, ensure_ascii=False)
        if format is ListFormat.JSON
        else catalog.text(words)
    )
