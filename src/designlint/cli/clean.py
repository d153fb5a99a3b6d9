"""`designlint clean`: throws the kept reports away."""

from __future__ import annotations

from designlint.cli.shared.terminal import put
from designlint.running.cache import folder


def command() -> None:
    """Delete the report cache."""
    place = folder.place()
    if place is None:
        put(f"no reports are kept: {folder.VARIABLE} is empty")
        return
    number, size = folder.clear()
    put(f"removed {number} kept report{'s' * (number != 1)} ({size / 1e6:.1f} MB) from {place}")
