"""A scheduler's tree as the wiring that is built: a switch above each server, and neighbours without ports or counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.wiring.tree import NoTree, as_tree

if TYPE_CHECKING:
    from designlint.wiring.graph import Wiring


def only_neighbours(built: Wiring) -> Wiring:
    """A tree of one switch lists no neighbours; that its servers have no ports says that cables are not counted."""
    bare = not any(one.to.port or one.adapter or one.speed or one.nic is not None for one in built.hosts)
    roles = all(one.role for one in built.switches.values())
    tree = bool(built.hosts) and not built.cables and bare and roles
    return replace(built, adjacency=True) if tree else built


def level_tree(design: Wiring, built: Wiring) -> tuple[Wiring, list[str]]:
    """The design as a scheduler's tree where the files are one: a switch above each server, neighbours without counts."""
    one_each = len({one.server for one in built.hosts}) == len(built.hosts)
    several = len({one.server for one in design.hosts}) < len({(one.server, one.to.switch) for one in design.hosts})
    if not (built.adjacency and one_each and several):
        return design, []
    try:
        return as_tree(design), [
            "the files have one switch above each server: leaves that servers share are compared as one"
        ]
    except NoTree:
        return design, []
