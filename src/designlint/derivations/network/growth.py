"""Numbers of switches that take more ports and can be wired evenly."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower
from designlint.derivations.workload.divisors import divisors

if TYPE_CHECKING:
    from designlint.derivations.base import Flag
    from designlint.language.units import Count


def even_spines(leaves: int, uplinks: int, radix: int, planes: int) -> int | None:
    """The fewest spines of two tiers with a port for each uplink, whose number in a plane divides the uplinks of a leaf."""
    least = math.ceil(math.ceil(leaves / planes) * uplinks / radix)
    per_plane = next((spines for spines in divisors(uplinks) if spines >= least), None)
    return None if per_plane is None else planes * per_plane


@derivation(of="Fabric", sources=("superpod-h100-ra",))
def leaves_for_ports(
    ports_taken: Count, host_ports_per_leaf: Count, rail_optimized: Flag | None, rails: Count | None, planes: Count
) -> Count:
    """
    Minimum number of leaves for all ports to attach. [1]

    Assumes host ports per leaf as stated, a leaf more for every rail of a rail-optimised network, or else for every plane.
    """
    step = rails if rail_optimized and rails else planes
    return math.ceil(ports_taken / host_ports_per_leaf / step) * step


@derivation(of="Fabric", sources=("superpod-h100-ra", "superpod-b300-ra"))
def spines_for_ports(
    leaves_for_ports: Count, uplinks_per_leaf: Count, spine_uplink_radix: Count, tiers: Count, planes: Count
) -> Count | None:
    """
    Minimum number of spines for the leaves that all ports need, with the uplinks of each divided evenly. [1]

    Assumes two tiers. Absent where a leaf has fewer uplinks than the spines that are needed.
    """
    return even_spines(leaves_for_ports, uplinks_per_leaf, spine_uplink_radix, planes) if tiers == 2 else None


@derivation(of="Fabric", sources=("al-fares-2008",))
def halved_leaves(ports_taken: Count, switch_ports: Count, planes: Count) -> Count | None:
    """Minimum number of leaves for all ports to attach, with half of the ports of each leaf down. [1]"""
    half = switch_ports // 2
    return math.ceil(ports_taken / half / planes) * planes if half else None


@derivation(of="Fabric", sources=("al-fares-2008",))
def halved_spines(
    halved_leaves: Count, switch_ports: Count, spine_uplink_radix: Count, tiers: Count, planes: Count
) -> Count | None:
    """
    Minimum number of spines for those leaves, with the uplinks of each divided evenly. [1]

    Assumes two tiers.
    """
    return even_spines(halved_leaves, switch_ports // 2, spine_uplink_radix, planes) if tiers == 2 else None


@derivation(of="Fabric", sources=("al-fares-2008",), kind=lower)
def even_spines_needed(spines_needed: Count, radix: Count, tiers: Count, planes: Count) -> Count | None:
    """
    Minimum number of spines for a non-blocking network that divides the uplinks of a leaf. [1]

    Assumes that half of a leaf's ports are uplinks, and two tiers.
    """
    enough = [planes * spines for spines in divisors(radix // 2) if planes * spines >= spines_needed]
    return enough[0] if enough and tiers == 2 else None
