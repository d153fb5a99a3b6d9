"""How much stops with one rack, feed, power or coolant distribution unit, or leaf, and what one failure costs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate, lower, upper

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Count, Duration, Power, Ratio

#: More servers in repair at a time than any pool has: no search for their quantile.
MOST_IN_REPAIR = 100_000


@derivation(of="Topology")
def bandwidth_lost_with_spine(spines: Count, planes: Count) -> Ratio | None:
    """
    Share of a leaf's uplink bandwidth that is lost when one spine fails. [1]

    Assumes that every leaf is wired alike to all spines of its plane. Absent without spines.
    """
    return planes / spines if spines else None


# ---- GPUs behind one part


@derivation(of="Racks", kind=lower)
def gpus_lost_with_feed(feeds: Count, rack_gpus: Count, feed_load_after_loss: Ratio | None) -> Count | None:
    """
    GPUs that stop when one feed of a rack fails. [1]

    None where the other feeds carry the rack; the whole rack where they trip or there is no other. Absent
    where the load of the remaining feeds is not known.
    """
    if feeds > 1 and feed_load_after_loss is None:
        return None
    return rack_gpus if feed_load_after_loss is None or feed_load_after_loss > 1 else 0


@derivation(of="Racks", kind=lower)
def gpus_lost_with_pdu(
    pdus: Count, feeds: Count | None, rack_gpus: Count, gpus_lost_with_feed: Count | None
) -> Count | None:
    """
    GPUs that stop when one power distribution unit (PDU) of a rack fails. [1]

    Assumes that each unit hangs on a feed of its own where there are as many; absent where several units
    share a feed, for they may or may not take over from one another.
    """
    if pdus == 1:
        return rack_gpus
    return gpus_lost_with_feed if feeds == pdus else None


@derivation(of="Facility", kind=upper)
def gpus_lost_with_cdu(
    facility_gpus: Count,
    cdu_count: Count,
    cdu_redundancy: Text,
    lasting_capacity: Power | None,
    liquid_heat: Power | None,
) -> Count | None:
    """
    GPUs that lose coolant when one coolant distribution unit (CDU) fails. [1]

    None where redundant units on a common loop carry the heat; else an even share of all GPUs.
    """
    if cdu_redundancy == "N":
        return math.ceil(facility_gpus / cdu_count)
    if lasting_capacity is None or liquid_heat is None:
        return None
    return 0 if lasting_capacity >= liquid_heat else math.ceil(facility_gpus / cdu_count)


@derivation(of="Fabric", kind=upper)
def servers_on_leaf(
    host_ports_per_leaf: Count,
    rail_optimized: Flag,
    homing: Text | None,
    attached_server_ports: tuple[Count, ...],
) -> Count:
    """
    Maximum number of servers with a port on one leaf. [1]

    Rails, and adapters with two leaves, bring one port of each server; otherwise all ports of a server are
    taken to lead to one leaf, of pools with different servers those with fewest ports.
    """
    spread = rail_optimized or homing not in (None, "single")
    return host_ports_per_leaf // (1 if spread else min(attached_server_ports))


# ---- What a failure costs, and the spares against it


@derivation(of="Workload", sources=("daly-2006",), kind=estimate())
def time_lost_per_failure(interval: Duration, detect: Duration, restart: Duration) -> Duration:
    """
    Time that the job loses per failure. [s]

    Half an interval of work on average, and the time to notice and to restart.
    """
    return interval / 2 + detect + restart


@derivation(of="Workload", kind=estimate())
def gpu_time_lost_per_failure(gpus: Count, time_lost_per_failure: Duration) -> Duration:
    """
    Total GPU time that the job loses per failure. [s]

    Assumes that none of them does other work meanwhile.
    """
    return gpus * time_lost_per_failure


@derivation(of="Workload", kind=estimate())
def failures_in_run(run_time: Duration, mtbf: Duration) -> Ratio:
    """
    Expected number of failures during the run. [1]

    Assumes the same rate from the first day to the last; new hardware fails more often.
    """
    return run_time / mtbf


@derivation(of="Workload", kind=estimate())
def time_lost_to_failures(failures_in_run: Ratio, time_lost_per_failure: Duration) -> Duration:
    """
    Expected time lost to failures during the run. [s]

    Checkpoints themselves come on top, and so do failures while it makes up for lost time.
    """
    return failures_in_run * time_lost_per_failure


@derivation(
    of="NodePool",
    formula="next(n for n in count() if exp(-servers_in_repair) * sum(servers_in_repair ** k / factorial(k) "
    "for k in range(n + 1)) >= availability)",
    kind=estimate(),
)
def spares_for_availability(servers_in_repair: Ratio, availability: Ratio) -> Count | None:
    """
    Minimum number of spares with which the pool meets its availability target. [1]

    The quantile of a Poisson distribution around the servers that are in repair on average, which holds for
    repairs of any length as long as failures are independent. Absent for a share of 1, which no number of spares
    reaches, and for absurd loads.
    """
    if not 0 <= availability < 1 or servers_in_repair > MOST_IN_REPAIR:
        return None
    spares, reached = 0, math.exp(-servers_in_repair)
    while reached < availability:
        spares += 1
        reached += math.exp(spares * math.log(servers_in_repair) - servers_in_repair - math.lgamma(spares + 1))
        if spares > MOST_IN_REPAIR * 2:
            return None
    return spares
