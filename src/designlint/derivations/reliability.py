"""How often a job fails and what share of its time becomes progress."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.units import Count, Duration, Rate, Ratio


@derivation(of="Workload", sources=("daly-2006",))
def mtbf(servers: Count, failure_rate: Rate) -> Duration | None:
    """
    Mean time between failures that stop the job. [s]

    Assumes that servers fail independently and at a constant rate, and that any failure stops the job.
    Measured jobs fail more often than the servers alone: switches and software come on top.
    """
    if failure_rate <= 0:
        return None
    return 1 / (servers * failure_rate)


@derivation(of="Workload", sources=("young-1974",))
def best_checkpoint_interval(checkpoint_stall: Duration, mtbf: Duration) -> Duration | None:
    """
    Checkpoint interval that wastes least time. [s]

    Valid while a checkpoint stalls training for much less than the time between failures; absent where it
    stalls for half of it or more, and where it does not stall at all. The optimum is flat: twice or half the
    interval wastes a quarter more.
    """
    if checkpoint_stall <= 0 or checkpoint_stall >= mtbf / 2:
        return None
    return math.sqrt(2 * checkpoint_stall * mtbf)


@derivation(of="Workload", sources=("young-1974", "daly-2006"))
def goodput(
    checkpoint_stall: Duration, interval: Duration, mtbf: Duration, detect: Duration, restart: Duration
) -> Ratio | None:
    """
    Share of time that ends up as training progress. [1]

    First order: each failure loses half an interval and the time to notice and restart. Valid while stall,
    interval and recovery are much shorter than the time between failures; 0 where they eat all of it.
    """
    if interval <= 0:
        return None
    return max(0.0, 1 - checkpoint_stall / interval - (interval / 2 + detect + restart) / mtbf)
