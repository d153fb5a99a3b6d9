"""
What is known of tools: what they fill in where a file is silent, and which of their keys say nothing about a design.

It is data: defaults in `ontology/tools/`, each file with the tool and its version, and keys in `ontology/keys/`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import yaml
from msgspec import Struct

from designlint.importers.base import How, Value
from designlint.language import resources
from designlint.language.values import spell_value

if TYPE_CHECKING:
    from collections.abc import Collection

    from designlint.importers.base import Words


#: Where the data of tools are, below the ontology.
FOLDERS = ("keys", "tools")


class Tool(Struct, frozen=True):
    """A tool: its name, the version whose defaults these are, and the tables and lists of its file."""

    name: str
    version: str
    tables: dict[str, dict[str, Any]]
    lists: dict[str, frozenset[str]]

    @property
    def label(self) -> str:
        """The tool as a report names the origin of a default."""
        return f"{self.name} {self.version}".strip()

    def keys(self, table: str) -> frozenset[str]:
        """All keys that state a word of a table."""
        return frozenset(" ".join(self.tables[table].values()).split())

    def value(self, table: str, key: str, at: Value) -> Value | None:
        """A default as a value that stands where the file is silent; None where there is none."""
        found = self.tables.get(table, {}).get(key)
        return None if found is None else at.but(spell_value(found), self.label, How.DEFAULT)

    def fill(self, words: Words, table: str, at: Value, without: Collection[str] = ()) -> None:
        """Give words the defaults of a table where the file is silent; `without` those that it states as what is unknown."""
        for path, default in self.tables.get(table, {}).items():
            if path in without:
                continue
            here: Any = words
            *parts, last = path.split("/")
            for part in parts:
                here = here.setdefault(part, {})
            if last not in here:
                here[last] = at.but(spell_value(default), self.label, How.DEFAULT)


def chip_rate(name: str) -> str:
    """The line rate of a port of a chip of switches; empty where it is none."""
    return str(tool("pci-devices").tables["chip_rates"].get(name, ""))


@cache
def tool(name: str) -> Tool:
    """What is known of a tool."""
    found: dict[str, Any] = {}
    for folder in FOLDERS:
        path = resources.ontology(folder, f"{name}.yaml")
        if path.exists():
            found |= yaml.load(path.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    tables = {key: value for key, value in found.items() if isinstance(value, dict)}
    lists = {key: frozenset(value) for key, value in found.items() if isinstance(value, list)}
    return Tool(found["tool"], str(found.get("version", "")), tables, lists)


class Keys(Struct, frozen=True):
    """Keys and arguments: whole names, and beginnings that stand for all names with them."""

    names: frozenset[str]
    beginnings: tuple[str, ...]

    def __contains__(self, name: str) -> bool:
        return name in self.names or name.startswith(self.beginnings)


@cache
def immaterial(*tools: str) -> Keys:
    """What says nothing about a design in files of these tools; a name that ends in `*` stands for its beginnings."""
    listed = [one for name in tools for one in tool(name).lists["immaterial"]]
    whole = frozenset(one for one in listed if one[-1] != "*")
    return Keys(whole, tuple(one[:-1] for one in listed if one[-1] == "*"))
