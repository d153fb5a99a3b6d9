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


def _sum_of_own(names: tuple[Text, ...], values: tuple[float | None, ...], placed: tuple[Text, ...]) -> float | None:
    """The sum of what is known of pools that one hall alone names; None where nothing is."""
    halls = Counter(placed)
    known = [one for name, one in zip(names, values, strict=True) if one is not None and halls[name] == 1]
    return sum(known) if known else None
