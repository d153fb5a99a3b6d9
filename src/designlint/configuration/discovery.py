"""Finds the configuration of a design: from its folder upwards, as far as its repository reaches."""

from __future__ import annotations

import os
from pathlib import Path

from designlint.configuration import source
from designlint.reading.errors import AuthoringError, UsageError

GIT = ".git"


def nearest(design: str) -> Path | None:
    """
    The nearest configuration above a design; the folder that holds `.git` is the last one searched.

    Raises:
        AuthoringError: two in one folder, or one that cannot be read.
    """
    home = os.path.dirname(os.path.abspath(design))  # noqa: PTH100, PTH120
    while True:
        found = within(home)
        above = os.path.dirname(home)  # noqa: PTH120
        if found is not None or above == home or os.path.exists(os.path.join(home, GIT)):  # noqa: PTH110, PTH118
            return found
        home = above


def within(folder: str) -> Path | None:
    """The configuration in a folder. Raises AuthoringError where there are two."""
    own, shared = (os.path.join(folder, name) for name in (source.NAME, source.SHARED))  # noqa: PTH118
    has_own = os.path.isfile(own)  # noqa: PTH113
    if os.path.isfile(shared) and source.open_configuration(Path(shared)).table is not None:  # noqa: PTH113
        if has_own:
            message = f"`tool.designlint` is configured here and in {source.NAME} beside it; keep one of them"
            raise AuthoringError(message, file=source.display_path(Path(shared)))
        return Path(shared)
    return Path(own) if has_own else None


def named_configuration(config: str) -> Path:
    """The configuration that `--config` names. Raises UsageError."""
    path = Path(os.path.abspath(config))  # noqa: PTH100
    if not path.is_file():
        raise UsageError(f"--config: {config}: no such file")
    if path.suffix != ".toml":
        raise UsageError(f"--config: {config}: a configuration is a TOML file")
    if path.name == source.SHARED and source.open_configuration(path).table is None:
        raise UsageError(f"--config: {config}: it has no table `tool.designlint`")
    return path


def boundary(file: Path) -> Path:
    """The folder that no path of a configuration may lead out of: the repository's, else its own."""
    for folder in file.parents:
        if (folder / GIT).exists():
            return folder
        above = within(str(folder))
        if above is not None and (source.open_configuration(above).table or {}).get("root") is True:
            return folder
    return file.parent
