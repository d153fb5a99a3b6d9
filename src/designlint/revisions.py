"""Designs as they were: files of a git revision, read without a work tree, and laid out so that `extends` finds its bases."""

from __future__ import annotations

import os
import posixpath
import subprocess
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from designlint.discovery import ENDINGS
from designlint.errors import UsageError
from designlint.source import LIMITS, Document, looks_like_design, read_bytes, read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: Seconds that git may take.
PATIENCE = 60
#: Nothing that a repository configures runs: no hook, monitor, pager or filter; nothing is fetched, no lock is taken.
SAFELY = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "--no-pager", "--literal-pathspecs")
SILENT = {
    "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ALLOW_PROTOCOL": "", "LC_ALL": "C",
}  # fmt: skip
#: A link that leads to a link, and so on.
MOST_HOPS = 8
LINK = "120000"


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
            raise UsageError(f"{place}: {_said(done)}")
        return cls(Path(os.fsdecode(done.stdout.rstrip(b"\n"))))

    def commit(self, revision: str) -> str:
        """The name of the commit that a revision means. Raises UsageError."""
        if not revision or revision.startswith("-") or not revision.isprintable():
            raise UsageError(f"`{revision.encode('unicode_escape').decode()}` is no revision")
        done = _git(self.root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        name = done.stdout.decode("ascii", "replace").split()[-1:]
        if done.returncode or not name:
            raise UsageError(
                f"`{revision}` is no revision of {self.root.name}" + (f": {said}" if (said := _said(done)) else "")
            )
        return name[0]

    def path(self, file: Path) -> str:
        """The path of a file, there or not, within the repository. Raises UsageError where it is outside."""
        place = file.resolve() if file.name in ("", "..") else file.absolute().parent.resolve() / file.name
        try:
            path = place.relative_to(self.root.resolve()).as_posix()
        except ValueError:
            raise UsageError(f"{file}: not in the repository {self.root.name}") from None
        return "" if path == "." else path

    def files(self, commit: str) -> dict[str, Blob]:
        """The files of a commit by path; those whose path could lead elsewhere are left out."""
        found: dict[str, Blob] = {}
        for line in self._read("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
            about, _, name = line.partition(b"\t")
            mode, kind, blob = (*about.decode("ascii", "replace").split(), "", "", "")[:3]
            path = os.fsdecode(name)
            if kind == "blob" and _harmless(path):
                found[path] = Blob(mode, blob)
        return found

    def content(self, blob: Blob) -> bytes:
        """The bytes of a file, as git keeps them."""
        return self._read("cat-file", "blob", blob.name)

    def _read(self, *arguments: str) -> bytes:
        done = _git(self.root, *arguments)
        if done.returncode:
            raise UsageError(f"git {arguments[0]}: {_said(done)}")
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


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
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
        self._place = TemporaryDirectory(prefix="designlint-")
        #: What `extends` takes for the boundary of the repository.
        (self.folder / ".git").mkdir()

    def __enter__(self) -> Snapshot:
        return self

    def __exit__(self, *_: object) -> None:
        self._place.cleanup()

    @property
    def folder(self) -> Path:
        """Where the files are laid out."""
        return Path(self._place.name)

    @cached_property
    def files(self) -> Mapping[str, Blob]:
        """All files of the revision by path."""
        return self.repository.files(self.commit)

    def content(self, path: str) -> bytes | None:
        """The bytes of a file, links followed within the repository; None where there is none."""
        blob = self._followed(path)
        if blob is None:
            return None
        if path not in self._contents:
            self._contents[path] = self.repository.content(blob)
        return self._contents[path]

    def _followed(self, path: str) -> Blob | None:
        for _ in range(MOST_HOPS):
            blob = self.files.get(path)
            if blob is None or blob.mode != LINK:
                return blob
            path = posixpath.normpath(
                posixpath.join(posixpath.dirname(path), os.fsdecode(self.repository.content(blob)))
            )
        return None

    def closure(self, path: str) -> list[str]:
        """A file and all that it extends, as far as they were there."""
        found: list[str] = []
        waiting = [path]
        while waiting:
            one = waiting.pop()
            data = self.content(one) if one not in found else None
            if data is not None:
                found.append(one)
                waiting += _bases(data, one)
        return found

    def document(self, path: str) -> Document:
        """A design of the revision, its bases laid out beside it. Raises UsageError where it was not there."""
        files = self.closure(path)
        if not files:
            raise UsageError(f"{path}: not there at {self.revision}")
        for one in files:
            place = self.folder / one
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes((self.content(one) or b"")[: LIMITS.bytes + 1])
        return read_file(self.folder / path, str(self.folder / path))

    def designs(self, folder: str) -> Iterator[str]:
        """The paths of the designs below a folder, or the file of that path, in the order in which a search finds them."""
        if folder in self.files:
            yield folder
            return
        above = f"{folder}/" if folder else ""
        for path in sorted(self.files):
            inner = path.removeprefix(above)
            if not path.startswith(above) or not path.endswith(ENDINGS) or _hidden(inner):
                continue
            if looks_like_design(self.content(path) or b""):
                yield path

    def unchanged(self, path: str, data: bytes | None = None) -> bool:
        """Whether a design, of which there may be other bytes, and all that it extends stand as they were, line ends apart."""
        files = self.closure(path)
        now = (data if one == path and data is not None else self._now(one) for one in files)
        return bool(files) and all(_same(self.content(one), other) for one, other in zip(files, now, strict=True))

    def alike(self, other: Snapshot, path: str) -> bool:
        """Whether another revision has the same design, and the same in all that it extends."""
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


def _bases(data: bytes, path: str) -> Iterable[str]:
    """What a file extends, as paths within the repository."""
    if b"extends" not in data:
        return ()
    root = read_bytes(data, path).root
    listed = root.entries.get("extends") if root is not None and root.kind == "map" else None
    named = () if listed is None else listed.items if listed.kind == "list" else (listed,)
    joined = (posixpath.join(posixpath.dirname(path), one.text) for one in named if one.kind == "scalar" and one.text)
    return [posixpath.normpath(one) for one in joined]
