"""What a switch network of stated counts can carry and attach, in closed form."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.units import Count, DataRate, Ratio


@derivation(of="Topology", sources=("leiserson-1985",))
def oversubscription(
    host_ports_per_leaf: Count,
    uplinks_per_leaf: Count,
    host_port_speed: DataRate | None,
    uplink_speed: DataRate | None,
) -> Ratio | None:
    """
    Host bandwidth of a leaf per bandwidth of its uplinks; 1 does not block. [1]

    Assumes that every port of a leaf runs at one speed where no speed is stated, so that the speed cancels.
    Absent where only one of the two speeds is known, and for a leaf without uplinks.
    """
    if uplinks_per_leaf == 0 or (host_port_speed is None) != (uplink_speed is None):
        return None
    return host_ports_per_leaf * (host_port_speed or 1) / (uplinks_per_leaf * (uplink_speed or 1))


@derivation(of="Topology")
def leaf_capacity(leaves: Count, host_ports_per_leaf: Count) -> Count:
    """
    Host ports of all leaves together. [1]

    Assumes that all leaves offer the same number of ports to hosts.
    """
    return leaves * host_ports_per_leaf


@derivation(of="Topology", sources=("al-fares-2008",))
def fat_tree_capacity(kind: Text, tiers: Count | None, switch_ports: Count, planes: Count) -> Count | None:
    """
    Most host ports that a non-blocking fat tree offers, all its planes together. [1]

    Assumes switches of one radix k in every tier, half of their ports downward but in the top tier: k,
    k^2/2 and k^3/4 ports for one, two and three tiers. Other topologies have no such limit.
    """
    depth = 1 if kind == "single-switch" else tiers
    if kind not in ("single-switch", "fat-tree") or depth is None:
        return None
    return planes * (switch_ports if depth == 1 else 2 * (switch_ports // 2) ** depth)


@derivation(of="Fabric", sources=("al-fares-2008",))
def leaves_needed(host_ports: Count, switch_ports: Count, tiers: Count, planes: Count) -> Count:
    """
    Fewest leaves that give every host port a non-blocking path. [1]

    Assumes that half of a leaf's ports lead up, that all leaves have one radix, and that host ports are
    spread evenly over the planes. Rail-optimised wiring, ports kept for managers and growth can need more.
    """
    ports_for_hosts = switch_ports if tiers == 1 else switch_ports // 2
    return planes * math.ceil(math.ceil(host_ports / planes) / ports_for_hosts)
