"""How many switches, ports and cables a network of stated counts has, tier by tier."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, lower, upper

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Area, Count, Length, Power, Ratio

#: What cables join, from the servers up.
HOPS = ("server-leaf", "leaf-spine", "spine-core")


#: Kinds of network whose switches all have servers.
ONE_TIER = ("single-switch", "rail-only", "dragonfly", "torus")


@derivation(of="Topology")
def spines(kind: Text | None, tiers: Count | None) -> Count | None:
    """Spine switches of a network that has no second tier: none. [1]"""
    return 0 if kind in ONE_TIER or (kind == "fat-tree" and tiers == 1) else None


@derivation(of="Topology")
def cores(kind: Text | None, tiers: Count | None) -> Count | None:
    """Core switches of a network that has no third tier: none. [1]"""
    return 0 if kind in (*ONE_TIER, "dragonfly-plus") or (kind == "fat-tree" and tiers in (1, 2)) else None


@derivation(of="Topology")
def switch_count(
    kind: Text | None, tiers: Count | None, leaves: Count, spines: Count | None, cores: Count | None
) -> Count | None:
    """
    Switches in all tiers and planes. [1]

    Assumes no spines in one tier and no cores in fewer than three. Absent for a fat tree of unknown tiers, and
    where a tier that it has is not counted.
    """
    depth = tiers or (None if kind in (None, "fat-tree") else {"dragonfly-plus": 2}.get(kind, 1))
    counted = (leaves, spines, cores)[: min(depth or 0, 3)]
    return None if not counted or None in counted else sum(one or 0 for one in counted)


class Tiers(Struct, frozen=True):
    """The switches of each tier: how many there are, and what one of them is."""

    leaves: Count
    spines: Count | None
    cores: Count | None

    def total(self, each: tuple[float | None, ...]) -> float | None:
        """A figure of all switches, from that of one of each tier; None where that of a tier which has switches is open."""
        counts = (self.leaves, self.spines or 0, self.cores or 0)
        if any(count and one is None for count, one in zip(counts, each, strict=True)):
            return None
        return sum(count * (one or 0) for count, one in zip(counts, each, strict=True))


@derivation(of="Topology", groups=(Tiers,), kind=upper)
def switch_power(
    switch_count: Count,
    counted: Tiers,
    leaf_power_limit: Power | None,
    spine_power_limit: Power | None,
    core_power_limit: Power | None,
) -> Power | None:
    """
    Maximum power of all switches of the network. [W]

    Assumes one kind of switch in a tier; transceivers in servers are not included. Absent where a tier is not counted,
    and where the most that its switch draws is open.
    """
    power = counted.total((leaf_power_limit, spine_power_limit, core_power_limit))
    return None if switch_count < 1 else power


@derivation(of="Topology", groups=(Tiers,), kind=lower)
def least_switch_power(
    counted: Tiers,
    leaf_power: Power | None,
    spine_power: Power | None,
    core_power: Power | None,
    leaf_power_limit: Power | None,
    spine_power_limit: Power | None,
    core_power_limit: Power | None,
) -> Power | None:
    """
    Minimum power of the counted switches. [W]

    A lower bound: tiers that are not counted are left out, and so are switches of unknown power; where only the typical
    power of a switch is known, it counts.
    """
    pairs = ((leaf_power_limit, leaf_power), (spine_power_limit, spine_power), (core_power_limit, core_power))
    return counted.total(tuple(typical or 0 if most is None else most for most, typical in pairs)) or None


@derivation(of="Topology", sources=("superpod-h100-ra", "superpod-a100-ra"), kind=upper)
def spine_core_room(
    tiers: Count,
    leaf_spine_cables: Count,
    spines: Count,
    cores: Count,
    uplinks_per_spine: Count | None,
    spine_uplink_radix: Count | None,
    core_uplink_radix: Count | None,
) -> Count | None:
    """
    Maximum number of cables between spines and cores. [1]

    Assumes, where a spine's uplinks are not stated, that all ports of spines and cores are cabled that can be, as in
    the DGX A100 and H100 SuperPODs. Absent for fewer than three tiers.
    """
    if tiers != 3:
        return None
    if uplinks_per_spine is not None:
        return spines * uplinks_per_spine
    if spine_uplink_radix is None or core_uplink_radix is None:
        return None
    return max(0, min(spines * spine_uplink_radix - leaf_spine_cables, cores * core_uplink_radix))


@derivation(of="Topology", sources=("leiserson-1985",), kind=lower)
def spine_ratio(leaf_spine_cables: Count, spine_core_room: Count) -> Ratio | None:
    """
    Bandwidth that spines take from leaves per bandwidth that they can give to cores; 1 does not block. [1]

    Assumes links of one rate in both tiers. A lower bound where a spine's uplinks are not stated. Absent without
    cables to cores.
    """
    return leaf_spine_cables / spine_core_room if spine_core_room else None


@derivation(of="Topology", sources=("al-fares-2008",))
def passing_spines_needed(tiers: Count, leaf_spine_cables: Count, spine_uplink_radix: Count) -> Count | None:
    """
    Minimum number of spines that can forward to the cores all traffic from the leaves. [1]

    Assumes that half of a spine's ports lead up. Absent for other than three tiers.
    """
    half = spine_uplink_radix // 2
    return math.ceil(leaf_spine_cables / half) if tiers == 3 and half else None


@derivation(of="Fabric", sources=("superpod-h100-ra",), kind=upper)
def cables(
    ports_taken: Count,
    tiers: Count,
    leaf_spine_cables: Count | None,
    spine_core_cables: Count | None,
    spine_core_room: Count | None,
) -> Count | None:
    """
    Cables of the network, including those to servers and managers. [1]

    Assumes one cable to each port, twin-port cables being fewer, and that spines and cores are cabled as far as their
    ports go where no ratio is stated. Absent beyond three tiers.
    """
    above = (leaf_spine_cables, spine_core_room if spine_core_cables is None else spine_core_cables)[: tiers - 1]
    return None if tiers > 3 or None in above else ports_taken + sum(one or 0 for one in above)


@derivation(of="Fabric", sources=("superpod-h100-ra",))
def scalable_units(attached_servers: tuple[Count, ...], scalable_unit: Count) -> Count | None:
    """
    Scalable units that the servers on the fabric fill; a part of a unit counts as one. [1]

    Assumes one pool of servers on the fabric; absent for several, which may be mixed within a unit or not.
    """
    return math.ceil(attached_servers[0] / scalable_unit) if len(attached_servers) == 1 else None


@derivation(of="Fabric", sources=("superpod-h100-ra", "superpod-b300-ra"))
def rail_leaves_needed(rail_optimized: Flag, scalable_units: Count, rails: Count) -> Count | None:
    """
    Leaves needed to give each scalable unit one leaf per rail. [1]

    Assumes that no leaf serves two units or two rails, as in the published SuperPODs: 4 units of 8 rails have 32
    leaves, one unit of 16 rails has 16. Absent for a network that is not rail-optimised.
    """
    return scalable_units * rails if rail_optimized else None


@derivation(of="Fabric", sources=("rail-only-2023", "al-fares-2008"))
def rail_only_capacity(
    kind: Text,
    tiers: Count | None,
    radix: Count,
    attached_server_ports: tuple[Count, ...],
    attached_gpus: tuple[Count, ...],
    attached_domains: tuple[Count, ...],
) -> Count | None:
    """
    Maximum number of host ports of a rail-only network with this switch and number of tiers. [1]

    Assumes a non-blocking fat tree for each rail, one tier where none is stated, and a rail for each network port of
    a scale-up domain. Absent for other networks, several pools, and servers without GPUs.
    """
    if kind != "rail-only" or len(attached_gpus) != 1 or len(attached_domains) != 1 or not attached_gpus[0]:
        return None
    rails = attached_domains[0] * attached_server_ports[0] // attached_gpus[0]
    return rails * (radix if (tiers or 1) == 1 else 2 * (radix // 2) ** (tiers or 1))


@derivation(of="Topology", sources=("superpod-h100-ra",))
def leaf_spine_cables(leaves: Count, uplinks_per_leaf: Count) -> Count:
    """
    Cables between leaves and spines, all planes together. [1]

    Assumes that every uplink is cabled. A cable is one link at the rate of an uplink: twin-port cables, which hold
    two, are half as many.
    """
    return leaves * uplinks_per_leaf


@derivation(of="Topology", sources=("superpod-h100-ra",))
def spine_core_cables(
    tiers: Count,
    leaf_spine_cables: Count | None,
    spine_oversubscription: Ratio | None,
    spines: Count | None,
    uplinks_per_spine: Count | None,
) -> Count | None:
    """
    Cables between spines and cores, all planes together. [1]

    Where a spine's uplinks are not stated, assumes three tiers whose links all run at one rate. Absent where the ratio
    leaves no whole number of cables.
    """
    if tiers == 3 and spines is not None and uplinks_per_spine is not None:
        return spines * uplinks_per_spine
    if leaf_spine_cables is None or not spine_oversubscription:
        return None
    cables = leaf_spine_cables / spine_oversubscription
    return int(cables) if tiers == 3 and cables.is_integer() else None


@derivation(of="Fabric", kind=upper)
def cables_to_the_top(
    run_places: tuple[Text | None, ...], run_lengths: tuple[Length | None, ...], tiers: Count
) -> Length | None:
    """
    Longest path from a server to a switch of the highest tier, as the sum of its cables. [m]

    An upper bound: the longest cable of each tier in line. Absent where a run does not say what it joins, or a tier has no run
    of known length.
    """
    hops = HOPS[:tiers]
    runs = list(zip(run_places, run_lengths, strict=True))
    if tiers > len(HOPS) or None in run_places or any((hop, None) in runs or hop not in run_places for hop in hops):
        return None
    return sum(max(length or 0.0 for place, length in runs if place == hop) for hop in hops)


@derivation(of="Fabric", kind=lower)
def farthest_server(
    attached_servers: tuple[Count, ...], rack_places: tuple[Count, ...], rack_footprints: tuple[Area, ...]
) -> Length | None:
    """
    Distance of the farthest server from the middle of its racks. [m]

    A lower bound: full racks side by side in a disc, without aisles, and each server at the corner of its rack that is nearest
    to the middle. Racks are taken as no more than four times as deep as wide.
    """
    if len(rack_places) != 1 or len(rack_footprints) != 1 or rack_places[0] < 1:
        return None
    racks, footprint = -(-sum(attached_servers) // rack_places[0]), rack_footprints[0]
    return max(0.0, math.sqrt(racks * footprint / math.pi) - 2.1 * math.sqrt(footprint))
