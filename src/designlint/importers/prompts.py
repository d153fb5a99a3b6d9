"""Prompts of shells and switches in what people paste: they name the device that the text below them is about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import How, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Value

#: A shell's prompt and a switch's; the time and the mode of configuration may stand behind the name.
PROMPT = re.compile(
    r"^[ \t]*(?:\[?[a-z_][\w.-]{0,31}@(?P<host>[A-Za-z0-9][\w.-]{0,62})[^\n$#>%]{0,80}[$#>%][ \t]*"
    r"|(?P<switch>[A-Za-z][\w-]{0,62}?)(?:\.{2,}[\d:]{1,12})?(?:\([\w-]{1,20}\))?[#>][ \t]*)(?P<command>[^\n]*)",
    re.MULTILINE,
)


#: Names that devices have before they are given one.
DEFAULT = frozenset(("arista", "cumulus", "host", "linux", "localhost", "nexus", "router", "sonic", "switch", "ubuntu"))


def find_hosts(source: Source, command: re.Pattern[str]) -> list[Value]:
    """The devices that a command was typed on, in the order of the text, each where its prompt gives it a name of its own."""
    found = []
    for one in PROMPT.finditer(source.text):
        name = "host" if one["host"] else "switch"
        if command.search(one["command"]) and one[name].partition(".")[0].lower() not in DEFAULT:
            found.append(source.value(one[name].partition(".")[0], *one.span(name), How.MEASURED).as_text())
    return found


def owner(hosts: Sequence[Value], offset: int) -> Value | None:
    """The device that a place in the text is about: that of the last prompt before it."""
    return next((one for one in reversed(hosts) if one.start < offset), None)
