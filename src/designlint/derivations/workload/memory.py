"""What the most loaded GPU must hold of weights, gradients and optimizer state, and what any run needs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Count, Ratio

#: Frameworks of which it is known whether gradients stay on the GPU where the optimizer is kept in CPU memory.
GRADIENTS_STAY = {"megatron": True, "nemo": True, "deepspeed": False}


@derivation(of="Workload", sources=("megatron-lm-memory",), kind=estimate())
def dense_shard_parameters(
    body_parameters: Count,
    embedding_parameters: Count,
    embedding_matrices: Count,
    replicated_parameters: Count | None,
    layers: Count,
    layers_on_first_stage: Count,
    tensor: Count,
    pipeline: Count,
) -> Count:
    """
    Parameters outside experts on a GPU of the first stage, before any sharding over data-parallel ranks. [1]

    Assumes equal layers, every matrix split by tensor parallelism, norms and routers copied to each of its
    ranks, and one embedding matrix on the first stage; without pipeline the output layer joins it.
    """
    copied = replicated_parameters or 0
    body = ((body_parameters - copied) / tensor + copied) * layers_on_first_stage / layers
    matrices = embedding_matrices if pipeline == 1 else 1
    return math.ceil(body + matrices * embedding_parameters / tensor)


@derivation(of="Workload", sources=("megatron-lm-memory",), kind=estimate())
def expert_shard_parameters(
    routed_parameters: Count,
    layers: Count,
    layers_with_experts: Count | None,
    expert_layers: Count | None,
    layers_on_first_stage: Count,
    expert: Count,
    expert_tensor: Count | None,
    tensor: Count,
) -> Count | None:
    """
    Parameters of experts on a GPU of the first stage, before any sharding over data-parallel ranks. [1]

    Assumes that the stage holds layers with experts only, or its part of those that are spread over all layers.
    Absent where experts may or may not be split by tensor parallelism.
    """
    if routed_parameters == 0:
        return 0
    if not layers_with_experts or (expert_tensor is None and tensor > 1):
        return None
    leading = min(layers_on_first_stage, layers_with_experts) / layers_with_experts
    share = leading if expert_layers is None else layers_on_first_stage / layers
    return math.ceil(routed_parameters * share / (expert * (expert_tensor or 1)))


@derivation(of="Workload", sources=("dualpipe-2025",), kind=estimate())
def held_parameters(
    dense_shard_parameters: Count,
    expert_shard_parameters: Count,
    parameters: Count,
    active_parameters: Count | None,
    experts: Count | None,
    offload: Text | None,
    pipeline_schedule: Text | None,
) -> Count | None:
    """
    Parameters that a GPU of the first stage computes with. [1]

    DualPipe keeps two stages on each GPU. Absent where weights are kept in CPU memory, and for a mixture of experts
    whose experts are not described.
    """
    undescribed = experts is None and (active_parameters or parameters) < parameters
    if undescribed or offload == "weights":
        return None
    return (dense_shard_parameters + expert_shard_parameters) * (2 if pipeline_schedule == "dualpipe" else 1)


@derivation(of="Workload", sources=("zero-2020", "megatron-lm-memory"), kind=estimate())
def owned_parameters(
    held_parameters: Count,
    dense_shard_parameters: Count,
    expert_shard_parameters: Count,
    expert_data_parallel: Count | None,
    state_sharers: Count,
    sharding_group: Count | None,
) -> Count | None:
    """
    Parameters of the most loaded GPU after data-parallel sharding. [1]

    Assumes sharing over data-parallel and context-parallel ranks together, and over the copies of each
    expert; where the design states a sharding group, over that group.
    """
    if expert_shard_parameters and expert_data_parallel is None:
        return None
    ranks, copies = state_sharers, expert_data_parallel or 1
    if sharding_group is not None:
        copies = min(copies, sharding_group)
    copied = held_parameters / max(1, dense_shard_parameters + expert_shard_parameters)
    return math.ceil(copied * (math.ceil(dense_shard_parameters / ranks) + math.ceil(expert_shard_parameters / copies)))


@derivation(of="Workload", sources=("zero-2020",), kind=estimate())
def weight_memory(
    weight_bytes: Bytes,
    zero_stage: Count,
    held_parameters: Count,
    owned_parameters: Count,
    weight_group: Count | None,
) -> Bytes:
    """
    Memory of weights on the most loaded GPU. [B]

    Data-parallel ranks share weights from ZeRO stage 3 on; a group that keeps a second copy (hpZ) adds its share of it.
    """
    if zero_stage < 3:
        return weight_bytes * held_parameters
    return weight_bytes * (owned_parameters + (held_parameters / weight_group if weight_group else 0))


@derivation(of="Workload", sources=("zero-2020", "deepspeed-docs", "megatron-lm"), kind=estimate())
def gradient_memory(
    trains_all_parameters: Flag,
    gradient_bytes: Bytes,
    zero_stage: Count,
    held_parameters: Count,
    owned_parameters: Count,
    offload: Text | None,
    framework: Text | None,
) -> Bytes | None:
    """
    Memory of gradients on the most loaded GPU. [B]

    Data-parallel ranks share gradients from ZeRO stage 2 on. Where the optimizer is kept in CPU memory, DeepSpeed sends
    gradients there as they come, and Megatron-Core adds them up on the GPU first; absent for other frameworks then.
    Assumes that every parameter is trained; absent for jobs that train a part of them.
    """
    if not trains_all_parameters:
        return None
    if offload == "optimizer" and framework not in GRADIENTS_STAY:
        return None
    if offload == "optimizer" and not GRADIENTS_STAY[framework or ""]:
        return 0.0
    return gradient_bytes * (owned_parameters if zero_stage >= 2 else held_parameters)


@derivation(of="Workload", sources=("zero-2020",), kind=estimate())
def optimizer_memory(
    trains_all_parameters: Flag,
    optimizer_state_bytes: Bytes,
    zero_stage: Count,
    held_parameters: Count,
    owned_parameters: Count,
    offload: Text | None,
    stays_on_gpu: Ratio,
) -> Bytes | None:
    """
    Memory of optimizer state on the most loaded GPU, master weights included. [B]

    Data-parallel ranks share optimizer state from ZeRO stage 1 on; of one that is kept in CPU memory, what stays.
    Assumes that every parameter is trained; absent for jobs that train a part of them.
    """
    if not trains_all_parameters:
        return None
    kept = stays_on_gpu if offload == "optimizer" else 1.0
    return kept * optimizer_state_bytes * (owned_parameters if zero_stage >= 1 else held_parameters)


@derivation(of="Workload", kind=estimate())
def state_memory(weight_memory: Bytes, gradient_memory: Bytes, optimizer_memory: Bytes) -> Bytes:
    """
    Memory of weights, gradients and optimizer state on the most loaded GPU. [B]

    Valid as far as its three parts are.
    """
    return weight_memory + gradient_memory + optimizer_memory


@derivation(of="Workload", kind=estimate(0.12))
def first_stage_memory(state_memory: Bytes, activation_memory: Bytes, working_memory: Bytes) -> Bytes:
    """
    Memory needed on a GPU of the first pipeline stage, which keeps the most micro-batches. [B]

    The CUDA context, communication buffers and fragmentation come on top, a few GB together.
    """
    return state_memory + activation_memory + working_memory


@derivation(of="Workload", kind=estimate(0.12))
def memory_per_gpu(
    first_stage_memory: Bytes, second_stage_memory: Bytes | None, last_stage_memory: Bytes | None
) -> Bytes:
    """
    Memory needed on the most loaded GPU, of the first, the second or the last stage. [B]

    Those that are known. The CUDA context, communication buffers and fragmentation come on top, a few GB together.
    """
    return max(first_stage_memory, second_stage_memory or 0.0, last_stage_memory or 0.0)
