"""Which files a run is about: designs named, folders searched, standard input."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.errors import UsageError
from designlint.recognition import looks_like_design

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from designlint.source import Document

STDIN = "-"
#: Endings of the files that a folder is searched for.
ENDINGS = (".yaml", ".yml")


def discover(paths: Sequence[str], *, designs_only: bool = False) -> list[str]:
    """
    The design files that the paths mean: files as they are, folders searched.

    Args:
        designs_only: named files that are no designs are passed over, as in folders, and no design at all is no fault.

    Raises:
        UsageError: a path that is not there, or no design at all.
    """
    found: list[str] = []
    for path in paths:
        if Path(path).is_dir():
            found += searched(path)
        elif path == STDIN or Path(path).is_file():
            found += [path] if not designs_only or path == STDIN or _is_design(path) else []
        else:
            raise UsageError(f"{path}: no such file or folder")
    if not found and not designs_only:
        raise UsageError(
            f"no design found in {', '.join(paths)}: a design is a YAML file whose first key is `designlint`"
        )
    once: dict[str, str] = {}
    for one in found:
        once.setdefault(os.path.normpath(one), one)
    return list(once.values())


def searched(folder: str) -> Iterable[str]:
    """The designs below a folder, hidden folders left out."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = os.path.join(place, name)  # noqa: PTH118
            if name.endswith(ENDINGS) and os.path.isfile(path) and _is_design(path):  # noqa: PTH113
                yield os.path.normpath(path)


def _is_design(path: str) -> bool:
    try:
        with open(path, "rb") as stream:  # noqa: PTH123
            return looks_like_design(stream.read(65536))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None


def standard_input() -> bytes:
    """What stands on standard input, no more of it than is read of a file. Raises UsageError where it is closed."""
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    from designlint.source import LIMITS

    return sys.stdin.buffer.read(LIMITS.bytes + 1)


def open_document(path: str, stdin: bytes | None = None, stdin_filename: str = "<stdin>") -> Document:
    """The document at a path, or the one given on standard input. Raises UsageError."""
    from designlint.source import read_bytes, read_file  # not at the start: a report that is kept needs no YAML

    if path == STDIN:
        return read_bytes(standard_input() if stdin is None else stdin, stdin_filename)
    shown = shown_as(path)
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113
        raise UsageError(f"{shown}: not a file")
    try:
        return read_file(Path(path), shown)
    except OSError as error:
        raise UsageError(f"{shown}: {error.strerror or error}") from None


def shown_as(path: str) -> str:
    """A path as reports tell it."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
