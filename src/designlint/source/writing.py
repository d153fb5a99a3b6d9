"""Writes a changed file so that it is either the old one or the new one, never half of each."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from designlint.source.reader import BOM
from designlint.source.values import EditRefused


def write(path: Path, text: str, expected: bytes) -> None:
    """Replaces the file that held the `expected` bytes. Raises: EditRefused if it holds others; OSError."""
    target = Path(os.path.realpath(path))  # a link stays a link
    data = (BOM if expected.startswith(BOM) else b"") + text.encode("utf-8")
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".tmp", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        if target.read_bytes() != expected:
            raise EditRefused("the file has changed since it was read")
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
