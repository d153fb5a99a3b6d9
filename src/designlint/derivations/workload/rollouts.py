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
def rollout_weight_memory(
    parameters: Count,
    rollout_weight_bytes: Bytes,
    rollout_tensor: Count,
    routed_parameters: Count | None,
    rollout_expert: Count | None,
) -> Bytes:
    """
    Memory of the actor's weights on one rollout GPU. [B]

    Assumes that the GPUs of a copy share them evenly, and routed experts those of the stated degree; keys and values come on top.
    """
    routed = min(routed_parameters or 0, parameters)
    return (
        (parameters - routed) / rollout_tensor + routed / max(rollout_tensor, rollout_expert or 1)
    ) * rollout_weight_bytes


@derivation(of="Workload", kind=upper)
def rollout_sharers(
    rollout_expert: Count | None,
    rollout_gpus: Count | None,
    rollouts: Text | None,
    gpus: Count,
    rollout_pool_gpus: Count | None,
) -> Count | None:
    """
    Maximum number of GPUs that share the routed experts during rollouts. [1]

    The stated degree; otherwise all rollout GPUs, over which engines may share them out.
    """
    shared = gpus if rollouts == "same-gpus" else rollout_pool_gpus
    return rollout_expert or rollout_gpus or shared


@derivation(of="Workload", kind=lower)
def least_rollout_weights(
    parameters: Count,
    rollout_weight_bytes: Bytes,
    rollout_tensor: Count,
    experts: Count | None,
    routed_parameters: Count | None,
    rollout_sharers: Count | None,
) -> Bytes | None:
    """
    Minimum memory of the actor's weights on one rollout GPU. [B]

    Routed experts are shared out over as many GPUs as the engine can use, all other weights over one copy. Absent for a
    model with experts where the number of those GPUs is not known.
    """
    if experts is None:
        return parameters * rollout_weight_bytes / rollout_tensor
    if rollout_sharers is None:
        return None
    routed = parameters if routed_parameters is None else min(routed_parameters, parameters)
    return (
        (parameters - routed) / rollout_tensor + routed / max(rollout_tensor, rollout_sharers)
    ) * rollout_weight_bytes


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
def least_weight_sync(least_rollout_weights: Bytes, rollout_rates: tuple[DataRate, ...]) -> Duration | None:
    """
    Minimum time to transfer new weights to every rollout GPU. [s]

    Each receives its share at the rate of all its training links: a lower bound.
    """
    rate = sum(rollout_rates) / BITS_PER_BYTE
    return least_rollout_weights / rate if rate > 0 else None
