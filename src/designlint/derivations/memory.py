"""What the most loaded GPU must hold of weights, gradients and optimizer state, and what any run needs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.units import Bytes, Count

#: Kinds of jobs that keep a gradient and optimizer state for every parameter.
TRAINS_ALL_PARAMETERS = frozenset({"pretraining", "continued-pretraining", "fine-tuning"})


@derivation(of="Workload", sources=("megatron-lm-memory",))
def dense_shard_parameters(
    body_parameters: Count,
    embedding_parameters: Count,
    embedding_matrices: Count,
    replicated_parameters: Count | None,
    layers: Count,
    layers_per_stage: Count,
    tensor: Count,
    pipeline: Count,
) -> Count:
    """
    Parameters outside experts on the most loaded GPU, before any sharding over data-parallel ranks. [1]

    Assumes equal layers, every matrix split by tensor parallelism, norms and routers copied to each of its
    ranks, and one embedding matrix on the first stage; without pipeline the output layer joins it.
    """
    copied = replicated_parameters or 0
    body = ((body_parameters - copied) / tensor + copied) * layers_per_stage / layers
    matrices = embedding_matrices if pipeline == 1 else 1
    return math.ceil(body + matrices * embedding_parameters / tensor)


@derivation(of="Workload", sources=("megatron-lm-memory",))
def expert_shard_parameters(
    routed_parameters: Count,
    layers: Count,
    dense_layers: Count,
    layers_per_stage: Count,
    expert: Count,
    expert_tensor: Count | None,
    tensor: Count,
) -> Count | None:
    """
    Parameters of experts on the most loaded GPU, before any sharding over data-parallel ranks. [1]

    Assumes that the most loaded stage holds layers with experts only. Absent where experts may or may not be
    split by tensor parallelism.
    """
    if routed_parameters == 0:
        return 0
    if expert_tensor is None and tensor > 1:
        return None
    layers_with_experts = layers - dense_layers
    share = min(layers_per_stage, layers_with_experts) / layers_with_experts
    return math.ceil(routed_parameters * share / (expert * (expert_tensor or 1)))


@derivation(of="Workload")
def held_parameters(
    dense_shard_parameters: Count,
    expert_shard_parameters: Count,
    parameters: Count,
    active_parameters: Count | None,
    experts: Count | None,
    offload: Text | None,
) -> Count | None:
    """
    Parameters that the most loaded GPU computes with. [1]

    Absent where state is kept in CPU memory, and for a mixture of experts whose experts are not described.
    """
    undescribed = experts is None and (active_parameters or parameters) < parameters
    if undescribed or offload not in (None, "none"):
        return None
    return dense_shard_parameters + expert_shard_parameters


@derivation(of="Workload", sources=("zero-2020", "megatron-lm-memory"))
def owned_parameters(
    dense_shard_parameters: Count,
    expert_shard_parameters: Count,
    data_parallel: Count,
    context: Count,
    expert_data_parallel: Count | None,
) -> Count | None:
    """
    Parameters of the most loaded GPU that are its own when data-parallel ranks share them out. [1]

    Assumes sharing over data-parallel and context-parallel ranks together, and over the copies of each
    expert.
    """
    if expert_shard_parameters and expert_data_parallel is None:
        return None
    experts = expert_shard_parameters / (expert_data_parallel or 1)
    return math.ceil(dense_shard_parameters / (data_parallel * context)) + math.ceil(experts)


@derivation(of="Workload", sources=("zero-2020",))
def weight_memory(weight_bytes: Bytes, zero_stage: Count, held_parameters: Count, owned_parameters: Count) -> Bytes:
    """
    Weights on the most loaded GPU. [B]

    Data-parallel ranks share weights from ZeRO stage 3 on.
    """
    return weight_bytes * (owned_parameters if zero_stage >= 3 else held_parameters)


@derivation(of="Workload", sources=("zero-2020",))
def gradient_memory(
    kind: Text, gradient_bytes: Bytes, zero_stage: Count, held_parameters: Count, owned_parameters: Count
) -> Bytes | None:
    """
    Gradients on the most loaded GPU. [B]

    Data-parallel ranks share gradients from ZeRO stage 2 on. Assumes that every parameter is trained; absent
    for jobs that train a part of them.
    """
    if kind not in TRAINS_ALL_PARAMETERS:
        return None
    return gradient_bytes * (owned_parameters if zero_stage >= 2 else held_parameters)


@derivation(of="Workload", sources=("zero-2020",))
def optimizer_memory(
    kind: Text, optimizer_bytes: Bytes, zero_stage: Count, held_parameters: Count, owned_parameters: Count
) -> Bytes | None:
    """
    Optimizer state on the most loaded GPU, master weights included. [B]

    Data-parallel ranks share optimizer state from ZeRO stage 1 on. Assumes that every parameter is trained;
    absent for jobs that train a part of them.
    """
    if kind not in TRAINS_ALL_PARAMETERS:
        return None
    return optimizer_bytes * (owned_parameters if zero_stage >= 1 else held_parameters)


@derivation(of="Workload")
def state_memory(weight_memory: Bytes, gradient_memory: Bytes, optimizer_memory: Bytes) -> Bytes:
    """
    Weights, gradients and optimizer state on the most loaded GPU. [B]

    Valid as far as its three parts are.
    """
    return weight_memory + gradient_memory + optimizer_memory


@derivation(of="Workload")
def first_stage_memory(state_memory: Bytes, activation_memory: Bytes, working_memory: Bytes) -> Bytes:
    """
    Memory needed on a GPU of the first pipeline stage, which keeps the most micro-batches. [B]

    The CUDA context, communication buffers and fragmentation come on top, a few GB together.
    """
    return state_memory + activation_memory + working_memory


@derivation(of="Workload")
def memory_per_gpu(first_stage_memory: Bytes, last_stage_memory: Bytes | None) -> Bytes:
    """
    Memory needed on the most loaded GPU, of the first or of the last stage. [B]

    The first stage alone where the last is not known. The CUDA context, communication buffers and
    fragmentation come on top, a few GB together.
    """
    return max(first_stage_memory, last_stage_memory or 0.0)


@derivation(of="Workload")
def state_bytes(kind: Text, weight_bytes: Bytes, gradient_bytes: Bytes, optimizer_bytes: Bytes) -> Bytes:
    """
    Bytes of weight, gradient and optimizer state that a parameter surely costs. [B]

    Jobs that do not train every parameter need its weight at least.
    """
    trained = gradient_bytes + optimizer_bytes if kind in TRAINS_ALL_PARAMETERS else 0
    return weight_bytes + trained


@derivation(of="Workload", sources=("zero-2020",))
def copied_bytes(
    kind: Text, zero_stage: Count | None, weight_bytes: Bytes, gradient_bytes: Bytes, optimizer_bytes: Bytes
) -> Bytes:
    """
    Bytes of state per parameter that every data-parallel rank surely keeps for itself. [B]

    Nothing where the ZeRO stage is 3 or not stated.
    """
    stage = 3 if zero_stage is None else zero_stage
    trained = kind in TRAINS_ALL_PARAMETERS
    gradient = gradient_bytes if trained and stage < 2 else 0
    optimizer = optimizer_bytes if trained and stage < 1 else 0
    return (weight_bytes if stage < 3 else 0) + gradient + optimizer


@derivation(of="Workload")
def least_held_parameters(
    parameters: Count,
    routed_parameters: Count | None,
    tensor: Count,
    pipeline: Count,
    expert: Count,
    expert_tensor: Count | None,
) -> Count:
    """
    Parameters that a GPU computes with, averaged over the GPUs of one copy of the model. [1]

    A lower bound of what the most loaded GPU holds, however stages and embeddings are laid out. Experts that
    the design does not describe, or does not say the split of, are taken as split the most.
    """
    expert_shards = expert * (expert_tensor or tensor)
    if routed_parameters is None:
        return math.floor(parameters / (pipeline * max(tensor, expert_shards)))
    return math.floor(((parameters - routed_parameters) / tensor + routed_parameters / expert_shards) / pipeline)


@derivation(of="Workload", sources=("zero-2020",))
def state_memory_floor(
    parameters: Count,
    gpus: Count,
    least_held_parameters: Count,
    state_bytes: Bytes,
    copied_bytes: Bytes,
    offload: Text | None,
) -> Bytes | None:
    """
    Least weights, gradients and optimizer state on the most loaded GPU. [B]

    A lower bound: what ranks share is spread over all GPUs of the job. Absent where state is kept in CPU
    memory.
    """
    if offload not in (None, "none"):
        return None
    return copied_bytes * least_held_parameters + (state_bytes - copied_bytes) * parameters / gpus


@derivation(of="Workload", sources=("korthikanti-2022",))
def memory_floor(
    state_memory_floor: Bytes,
    layer_input_floor: Bytes | None,
    layers: Count | None,
    pipeline: Count,
) -> Bytes:
    """
    Least memory needed on the most loaded GPU with every activation recomputed. [B]

    A lower bound: the least state, and the input of each layer of an average stage for a single micro-
    batch. Nothing is counted for layers where the model's shape is not stated, nor for whatever is needed
    for a moment.
    """
    return state_memory_floor + (layer_input_floor or 0) * (layers or 0) / pipeline


@derivation(of="Workload")
def state_memory_total(parameters: Count, state_bytes: Bytes) -> Bytes:
    """
    Weights, gradients and optimizer state of one copy of the model. [B]

    Jobs that train a part of the parameters count its weights only: a lower bound then.
    """
    return parameters * state_bytes


@derivation(of="Workload")
def job_memory(gpus: Count, gpu_memory: Bytes) -> Bytes:
    """
    GPU memory of all GPUs of the job. [B]

    Assumes GPUs of one kind.
    """
    return gpus * gpu_memory
