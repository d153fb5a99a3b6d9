"""What a switch network of stated counts can carry and attach, in closed form."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower
from designlint.derivations.network.growth import even_spines

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Count, DataRate


@derivation(of="Topology")
def switch_reduces(leaf_reduces: Flag | None, spine_reduces: Flag | None) -> Flag | None:
    """
    Whether leaves and spines can reduce collectives.

    Holds where both do; absent where one of them is open and the other does.
    """
    either = (leaf_reduces, spine_reduces)
    return False if False in either else None if None in either else True


@derivation(of="Topology")
def host_speed(host_port_speed: DataRate | None, fabric_speed: DataRate | None) -> DataRate | None:
    """
    Line rate of a leaf's host ports. [bit/s]

    Assumes that they run at the rate of the fabric where the topology states none.
    """
    return host_port_speed or fabric_speed


@derivation(of="Topology")
def link_speed(
    uplink_speed: DataRate | None,
    switch_speed: DataRate | None,
    host_speed: DataRate | None,
    spine_switch_speed: DataRate | None = None,
) -> DataRate | None:
    """
    Line rate of a link between switches. [bit/s]

    Assumes the rate of the slower of leaf and spine where no rate of the uplinks is stated, else that of the host ports.
    """
    ends = [rate for rate in (switch_speed, spine_switch_speed) if rate]
    return uplink_speed or (min(ends) if ends else host_speed)


@derivation(of="Topology")
def radix(switch_ports: Count, switch_speed: DataRate | None, host_speed: DataRate | None) -> Count | None:
    """
    Ports of a leaf at the rate of a host port. [1]

    Assumes that a port that can run at a multiple of that rate is split. Absent where the switch states a rate and
    nothing states that of the host ports: it is then open whether ports are split.
    """
    return _ports_at(host_speed, switch_ports, switch_speed)


@derivation(of="Topology")
def spine_radix(
    spine_switch_ports: Count, spine_switch_speed: DataRate | None, host_speed: DataRate | None
) -> Count | None:
    """
    Ports of a spine at the rate of a host port. [1]

    Assumes what `radix` does.
    """
    return _ports_at(host_speed, spine_switch_ports, spine_switch_speed)


@derivation(of="Topology")
def core_radix(
    core_switch_ports: Count, core_switch_speed: DataRate | None, host_speed: DataRate | None
) -> Count | None:
    """
    Ports of a core at the rate of a host port. [1]

    Assumes what `radix` does.
    """
    return _ports_at(host_speed, core_switch_ports, core_switch_speed)


@derivation(of="Topology")
def spine_uplink_radix(
    spine_switch_ports: Count,
    spine_switch_speed: DataRate | None,
    uplink_speed: DataRate | None,
    host_speed: DataRate | None,
) -> Count | None:
    """
    Ports of a spine at the rate of an uplink. [1]

    Assumes that uplinks run at the rate of the host ports where none is stated, which splits a port into most.
    Absent where the switch states a rate and nothing states that of uplinks or host ports.
    """
    return _ports_at(uplink_speed or host_speed, spine_switch_ports, spine_switch_speed)


@derivation(of="Topology")
def core_uplink_radix(
    core_switch_ports: Count,
    core_switch_speed: DataRate | None,
    uplink_speed: DataRate | None,
    host_speed: DataRate | None,
) -> Count | None:
    """
    Ports of a core at the rate of an uplink. [1]

    Assumes what `spine_uplink_radix` does.
    """
    return _ports_at(uplink_speed or host_speed, core_switch_ports, core_switch_speed)


@derivation(of="Topology", kind=lower)
def leaf_ports_used(
    host_ports_per_leaf: Count,
    uplinks_per_leaf: Count,
    switch_speed: DataRate,
    host_speed: DataRate,
    uplink_speed: DataRate | None,
    uplink_port_speed: DataRate | None,
) -> Count:
    """
    Minimum number of switch ports that a leaf's host ports and uplinks take. [1]

    Assumes that ports are split wherever they can be, and that uplinks run at the rate of the host ports where
    none is stated: the truth is never less. Uplinks of a switch that has ports for them take none of the others.
    """
    up = 0 if uplink_port_speed else math.ceil(uplinks_per_leaf / split(switch_speed, uplink_speed or host_speed))
    return math.ceil(host_ports_per_leaf / split(switch_speed, host_speed)) + up


@derivation(of="Topology", sources=("al-fares-2008",))
def plane_capacity(
    kind: Text,
    tiers: Count | None,
    radix: Count,
    spine_radix: Count | None,
    core_radix: Count | None,
    uplink_port_speed: DataRate | None,
) -> Count | None:
    """
    Maximum number of host ports of one plane of a non-blocking fat tree with this switch and number of tiers. [1]

    Assumes that half of a switch's ports lead down, in the top tier all: k, k^2/2 and k^3/4 ports for one, two and three
    tiers of switches of k ports. All ports of a leaf that has others for its uplinks lead down. Absent for other
    topologies, beyond three tiers, and where the switch of a tier is open.
    """
    depth = 1 if kind == "single-switch" else tiers or 0
    upward = (radix, spine_radix, core_radix)[:depth]
    if kind not in ("single-switch", "fat-tree") or not 1 <= depth <= len(upward) or None in upward:
        return None
    *below, top = (ports or 0 for ports in upward)
    down = [ports if at == 0 and uplink_port_speed is not None else ports // 2 for at, ports in enumerate(below)]
    return top * math.prod(down)


@derivation(of="Topology", sources=("al-fares-2008",))
def fat_tree_capacity(plane_capacity: Count, planes: Count) -> Count:
    """
    Maximum number of host ports of a non-blocking fat tree with this switch and number of tiers, in all planes. [1]

    Valid as far as `plane_capacity` is.
    """
    return planes * plane_capacity


@derivation(of="Topology", sources=("superpod-h100-ra", "superpod-b300-ra"))
def spines_for_uplinks(
    leaves: Count, uplinks_per_leaf: Count, spine_uplink_radix: Count, tiers: Count, planes: Count
) -> Count | None:
    """
    Minimum number of spines that take all uplinks of the leaves and divide them evenly. [1]

    Assumes two tiers, in which every leaf reaches every spine of its plane. NVIDIA's published counts follow it:
    16 spines for 24 leaves of 32 uplinks and 64-port switches, 18 for 32 leaves of 72 uplinks and 144-port ones.
    Absent where a leaf has fewer uplinks than the spines that are needed.
    """
    return even_spines(leaves, uplinks_per_leaf, spine_uplink_radix, planes) if tiers == 2 else None


@derivation(of="Topology")
def uplink_remainder(uplinks_per_leaf: Count, spines: Count, planes: Count) -> Count | None:
    """
    Uplinks of a leaf that are left when they are dealt out to the spines of its plane. [1]

    Assumes that every leaf reaches every spine of its plane, as in two tiers.
    """
    per_plane = spines // planes
    return uplinks_per_leaf % per_plane if per_plane else None


@derivation(of="Topology")
def leaf_plane_remainder(leaves: Count, spines: Count | None, planes: Count) -> Count:
    """
    Leaves and spines that are left when each kind is dealt out to the planes. [1]

    Assumes that the planes are equal.
    """
    return leaves % planes + (spines or 0) % planes


@derivation(of="Topology", kind=lower)
def least_tiers(tiers: Count | None, spines: Count | None, cores: Count | None) -> Count | None:
    """
    Fewest tiers of switches that the network can have: with cores three, with spines two.

    A lower bound where `tiers` is open: tiers above may be left out. Absent where nothing above the leaves is stated.
    """
    return tiers or (3 if cores else 2 if spines else None)


@derivation(of="Fabric", sources=("al-fares-2008",), kind=lower, grows=("least_tiers",))
def leaves_needed(host_ports: Count, radix: Count, least_tiers: Count, planes: Count) -> Count:
    """
    Minimum number of leaves for a non-blocking network. [1]

    Assumes that half of a leaf's ports lead up, that all leaves have one radix, and that host ports are
    spread evenly over the planes. Rail-optimised wiring, ports kept for managers and growth can need more.
    """
    ports_for_hosts = radix if least_tiers == 1 else radix // 2
    return planes * math.ceil(math.ceil(host_ports / planes) / ports_for_hosts)


@derivation(of="Fabric", sources=("al-fares-2008",), kind=lower, grows=("least_tiers",))
def spines_needed(host_ports: Count, spine_radix: Count, least_tiers: Count, planes: Count) -> Count | None:
    """
    Minimum number of spines for a non-blocking network. [1]

    Assumes spines of one radix that use all ports downward where they are the top tier, half of them where cores
    stand above. Even wiring can need more. Absent for one tier and for more than three.
    """
    downward = {2: spine_radix, 3: spine_radix // 2}.get(least_tiers)
    return planes * math.ceil(math.ceil(host_ports / planes) / downward) if downward else None


@derivation(of="Fabric", sources=("al-fares-2008",), kind=lower)
def cores_needed(host_ports: Count, core_radix: Count, tiers: Count, planes: Count) -> Count | None:
    """
    Minimum number of cores for a non-blocking network. [1]

    Assumes three tiers, all ports of a core downward. Even wiring can need more.
    """
    return planes * math.ceil(math.ceil(host_ports / planes) / core_radix) if tiers == 3 else None


def _ports_at(rate: DataRate | None, ports: Count, speed: DataRate | None) -> Count | None:
    """Ports of a switch at a rate; None where the switch states a rate and this one is open."""
    return None if speed and not rate else ports * split(speed, rate)


def split(fast: DataRate | None, slow: DataRate | None) -> int:
    """Ports that one fast port gives when it is split to a slower rate."""
    return max(1, int(fast // slow)) if fast and slow else 1
