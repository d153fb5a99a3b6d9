"""Git repositories of a test's own, made with the real git."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

#: No configuration of the machine, one author, one day.
QUIET = {
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.org", "GIT_AUTHOR_DATE": "2026-11-20T00:00:00Z",
    "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.org", "GIT_COMMITTER_DATE": "2026-11-20T00:00:00Z",
}  # fmt: skip


class Repo:
    """A repository whose files a test writes and commits."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.git("init", "-q", "-b", "main")

    @classmethod
    def at(cls, folder: Path) -> Repo:
        """A folder as it is, whatever git takes it for."""
        repo = cls.__new__(cls)
        repo.folder = folder
        return repo

    def git(self, *arguments: str, stdin: bytes = b"") -> str:
        """What git prints; a failure of git fails the test."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env={**os.environ, **QUIET},
            input=stdin,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode()

    def write(self, **files: str) -> None:
        """Write files; `__` in a name parts folders, the ending is `.yaml`."""
        for name, text in files.items():
            path = self.folder / f"{name.replace('__', '/')}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")

    def commit(self, **files: str) -> str:
        """Write files and commit all; the name of the commit."""
        self.write(**files)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "m")
        return self.git("rev-parse", "HEAD").strip()
