"""A scheduler's tree against a design: one switch above each server, neighbours without a number of cables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.wiring.tree import NoTree, as_tree

if TYPE_CHECKING:
    from designlint.wiring.graph import Wiring


def level(design: Wiring, built: Wiring) -> tuple[Wiring, Wiring, list[str]]:
    """The design as a scheduler's tree where the files are one; both, and what to say of it."""
    built = _only_neighbours(built)
    one_each = len({one.server for one in built.hosts}) == len(built.hosts)
    several = len({one.server for one in design.hosts}) < len({(one.server, one.to.switch) for one in design.hosts})
    if not (built.adjacency and one_each and several):
        return design, built, []
    try:
        tree = as_tree(design)
    except NoTree:
        return design, built, []
    return tree, built, ["the files have one switch above each server: leaves that servers share are compared as one"]


def _only_neighbours(built: Wiring) -> Wiring:
    """A tree of one switch lists no neighbours; that its servers have no ports says that cables are not counted."""
    bare = not any(one.to.port or one.adapter or one.speed or one.nic is not None for one in built.hosts)
    roles = all(one.role for one in built.switches.values())
    tree = bool(built.hosts) and not built.cables and bare and roles
    return replace(built, adjacency=True) if tree else built
