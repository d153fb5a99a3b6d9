"""`designlint mcp`: tools for agents, over the Model Context Protocol."""

from __future__ import annotations

from designlint.configuration import foreign
from designlint.reading.errors import UsageError


def command() -> None:
    """Run the MCP server for agents, on standard input and output."""
    try:
        from designlint.agents.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("mcp", "mcp_types", "pydantic"):
            raise
        raise UsageError("the MCP server needs mcp: pip install 'designlint[mcp]'") from None
    foreign.BEFORE[:] = [
        lambda _: foreign.contain_process()
    ]  # a server goes on for days: each of its answers has its time
    serve()
