"""`designlint lsp`: the language server, for editors to start."""

from __future__ import annotations

from typing import Annotated

import typer

from designlint.configuration import foreign
from designlint.reading.errors import UsageError


def command(
    stdio: Annotated[
        bool, typer.Option("--stdio", show_default=False, help="Use standard input and output (the default).")
    ] = True,
) -> None:
    """Run the language server for editors."""
    try:
        from designlint.editor.features import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UsageError("the language server needs pygls: pip install 'designlint[lsp]'") from None
    foreign.BEFORE[:] = [
        lambda _: foreign.contain_process()
    ]  # a server goes on for days: each of its answers has its time
    serve()
