"""Racks of which each is a scale-up domain, in numbers that whole parallel groups fill."""

from __future__ import annotations

from itertools import islice
from math import ceil
from typing import TYPE_CHECKING

from designlint.layouts.search import groups
from designlint.planning import cluster
from designlint.planning.brief import Brief
from designlint.planning.document import Chosen, overlay
from designlint.planning.networks import domain_servers

if TYPE_CHECKING:
    from designlint.layouts.search import Layout


def keep_groups_whole(brief: Brief, servers: int, layouts: list[Layout]) -> Brief:
    """
    The brief with a spare tray wherever the groups of the fastest layout leave part of a rack over, so that none spans two racks.

    The brief itself where it states the spares, racks have room enough, or another layout whose groups fill racks loses less time
    than the further racks cost.
    """
    trays, domain, gpus = domain_servers(brief), brief.machine.domain, servers * brief.gpus_per_server
    if trays == 1 or "spares" in brief.pool or not layouts:
        return brief
    group = max(groups(layouts[0].words))
    used = domain // group * group
    racks, usual = ceil(gpus / used) if used else 0, cluster.spares(brief, servers)
    spares = racks * trays - servers
    if group == 1 or used in (0, domain) or gpus <= used or spares <= usual:
        return brief
    slowest = layouts[0].cost.step * (servers + spares) / (servers + usual)
    if any(one.cost.step <= slowest for one in filling_racks(brief, layouts)):
        return brief
    left = trays - used // brief.gpus_per_server
    why = f"{left} of {trays} servers in each rack: groups of {group} GPUs fill {used} of {domain} (megatron-bridge)"
    first, *others = brief.design["nodes"]
    nodes = [overlay(first, {"spares": Chosen(str(spares), why)}), *others]
    return Brief(brief.design | {"nodes": nodes}, brief.vocabulary, brief.folder)


def filling_racks(brief: Brief, layouts: list[Layout]) -> list[Layout]:
    """The fastest layout whose groups fill racks that are a scale-up domain each; none where racks are no domains."""
    domain = brief.machine.domain
    filling = (one for one in layouts if domain % max(groups(one.words)) == 0)
    return [*islice(filling, 1)] if domain_servers(brief) > 1 else []
