"""Which files a design extends: how far they may lie from it, and what was read of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


class Base(NamedTuple):
    """
    A file that a design extends, or would if it were there.

    Attributes:
        stated: the path as stated, from the folder of the file that states it.
        found: where that leads, links followed.
        digest: of what was read, MISSING where there is no file, OUTSIDE where it may not be read; empty where nothing
            is surely known of it.
    """

    stated: str
    found: str
    digest: str


MISSING, OUTSIDE = "missing", "outside"
#: Files that may be laid over one another, designs or configurations: more is a mistake, and each costs a read.
DEEPEST = 16


def boundary(home: Path) -> Path:
    """The folder that paths from a design must not leave: the repository's, else the design's own."""
    return next((folder for folder in home.parents if (folder / ".git").exists()), home.parent)


def led(stated: Path) -> tuple[Path, bool] | None:
    """Where a path leads, and whether a file is there; None where it is no path."""
    try:
        found = stated.resolve()
        return found, found.is_file()
    except (OSError, ValueError, RuntimeError):
        return None
