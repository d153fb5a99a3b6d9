"""Where a file stands for the services that read reports: relative to the repository, as a path or as a URI."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

#: What services call the folder with the repository, where there is none around the current folder.
WORKSPACES = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


@cache
def root() -> Path:
    """The repository around the current folder, else the workspace of the CI run, else the current folder."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / ".git").exists():
            return folder
    given = [Path(os.environ[name]) for name in WORKSPACES if os.environ.get(name)]
    return next((folder for folder in given if here.is_relative_to(folder)), here)


@cache
def path(file: str) -> str:
    """The path of a file from the root, with slashes; a whole one where it stands elsewhere."""
    if file.startswith("<"):  # standard input
        return file
    for whole in (Path(os.path.abspath(file)), Path(os.path.realpath(file))):  # noqa: PTH100
        if whole.is_relative_to(root()):
            return whole.relative_to(root()).as_posix()
    return whole.as_posix()


def uri(file: str) -> str:
    """The same as a URI: relative to the root, or of the scheme `file`."""
    from urllib.parse import quote

    told = path(file)
    return f"file://{quote(told)}" if told.startswith("/") else quote(told)
