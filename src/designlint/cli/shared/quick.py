"""Reads plain arguments from a command's own signature, without typer: its import is an eighth of a whole check."""

from __future__ import annotations

import inspect
import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

#: An option of a choice that may be left out.
CHOICE = re.compile(r"Annotated\[\s*(\w+) \| None")


def read(command: Callable[..., None], arguments: Sequence[str]) -> dict[str, Any] | None:
    """
    The keyword arguments of a call, or None where the arguments are not plain: then typer reads them, and complains.

    The first parameter takes the arguments without a name; every other one is `--its-name value`, or a flag.
    """
    positional, *options = inspect.signature(command).parameters.values()
    named = {f"--{option.name.replace('_', '-')}": option for option in options}
    given: dict[str, Any] = {}
    waiting = list(arguments)
    while waiting:
        argument, _, joined = waiting.pop(0).partition("=")
        if not argument.startswith("-") or argument == "-":
            given.setdefault(positional.name, []).append(argument if not joined else f"{argument}={joined}")
            continue
        if argument in named and isinstance(named[argument].default, bool) and not joined:
            given[named[argument].name] = True
            continue
        if argument not in named or not (joined or waiting):
            return None
        if not _take(named[argument], inspect.unwrap(command).__globals__, joined or waiting.pop(0), given):
            return None
    return given


def _take(option: inspect.Parameter, kinds: Mapping[str, Any], text: str, given: dict[str, Any]) -> bool:
    """Add the value of an option; False where typer should judge it."""
    named = CHOICE.match(str(option.annotation)) if option.default is None else None
    kind = kinds.get(named[1]) if named else type(option.default)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if text not in list(kind):
            return False
        given[option.name] = kind(text)
    elif option.default is None:
        given.setdefault(option.name, []).append(Path(text) if "Path" in str(option.annotation) else text)
    elif isinstance(option.default, str):
        given[option.name] = text
    elif isinstance(option.default, int) and not isinstance(option.default, bool) and text.isascii() and text.isdigit():
        given[option.name] = int(text)
    else:
        return False
    return True
