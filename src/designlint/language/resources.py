"""Where the shipped ontology and rules are: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def shipped_folder() -> Path:
    """The folder that holds `ontology/` and `rules/`."""
    inside = PACKAGE / "shipped"
    return inside if inside.is_dir() else PACKAGE.parents[1]


def ontology(*parts: str) -> Path:
    """A path below the shipped `ontology/`."""
    return shipped_folder().joinpath("ontology", *parts)


def rules() -> Path:
    """The folder of shipped rules."""
    return shipped_folder() / "rules"


def files(folder: Path, suffix: str) -> list[Path]:
    """All files below a folder with this suffix, sorted; folders and files that start with `.` or `_` left out."""
    found: list[Path] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] not in "._")
        found += [Path(place, name) for name in names if name.endswith(suffix) and name[0] not in "._"]
    return sorted(found)


def display_path(path: Path) -> str:
    """A path as messages name it: from the shipped folder where it lies inside, else as given."""
    try:
        return path.resolve().relative_to(shipped_folder()).as_posix()
    except ValueError:
        return str(path)
