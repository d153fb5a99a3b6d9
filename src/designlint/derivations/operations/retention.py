"""What storage must bear of checkpoints: the way to the shared tier, the burst, and all that is kept beside the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower
from designlint.derivations.operations.checkpoint import Ports

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Bandwidth, Bytes, Duration, Ratio


@derivation(of="Workload", groups=(Ports,), kind=lower)
def drain_time(
    least_checkpoint_size: Bytes, checkpoint_write_rates: tuple[Bandwidth, ...], ports: Ports
) -> Duration | None:
    """
    Time to copy one checkpoint from the first tier to the slowest of the others. [s]

    A lower bound: that tier writes at its full aggregate rate, or as fast as the job's ports on its network, and nothing
    else writes to it. Absent with one tier.
    """
    slowest = min(ports.reached_rates(checkpoint_write_rates)[1:], default=0)
    return least_checkpoint_size / slowest if slowest > 0 else None


@derivation(of="Workload", kind=lower)
def checkpoint_bandwidth_needed(
    least_checkpoint_size: Bytes, most_interval: Duration, targeted_checkpoint_overhead: Ratio
) -> Bandwidth | None:
    """
    Write bandwidth that keeps synchronous checkpoints within their target share of time. [B/s]

    Assumes that training stands still until the last byte is written; asynchronous checkpoints need the
    whole interval at most.
    """
    if most_interval <= 0 or targeted_checkpoint_overhead <= 0:
        return None
    return least_checkpoint_size / (most_interval * targeted_checkpoint_overhead)


@derivation(of="Workload", kind=lower)
def retained_size(
    dataset_size: Bytes,
    least_kept_checkpoints_size: Bytes,
    dataset_tier: Text,
    checkpoint_tier_names: tuple[Text, ...],
) -> Bytes | None:
    """
    Size of the job's data set and kept checkpoints on the one tier that holds both. [B]

    Absent where they lie on several tiers.
    """
    if {*checkpoint_tier_names} != {dataset_tier}:
        return None
    return dataset_size + least_kept_checkpoints_size
