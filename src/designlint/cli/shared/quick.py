"""Reads plain arguments from a command's own signature, without typer: its import is an eighth of a whole check."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

#: An option of a choice that may be left out.
CHOICE = re.compile(r"Annotated\[\s*(\w+) \| None")


def read_arguments(command: Any, arguments: Sequence[str]) -> dict[str, Any] | None:
    """
    The keyword arguments of a call, or None where the arguments are not plain: then typer reads them, and complains.

    The command is a function, or wraps one. Its first parameter takes the arguments without a name; every other one is
    `--its-name value`, or a flag.
    """
    command = getattr(command, "__wrapped__", command)
    positional, *options = command.__code__.co_varnames[: command.__code__.co_argcount]
    named = {f"--{option.replace('_', '-')}": option for option in options}
    defaults = dict(zip(options, (command.__defaults__ or ())[-len(options) :], strict=True))
    given: dict[str, Any] = {}
    waiting = list(arguments)
    while waiting:
        argument, _, joined = waiting.pop(0).partition("=")
        if not argument.startswith("-") or argument == "-":
            given.setdefault(positional, []).append(argument if not joined else f"{argument}={joined}")
            continue
        if argument not in named:
            return None
        option = named[argument]
        if isinstance(defaults[option], bool) and not joined:
            given[option] = True
        elif not (joined or waiting) or not _take(option, command, defaults[option], joined or waiting.pop(0), given):
            return None
    return given


def _take(option: str, command: Any, default: Any, text: str, given: dict[str, Any]) -> bool:
    """Add the value of an option; False where typer should judge it."""
    annotation = str(command.__annotations__[option])
    named = CHOICE.match(annotation) if default is None else None
    kind = command.__globals__.get(named[1]) if named else type(default)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if text not in list(kind):
            return False
        given[option] = kind(text)
    elif default is None:
        given.setdefault(option, []).append(Path(text) if "Path" in annotation else text)
    elif isinstance(default, str):
        given[option] = text
    elif isinstance(default, int) and not isinstance(default, bool) and text.isascii() and text.isdigit():
        given[option] = int(text)
    else:
        return False
    return True
