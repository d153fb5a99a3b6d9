"""What the feeds of a rack carry, and what is left when a feed or a whole path has failed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower, upper

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import ApparentPower, Count, Current, Power, Ratio, Voltage


@derivation(of="Racks")
def feed_power(breaker_rating: Current, breaker_voltage: Voltage, breaker_phases: Count) -> Power:
    """
    Apparent power of one feed at its breaker rating. [VA]

    Three phases carry the square root of three times voltage between phases times current; assumes balanced phases. Direct
    current, without phases, carries voltage times current.
    """
    return math.sqrt(max(breaker_phases, 1)) * breaker_voltage * breaker_rating


@derivation(of="Racks", sources=("pdu-load-balance",))
def phase_imbalance(phase_currents: tuple[Current, ...]) -> Ratio | None:
    """
    Largest deviation of a phase current from the mean, divided by the mean. [1]

    Absent where other than three phases are stated, and where none carries a load.
    """
    mean = sum(phase_currents) / 3
    if len(phase_currents) != 3 or not mean:
        return None
    return max(abs(one - mean) for one in phase_currents) / mean


@derivation(of="Racks")
def listed_phases(phase_currents: tuple[Current, ...]) -> Count | None:
    """Number of phases whose current is listed. [1]"""
    return len(phase_currents) or None


@derivation(of="Racks")
def busiest_phase(phase_currents: tuple[Current, ...]) -> Current | None:
    """Current of the most loaded phase. [A]"""
    return max(phase_currents, default=None)


@derivation(of="Racks")
def phases_power(
    phase_currents: tuple[Current, ...], breaker_voltage: Voltage, breaker_phases: Count
) -> ApparentPower | None:
    """
    Apparent power of one feed at its phase currents. [VA]

    Each of three phases carries its current at the voltage between phases divided by the square root of three.
    """
    if len(phase_currents) != breaker_phases:
        return None
    return sum(phase_currents) * breaker_voltage / math.sqrt(breaker_phases)


@derivation(of="Racks", kind=lower)
def outlet_voltage(distribution_voltage: tuple[Voltage, ...], breaker_phases: Count) -> Voltage | None:
    """
    Minimum voltage of an outlet on a three-phase feed: that between a phase and neutral. [V]

    A lower bound: outlets between two phases have more.
    """
    stated = distribution_voltage if breaker_phases > 1 else ()
    return stated[0] / math.sqrt(3) if len(stated) == 1 else None


@derivation(of="Racks")
def largest_inlet(power_inlets: tuple[Text | None, ...]) -> Text | None:
    """
    Largest inlet with a cord among the servers in these racks.

    Absent where the inlet of a pool is open and that of no other is the largest one.
    """
    known = [one for one in power_inlets if one in {"c14", "c20"}]
    return max(known) if known and ("c20" in known or None not in power_inlets) else None


@derivation(of="Racks")
def largest_supply(supply_ratings: tuple[Power, ...], power_inlets: tuple[Text | None, ...]) -> Power | None:
    """
    Rating of the largest power supply of the servers in these racks. [W]

    Absent for trays on a busbar: they have none of their own, and a design can state only those of the power shelves.
    """
    return None if "busbar" in power_inlets else max(supply_ratings, default=None)


@derivation(of="Racks", kind=lower)
def apparent_power(
    least_rack_power: Power, power_factor: tuple[Ratio | None, ...], breaker_phases: Count | None
) -> Power | None:
    """
    Minimum apparent power of the fullest rack. [VA]

    A lower bound: a power factor that is not stated counts as 1. Direct current has none.
    """
    stated = [one for one in power_factor if one and breaker_phases != 0]
    return least_rack_power / (stated[0] if stated else 1)


@derivation(of="Racks")
def feeds_lost(feeds: Count, path_redundancy: tuple[Text | None, ...]) -> Count | None:
    """
    Feeds that a rack loses when one power path fails. [1]

    Half of them where the distribution is two separate systems (2N), else one. Absent for a single feed.
    """
    doubled = any(one is not None and one.startswith("2N") for one in path_redundancy)
    return (math.ceil(feeds / 2) if doubled else 1) if feeds > 1 else None


@derivation(of="Racks", kind=lower)
def feed_load_after_loss(feed_load: Ratio, feeds: Count, feeds_lost: Count) -> Ratio | None:
    """
    Minimum load of each remaining feed divided by its breaker rating, after one power path has failed. [1]

    Assumes that the remaining feeds share the rack evenly. Absent where no feed remains.
    """
    return feed_load * feeds / (feeds - feeds_lost) if feeds > feeds_lost else None


@derivation(of="Racks", kind=upper)
def most_feed_load_after_loss(
    feed_load_after_loss: Ratio,
    feed_load: Ratio,
    most_feed_load: Ratio,
    feeds: Count,
    path_redundancy: tuple[Text | None, ...],
) -> Ratio | None:
    """
    Maximum load of each remaining feed divided by its breaker rating, after one power path has failed. [1]

    Absent for more than two feeds where nothing says how they share the paths of the distribution.
    """
    return feed_load_after_loss * most_feed_load / feed_load if feeds == 2 or any(path_redundancy) else None


@derivation(of="NodePool", kind=lower)
def supplies_lost(supplies: Count, rack_feeds: tuple[Count, ...], rack_feeds_lost: tuple[Count, ...]) -> Count | None:
    """
    Minimum number of power supplies of a server that lose power when one power path fails. [1]

    Assumes that the supplies are dealt out to the paths as evenly as can be: six supplies on four feeds of two paths are
    three to a path. Absent where the servers stand in racks of several kinds.
    """
    if len(rack_feeds) != 1 or len(rack_feeds_lost) != 1:
        return None
    return math.ceil(supplies * rack_feeds_lost[0] / rack_feeds[0])


@derivation(of="Facility", kind=lower)
def busway_current(
    least_it_power: Power, busways: Count, rack_voltage: Voltage, path_redundancy: Text | None
) -> Current:
    """
    Minimum current that each busway must be able to carry. [A]

    Half of the busways carry everything when one of two separate paths (2N) has failed. A lower bound: the power factor is 1,
    the load is spread evenly over phases and busways, and only what is known to draw power counts.
    """
    left = busways / 2 if path_redundancy is not None and path_redundancy.startswith("2N") else busways
    return least_it_power / (left * math.sqrt(3) * rack_voltage)


@derivation(of="PowerDistribution", kind=upper)
def busways_output(busways: Count, busway_rating: Current, voltage: Voltage, redundancy: Text | None) -> ApparentPower:
    """
    Apparent power that the busways carry together. [VA]

    Those of one path where there are two separate ones (2N). An upper bound: their load is spread evenly over phases and
    busways.
    """
    left = busways / 2 if redundancy is not None and redundancy.startswith("2N") else busways
    return left * math.sqrt(3) * voltage * busway_rating
