"""Power of the cluster from the servers to the utility, and what its racks, floor and feeds carry."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.units import Area, AreaLoad, Count, Current, Mass, Power, Ratio, Voltage


# ---- From the servers to the utility


@derivation(of="NodePool")
def power_over_gpus(power: Power, gpus: Count, gpu_power: Power) -> Ratio:
    """
    Power of a server per thermal design power of its GPUs. [1]

    Assumes GPUs of one kind, not capped below their design power.
    """
    return power / (gpus * gpu_power)


@derivation(of="Topology")
def switch_power(leaves: Count, spines: Count | None, cores: Count | None, power: Power) -> Power:
    """
    Power of all switches of the network. [W]

    Assumes one kind of switch in every tier and its typical power; optics in servers are not included.
    """
    return (leaves + (spines or 0) + (cores or 0)) * power


@derivation(of="Facility")
def facility_gpus(gpu_counts: tuple[Count, ...]) -> Count:
    """
    GPUs in service in all pools. [1]

    Spare servers are not counted.
    """
    return sum(gpu_counts)


@derivation(of="Facility")
def server_power(pool_powers: tuple[Power, ...]) -> Power:
    """
    Most power that the servers of all pools draw together, spares included. [W]

    Assumes that every server can reach its limit at the same time, as synchronous training makes them do.
    """
    return sum(pool_powers)


@derivation(of="Facility")
def network_power(switch_powers: tuple[Power, ...]) -> Power:
    """
    Power of the switches of all fabrics. [W]

    Holds where the switches of every fabric are counted and their power is known.
    """
    return sum(switch_powers)


@derivation(of="Facility")
def it_power(server_power: Power, other_power: Power | None, network_power: Power | None) -> Power:
    """
    Power of everything in the racks; also the heat that has to leave them. [W]

    A lower bound where the design states no `other_power`: then the counted switches stand for it, and storage and
    management are left out.
    """
    return server_power + (other_power if other_power is not None else network_power or 0)


@derivation(of="Facility")
def facility_power(it_power: Power, pue: Ratio) -> Power:
    """
    Power of the whole facility with all racks at their limit. [W]

    Assumes the yearly mean PUE; on the hottest day cooling takes more.
    """
    return it_power * pue


@derivation(of="Facility")
def overhead_needed(facility_power: Power, server_power: Power) -> Ratio:
    """
    Power on top of the servers per power of the servers, by the design's own PUE and other loads. [1]

    A lower bound where storage or switches are not counted.
    """
    return facility_power / server_power - 1


@derivation(of="Facility")
def free_power(facility_power: Power, utility_power: Power) -> Ratio:
    """
    Share of the utility's power that is free with all racks at their limit. [1]

    Negative where the facility needs more than it gets; an upper bound where storage or switches are not counted.
    """
    return 1 - facility_power / utility_power


@derivation(of="Facility")
def power_headroom(free_power: Ratio) -> Ratio:
    """
    Share of the utility's power that is kept free, where the design states none. [1]

    Holds where everything that is free is kept free.
    """
    return free_power


# ---- Racks


@derivation(of="Racks")
def rack_power(nodes_per_rack: Count, server_powers: tuple[Power, ...], server_gpus: tuple[Count, ...]) -> Power:
    """
    Least that the fullest rack draws with its servers at their limit. [W]

    Exact for one pool of GPU servers, but for switches in the rack. With several pools the one that draws least
    is taken, because the fullest rack may hold it.
    """
    return nodes_per_rack * _least(server_powers, server_gpus)


@derivation(of="Racks")
def used_units(nodes_per_rack: Count, server_heights: tuple[Count, ...], server_gpus: tuple[Count, ...]) -> Count:
    """
    Fewest rack units that the servers of the fullest rack take. [1]

    Switches, power shelves and patch panels are not included; of several pools the lowest server counts.
    """
    return nodes_per_rack * int(_least(server_heights, server_gpus))


@derivation(of="Racks")
def mass(nodes_per_rack: Count, server_masses: tuple[Mass, ...], server_gpus: tuple[Count, ...]) -> Mass:
    """
    Least mass of the fullest rack, where the design states none. [kg]

    Servers only: the frame, cables, switches and coolant come on top. Of several pools the lightest server counts.
    """
    return nodes_per_rack * _least(server_masses, server_gpus)


@derivation(of="Racks")
def servers_to_place(pool_sizes: tuple[Count, ...], server_gpus: tuple[Count, ...]) -> Count:
    """
    GPU servers that need a place in the racks, spares included. [1]

    Pools without GPUs are taken to stand elsewhere.
    """
    return sum(size for size, gpus in zip(pool_sizes, server_gpus, strict=True) if gpus)


@derivation(of="Racks")
def server_places(count: Count, nodes_per_rack: Count) -> Count:
    """
    GPU servers that the racks hold when all are full. [1]

    Assumes racks that are all alike.
    """
    return count * nodes_per_rack


@derivation(of="Racks")
def floor_load(mass: Mass, footprint: Area) -> AreaLoad:
    """
    Load of a rack on the floor that carries it. [kg/m2]

    Assumes that the load spreads evenly over the footprint; wheels and feet press harder.
    """
    return mass / footprint


@derivation(of="Racks")
def racks_area(count: Count, footprint: Area) -> Area:
    """
    Floor area of all racks. [m2]

    Aisles are included only so far as the footprint includes them.
    """
    return count * footprint


@derivation(of="Racks")
def feed_power(breaker_rating: Current, breaker_voltage: Voltage, breaker_phases: Count) -> Power:
    """
    Power of one feed at the rating of its breaker. [W]

    Three phases carry the square root of three times voltage between phases times current. Assumes a power factor
    of 1 and balanced phases: an upper bound.
    """
    return math.sqrt(breaker_phases) * breaker_voltage * breaker_rating


@derivation(of="Racks")
def feed_load(rack_power: Power, feeds: Count, feed_power: Power) -> Ratio:
    """
    Load of each feed per rating of its breaker while all feeds work. [1]

    Assumes that the feeds share the rack evenly.
    """
    return rack_power / (feeds * feed_power)


@derivation(of="Racks")
def feed_load_after_loss(rack_power: Power, feeds: Count, feed_power: Power) -> Ratio | None:
    """
    Load of each remaining feed per rating of its breaker after one feed has failed. [1]

    Holds for racks with two feeds or more; assumes that the remaining feeds share the rack evenly.
    """
    return rack_power / ((feeds - 1) * feed_power) if feeds > 1 else None


def _least(values: tuple[float, ...], gpus: tuple[Count, ...]) -> float:
    """The least of the values whose pool has GPUs; of all where none has."""
    return min([value for value, some in zip(values, gpus, strict=True) if some] or values)
