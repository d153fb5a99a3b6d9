"""What reinforcement learning asks of the GPUs that generate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower, upper
from designlint.derivations.workload.placement import BINARY
from designlint.derivations.workload.ranks import BITS_PER_BYTE

if TYPE_CHECKING:
    from designlint.language.units import Bytes, Count, DataRate, Duration


@derivation(of="Workload")
def rollout_weight_memory(parameters: Count, rollout_weight_bytes: Bytes, rollout_tensor: Count) -> Bytes:
    """
    Memory of the actor's weights on one rollout GPU. [B]

    Assumes that its GPUs share them evenly; keys and values come on top.
    """
    return parameters * rollout_weight_bytes / rollout_tensor


@derivation(of="Workload", kind=upper)
def rollout_room(rollout_memory: Bytes) -> Bytes:
    """
    Maximum memory of one rollout GPU. [B]

    Assumes a nominal size in GiB: an upper bound.
    """
    return rollout_memory * BINARY


@derivation(of="Workload", kind=lower)
def least_weight_sync(rollout_weight_memory: Bytes, rollout_rates: tuple[DataRate, ...]) -> Duration | None:
    """
    Minimum time to transfer new weights to every rollout GPU. [s]

    Each receives its share at the rate of all its training links: a lower bound.
    """
    rate = sum(rollout_rates) / BITS_PER_BYTE
    return rollout_weight_memory / rate if rate > 0 else None
