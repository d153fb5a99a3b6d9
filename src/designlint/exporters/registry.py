"""The formats there are: a module in `formats/` is one."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from designlint.exporters.base import Export, Order


class ExportFormat(Protocol):
    """What a module of `formats/` offers: `TITLE` says what the file is, `write` makes it. `write` raises: Refusal."""

    TITLE: str

    def write(self, order: Order) -> Export: ...


def names() -> list[str]:
    """The formats there are."""
    files = (Path(__file__).parent / "formats").glob("*.py")
    return sorted(file.stem.replace("_", "-") for file in files if file.stem[0] != "_")


def load_format(name: str) -> ExportFormat:
    """The module of a format."""
    return cast("ExportFormat", import_module(f"designlint.exporters.formats.{name.replace('-', '_')}"))
