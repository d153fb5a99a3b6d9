"""Slurm's topology.yaml: the tree of switches and the blocks beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.exporters.base import Export, ExportRefusal, head
from designlint.exporters.slurm.placement import blocks, join_hostlist, tree

if TYPE_CHECKING:
    from designlint.exporters.base import Order

TITLE = "Slurm topology.yaml"


def write(order: Order) -> Export:
    """The tree as the cluster's default and, where the design has blocks, these. Raises: Refusal where neither follows."""
    lines: list[str] = []
    notes: list[str] = []
    refused: list[ExportRefusal] = []
    try:
        switches, notes = tree(order)
        lines += ["- topology: tree", "  cluster_default: true", "  tree:", "    switches:"]
        for one in switches:
            below = f"nodes: {_text(one.servers)}" if one.servers else f"children: {_text(one.below)}"
            lines += [f"      - switch: {one.name}", f"        {below}"]
    except ExportRefusal as error:
        refused.append(error)
    try:
        found = blocks(order)
        lines += ["- topology: block", f"  cluster_default: {str(not lines).lower()}", "  block:", "    block_sizes:"]
        lines += [f"      - {size}" for size in found.sizes] + ["    blocks:"]
        for name, people in found.blocks.items():
            lines += [f"      - block: {name}", f"        nodes: {_text(people)}"]
    except ExportRefusal as error:
        refused.append(error)
    if not lines:
        raise refused[0]
    notes = [
        *notes,
        *(f"left out: {'blocks' if lines[0] == '- topology: tree' else 'tree'}: {one.why}" for one in refused),
    ]
    return Export("\n".join([*head(order, TITLE, notes, fabric=order.wiring.fabric), *lines]) + "\n", notes)


def _text(names: list[str]) -> str:
    """A list as YAML takes it: brackets and commas within quotes."""
    text = join_hostlist(names)
    return f'"{text}"' if "[" in text or "," in text else text
