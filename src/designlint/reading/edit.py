"""One change of a named path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from designlint.reading.tree import Path


class Edit(Struct, frozen=True):
    """
    One change of a named path.

    `set` replaces a value or adds the entry that is missing, with the maps above it; `insert` adds the entry `key` to the
    map `path`, where it must be missing, and `begin` does so before all others; `append` adds an item to the list `path`;
    `remove` takes out an entry or item; `rename` gives the entry `path` the key `key`, and a plain value where one is
    given; `list` makes the map `path` a list of its entries, with their keys under `key`, or of itself alone, with a `value`
    under `key` or, without a `key`, as it is.
    `value` is YAML: a scalar, or a collection in brackets. A `shared` value may be set where it is defined although aliases
    bring it elsewhere too.
    """

    op: Literal["set", "insert", "begin", "append", "remove", "rename", "list"]
    path: Path
    value: str | None = None
    key: str | None = None
    shared: bool = False

    @property
    def text(self) -> str | None:
        """What it writes, as people are shown it; None where it takes something out."""
        if self.op == "list":
            return f"[{{{self.key}: {self.value or 'NAME'}, ...}}]" if self.key else "[{...}]"
        return f"{self.key}: {self.value}" if self.key and self.value and self.op != "begin" else self.value or self.key

    @property
    def target(self) -> Path:
        """The path that changes."""
        return (*self.path, self.key) if self.op in ("insert", "begin") and self.key is not None else self.path
