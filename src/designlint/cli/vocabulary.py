"""`designlint vocabulary`: the words of the design language."""

from __future__ import annotations

from typing import Annotated

import typer

from designlint.cli.shared import values
from designlint.cli.shared.terminal import print_text


def command(
    search: Annotated[
        list[str] | None,
        typer.Argument(
            help="A class, a word, or words that must all match; lists classes by default.", autocompletion=values.words
        ),
    ] = None,
) -> None:
    """Look up words of the design language: meaning, unit, values, example."""
    from designlint.views import words

    print_text(words.text(search or []))
