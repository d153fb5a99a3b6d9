"""Slurm's topology.conf: the tree of switches (topology/tree)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.exporters.base import Export, head
from designlint.exporters.slurm.placement import join_hostlist, tree

if TYPE_CHECKING:
    from designlint.exporters.base import Order

TITLE = "Slurm topology.conf (tree)"


def write(order: Order) -> Export:
    """A line for each switch. Raises: Refusal where the leaf of a server does not follow from the design."""
    switches, notes = tree(order)
    lines = head(order, TITLE, notes, fabric=order.wiring.fabric)
    for one in switches:
        if one.stands_for != [one.name]:
            lines.append(f"# {one.name} stands for {join_hostlist(one.stands_for)}")
        below = f"Nodes={join_hostlist(one.servers)}" if one.servers else f"Switches={join_hostlist(one.below)}"
        lines.append(f"SwitchName={one.name} {below}")
    return Export("\n".join(lines) + "\n", notes)
