"""Types of nodes in MLPerf's newer system descriptions, whose keys stand in sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.notations.structured import Table

if TYPE_CHECKING:
    from designlint.importers.base import Source
    from designlint.reading import Node

#: Sections of a type of node, and the lists that describe its parts.
SECTIONS, PARTS = ("hardware_ensemble", "software_ensemble"), ("accelerator_info",)


def types(root: Node) -> list[Node]:
    """The types of nodes of a system that lists them."""
    listed = root.entries.get("node_types")
    return [one for one in listed.items if one.kind == "map"] if listed is not None else []


class NodeType(Table):
    """A type of node, whose keys are found in whichever of its sections they stand."""

    def __init__(self, source: Source, node: Node) -> None:
        super().__init__(source, node)
        self.sections = [Table(source, one) for one in _sections(node)]

    def at(self, path: str) -> Node | None:
        """The node at a path, in the type itself or in a section."""
        own = super().at(path)
        return own if own is not None else next((found for one in self.sections if (found := one.at(path))), None)


def _sections(node: Node) -> list[Node]:
    """The mappings below a type; of a list of parts, its only one."""
    found: list[Node] = []
    for name in SECTIONS:
        section = node.entries.get(name)
        if section is not None:
            found += [section, *(one for one in section.entries.values() if one.kind == "map")]
    for name in PARTS:
        for one in [node, *found]:
            listed = one.entries.get(name)
            if listed is not None and len(listed.items) == 1:
                return [*found, listed.items[0]]
    return found
