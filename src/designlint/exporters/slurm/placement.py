"""The tree of switches and the blocks of servers by which Slurm places jobs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from designlint.design.known import Known
from designlint.exporters.base import ExportRefusal, left_out
from designlint.language.hostlists import fold
from designlint.wiring import tree as trees
from designlint.wiring.graph import natural
from designlint.wiring.known import servers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.exporters.base import Order
    from designlint.wiring.tree import TreeSwitch

UNITS = "servers connect to several leaves, and Slurm's tree has one above each: a `unit` stands for the leaves of its servers"
NAME = re.compile(r"[A-Za-z0-9_][\w.-]{0,63}\Z")


class Blocks(NamedTuple):
    """Blocks by name with their servers, and the sizes of placement units, smallest first."""

    blocks: dict[str, list[str]]
    sizes: list[int]


def check_names(names: Iterable[str]) -> None:
    """Raises: Refusal for a name that Slurm does not take."""
    bad = next((one for one in names if not NAME.match(one)), None)
    if bad is not None:
        raise ExportRefusal(f"Slurm accepts no name like `{bad[:60]}`")


def tree(order: Order) -> tuple[list[TreeSwitch], list[str]]:
    """Every server below one switch, and switches below switches up to the top; with notes. Raises: Refusal."""
    wiring = order.wiring
    if not wiring.hosts:
        raise ExportRefusal(wiring.hosts_open or "the design lists no cables to servers (`host_links`)", wiring.spot)
    try:
        found = trees.tree(wiring)
    except trees.NoTree as error:
        raise ExportRefusal(str(error), wiring.spot) from None
    notes = [*left_out(wiring)]
    if any(one.servers and len(one.stands_for) > 1 for one in found):
        notes.append(UNITS)
    check_names([*(one.name for one in found), *wiring.servers])
    if trees.tops(found) > 1:
        notes.append(f"the tree has {trees.tops(found)} roots: no job can span them")
    if wiring.assigned:
        notes.append("names of switches are formed from their tier and a number: the design states counts")
    if wiring.assigned_servers:
        notes.append("names of servers are formed from their pool's name and a number: the design states no `servers`")
    return found, notes


def blocks(order: Order) -> Blocks:
    """The blocks that the design lists, or that `block_size` cuts from the units of its fabric. Raises: Refusal."""
    scheduler = order.part("scheduler")
    size = scheduler.count("block_size")
    listed = scheduler.fact("block_sizes")
    sizes = [one for one in listed if isinstance(one, int)] if isinstance(listed, list) else []
    sizes = sizes or ([size] if size else [])
    found = {one.name: servers(Known(order.design, one))[0] for one in scheduler.parts("blocks")}
    if not found:
        if not sizes:
            raise ExportRefusal("the design states neither `blocks` nor a `block_size`", scheduler.spot)
        found = _cut_blocks(order, sizes[0])
    if not sizes:
        sizes = [min(len(one) for one in found.values())]
    check_names([*found, *(name for people in found.values() for name in people)])
    short = next((name for name, people in found.items() if len(people) < sizes[0]), "")
    if short:
        told = f"{short} has {len(found[short])} servers, and Slurm requires at least the base size, {sizes[0]}"
        raise ExportRefusal(told, scheduler.spot)
    return Blocks(found, sizes)


def _cut_blocks(order: Order, size: int) -> dict[str, list[str]]:
    wiring = order.wiring
    if not wiring.hosts:
        raise ExportRefusal(
            f"which servers make a block does not follow: {wiring.hosts_open}; list `scheduler.blocks`", wiring.spot
        )
    found: list[list[str]] = []
    for people in trees.units(wiring).values():
        if len(people) % size and len(people) > 2 * size:
            told = f"blocks of {size} servers do not divide a unit of {len(people)}; list `scheduler.blocks`"
            raise ExportRefusal(told, wiring.spot)
        each = (
            len(people) if len(people) % size else size
        )  # a block may hold more than the base size, as racks of 18 do
        found += [people[at : at + each] for at in range(0, len(people), each)]
    width = len(str(len(found)))
    return {f"block-{number:0{width}d}": people for number, people in enumerate(found, 1)}


def join_hostlist(names: list[str]) -> str:
    """Names as Slurm lists them."""
    return fold(sorted(names, key=natural))
