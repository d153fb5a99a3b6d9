"""What stands in the racks, and what they weigh on the floor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

from designlint.derivations.base import derivation, lower, upper

if TYPE_CHECKING:
    from designlint.language.units import Area, Count, Mass, Power, Ratio


@derivation(of="Racks", kind=lower)
def least_equipment_power(
    nodes_per_rack: Count | None,
    count: Count | None,
    least_server_powers: tuple[Power | None, ...],
    server_gpus: tuple[Count | None, ...],
    pool_sizes: tuple[Count | None, ...],
    other_rack_power: Power | None,
) -> Power | None:
    """
    Known power of the equipment in the fullest rack with its servers at their limit. [W]

    A lower bound: as many servers as stand in the fullest rack, of the pools that draw least; or, where the racks are
    counted, the share of servers that some rack holds however they are dealt out.
    """
    stock = _stock(least_server_powers, pool_sizes, server_gpus)
    return least_of_fullest(stock, nodes_per_rack, count) + (other_rack_power or 0) or None


@derivation(of="Racks", kind=lower)
def least_rack_power(
    power: Power | None,
    least_equipment_power: Power | None,
    nodes_per_rack: Count | None,
    server_powers: tuple[Power | None, ...],
    server_gpus: tuple[Count | None, ...],
    other_rack_power: Power | None,
) -> Power | None:
    """
    Known power of the fullest rack with its servers at their limit. [W]

    A lower bound. What the design states counts as far as its servers and other equipment can draw it: the rest may be a budget.
    """
    most = _most_equipment_power(nodes_per_rack, server_powers, server_gpus, other_rack_power)
    drawn = min(one for one in (power or 0, most) if one is not None)
    return max(drawn, least_equipment_power or 0) or None


@derivation(of="Racks", kind=lower)
def least_racks_power(
    power: Power,
    count: Count | None,
    nodes_per_rack: Count | None,
    pool_sizes: tuple[Count | None, ...],
    server_gpus: tuple[Count | None, ...],
    server_powers: tuple[Power | None, ...],
    other_rack_power: Power | None,
) -> Power:
    """
    Power of the racks of this kind by the stated power of one. [W]

    A lower bound: only racks that are full count, and at least one. Where several pools share the racks, one is full.
    What the design states beyond the maximum power of its servers and other equipment may be a budget, and does not count.
    """
    most = _most_equipment_power(nodes_per_rack, server_powers, server_gpus, other_rack_power)
    drawn = power if most is None else min(power, most)
    sizes = [size for size, gpus in zip(pool_sizes, server_gpus, strict=True) if gpus]
    if len(sizes) != 1 or sizes[0] is None or count is None or nodes_per_rack is None:
        return drawn
    return drawn * max(1, min(count, sizes[0] - count * (nodes_per_rack - 1)))


@derivation(of="Racks", kind=upper)
def rack_power(
    nodes_per_rack: Count | None,
    server_powers: tuple[Power | None, ...],
    server_gpus: tuple[Count | None, ...],
    power: Power | None,
    other_rack_power: Power | None,
    least_rack_power: Power,
) -> Power | None:
    """
    Maximum power of a rack with its servers at their limit. [W]

    What the design states; else the servers of the pool that draws most may fill a rack, and nothing else in it is taken
    to draw power.
    """
    if power is not None:
        return max(power, least_rack_power)
    full = _most_equipment_power(nodes_per_rack, server_powers, server_gpus, other_rack_power)
    return None if full is None else max(full, least_rack_power)


@derivation(of="Racks", kind=lower)
def rack_supplies(
    nodes_per_rack: Count | None,
    count: Count | None,
    supply_counts: tuple[Count | None, ...],
    server_gpus: tuple[Count | None, ...],
    pool_sizes: tuple[Count | None, ...],
) -> Count | None:
    """
    Minimum number of server power supplies in the fullest rack. [1]

    A lower bound, as that of the power; switches and their supplies are not included.
    """
    return int(least_of_fullest(_stock(supply_counts, pool_sizes, server_gpus), nodes_per_rack, count)) or None


@derivation(of="Racks", kind=lower)
def door_heat(least_rack_power: Power, liquid_shares: tuple[Ratio, ...]) -> Power | None:
    """
    Minimum heat that the rear door of the fullest rack must remove. [W]

    Assumes the same share in every rack.
    """
    return least_rack_power * liquid_shares[0] if len(liquid_shares) == 1 else None


@derivation(of="Racks", kind=lower)
def least_used_units(
    nodes_per_rack: Count,
    count: Count | None,
    server_heights: tuple[Count | None, ...],
    server_gpus: tuple[Count | None, ...],
    pool_sizes: tuple[Count | None, ...],
) -> Count | None:
    """
    Rack units that the servers of the fullest rack take at least. [1]

    A lower bound, as that of the power; switches, power shelves and patch panels are not included.
    """
    return int(least_of_fullest(_stock(server_heights, pool_sizes, server_gpus), nodes_per_rack, count)) or None


@derivation(of="Racks", kind=upper)
def used_units(
    nodes_per_rack: Count, server_heights: tuple[Count, ...], server_gpus: tuple[Count | None, ...]
) -> Count:
    """
    Maximum number of rack units that the servers of a rack take. [1]

    Assumes that the highest servers may fill a rack; switches, power shelves and patch panels are not included.
    """
    return nodes_per_rack * int(_most(server_heights, server_gpus))


@derivation(of="Racks", kind=lower)
def least_servers_mass(
    nodes_per_rack: Count,
    count: Count | None,
    server_masses: tuple[Mass | None, ...],
    server_gpus: tuple[Count | None, ...],
    pool_sizes: tuple[Count | None, ...],
) -> Mass | None:
    """
    Minimum mass of the servers in the fullest rack. [kg]

    A lower bound, as that of the power: frame, cables, switches and coolant are not included.
    """
    return least_of_fullest(_stock(server_masses, pool_sizes, server_gpus), nodes_per_rack, count) or None


@derivation(of="Racks", kind=lower)
def least_mass(least_servers_mass: Mass | None, mass: Mass | None) -> Mass | None:
    """
    Minimum mass of the fullest rack. [kg]

    What the design states; else a lower bound of servers only: frame, cables, switches and coolant come on top.
    """
    return least_servers_mass if mass is None else mass


@derivation(of="Racks")
def servers_to_place(pool_sizes: tuple[Count, ...], server_gpus: tuple[Count, ...]) -> Count:
    """
    Servers to install in the racks, spares included. [1]

    Pools without GPUs are taken to stand elsewhere, except in racks that hold no others.
    """
    sized = list(zip(pool_sizes, server_gpus, strict=True))
    return sum(size for size, gpus in sized if gpus) or sum(size for size, _ in sized)


@derivation(of="Facility", kind=lower)
def all_racks_area(racks_area: Area | None, other_rack_areas: tuple[Area | None, ...]) -> Area | None:
    """
    Floor area of all described kinds of racks. [m2]

    A lower bound: racks that are not counted or state no footprint are left out; aisles are included only so far as
    the footprint includes them.
    """
    return sum(area or 0 for area in (racks_area, *other_rack_areas)) or None


# ---- The fullest rack

#: What one server of a pool takes, and how many servers the pool has, where that is known.
Stock: TypeAlias = "list[tuple[float, Count | None]]"


def least_of_fullest(stock: Stock, places: Count | None, racks: Count | None) -> float:
    """
    What the servers of the fullest rack take at least.

    Some rack holds so many servers, however they are chosen; and of each pool some rack holds an even share or more, as far
    as a rack has places: servers for which there are none stand in no rack.
    """
    chosen, left = 0.0, places or 0
    for each, size in sorted(stock, key=lambda one: one[0]):
        taken = left if size is None else min(left, size)
        chosen, left = chosen + taken * each, left - taken
    held = math.inf if places is None else places
    shares = [min(math.ceil(size / racks), held) * each for each, size in stock if size is not None] if racks else []
    fits = racks is not None and sum(size or 0 for _, size in stock) <= held * racks
    whole = sum(each * (size or 0) for each, size in stock) / racks if racks and fits else 0.0
    return max(chosen, whole, *shares, 0.0)


def _stock(values: tuple[float | None, ...], sizes: tuple[Count | None, ...], gpus: tuple[Count | None, ...]) -> Stock:
    """The pools that stand in the racks: those with GPUs, or all where none is known to have any."""
    pools = list(zip(values, sizes, gpus, strict=True))
    return [(value or 0.0, size) for value, size, some in pools if some or not any(gpus)]


def _most(values: tuple[float | None, ...], gpus: tuple[Count | None, ...]) -> float:
    """The most of the values whose pool has GPUs; of all where none has."""
    pools = [(value or 0.0, some) for value, some in zip(values, gpus, strict=True)]
    return max([value for value, some in pools if some] or [value for value, _ in pools])


def _most_equipment_power(
    places: int | None,
    server_powers: tuple[float | None, ...],
    server_gpus: tuple[Count | None, ...],
    others: float | None,
) -> float | None:
    """What the servers that fill a rack and its stated other equipment draw at most; None where that is open."""
    if places is None or None in server_powers or None in server_gpus or not server_powers:
        return None
    return places * _most(server_powers, server_gpus) + (others or 0)
