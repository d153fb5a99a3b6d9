"""Slurm's topology.conf: blocks of servers (topology/block)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.exporters.base import Export, head
from designlint.exporters.slurm.placement import blocks, join_hostlist

if TYPE_CHECKING:
    from designlint.exporters.base import Order

TITLE = "Slurm topology.conf (block)"


def write(order: Order) -> Export:
    """A line for each block, and their sizes. Raises: Refusal where the blocks do not follow from the design."""
    found = blocks(order)
    lines = head(order, TITLE, ())
    lines += [f"BlockName={name} Nodes={join_hostlist(people)}" for name, people in found.blocks.items()]
    lines.append(f"BlockSizes={','.join(map(str, found.sizes))}")
    return Export("\n".join(lines) + "\n")
