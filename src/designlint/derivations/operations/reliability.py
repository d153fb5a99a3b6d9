"""How often a job fails and what share of its time becomes progress."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate, lower, upper

if TYPE_CHECKING:
    from designlint.language.units import Count, Duration, Rate, Ratio


@derivation(of="Workload", sources=("daly-2006",), kind=upper)
def mtbf(servers: Count, failure_rate: Rate) -> Duration | None:
    """
    Mean time between failures that stop the job. [s]

    Assumes that servers fail independently and at a constant rate, and that any failure stops the job.
    Measured jobs fail more often than the servers alone: switches and software come on top.
    """
    if failure_rate <= 0:
        return None
    return 1 / (servers * failure_rate)


@derivation(of="Workload", sources=("young-1974",), kind=estimate())
def young_checkpoint_interval(checkpoint_stall: Duration, mtbf: Duration) -> Duration | None:
    """
    Checkpoint interval that wastes least time. [s]

    Valid while a checkpoint stalls training for much less than the time between failures; absent where it
    stalls for half of it or more, and where it does not stall at all. The optimum is flat: twice or half the
    interval wastes a quarter more.
    """
    if checkpoint_stall <= 0 or checkpoint_stall >= mtbf / 2:
        return None
    return math.sqrt(2 * checkpoint_stall * mtbf)


@derivation(of="Workload", sources=("daly-2006",), kind=estimate())
def daly_checkpoint_interval(checkpoint_stall: Duration, mtbf: Duration) -> Duration | None:
    """
    Checkpoint interval that wastes least time where a stall is no longer short against the time between failures. [s]

    Measured from the end of one checkpoint to the start of the next. From a stall of twice the time between failures
    on, it is that time. Absent where a checkpoint does not stall training.
    """
    if checkpoint_stall <= 0:
        return None
    if checkpoint_stall >= 2 * mtbf:
        return mtbf
    part = checkpoint_stall / (2 * mtbf)
    return math.sqrt(2 * checkpoint_stall * mtbf) * (1 + math.sqrt(part) / 3 + part / 9) - checkpoint_stall


@derivation(of="Workload", sources=("young-1974", "daly-2006"), kind=estimate())
def goodput(
    checkpoint_stall: Duration,
    interval: Duration,
    resume_interval: Duration,
    mtbf: Duration,
    detect: Duration,
    restart: Duration,
) -> Ratio | None:
    """
    Share of time that ends up as training progress. [1]

    First order: each failure loses half an interval and the time to notice and restart. Valid while stall,
    interval and recovery are much shorter than the time between failures; 0 where they eat all of it.
    """
    if interval <= 0:
        return None
    return max(0.0, 1 - checkpoint_stall / interval - (resume_interval / 2 + detect + restart) / mtbf)


@derivation(of="Workload", sources=("young-1974", "daly-2006"), kind=lower)
def least_lost_per_failure(
    resume_interval: Duration | None, detect: Duration | None, restart: Duration | None
) -> Duration | None:
    """
    Minimum time that the job loses per failure. [s]

    What is known of half an interval of work, the time to notice and the time to restart: a lower bound. Absent where none
    is known.
    """
    if resume_interval is None and detect is None and restart is None:
        return None
    return (resume_interval or 0.0) / 2 + (detect or 0.0) + (restart or 0.0)


@derivation(of="Workload", sources=("young-1974", "daly-2006"), kind=upper)
def most_goodput(
    least_checkpoint_overhead: Ratio | None, mtbf: Duration | None, least_lost_per_failure: Duration | None
) -> Ratio | None:
    """
    Maximum share of time that is training progress. [1]

    An upper bound: checkpoints whose stall or interval is not known count as if they took no time, and failures whose
    frequency or cost is not known as if they cost none. Absent where neither is known.
    """
    lost = None if mtbf is None or least_lost_per_failure is None else least_lost_per_failure / mtbf
    if lost is None and least_checkpoint_overhead is None:
        return None
    return max(0.0, 1 - (least_checkpoint_overhead or 0.0) - (lost or 0.0))


@derivation(of="Workload", kind=estimate())
def run_time(training_time: Duration | None, deadline: Duration | None) -> Duration | None:
    """
    Time that the run is planned to take. [s]

    The time to train where it follows from the design; else the deadline, which assumes that the run needs it.
    """
    return deadline if training_time is None else training_time


@derivation(of="Workload", kind=estimate())
def training_time_with_failures(
    training_time: Duration, targeted_goodput: Ratio | None, goodput: Ratio
) -> Duration | None:
    """
    Time to train at the goodput that results from failures and checkpoints. [s]

    Assumes the targeted utilisation while the job makes progress.
    """
    if goodput <= 0:
        return None
    targeted = 1.0 if targeted_goodput is None else targeted_goodput
    return training_time * targeted / goodput


@derivation(of="NodePool")
def time_between_gpu_failures(gpus: Count, failure_rate: Rate) -> Duration | None:
    """
    GPU time in service between two server failures. [s]

    The figure in which clouds are compared; assumes that servers fail independently and at a constant rate.
    """
    if failure_rate <= 0:
        return None
    return gpus / failure_rate


@derivation(of="NodePool", kind=lower)
def reserve_servers(
    spares: Count,
    count: Count,
    gpus: Count | None,
    placed_gpus: tuple[Count | None, ...],
    part_gpus: tuple[Count | None, ...],
) -> Count:
    """
    Minimum number of spares and unassigned servers in service. [1]

    Assumes that all jobs run at the same time. A pool without jobs, or with a job of unknown size, has its spares only.
    """
    taken = (*placed_gpus, *part_gpus)
    if not taken or not gpus or any(one is None for one in taken):
        return spares
    return spares + max(0, count - math.ceil(sum(one or 0 for one in taken) / gpus))
