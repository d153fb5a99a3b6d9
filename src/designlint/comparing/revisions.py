"""Designs as they were: files of a git revision, read without a work tree, and laid out so that `extends` finds its bases."""

from __future__ import annotations

import os
import posixpath
import subprocess
from functools import cached_property
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, NamedTuple

from designlint.reading import LIMITS, Document, looks_like_design, read_bytes, read_file
from designlint.reading.bases import extended_files, imported_files
from designlint.reading.discovery import ENDINGS
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

#: Seconds that git may take.
PATIENCE = 60
#: Nothing that a repository configures runs: no hook, monitor, pager or filter; nothing is fetched, no lock is taken.
#: A folder that only looks like a repository, as a change can add one beside a design, is none.
SAFELY = (
    "-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.warnAmbiguousRefs=true", "--no-pager", "--literal-pathspecs",
)  # fmt: skip
SILENT = {
    "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ALLOW_PROTOCOL": "", "LC_ALL": "C",
}  # fmt: skip
#: A link that leads to a link, and so on.
MOST_HOPS = 8
LINK = "120000"
GIT = ".git"
#: What git says of a revision that is not there, which our own words say better.
MISSING = "Needed a single revision"


class Blob(NamedTuple):
    """A file of a revision."""

    mode: str
    name: str


class Repository:
    """A git repository, only read."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def around(cls, place: Path) -> Repository:
        """The repository that holds a file or folder. Raises UsageError where there is none, or no git."""
        above = place.absolute()
        folder = next(one for one in (above, *above.parents) if one.is_dir())
        done = _git(folder, "rev-parse", "--show-toplevel")
        if done.returncode:
            raise UsageError(f"{place}: {_complaint(done)}")
        found = Path(os.fsdecode(done.stdout.rstrip(b"\n")))
        if not any((one / GIT).exists() for one in (found, *found.parents)) and "GIT_DIR" not in os.environ:
            raise UsageError(f"{place}: its repository has no {GIT} folder or file")
        return cls(found)

    def commit(self, revision: str) -> str:
        """The name of the commit that a revision means. Raises UsageError."""
        if not revision or revision.startswith("-") or not revision.isprintable():
            raise UsageError(f"`{revision.encode('unicode_escape').decode()}` is not a revision")
        done = _git(self.root, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
        if b"ambiguous" in done.stderr:
            raise UsageError(
                f"`{revision}` means several things in {self.root.name}: write refs/heads/... or refs/remotes/..."
            )
        name = done.stdout.decode("ascii", "replace").split()[-1:]
        if done.returncode or not name:
            said = _complaint(done).replace(MISSING, "")
            raise UsageError(f"`{revision}` is not a revision of {self.root.name}" + (f": {said}" if said else ""))
        return name[0]

    def path(self, file: Path) -> str:
        """The path of a file, there or not, within the repository. Raises UsageError where it is outside."""
        place = file.resolve() if file.name in ("", "..") else file.absolute().parent.resolve() / file.name
        try:
            path = place.relative_to(self.root.resolve()).as_posix()
        except ValueError:
            raise UsageError(f"{file}: not in the repository {self.root.name}") from None
        return "" if path == "." else path

    def holds(self, folder: Path) -> bool:
        """
        Whether a folder belongs to the repository, and not to another one inside it that has a `.git` of its own.

        A change cannot add a `.git`; a folder that looks like a bare repository is no other one.
        """
        place, root = folder.resolve(), self.root.resolve()
        between = [place, *place.parents]
        if root not in between:
            return False
        return not any((one / GIT).exists() for one in between[: between.index(root)])

    def files(self, commit: str) -> dict[str, Blob]:
        """The files of a commit by path; those whose path could lead elsewhere are left out."""
        found: dict[str, Blob] = {}
        for line in self._read_object("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
            about, _, name = line.partition(b"\t")
            mode, kind, blob = (*about.decode("ascii", "replace").split(), "", "", "")[:3]
            path = os.fsdecode(name)
            if kind == "blob" and _harmless(path):
                found[path] = Blob(mode, blob)
        return found

    def content(self, blob: Blob) -> bytes:
        """The bytes of a file, as git keeps them."""
        return self._read_object("cat-file", "blob", blob.name)

    def _read_object(self, *arguments: str) -> bytes:
        done = _git(self.root, *arguments)
        if done.returncode:
            raise UsageError(f"git {arguments[0]}: {_complaint(done)}")
        return done.stdout


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    # What a hook or an outer git set would point at another repository.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in KEPT}
    try:
        return subprocess.run(
            ["git", *SAFELY, *arguments],
            cwd=folder,
            env=kept | SILENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except OSError:
        raise UsageError("git is not installed: revisions cannot be read") from None
    except subprocess.TimeoutExpired:
        raise UsageError(f"git {arguments[0]} takes more than {PATIENCE} seconds") from None


#: What of git's environment is the user's own choice of where and what to trust.
KEPT = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CEILING_DIRECTORIES",
)


def _complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """The first line of git's complaint."""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[0].removeprefix("fatal: ") if lines else ""


def _harmless(path: str) -> bool:
    """Whether a path of a tree stays below the folder that it is laid out in; git's own checks can be evaded."""
    parts = path.split("/")
    return "\\" not in path and not any(one in ("", ".", "..") or one.lower() == ".git" for one in parts)


class Snapshot:
    """The designs of one revision; a context manager that lays files out in a folder of its own, each when asked for."""

    def __init__(self, repository: Repository, revision: str) -> None:
        self.repository, self.revision = repository, revision
        self.commit = repository.commit(revision)
        self._contents: dict[str, bytes] = {}
        #: Where the files are laid out.
        self.folder = Path(mkdtemp(prefix="designlint-"))
        #: What `extends` takes for the boundary of the repository.
        (self.folder / ".git").mkdir()

    def __enter__(self) -> Snapshot:
        return self

    def __exit__(self, *_: object) -> None:
        rmtree(self.folder, ignore_errors=True)

    @cached_property
    def files(self) -> Mapping[str, Blob]:
        """All files of the revision by path."""
        return self.repository.files(self.commit)

    def content(self, path: str) -> bytes | None:
        """The bytes of a file, links followed within the repository; None where there is none."""
        blob = self._follow(path)
        if blob is None:
            return None
        if path not in self._contents:
            self._contents[path] = self.repository.content(blob)
        return self._contents[path]

    def _follow(self, path: str) -> Blob | None:
        for _ in range(MOST_HOPS):
            blob = self.files.get(path)
            if blob is None or blob.mode != LINK:
                return blob
            path = posixpath.normpath(
                posixpath.join(posixpath.dirname(path), os.fsdecode(self.repository.content(blob)))
            )
        return None

    def closure(self, path: str) -> list[str]:
        """A file and all that it extends and imports, as far as they were there."""
        found: list[str] = []
        foreign: list[str] = []
        waiting = [path]
        while waiting:
            one = waiting.pop()
            data = self.content(one) if one not in found else None
            if data is not None:
                found.append(one)
                bases, others = _named_files(data, one)
                waiting += bases
                foreign += others
        return [*found, *(one for one in dict.fromkeys(foreign) if one not in found and self.content(one) is not None)]

    def document(self, path: str) -> Document:
        """A design of the revision, its bases laid out beside it. Raises UsageError where it was not there."""
        files = self.closure(path)
        if not files:
            raise UsageError(f"{path}: not there at {self.revision}")
        for one in files:
            self.lay(one)
        return read_file(self.folder / path, str(self.folder / path))

    def lay(self, path: str) -> Path:
        """A file of the revision, laid out."""
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(self.content(path) or b"")
        return place

    def designs(self, folder: str, but: Callable[[str], bool] = lambda _: False) -> Iterator[str]:
        """
        The paths of the designs below a folder, or the file of that path, in the order in which a search finds them.

        Args:
            but: paths that are left out, and not read.
        """
        if folder in self.files:
            yield folder
            return
        above = f"{folder}/" if folder else ""
        for path in sorted(self.files):
            inner = path.removeprefix(above)
            if not path.startswith(above) or not path.endswith(ENDINGS) or _hidden(inner) or but(path):
                continue
            if looks_like_design(self.content(path) or b""):
                yield path

    def removed_designs(self, folder: str) -> list[str]:
        """The paths of the designs below a folder of which the work tree has no file any more."""
        return list(self.designs(folder, lambda path: os.path.lexists(self.repository.root / path)))

    def is_unchanged(self, path: str, data: bytes | None = None) -> bool:
        """Whether a design, maybe of other bytes, and all it extends and imports stand as they were, line ends apart."""
        files = self.closure(path)
        now = (data if one == path and data is not None else self._now(one) for one in files)
        return bool(files) and all(_same(self.content(one), other) for one, other in zip(files, now, strict=True))

    def alike(self, other: Snapshot, path: str) -> bool:
        """Whether another revision has the same design, and the same in all that it extends and imports."""
        files = self.closure(path)
        return bool(files) and all(self.content(one) == other.content(one) for one in files)

    def _now(self, path: str) -> bytes | None:
        try:
            with (self.repository.root / path).open("rb") as stream:
                return stream.read(LIMITS.bytes + 1)
        except OSError:
            return None


def _hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/")[:-1])


def _same(old: bytes | None, new: bytes | None) -> bool:
    return old is not None and new is not None and old.replace(b"\r\n", b"\n") == new.replace(b"\r\n", b"\n")


def _named_files(data: bytes, path: str) -> tuple[list[str], list[str]]:
    """What a file extends and what it imports, as paths within the repository."""
    if b"extends" not in data and b"from" not in data:
        return [], []
    root = read_bytes(data, path).root
    return [_beside(path, one) for one in extended_files(root)], [_beside(path, one) for one in imported_files(root)]


def _beside(path: str, stated: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), stated))
