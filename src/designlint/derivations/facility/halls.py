"""What stands in each of several halls: the least of it, and the most."""

from __future__ import annotations

from collections import Counter
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct

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


class Parts(Struct, frozen=True):
    """Parts of pools that halls hold: in this hall, and in all of them."""

    part_pools: tuple[Text | None, ...]
    part_shares: tuple[Ratio | None, ...]
    all_part_pools: tuple[Text | None, ...]
    all_part_shares: tuple[Ratio | None, ...]
    pool_names: tuple[Text | None, ...]
    placed_names: tuple[Text | None, ...]

    def sum_of_own(self, values: tuple[float | None, ...], part_values: tuple[float | None, ...]) -> float | None:
        """The sum of what is known of pools that this hall alone names, and of parts in it; None where nothing is."""
        halls = Counter(self.placed_names)
        whole = [
            one
            for name, one in zip(self.pool_names, values, strict=True)
            if one is not None and halls[name] == 1 and name not in self.all_part_pools
        ]
        parts = [one * share for one, share in zip(part_values, self.part_shares, strict=True) if one and share]
        return sum(whole) + sum(parts) if whole or parts else None

    def sum_elsewhere(self, values: tuple[float | None, ...], all_part_values: tuple[float | None, ...]) -> float:
        """The sum of what is known of pools that other halls name and this one does not, and of parts in other halls."""
        whole = {
            name: one or 0.0
            for name, one in zip(self.placed_names, values, strict=True)
            if name not in self.pool_names and name not in self.all_part_pools
        }
        named = dict(zip(self.all_part_pools, all_part_values, strict=True))
        parts = _shares(self.all_part_pools, self.all_part_shares) - _shares(self.part_pools, self.part_shares)
        return sum(whole.values()) + sum(share * (named[pool] or 0.0) for pool, share in parts.items())


def _shares(pools: tuple[str | None, ...], shares: tuple[float | None, ...]) -> Counter[str | None]:
    """The share of each pool that is known to stand somewhere."""
    total: Counter[str | None] = Counter()
    for pool, share in zip(pools, shares, strict=True):
        total[pool] += share or 0.0  # type: ignore[assignment]
    return total


@derivation(of="NodePool")
def hall_servers(hall_counts: tuple[Count, ...]) -> Count | None:
    """
    Servers of the pool that stand in halls, by the parts that these list. [1]

    Absent where no hall lists a part of the pool, or one states no number.
    """
    return sum(hall_counts) or None


@derivation(of="PoolPart")
def share(count: Count, installed_servers: Count) -> Ratio | None:
    """Share of the servers of the pool that stand in the hall, spares included. [1]"""
    return min(count / installed_servers, 1.0) if installed_servers else None


@derivation(of="Hall", groups=(Parts,), kind=lower)
def least_hall_power(
    parts: Parts,
    least_pool_powers: tuple[Power | None, ...],
    part_powers: tuple[Power | None, ...],
    other_power: Power | None,
    hall_names: tuple[Text, ...],
    least_it_powers: tuple[Power | None, ...],
) -> Power | None:
    """
    Known power of what stands in this hall and in no other. [W]

    A lower bound: a pool that several halls name may stand in any of them. Everything stands in the only hall that is listed.
    """
    own = (parts.sum_of_own(least_pool_powers, part_powers) or 0) + (other_power or 0)
    everything = [one or 0 for one in least_it_powers if len(hall_names) == 1]
    return max(own, *everything, 0) or None


@derivation(of="Hall", groups=(Parts,), kind=upper)
def most_hall_power(
    parts: Parts,
    it_power: tuple[Power, ...],
    placed_powers: tuple[Power | None, ...],
    all_part_powers: tuple[Power | None, ...],
    other_power: Power | None,
    hall_other_powers: tuple[Power | None, ...],
) -> Power | None:
    """
    Maximum power in the hall: everything in the racks of the facility, except what stands in other halls. [W]

    An upper bound: switches, storage and pools that no hall names may stand in this one.
    """
    elsewhere = parts.sum_elsewhere(placed_powers, all_part_powers)
    others = sum(one or 0 for one in hall_other_powers) - (other_power or 0)
    return max(it_power) - elsewhere - others if it_power else None


@derivation(of="Hall", groups=(Parts,), kind=lower)
def least_hall_racks(
    parts: Parts,
    racks_filled: tuple[Ratio | None, ...],
    part_racks: tuple[Ratio | None, ...],
    hall_names: tuple[Text, ...],
    all_racks: tuple[Count | None, ...],
) -> Count | None:
    """
    Minimum number of racks for the servers that stand in this hall and in no other. [1]

    A lower bound: every rack is full, and pools may share one. All racks stand in the only hall that is listed.
    """
    filled = ceil((parts.sum_of_own(racks_filled, part_racks) or 0) - ROUNDING)
    everything = [one or 0 for one in all_racks if len(hall_names) == 1]
    return max(filled, *everything, 0) or None


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

    Holds where every one of several halls states its limit.
    """
    return sum(hall_power_limits) if len(hall_power_limits) > 1 else None


@derivation(of="Facility")
def halls_cooling(hall_cooling_capacities: tuple[Power, ...]) -> Power | None:
    """
    Maximum heat that the cooling of all halls together can remove. [W]

    Holds where every one of several halls states its capacity.
    """
    return sum(hall_cooling_capacities) if len(hall_cooling_capacities) > 1 else None


@derivation(of="Facility")
def halls_positions(hall_positions: tuple[Count, ...]) -> Count | None:
    """
    Maximum number of racks in all halls together. [1]

    Holds where every one of several halls states its positions.
    """
    return sum(hall_positions) if len(hall_positions) > 1 else None


@derivation(of="Facility", kind=lower)
def least_racks(rack_count: Count | None, other_rack_counts: tuple[Count | None, ...]) -> Count | None:
    """
    Racks of all kinds whose number is known. [1]

    A lower bound: kinds of rack without a number are left out.
    """
    return sum(one or 0 for one in (rack_count, *other_rack_counts)) or None
