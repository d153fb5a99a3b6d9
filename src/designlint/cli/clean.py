"""`designlint clean`: throws the kept reports away."""

from __future__ import annotations

from designlint.cli.shared.terminal import print_text
from designlint.language.sentences import many
from designlint.running.cache import folder


def command() -> None:
    """Delete the report cache."""
    place = folder.place()
    if place is None:
        print_text(f"no reports are kept: {folder.VARIABLE} is empty")
        return
    number, size = folder.clear()
    print_text(f"removed {many(number, 'kept report')} ({size / 1e6:.1f} MB) from {place}")
