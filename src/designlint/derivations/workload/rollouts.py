"""What reinforcement learning asks of the GPUs that generate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower, upper
from designlint.derivations.workload.placement import BINARY
from designlint.derivations.workload.ranks import BITS_PER_BYTE

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Bytes, Count, DataRate, Duration


@derivation(of="Workload")
def rollout_weight_memory(parameters: Count, rollout_weight_bytes: Bytes, rollout_tensor: Count) -> Bytes:
    """
    Memory of the actor's weights on one rollout GPU. [B]

    Assumes that its GPUs share them evenly; keys and values come on top.
    """
    return parameters * rollout_weight_bytes / rollout_tensor


@derivation(of="Workload", kind=lower)
def least_rollout_weights(
    parameters: Count,
    rollout_weight_bytes: Bytes,
    rollout_tensor: Count,
    experts: Count | None,
    rollout_gpus: Count | None,
) -> Bytes | None:
    """
    Minimum memory of the actor's weights on one rollout GPU. [B]

    Engines may share routed experts out over all rollout GPUs, so a model with experts needs its share of those only.
    Absent for such a model where their number is not stated.
    """
    if experts is not None and rollout_gpus is None:
        return None
    sharers = rollout_tensor if experts is None else max(rollout_tensor, rollout_gpus or 1)
    return parameters * rollout_weight_bytes / sharers


@derivation(of="Workload")
def rollouts_beside(
    rollouts: Text | None, rollout_gpus: Count | None, rollout_pool: Text | None, own_pool: Text | None
) -> Count:
    """
    Rollout GPUs that the job takes from its own pool beside those that train. [1]

    Assumes the own pool where rollouts run on other GPUs and no pool is named for them.
    """
    beside = rollouts == "other-gpus" and rollout_pool in (None, own_pool)
    return rollout_gpus if beside and rollout_gpus else 0


@derivation(of="Workload", kind=upper)
def rollout_room(
    rollout_memory: Bytes | None, gpu_memory: Bytes | None, rollouts: Text | None, rollout_pool: Text | None
) -> Bytes | None:
    """
    Maximum memory of one rollout GPU. [B]

    Assumes a nominal size in GiB: an upper bound. Rollouts on the training GPUs have their memory, once training state has
    left it. Absent where other GPUs generate and their pool is not named.
    """
    shared = rollouts == "same-gpus" and rollout_pool is None
    memory = gpu_memory if shared else rollout_memory
    return None if memory is None else memory * BINARY


@derivation(of="Workload", kind=lower)
def least_weight_sync(rollout_weight_memory: Bytes, rollout_rates: tuple[DataRate, ...]) -> Duration | None:
    """
    Minimum time to transfer new weights to every rollout GPU. [s]

    Each receives its share at the rate of all its training links: a lower bound.
    """
    rate = sum(rollout_rates) / BITS_PER_BYTE
    return rollout_weight_memory / rate if rate > 0 else None
