"""Networks without a core: dragonflies and tori, in closed form."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower
from designlint.derivations.network.fabric import split

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count, DataRate, Ratio

#: Beyond it a list of dimensions is a mistake, and its product may be larger than any number.
MOST_DIMENSIONS = 10


@derivation(of="Topology", sources=("kim-dragonfly-2008",))
def group_switches(kind: Text, groups: Count, leaves: Count, spines: Count | None) -> Count | None:
    """
    Switches with global links in one dragonfly group. [1]

    Assumes groups of one size: every switch of a dragonfly, every spine of a dragonfly+. Absent where they do not
    divide over the groups, and for other networks.
    """
    carriers = {"dragonfly": leaves, "dragonfly-plus": spines}.get(kind)
    return None if carriers is None or carriers % groups else carriers // groups


@derivation(of="Topology", sources=("kim-dragonfly-2008",))
def group_links(group_switches: Count, global_links: Count) -> Count:
    """
    Global links of one dragonfly group. [1]

    Assumes that all switches that have global links have as many.
    """
    return group_switches * global_links


@derivation(of="Topology", sources=("kim-dragonfly-2008",))
def group_ratio(leaf_capacity: Count, groups: Count, group_links: Count) -> Ratio | None:
    """
    Host ports of a group of a dragonfly per global link; 1 gives every host its rate out of the group. [1]

    Assumes links of the hosts' rate and shortest paths; detours over a third group take twice as many links. In the
    balanced dragonfly, with twice as many switches in a group as host ports or global links on each, it is 1.
    """
    return leaf_capacity / groups / group_links if group_links else None


@derivation(of="Topology", sources=("kim-dragonfly-2008",), kind=lower)
def dragonfly_ports_used(
    kind: Text,
    host_ports_per_leaf: Count | None,
    local_links: Count | None,
    global_links: Count | None,
    switch_speed: DataRate,
    host_speed: DataRate,
    uplink_speed: DataRate | None,
) -> Count | None:
    """
    Minimum number of ports of a dragonfly switch for hosts, its group and other groups. [1]

    A lower bound: unstated links are left out, and ports are split for slower hosts and slower links between switches;
    links with unstated rates run at the port rate. Absent for other networks.
    """
    if kind != "dragonfly":
        return None
    hosts = math.ceil((host_ports_per_leaf or 0) / split(switch_speed, host_speed))
    return hosts + math.ceil(((local_links or 0) + (global_links or 0)) / split(switch_speed, uplink_speed))


@derivation(of="Topology", sources=("dragonfly-plus-2017",), kind=lower)
def dragonfly_spine_ports_used(
    kind: Text, leaves: Count, spines: Count, uplinks_per_leaf: Count, global_links: Count | None
) -> Count | None:
    """
    Minimum number of ports, at the rate of the uplinks, of the busiest spine of a dragonfly+ for leaves and other groups. [1]

    A lower bound: unstated global links are left out. Absent for other networks.
    """
    if kind != "dragonfly-plus" or not spines:
        return None
    return math.ceil(leaves * uplinks_per_leaf / spines) + (global_links or 0)


@derivation(of="Topology")
def torus_switches(dimensions: tuple[Count, ...]) -> Count | None:
    """
    Switches of a torus, as the product of its dimensions. [1]

    Assumes a switch, or a host with a switch in it, at every crossing. Absent for none, and for more than any torus has.
    """
    return math.prod(dimensions) if 0 < len(dimensions) <= MOST_DIMENSIONS else None


@derivation(of="Topology")
def leaves(kind: Text | None, torus_switches: Count | None) -> Count | None:
    """
    Switches with host ports: all those of a torus. [1]

    Absent for other networks, of which a design states them.
    """
    return torus_switches if kind == "torus" else None


@derivation(of="Topology", sources=("dally-2004",), kind=lower)
def torus_bisection(kind: Text, dimensions: tuple[Count, ...], torus_switches: Count) -> Count | None:
    """
    Minimum number of links between two halves of a torus. [1]

    Assumes one link between neighbours and links that close every ring; a ring of two is taken as a single link.
    Absent where the longest dimension is odd, as no straight cut halves it, and for other networks.
    """
    longest = max(dimensions, default=1)
    if kind != "torus" or longest % 2:
        return None
    return torus_switches // longest * (1 if longest == 2 else 2)


@derivation(of="Topology", sources=("dally-2004",))
def torus_degree(kind: Text, dimensions: tuple[Count, ...]) -> Count | None:
    """
    Links of one torus switch to its neighbours. [1]

    Assumes one link between neighbours and links that close every ring: two along each dimension, one where that has
    two switches, none where it has one. Absent for other networks.
    """
    return sum(min(2, size - 1) for size in dimensions) if kind == "torus" else None


@derivation(of="Topology", sources=("dally-2004",))
def torus_links(torus_degree: Count, torus_switches: Count) -> Count:
    """
    Links between the switches of a torus. [1]

    Assumes that every link has a switch at both ends.
    """
    return torus_degree * torus_switches // 2
