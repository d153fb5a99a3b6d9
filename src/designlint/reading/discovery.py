"""Which files a run is about: designs named, folders searched, standard input."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.reading.errors import UsageError
from designlint.reading.recognition import looks_like_design, resembles
from designlint.reading.tree import LIMITS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from designlint.reading import Document

STDIN = "-"
#: Endings of the files that a folder is searched for.
ENDINGS = (".yaml", ".yml")
GIT = ".git"


def discover(
    paths: Sequence[str], *, designs_only: bool = False, searches: list[FolderSearch] | None = None, needed: bool = True
) -> list[str]:
    """
    The design files that the paths mean: files as they are, folders searched.

    Args:
        designs_only: named files that are no designs are passed over, as in folders, and no design at all is no fault.
        searches: takes what was searched, which knows what else it met.
        needed: no design at all is a fault.

    Raises:
        UsageError: a path that is not there, or no design at all.
    """
    found: list[str] = []
    for path in paths:
        if os.path.isdir(path):  # noqa: PTH112
            search = FolderSearch(path)
            found += search.designs()
            if searches is not None:
                searches.append(search)
        elif path == STDIN or Path(path).is_file():
            found += [path] if not designs_only or path == STDIN or is_design(path) else []
        else:
            raise UsageError(f"{path}: no such file or folder")
    if not found and needed and not designs_only:
        raise UsageError(
            f"no design found in {', '.join(paths)}: a design is a YAML file whose first key is `designlint`"
        )
    once: dict[str, str] = {}
    for one in found:
        once.setdefault(os.path.normpath(one), one)
    return list(once.values())


def search_folder(folder: str) -> Iterable[str]:
    """The designs below a folder, hidden and linked folders left out."""
    return FolderSearch(folder).designs()


class Unjudged(Struct, frozen=True):
    """A file or folder that may hold a design and was not searched or taken for one, and why not."""

    file: str
    reason: str


class FolderSearch:
    """
    One search of a folder, as deep as it may be.

    Attributes:
        passed: what looks like a design and was left out; YAML files that are none are in `others`.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.passed: list[Unjudged] = []
        self.others: list[str] = []

    def designs(self) -> list[str]:
        """The designs, in the order of their names, a folder's own before those below it."""
        found: list[str] = []
        waiting = [(self.folder, "")]
        while waiting:
            place, left_out = waiting.pop()
            files, folders = self._list_folder(place)
            for path in files:
                if not is_design(path):
                    self.others.append(os.path.normpath(path))
                elif left_out:
                    self.passed.append(Unjudged(os.path.normpath(path), left_out))
                else:
                    found.append(os.path.normpath(path))
            waiting += [(path, left_out or reason) for path, reason in reversed(folders)]
        return found

    def _list_folder(self, place: str) -> tuple[list[str], list[tuple[str, str]]]:
        """The YAML files of a folder, and the folders in it with the reason for which their designs are left out."""
        try:
            with os.scandir(place) as entries:
                listed = sorted(entries, key=lambda one: one.name)
        except OSError as error:
            self.passed.append(Unjudged(os.path.normpath(place), f"it cannot be searched: {error.strerror or error}"))
            return [], []
        files = [one.path for one in listed if one.name.lower().endswith(ENDINGS) and one.is_file()]
        folders: list[tuple[str, str]] = []
        for one in listed:
            if one.is_symlink() and one.is_dir():
                self._link(one.path)
            elif one.is_dir(follow_symlinks=False) and one.name != GIT and not foreign(one.path):
                folders.append((one.path, "it is in a hidden folder" if one.name.startswith(".") else ""))
        return files, folders

    def _link(self, path: str) -> None:
        """Note a linked folder that leads out of what is searched, as its designs are not judged."""
        target, top = os.path.realpath(path), os.path.realpath(self.folder)
        if os.path.commonpath((target, top)) != top:
            self.passed.append(Unjudged(os.path.normpath(path), "a link to a folder, which is not searched"))


def foreign(folder: str) -> bool:
    """Whether a folder is a virtual environment or a cache, which name themselves."""
    return any(os.path.exists(os.path.join(folder, name)) for name in ("pyvenv.cfg", "CACHEDIR.TAG"))  # noqa: PTH110, PTH118


def is_design(path: str) -> bool:
    """Whether a file begins as a design does. Raises UsageError where it cannot be read."""
    return looks_like_design(_head(path))


def alike(files: Iterable[str], words: Collection[str]) -> list[Unjudged]:
    """Those of some files that are no designs, but whose keys are those of one."""
    reason = "its keys are those of a design, but it has no key `designlint`"
    return [Unjudged(one, reason) for one in files if resembles(_head(one), words)]


def _head(path: str) -> bytes:
    """What of a file is read at most. Raises UsageError."""
    try:
        with open(path, "rb") as stream:  # noqa: PTH123
            return stream.read(LIMITS.bytes + 1)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None


def standard_input() -> bytes:
    """What stands on standard input, no more of it than is read of a file. Raises UsageError where it is closed."""
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    return sys.stdin.buffer.read(LIMITS.bytes + 1)


def open_document(path: str, stdin: bytes | None = None, stdin_filename: str = "<stdin>") -> Document:
    """The document at a path, or the one given on standard input. Raises UsageError."""
    from designlint.reading import read_bytes, read_file  # not at the start: a report that is kept needs no YAML

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
