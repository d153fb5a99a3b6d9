"""Checkpoints in the memory of servers, and jobs that go on with fewer of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower

if TYPE_CHECKING:
    from designlint.language.units import Bandwidth, Bytes, Count, Duration


@derivation(of="Workload", sources=("nvidia-resiliency",), kind=lower)
def resume_interval(
    least_interval: Duration | None, memory_interval: Duration | None, memory_copies: Count | None
) -> Duration | None:
    """
    Time between two checkpoints that remain usable after the loss of a server. [s]

    Those in memory count where other servers hold copies of each part. Failures that take a server and all its copies
    fall back to the stored ones: a lower bound.
    """
    return memory_interval if memory_copies and memory_interval is not None else least_interval


@derivation(of="Workload", sources=("nvidia-resiliency",), kind=lower)
def checkpoint_in_memory(
    least_checkpoint_per_server: Bytes, memory_interval: Duration, memory_copies: Count
) -> Bytes | None:
    """
    Bytes of checkpoints that one server's CPU memory holds at least. [B]

    Its own part and as many parts of others as each part has copies. One that is written while the last is kept comes on
    top. Absent where nothing is kept in memory.
    """
    return least_checkpoint_per_server * (1 + memory_copies) if memory_interval > 0 else None


@derivation(of="Workload", sources=("nvidia-resiliency",), kind=lower)
def checkpoint_copy_time(
    least_checkpoint_per_server: Bytes, memory_copies: Count, network_rate: Bandwidth, gpus_per_server: Count
) -> Duration | None:
    """
    Minimum time to send each server's checkpoint shard to the memory of others. [s]

    At the line rate of all its training links, with nothing else on them: a lower bound.
    """
    rate = network_rate * gpus_per_server
    return least_checkpoint_per_server * memory_copies / rate if rate > 0 else None
