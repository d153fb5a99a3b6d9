"""The tables of SONiC's database, nested or flat."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from designlint.importers.base import Source, Value
    from designlint.reading import Node

#: Entries by table and key; each entry is a mapping of texts.
Database = dict[str, dict[str, "Node"]]


def value_of(source: Source, node: Node | None, key: str) -> Value | None:
    """One field of an entry."""
    inner = node.entries.get(key) if node is not None else None
    return (
        source.value(inner.text, inner.start, inner.end)
        if inner is not None and inner.kind == "scalar" and inner.text
        else None
    )


def each(source: Source, tables: Database, table: str, key: str) -> dict[str, Value]:
    """A field of every entry of a table."""
    return {
        name: value
        for name, node in tables.get(table, {}).items()
        if (value := value_of(source, node, key)) is not None
    }
