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
    map `path`, where it must be missing; `append` adds an item to the list `path`; `remove` takes out an entry or item;
    `rename` gives the entry `path` the key `key`, and a plain value where one is given; `list` makes the map `path` a list
    of its entries, or, with a `value`, of itself alone, with that as its name. `value` is YAML: a scalar, or a collection in
    brackets. A `shared` value may be set where it is defined although aliases bring it elsewhere too.
    """

    op: Literal["set", "insert", "append", "remove", "rename", "list"]
    path: Path
    value: str | None = None
    key: str | None = None
    shared: bool = False

    @property
    def text(self) -> str | None:
        """What it writes, as people are shown it; None where it takes something out."""
        if self.op == "list":
            return f"[{{name: {self.value or 'NAME'}, ...}}]"
        return f"{self.key}: {self.value}" if self.key and self.value else self.value or self.key

    @property
    def target(self) -> Path:
        """The path that changes."""
        return (*self.path, self.key) if self.op == "insert" and self.key is not None else self.path
