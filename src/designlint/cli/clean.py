"""`designlint clean`: throws the kept reports away."""

from __future__ import annotations

from designlint.cache import folder
from designlint.cli import put


def command() -> None:
    """Throw away the reports that `check` keeps for the next run."""
    place = folder.place()
    if place is None:
        put(f"no reports are kept: {folder.VARIABLE} is empty")
        return
    number, size = folder.clear()
    put(f"removed {number} kept report{'s' * (number != 1)} ({size / 1e6:.1f} MB) from {place}")
