"""What a checkpoint weighs, how long it takes to write, and how long training stands still for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation
from designlint.derivations.memory import TRAINS_ALL_PARAMETERS

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.units import Bandwidth, Bytes, Count, Duration, Ratio


@derivation(of="Workload")
def trained_state_size(kind: Text, parameters: Count, weight_bytes: Bytes, optimizer_bytes: Bytes) -> Bytes | None:
    """
    Bytes of weights and optimizer state of one copy of the model. [B]

    Assumes that every parameter is trained: 14 B per parameter in BF16 with Adam, master weights included.
    Gradients are not saved. Absent for jobs that train only a part of the parameters.
    """
    if kind not in TRAINS_ALL_PARAMETERS:
        return None
    return parameters * (weight_bytes + optimizer_bytes)


@derivation(of="Workload")
def checkpoint_size(stated_checkpoint_size: Bytes | None, trained_state_size: Bytes | None) -> Bytes | None:
    """
    Bytes of one checkpoint. [B]

    A size that the design states wins. Assumes otherwise one copy of weights and optimizer state; position
    in the data and random state are small beside them.
    """
    return trained_state_size if stated_checkpoint_size is None else stated_checkpoint_size


@derivation(of="Workload")
def checkpoint_write_time(
    checkpoint_size: Bytes, checkpoint_write_rates: tuple[Bandwidth, ...], sharded: Flag | None
) -> Duration | None:
    """
    Time to write one checkpoint to the slowest tier. [s]

    Assumes that ranks write in parallel and reach the tier's aggregate bandwidth; absent where one rank
    writes alone, which no data sheet gives the rate of.
    """
    if sharded is False or not checkpoint_write_rates or min(checkpoint_write_rates) <= 0:
        return None
    return checkpoint_size / min(checkpoint_write_rates)


@derivation(of="Workload")
def checkpoint_stall(
    stall: Duration | None, mode: Text | None, checkpoint_write_time: Duration | None
) -> Duration | None:
    """
    Time that training stands still for one checkpoint. [s]

    A time that the design states wins. A synchronous checkpoint stalls until it is written; how long an
    asynchronous one does, only a measurement tells.
    """
    if stall is not None:
        return stall
    return checkpoint_write_time if mode == "synchronous" else None


@derivation(of="Workload")
def checkpoint_overhead(checkpoint_stall: Duration, interval: Duration) -> Ratio | None:
    """
    Share of time that training stands still for checkpoints. [1]

    Assumes that the interval runs from the start of one checkpoint to the start of the next.
    """
    if interval <= 0:
        return None
    return checkpoint_stall / interval
