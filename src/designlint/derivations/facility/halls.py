"""What stands in each of several halls: the least of it, and the most."""

from __future__ import annotations

from collections import Counter
from math import ceil
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower, upper

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count, Power, Ratio

#: Racks by which a sum of quotients may be off.
ROUNDING = 1e-9


@derivation(of="NodePool", kind=lower)
def racks_filled(installed_servers: Count, places_per_rack: tuple[Count, ...]) -> Ratio | None:
    """
    Racks that the servers of the pool fill, spares included. [1]

    A lower bound: every rack is full, and where several kinds of rack hold the pool, all are of the kind that holds most.
    """
    return installed_servers / max(places_per_rack) if places_per_rack else None


@derivation(of="Hall", kind=lower)
def least_hall_power(
    pool_names: tuple[Text, ...], least_pool_powers: tuple[Power | None, ...], placed_names: tuple[Text, ...]
) -> Power | None:
    """
    Known power of the servers that stand in this hall and in no other. [W]

    A lower bound: a pool that several halls name may stand in any of them, and what is beside the servers is not counted.
    """
    return _sum_of_own(pool_names, least_pool_powers, placed_names)


@derivation(of="Hall", kind=upper)
def most_hall_power(
    it_power: tuple[Power, ...],
    pool_names: tuple[Text, ...],
    placed_names: tuple[Text, ...],
    placed_powers: tuple[Power | None, ...],
) -> Power | None:
    """
    Maximum power in the hall: everything in the racks of the facility, except servers in other halls. [W]

    An upper bound: switches, storage and pools that no hall names may stand in this one.
    """
    elsewhere = {
        name: power or 0.0 for name, power in zip(placed_names, placed_powers, strict=True) if name not in pool_names
    }
    return max(it_power) - sum(elsewhere.values()) if it_power else None


@derivation(of="Hall", kind=lower)
def least_hall_racks(
    pool_names: tuple[Text, ...], racks_filled: tuple[Ratio | None, ...], placed_names: tuple[Text, ...]
) -> Count | None:
    """
    Minimum number of racks for the servers that stand in this hall and in no other. [1]

    A lower bound: every rack is full, and pools may share one.
    """
    filled = _sum_of_own(pool_names, racks_filled, placed_names)
    return None if filled is None else ceil(filled - ROUNDING)


@derivation(of="Hall", kind=upper)
def most_hall_racks(rack_counts: tuple[Count, ...], other_rack_counts: tuple[Count, ...]) -> Count | None:
    """
    Racks of the whole facility, all of which may stand in this hall. [1]

    An upper bound; absent where the number of one kind of rack is open.
    """
    return sum(rack_counts) + sum(other_rack_counts) if rack_counts else None


@derivation(of="Facility")
def halls_power(hall_power_limits: tuple[Power, ...]) -> Power | None:
    """
    Maximum power of the racks of all halls together. [W]

    Holds where every hall states its limit.
    """
    return sum(hall_power_limits) or None


@derivation(of="Facility")
def halls_cooling(hall_cooling_capacities: tuple[Power, ...]) -> Power | None:
    """
    Maximum heat that the cooling of all halls together can remove. [W]

    Holds where every hall states its capacity.
    """
    return sum(hall_cooling_capacities) or None


@derivation(of="Facility")
def halls_positions(hall_positions: tuple[Count, ...]) -> Count | None:
    """
    Maximum number of racks in all halls together. [1]

    Holds where every hall states its positions.
    """
    return sum(hall_positions) or None


@derivation(of="Facility", kind=lower)
def least_racks(rack_count: Count | None, other_rack_counts: tuple[Count | None, ...]) -> Count | None:
    """
    Racks of all kinds whose number is known. [1]

    A lower bound: kinds of rack without a number are left out.
    """
    return sum(one or 0 for one in (rack_count, *other_rack_counts)) or None


def _sum_of_own(names: tuple[Text, ...], values: tuple[float | None, ...], placed: tuple[Text, ...]) -> float | None:
    """The sum of what is known of pools that one hall alone names; None where nothing is."""
    halls = Counter(placed)
    known = [one for name, one in zip(names, values, strict=True) if one is not None and halls[name] == 1]
    return sum(known) if known else None
