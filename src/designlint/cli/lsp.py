"""`designlint lsp`: the language server, for editors to start."""

from __future__ import annotations

from typing import Annotated

import typer

from designlint.errors import UsageError


def command(
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Talk over standard input and output, as it always does.")
    ] = True,
) -> None:
    """Serve editors: findings while typing, hover, completion, fixes (Language Server Protocol, on standard input)."""
    try:
        from designlint.lsp.features import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UsageError("the language server needs pygls: pip install 'designlint[lsp]'") from None
    serve()
