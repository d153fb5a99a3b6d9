"""The folder of kept reports: found, read, written and kept small, by any number of processes at once."""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from contextlib import suppress
from pathlib import Path

#: Where reports are kept; empty for nowhere.
VARIABLE = "DESIGNLINT_CACHE_DIR"
#: Our part of the folder, and how its drawers and entries are named: nothing else in it is ever touched.
REPORTS, DRAWER, ENTRY = "reports", re.compile("[0-9a-f]{2}"), re.compile(r"[0-9a-f]{64}|\.[0-9a-f]{64}\.[0-9]+")
#: Bytes of a drawer, of which there are 256: 200 MB in all.
ROOM = 200_000_000 // 256
DAY = 24 * 60 * 60
#: Seconds after its last use when an entry is thrown away.
KEPT = 30 * DAY


def place() -> Path | None:
    """The folder; None where reports are not kept."""
    stated = os.environ.get(VARIABLE)
    if stated is not None:
        return Path(stated, REPORTS) if stated and not _checked_out(stated) else None
    above = _usual()
    return Path(above, "designlint", REPORTS) if os.path.isabs(above) else None  # noqa: PTH117


def _checked_out(stated: str) -> bool:
    """Whether a folder lies in the repository of the working folder: what comes in by a repository is never believed."""
    here = Path.cwd()
    top = next((one for one in (here, *here.parents) if (one / ".git").exists()), None)
    return top is not None and Path(os.path.realpath(stated)).is_relative_to(os.path.realpath(top))


def _usual() -> str:
    """Where programs keep such things on this system; no absolute path where that is not known."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA", "")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Caches")  # noqa: PTH111
    return os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111


def read_entry(key: str) -> bytes | None:
    """An entry, now used; None where there is none that can be trusted."""
    if (file := _file(key)) is None:
        return None
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as stream:  # noqa: PTH123  a pipe or a device never blocks
            state = os.fstat(stream.fileno())
            if not _mine(state) or state.st_size > ROOM:
                return None
            data = stream.read()
        if time.time() - state.st_mtime > DAY:  # so that most uses write nothing
            os.utime(file)
    except OSError:
        return None
    return data


def _mine(state: os.stat_result) -> bool:
    """Whether this is a plain file that nobody but this user could have written."""
    return stat.S_ISREG(state.st_mode) and (
        not hasattr(os, "getuid") or (state.st_uid == os.getuid() and not state.st_mode & 0o022)
    )


def write(key: str, data: bytes) -> None:
    """Keep an entry; where that cannot be, nothing is kept."""
    file = _file(key)
    if file is None or len(data) > ROOM:
        return
    drawer, beside = os.path.split(file)[0], f".{key}.{os.getpid()}"
    with suppress(OSError):
        os.makedirs(drawer, 0o700, exist_ok=True)  # noqa: PTH103
        _sweep(drawer, ROOM - len(data))
        beside = os.path.join(drawer, beside)  # noqa: PTH118
        try:
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
            with open(descriptor, "wb") as stream:  # noqa: PTH123
                stream.write(data)
            os.replace(beside, file)  # noqa: PTH105
        finally:
            with suppress(OSError):
                os.unlink(beside)  # noqa: PTH108


def _file(key: str) -> str | None:
    home = place()
    return None if home is None else os.path.join(home, key[:2], key)  # noqa: PTH118


def _sweep(drawer: str, room: int) -> None:
    """Throw away what was not used for long, and what was not used longest, until the rest fits."""
    found = sorted((one.stat().st_mtime, one.stat().st_size, one.path) for one in _entries(drawer))
    size, oldest = sum(one for _, one, _ in found), time.time() - KEPT
    for used, bytes_, path in found:
        if used >= oldest and size <= room:
            return
        with suppress(OSError):  # another process was faster
            os.unlink(path)  # noqa: PTH108
        size -= bytes_


def _entries(drawer: str) -> list[os.DirEntry[str]]:
    with os.scandir(drawer) as entries:
        return [one for one in entries if ENTRY.fullmatch(one.name) and one.is_file(follow_symlinks=False)]


def clear() -> tuple[int, int]:
    """Throw all entries away; how many there were, and of how many bytes. Raises OSError."""
    number, size, home = 0, 0, place()
    if home is None or not home.is_dir():
        return 0, 0
    for drawer in sorted(home.iterdir()):
        if not DRAWER.fullmatch(drawer.name) or drawer.is_symlink() or not drawer.is_dir():
            continue
        for one in _entries(str(drawer)):
            with suppress(FileNotFoundError):
                number, size = number + 1, size + one.stat(follow_symlinks=False).st_size
                os.unlink(one.path)  # noqa: PTH108
        with suppress(OSError):  # something else stands in it
            drawer.rmdir()
    with suppress(OSError):
        home.rmdir()
    return number, size
