"""Which files a design extends or imports: how far they may lie from it, and what was read of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from designlint.reading.tree import Node


class Base(Struct, frozen=True):
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
#: Lists whose items have a word `from` of their own, or that are too long to be looked through: wirings.
WIRING = frozenset(("links", "host_links", "switches"))


def extended_files(root: Node | None) -> list[str]:
    """The files that a design extends, as stated."""
    return _paths(root.entries.get("extends")) if root is not None else []


def imported_files(root: Node | None) -> Iterator[str]:
    """The foreign files that any part of a design comes from, as stated."""
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        yield from _paths(node.entries.get("from"))
        waiting += [
            child for word, child in node.entries.items() if child.kind != "scalar" and word not in (*WIRING, "from")
        ]
        waiting += [item for item in node.items if item.kind == "map"]


def _paths(listed: Node | None) -> list[str]:
    named = () if listed is None else listed.items if listed.kind == "list" else (listed,)
    return [one.text for one in named if one.kind == "scalar" and one.text and "\0" not in one.text]


def boundary(home: Path) -> Path:
    """The folder that paths from a design must not leave: the repository's, else the design's own."""
    return next((folder for folder in home.parents if (folder / ".git").exists()), home.parent)


def follow_path(stated: Path) -> tuple[Path, bool] | None:
    """Where a path leads, and whether a file is there; None where it is no path."""
    try:
        found = stated.resolve()
        return found, found.is_file()
    except (OSError, ValueError, RuntimeError):
        return None
