"""TorchTitan's options by section and name: those that are read, and names that it refuses because they are misspelt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import checked, defaults

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from designlint.importers.base import Fragment
    from designlint.importers.notations.structured import Table


def understood() -> frozenset[str]:
    """The options that are read, as the command line spells them."""
    tool = defaults.tool("torchtitan")
    return frozenset(key.replace("/", ".") for key in tool.keys("counts") | tool.lists["read"])


def misspelt(names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Options, each with its section, that TorchTitan does not know, and the one that is meant."""
    known, tool = understood(), defaults.tool("torchtitan")
    silent = tool.lists["immaterial"] | tool.lists["switched"]
    sections = {one.partition(".")[0] for one in known} | silent
    for name in names:
        section, _, option = name.partition(".")
        if not option or name in known or option in silent:
            continue
        nearby = [section] if section in sections else [near for _, near in checked.misspelt([section], sections)]
        for near in (f"{one}.{two}" for one in nearby for two in _find_options(option, one, known)):
            if near not in names:
                yield name, near


def _find_options(option: str, section: str, known: Collection[str]) -> list[str]:
    """The options of a section that a name is, is but for a slip in one part, or is without its underscores."""
    options = [two for one, _, two in (name.partition(".") for name in known) if one == section]
    if option in options:
        return [option]
    bare = [one for one in options if one.replace("_", "") == option.replace("_", "")]
    return bare or [near for _, near in checked.misspelt([option], options)]


def report(table: Table, found: Fragment) -> set[str]:
    """Notes options of a file that are misspelt; the words that the right ones state, which have no default then."""
    tool = defaults.tool("torchtitan")
    stated = {
        f"{section}.{key}": node
        for section, part in (table.node.entries.items() if table.node is not None else ())
        for key, node in part.entries.items()
    }
    meant = []
    for name, near in misspelt(stated):
        at = table.source.value(name, stated[name].key_start, stated[name].key_end)
        found.clash("import/misspelt-key", at, name=name[:60], proposal=near, tool=tool.name)
        meant.append(near.replace(".", "/"))
    return {word for word, keys in tool.tables["counts"].items() if not {*keys.split()}.isdisjoint(meant)}
