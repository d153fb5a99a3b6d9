"""Values of launchers' own options that these refuse, and ports that do not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import checked, defaults
from designlint.importers.shell.pieces import value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Fragment
    from designlint.importers.shell.launches import Launch
    from designlint.importers.shell.pieces import Text

#: Launchers by the tool that has their tables, and the variable that holds the port of all.
TOOLS = {"torchrun": "torchrun", "accelerate": "accelerate"}
PORT = "MASTER_PORT"


def report(main: Launch, exports: Mapping[str, Text], found: Fragment) -> None:
    """Notes those of one launch."""
    stated = {name: one.value for name, one in main.runner.items() if one.value is not None}
    for launcher in dict.fromkeys(main.launchers):
        if launcher in TOOLS:
            checked.report(stated, found, defaults.tool(TOOLS[launcher]), lambda name: f"--{name}")
    port = value(main.variables.get(PORT) or exports.get(PORT, ()))
    if port is not None:
        checked.report({PORT: port}, found, defaults.tool("torchrun"))
