"""Reads small files of our own, and says briefly what came of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint import importers
from designlint.configuration import engine
from designlint.importers import Imported, Value

if TYPE_CHECKING:
    from pathlib import Path


def read(folder: Path, files: dict[str, str], *, settings: dict[str, str] | None = None) -> Imported:
    """What these files say together; those whose names start with `+` lie beside the others and are not named."""
    for name, text in files.items():
        path = folder / name.lstrip("+")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    named = [folder / name for name in files if not name.startswith("+")]
    return importers.import_files(
        named, settings=settings, catalogued=engine.shipped_engine().vocabulary.catalogue_name, within=folder,
        shown={folder / name: name for name in files},
    )  # fmt: skip


def plain(part: Any) -> Any:
    """Words as plain values."""
    if isinstance(part, Value):
        return part.text
    if isinstance(part, dict):
        return {word: plain(one) for word, one in part.items()}
    return [plain(one) for one in part]


def at(found: Imported, path: str) -> Value:
    """The value at a path of words; items of lists by number."""
    here: Any = found.words
    for step in path.split("/"):
        here = here[int(step)] if isinstance(here, list) else here[step]
    assert isinstance(here, Value), path
    return here


def place(value: Value) -> tuple[str, int, str]:
    """File, line and the words there."""
    return value.source.file, value.line, value.source.text[value.start : value.end]
