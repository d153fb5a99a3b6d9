"""The two sides of a comparison: a file, a folder, or either at a git revision; and which design belongs to which."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from designlint.comparing.revisions import Repository, Snapshot
from designlint.reading.discovery import open_document, search_folder
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import ExitStack

    from designlint.reading import Document


class NamedSide(NamedTuple):
    """What an argument names: a path of the work tree, a revision, or a path as it is at a revision."""

    revision: str
    path: str


class DesignSide:
    """
    The designs that an argument names.

    Attributes:
        designs: by their path below a named folder, or the empty path where a file was named: what opens them.
    """

    def __init__(self, named: NamedSide, held: ExitStack) -> None:
        self.named = named
        self.snapshot: Snapshot | None = None
        if named.revision:
            repository = Repository.around(Path(named.path))
            self.snapshot = held.enter_context(Snapshot(repository, named.revision))
            place = repository.path(Path(named.path))
            self.single = place in self.snapshot.files
            self.designs = dict(_below(place, self.snapshot.designs(place)))
        else:
            self.single = not Path(named.path).is_dir()
            self.designs = {"": named.path} if self.single else dict(_below(named.path, search_folder(named.path)))

    def document(self, key: str) -> Document:
        """A design of this side."""
        path = self.designs[key]
        return open_document(path) if self.snapshot is None else self.snapshot.document(path)


def _below(folder: str, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    for path in paths:
        below = os.path.relpath(path, folder or ".").replace(os.sep, "/")
        yield "" if below == "." else below, path


class Pair(NamedTuple):
    """A design on both sides, or on one."""

    key: str
    old: DesignSide | None
    new: DesignSide | None

    @property
    def paths(self) -> list[str]:
        """Where it stands in the work tree, or would: of each side that has it, the older first."""
        sides = [side for side in (self.old, self.new) if side is not None]
        return [os.path.normpath(Path(side.named.path, self.key)) for side in sides]

    @property
    def path(self) -> str:
        """The path that configures how both sides are judged."""
        return self.paths[-1]

    @property
    def shown(self) -> str:
        """What the user would call it: its path or, where the sides have different ones, both."""
        paths = dict.fromkeys(path.replace(os.sep, "/") for path in self.paths)
        return " -> ".join(os.fsencode(path).decode("utf-8", "backslashreplace") for path in paths)

    @property
    def same(self) -> bool:
        """Whether the design and all that it extends surely are the same on both sides."""
        if self.old is None or self.new is None or self.old.snapshot is None:
            return False
        path = self.old.designs[self.key]
        if self.new.snapshot is not None:
            return path == self.new.designs[self.key] and self.old.snapshot.alike(self.new.snapshot, path)
        repository = self.old.snapshot.repository
        return repository.path(Path(self.new.designs[self.key])) == path and self.old.snapshot.is_unchanged(path)


def pairs(old: str, new: str, held: ExitStack) -> list[Pair]:
    """
    The designs of two sides, those of the same path together.

    Args:
        new: the work tree, or the latest commit if `old` is a path, where it is empty.
        held: keeps what is laid out of revisions until it is closed.

    Raises:
        UsageError: a file, folder or revision that is not there, or no design at all.
    """
    first, second = _sides(old, new)
    one, other = DesignSide(first, held), DesignSide(second, held)
    if one.designs and other.designs and one.single is not other.single:
        raise UsageError(f"{old}, {new or '.'}: a design is not compared with a folder")
    keys = sorted(one.designs.keys() | other.designs.keys())
    if not keys:
        raise UsageError(f"no design found in {old} or {new or '.'}")
    return [Pair(key, one if key in one.designs else None, other if key in other.designs else None) for key in keys]


def _sides(old: str, new: str) -> tuple[NamedSide, NamedSide]:
    """What two arguments name; a revision without a path is that of the other side's path."""
    revision, path = _parse_side(old)
    if not new:
        return (
            (NamedSide(revision, path or "."), NamedSide("", path or "."))
            if revision
            else (NamedSide("HEAD", old), NamedSide("", old))
        )
    other, place = _parse_side(new)
    return NamedSide(revision, path or place or "."), NamedSide(other, place or path or ".")


def _parse_side(text: str) -> NamedSide:
    """What an argument names, the path empty where it has none; a file or folder of that name counts first."""
    if Path(text).exists():
        return NamedSide("", text)
    revision, joined, path = text.partition(":")
    if not joined:
        return NamedSide(revision, "")
    if not path.startswith("."):  # as in git, from the top of the repository; `./` is from the present folder
        path = os.path.relpath(Repository.around(Path()).root / path)
    return NamedSide(revision, path)
