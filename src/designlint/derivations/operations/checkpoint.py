"""What a checkpoint weighs, how long it takes to write, and how long training stands still for it."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, estimate, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bandwidth, Bytes, Count, DataRate, Duration, Ratio


class Ports(Struct, frozen=True):
    """The job's ports on each network, and the networks through which its checkpoint tiers are reached."""

    servers: Count | None
    port_fabrics: tuple[Text | None, ...]
    port_rates: tuple[DataRate | None, ...]
    checkpoint_tier_fabrics: tuple[Text | None, ...]

    def reached_rates(self, rates: tuple[float, ...]) -> tuple[float, ...]:
        """Most of the rate of each tier that the job reaches. [B/s]"""
        fabrics = self.checkpoint_tier_fabrics or (None,) * len(rates)
        return tuple(min(rate, self._through(fabric)) for rate, fabric in zip(rates, fabrics, strict=True))

    def _through(self, fabric: str | None) -> float:
        """What the job's servers carry into a network [B/s]; without limit where a port that may lead there is open."""
        rates = [rate for one, rate in zip(self.port_fabrics, self.port_rates, strict=True) if one == fabric]
        known = fabric is not None and rates and None not in (*rates, *self.port_fabrics, self.servers)
        return (self.servers or 0) * sum(rate or 0 for rate in rates) / 8 if known else inf


@derivation(of="Workload")
def trained_state_size(
    trains_all_parameters: Flag, parameters: Count, weight_bytes: Bytes, optimizer_state_bytes: Bytes
) -> Bytes | None:
    """
    Size of weights and optimizer state of one copy of the model. [B]

    Assumes that every parameter is trained: 14 B per parameter in BF16 with Adam, master weights included.
    Gradients are not saved. Absent for jobs that train only a part of the parameters.
    """
    if not trains_all_parameters:
        return None
    return parameters * (weight_bytes + optimizer_state_bytes)


@derivation(of="Workload", kind=estimate())
def checkpoint_size(stated_checkpoint_size: Bytes | None, trained_state_size: Bytes | None) -> Bytes | None:
    """
    Bytes of one checkpoint. [B]

    A size that the design states wins. Assumes otherwise one copy of weights and optimizer state; position
    in the data and random state are small beside them.
    """
    return trained_state_size if stated_checkpoint_size is None else stated_checkpoint_size


@derivation(of="Workload", groups=(Ports,), kind=estimate())
def checkpoint_write_time(
    checkpoint_size: Bytes, checkpoint_write_rates: tuple[Bandwidth, ...], ports: Ports, sharded: Flag | None
) -> Duration | None:
    """
    Time to write one checkpoint to the slowest tier. [s]

    Assumes that ranks write in parallel and reach the tier's aggregate bandwidth, or fill the job's ports on its
    network; absent where one rank writes alone, which no data sheet gives the rate of.
    """
    slowest = min(ports.reached_rates(checkpoint_write_rates), default=0)
    if sharded is False or slowest <= 0:
        return None
    return checkpoint_size / slowest


@derivation(of="Workload", kind=estimate())
def checkpoint_stall(
    stall: Duration | None, mode: Text | None, checkpoint_write_time: Duration | None
) -> Duration | None:
    """
    Time that training stops for one checkpoint. [s]

    A time that the design states wins. A synchronous checkpoint stalls until it is written; how long an
    asynchronous one does, only a measurement tells.
    """
    if stall is not None:
        return stall
    return checkpoint_write_time if mode == "synchronous" else None


@derivation(of="Workload", kind=estimate())
def checkpoint_overhead(checkpoint_stall: Duration, interval: Duration) -> Ratio | None:
    """
    Share of time that training stops for checkpoints. [1]

    Assumes that the interval runs from the start of one checkpoint to the start of the next.
    """
    if interval <= 0:
        return None
    return checkpoint_stall / interval


@derivation(of="Workload", kind=lower)
def least_resumable_size(
    trains_all_parameters: Flag,
    least_parameters: Count,
    state_bytes: Bytes | None,
    least_state_share: Ratio,
    optimizer_state_bytes: Bytes | None,
    optimizer_moments: Count | None,
    optimizer_moment_bytes: Bytes | None,
) -> Bytes | None:
    """
    Bytes without which one copy of the model cannot go on training. [B]

    Weights can be rebuilt from the master weights in the optimizer state, and no more than a quarter of that state
    is an FP32 gradient that need not be saved; a training without master weights, where that may be meant, keeps less.
    Where the number formats are open, a byte for each weight and for each value that the optimizer keeps of it: no
    format of the language that they are trained in is narrower. Absent for jobs that train only a part of the parameters.
    """
    if not trains_all_parameters:
        return None
    narrowest = 1 + (optimizer_moments or 0) * (1 if optimizer_moment_bytes is None else optimizer_moment_bytes)
    if optimizer_state_bytes is None or state_bytes is None:
        return least_parameters * narrowest
    return least_parameters * min(optimizer_state_bytes * 3 / 4, state_bytes * least_state_share)


@derivation(of="Workload", kind=lower)
def least_checkpoint_size(stated_checkpoint_size: Bytes | None, least_resumable_size: Bytes | None) -> Bytes | None:
    """
    Minimum size of a checkpoint from which the job can resume. [B]

    A size that the design states wins.
    """
    return least_resumable_size if stated_checkpoint_size is None else stated_checkpoint_size


@derivation(of="Workload", kind=estimate())
def kept_checkpoints_size(checkpoint_size: Bytes, keep: Count) -> Bytes:
    """
    Total size of all kept checkpoints. [B]

    Assumes that every one of them is kept whole.
    """
    return checkpoint_size * keep


@derivation(of="Workload", kind=lower)
def least_kept_checkpoints_size(least_checkpoint_size: Bytes, keep: Count | None, mode: Text | None) -> Bytes | None:
    """
    Minimum total size of all kept checkpoints. [B]

    Assumes that every one of them can be resumed from. A job that writes checkpoints keeps at least one.
    """
    if keep is None and mode == "none":
        return None
    return least_checkpoint_size * (1 if keep is None else keep)


@derivation(of="Workload", kind=lower)
def least_checkpoint_per_server(least_checkpoint_size: Bytes, servers: Count) -> Bytes | None:
    """
    Minimum size of the checkpoint shard that one server has to stage. [B]

    Assumes that all servers share one checkpoint evenly, which only a fully sharded optimizer reaches.
    """
    if servers < 1:
        return None
    return least_checkpoint_size / servers


@derivation(of="Workload")
def first_tier_fastest(checkpoint_write_rates: tuple[Bandwidth, ...]) -> Flag:
    """Whether no checkpoint tier writes faster than the one that is written to first."""
    return checkpoint_write_rates[0] >= max(checkpoint_write_rates)


@derivation(of="Workload", groups=(Ports,), kind=lower)
def least_checkpoint_write_time(
    least_checkpoint_size: Bytes, checkpoint_write_rates: tuple[Bandwidth, ...], ports: Ports
) -> Duration | None:
    """
    Time to write one checkpoint to the fastest tier. [s]

    A lower bound: ranks write in parallel and reach the tier's aggregate bandwidth, or fill the job's ports on its
    network.
    """
    fastest = max(ports.reached_rates(checkpoint_write_rates), default=0)
    return least_checkpoint_size / fastest if fastest > 0 else None


@derivation(of="Workload", kind=lower)
def least_checkpoint_stall(
    stall: Duration | None, mode: Text | None, least_checkpoint_write_time: Duration | None
) -> Duration | None:
    """
    Minimum time that training stops for one checkpoint. [s]

    A time that the design states wins. A synchronous checkpoint stalls training at least until it is written to
    the fastest tier; from there it may be copied on while training runs.
    """
    if stall is not None:
        return stall
    return least_checkpoint_write_time if mode == "synchronous" else None


@derivation(of="Workload", groups=(Ports,), kind=lower)
def least_restore_time(
    least_checkpoint_size: Bytes,
    checkpoint_read_rates: tuple[Bandwidth, ...],
    ports: Ports,
    memory_copies: Count | None,
) -> Duration | None:
    """
    Minimum time to read one checkpoint from the fastest tier. [s]

    A lower bound: ranks read in parallel at the tier's aggregate bandwidth or fill the job's ports on its network, and
    read each byte once, although every data-parallel copy of the weights needs it. Absent where the memory of other
    servers holds copies.
    """
    fastest = max(ports.reached_rates(checkpoint_read_rates), default=0)
    return least_checkpoint_size / fastest if fastest > 0 and not memory_copies else None


@derivation(of="Workload", kind=lower)
def least_checkpoint_overhead(least_checkpoint_stall: Duration, most_interval: Duration) -> Ratio | None:
    """
    Minimum share of time that training stops for checkpoints. [1]

    Assumes that the interval runs from the start of one checkpoint to the start of the next.
    """
    if most_interval <= 0:
        return None
    return least_checkpoint_stall / most_interval
