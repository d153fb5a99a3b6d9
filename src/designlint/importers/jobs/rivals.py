"""Several launches of one program in a script: what they state differently is true of none of them alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.megatron import names
from designlint.importers.shell.options import Argument

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.importers.shell.launches import Launch


def open_differences(main: Launch, everything: Iterable[Launch]) -> None:
    """Leaves open what another launch of the same program states otherwise, if it runs as surely."""
    if not main.script or main.benchmark:
        return
    wanted = names.understood()
    for other in everything:
        alike = (other.script, other.launchers) == (main.script, main.launchers)
        if other is main or not alike or (main.command.sure and not other.command.sure):
            continue
        line = other.command.source.line_of(other.command.start)
        for name in wanted & (main.arguments.keys() | other.arguments.keys()):
            _leave_open(main.arguments, other.arguments, name, line)
        for name in main.runner.keys() & other.runner.keys():
            _leave_open(main.runner, other.runner, name, line)


def _leave_open(here: dict[str, Argument], there: dict[str, Argument], name: str, line: int) -> None:
    mine, theirs = here.get(name), there.get(name)
    at = mine or theirs
    if at is None or _text(mine) == _text(theirs):
        return
    told = f"states {_text(theirs)[:40]}" if theirs is not None else "does not state it"
    here[name] = Argument(None, f"the launch in line {line} {told}", at.at)


def _text(argument: Argument | None) -> str:
    if argument is None:
        return ""
    return argument.value.text if argument.value is not None else argument.why
