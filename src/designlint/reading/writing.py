"""Writes a file so that it is either the old one or the new one, never half of each."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.reading.errors import UsageError
from designlint.reading.recognition import BOM
from designlint.reading.values import EditRefused

if TYPE_CHECKING:
    from collections.abc import Sequence


def write(path: Path, text: str, expected: bytes) -> None:
    """Replaces the file that held the `expected` bytes. Raises: EditRefused if it holds others; OSError."""
    write_all([(path, text, expected)])


def write_all(files: Sequence[tuple[Path, str, bytes]]) -> None:
    """
    Replaces several files, all of them or none: every new one is written beside its file before the first takes its place.

    Raises: EditRefused where one holds other bytes than expected, or may not be written; OSError. A file that a second
    name leads to (a hard link) keeps both: it is written in place.
    """
    staged: list[_Staged] = []
    done: list[_Staged] = []
    try:
        for path, text, expected in files:
            data = (BOM if expected.startswith(BOM) else b"") + text.encode("utf-8")
            staged.append(_Staged(path, data, expected))
        for one in staged:
            done.append(one)
            one.take_its_place()
    except BaseException:
        for one in done:
            one.undo()
        raise
    finally:
        for one in staged:
            one.temporary.unlink(missing_ok=True)


class _Staged:
    """A file and the new one beside it. Raises: EditRefused; OSError."""

    def __init__(self, path: Path, data: bytes, expected: bytes) -> None:
        if complaint := _leaving(path):
            raise EditRefused(complaint)
        self.target, self.data, self.expected = Path(os.path.realpath(path)), data, expected
        state = self.target.stat()
        if self.target.read_bytes() != expected:
            raise EditRefused(f"{path} has changed since it was read")
        if not state.st_mode & 0o222:
            raise EditRefused(f"{path} may not be written: its mode is read-only")
        self.linked, self.begun = state.st_nlink > 1, False
        self.temporary = _beside(self.target, data)
        if hasattr(os, "chown") and (state.st_uid, state.st_gid) != (os.geteuid(), os.getegid()):
            with suppress(PermissionError):
                os.chown(self.temporary, state.st_uid, state.st_gid)
        self.temporary.chmod(stat.S_IMODE(state.st_mode))

    def take_its_place(self) -> None:
        """Put the new bytes where the old ones stand. Raises: EditRefused; OSError."""
        if self.target.read_bytes() != self.expected:
            raise EditRefused(f"{self.target} has changed since it was read")
        self.begun = True
        if self.linked:
            self._over(self.data)
        else:
            self.temporary.replace(self.target)

    def undo(self) -> None:
        """Put the old bytes back where the new ones stand, or a part of them; never over what somebody else wrote."""
        with suppress(OSError):
            if self.begun and (self.linked or self.target.read_bytes() == self.data):
                self._over(self.expected)

    def _over(self, data: bytes) -> None:
        with self.target.open("r+b") as stream:
            stream.write(data)
            stream.truncate()
            stream.flush()
            os.fsync(stream.fileno())


def write_file(path: Path, data: bytes) -> None:
    """
    Writes a file, new or not; what is no plain file, such as a pipe or a device, is written to.

    Raises: UsageError where a link leads out of the repository; OSError.
    """
    if complaint := _leaving(path):
        raise UsageError(complaint)
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    _replace(path, data)


def _leaving(path: Path) -> str:
    """What is wrong where a path in a repository leads out of it: a link in a checkout is not its user's choice."""
    absolute, target = Path(os.path.abspath(path)), Path(os.path.realpath(path))  # noqa: PTH100
    top = next((one for one in absolute.parents if (one / ".git").exists() and not one.is_symlink()), None)
    leaves = top is not None and not target.is_relative_to(os.path.realpath(top))
    return f"{path} may not be written: a link leads out of the repository, to {target}" if leaves else ""


def _replace(path: Path, data: bytes) -> None:
    target = Path(os.path.realpath(path))  # a link stays a link
    temporary = _beside(target, data)
    try:
        temporary.chmod(_mode(target))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _beside(target: Path, data: bytes) -> Path:
    """A new file in the same folder with these bytes; its name fits whatever letters that of the target has."""
    import tempfile  # it brings much along, and most runs write nothing

    start = target.name.encode("utf-8", "surrogateescape")[:100].decode("utf-8", "ignore")
    descriptor, name = tempfile.mkstemp(prefix=f".{start}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _mode(target: Path) -> int:
    """The mode of a file, or that of a new one."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)  # it can only be read by setting it
    os.umask(mask)
    return 0o666 & ~mask
