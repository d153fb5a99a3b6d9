"""Writes a file so that it is either the old one or the new one, never half of each."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.recognition import BOM
from designlint.source.values import EditRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def write(path: Path, text: str, expected: bytes) -> None:
    """Replaces the file that held the `expected` bytes. Raises: EditRefused if it holds others; OSError."""

    def unchanged(target: Path) -> None:
        if target.read_bytes() != expected:
            raise EditRefused("the file has changed since it was read")

    _replace(path, (BOM if expected.startswith(BOM) else b"") + text.encode("utf-8"), unchanged)


def write_all(files: Sequence[tuple[Path, str, bytes]]) -> None:
    """Replaces several files, none where one of them holds other bytes than expected. Raises: EditRefused; OSError."""
    for path, _, expected in files:
        if path.read_bytes() != expected:
            raise EditRefused(f"{path} has changed since it was read")
    for path, text, expected in files:
        write(path, text, expected)


def put(path: Path, data: bytes) -> None:
    """Writes a file, new or not; what is no plain file, such as a pipe or a device, is written to. Raises OSError."""
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    _replace(path, data, lambda _: None)


def _replace(path: Path, data: bytes, check: Callable[[Path], None]) -> None:
    target = Path(os.path.realpath(path))  # a link stays a link
    import tempfile  # it brings much along, and most runs write nothing

    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".tmp", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(_mode(target))
        check(target)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    """The mode of a file, or that of a new one."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)  # it can only be read by setting it
    os.umask(mask)
    return 0o666 & ~mask
