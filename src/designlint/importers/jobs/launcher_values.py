"""Values of launchers' own options that these refuse, and ports that do not exist."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import checked, defaults
from designlint.importers.base import Value
from designlint.importers.shell.pieces import value
from designlint.language.values import nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Fragment
    from designlint.importers.defaults import Tool
    from designlint.importers.shell.launches import Launch
    from designlint.importers.shell.options import Argument
    from designlint.importers.shell.pieces import Text

#: Launchers by the tool that has their tables, and the variable that holds the port of all.
TOOLS = {"torchrun": "torchrun", "accelerate": "accelerate"}
PORT, ENDPOINT = "MASTER_PORT", "rdzv_endpoint"
#: The port behind the host of an endpoint, whether that is known or not.
END = re.compile(r":(\d{1,9})\Z")
#: How alike the names of two options are, from 0 to 1, where one is the other misspelt.
ALIKE = 0.88


def report(main: Launch, exports: Mapping[str, Text], found: Fragment) -> None:
    """Notes those of one launch."""
    stated = {name: one.value for name, one in main.runner.items() if one.value is not None}
    for launcher in dict.fromkeys(main.launchers):
        if launcher in TOOLS:
            tool = defaults.tool(TOOLS[launcher])
            checked.report(stated, found, tool, lambda name: f"--{name}")
            _report_names(main, tool, found)
    _report_end(main.runner.get(ENDPOINT), found)
    port = value(main.variables.get(PORT) or exports.get(PORT, ()))
    if port is not None:
        checked.report({PORT: port}, found, defaults.tool("torchrun"))


def _report_names(main: Launch, tool: Tool, found: Fragment) -> None:
    """Notes options that a launcher does not have, and that look like one that it has; it takes the start of a name, too."""
    known = str(tool.tables["options"]["names"]).split()
    for name, one in main.runner.items():
        if len(main.launchers) > 2 or name in known or any(other.startswith(name) for other in known):
            continue
        for near in nearest(name, known, 1, ALIKE):
            at = Value("", one.at.source, one.at.start, one.at.end)
            found.clash("import/misspelt-key", at, name=f"--{name[:60]}", proposal=f"--{near}", tool=tool.name)


def _report_end(endpoint: Argument | None, found: Fragment) -> None:
    """Notes the port of an endpoint whose host only the running job knows."""
    end = END.search(endpoint.tail) if endpoint is not None else None
    if endpoint is not None and end is not None:
        port = Value(end[1], endpoint.at.source, endpoint.at.start, endpoint.at.end)
        checked.report({PORT: port}, found, defaults.tool("torchrun"), lambda _: f"--{ENDPOINT}")
