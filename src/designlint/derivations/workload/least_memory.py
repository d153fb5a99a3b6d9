"""The least memory that a job surely needs: of one GPU under its split, and of all GPUs under any."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Count, Ratio


@derivation(of="Workload", kind=lower)
def state_bytes(
    trains_all_parameters: Flag,
    weight_bytes: Bytes,
    gradient_bytes: Bytes | None,
    optimizer_state_bytes: Bytes | None,
) -> Bytes | None:
    """
    Minimum size of weight, gradient and optimizer state per parameter. [B]

    Jobs that do not train every parameter need its weight at least, whatever the others would take.
    """
    if not trains_all_parameters:
        return weight_bytes
    if gradient_bytes is None or optimizer_state_bytes is None:
        return None
    return weight_bytes + gradient_bytes + optimizer_state_bytes


@derivation(of="Workload", sources=("zero-2020",), kind=lower)
def copied_bytes(
    kind: Text,
    trains_all_parameters: Flag,
    zero_stage: Count | None,
    weight_bytes: Bytes,
    gradient_bytes: Bytes | None,
    optimizer_state_bytes: Bytes | None,
) -> Bytes | None:
    """
    Minimum size of state per parameter that every data-parallel rank replicates. [B]

    Nothing where the ZeRO stage is 3, or is not stated of a job that trains: servers of inference share weights out only where
    the design says so.
    """
    stage = (0 if kind == "inference" else 3) if zero_stage is None else zero_stage
    weight = weight_bytes if stage < 3 else 0.0
    if not trains_all_parameters:
        return weight
    if gradient_bytes is None or optimizer_state_bytes is None:
        return None
    return weight + (gradient_bytes if stage < 2 else 0) + (optimizer_state_bytes if stage < 1 else 0)


@derivation(of="Workload", kind=lower)
def least_layer_memory(
    attention_parameters: Count, feed_forward_parameters: Count, tensor: Count, pipeline: Count, copied_bytes: Bytes
) -> Bytes:
    """
    Minimum state of dense layers on a GPU. [B]

    Neither embeddings nor experts nor activations are counted: a bound also where vocabulary and degrees of experts are open.
    """
    return (attention_parameters + feed_forward_parameters) / (tensor * pipeline) * copied_bytes


@derivation(of="Workload", kind=lower)
def least_held_parameters(
    least_parameters: Count,
    routed_parameters: Count | None,
    tensor: Count,
    pipeline: Count,
    expert: Count,
    expert_tensor: Count | None,
    gpus: Count | None,
) -> Count:
    """
    Average number of parameters with which a GPU of one model copy computes. [1]

    A lower bound of what the most loaded GPU holds, however stages and embeddings are laid out. Experts that
    the design does not describe, or does not say the split of, are taken as split the most, but over no more GPUs than a
    stage has.
    """
    expert_shards: float = expert * (expert_tensor or tensor)
    if expert_tensor is None and gpus is not None:
        expert_shards = max(expert, min(expert_shards, gpus / pipeline))
    if routed_parameters is None or (routed_parameters == 0 and expert > 1):
        return math.floor(least_parameters / (pipeline * max(tensor, expert_shards)))
    return math.floor(((least_parameters - routed_parameters) / tensor + routed_parameters / expert_shards) / pipeline)


@derivation(of="Workload", sources=("megatron-lm",))
def stays_on_gpu(offload: Text | None, offload_share: Ratio | None) -> Ratio:
    """
    Share of the offloaded optimizer state or activations that stays on the GPUs. [1]

    None of it where the design does not say how much; 1 where nothing is offloaded.
    """
    if offload in (None, "none"):
        return 1.0
    return 0.0 if offload_share is None else 1 - offload_share


@derivation(of="Workload", sources=("zero-2020",), kind=lower)
def least_owned_parameters(
    least_parameters: Count, gpus: Count, least_held_parameters: Count, sharding_group: Count | None
) -> Ratio:
    """
    Parameters whose state a GPU keeps for the others, as far as ranks share it out. [1]

    Spread over all GPUs of the job, or over the sharding group that the design states.
    """
    spread = least_parameters / gpus
    return spread if sharding_group is None else max(spread, least_held_parameters / sharding_group)


@derivation(of="Workload", sources=("zero-2020",), kind=lower)
def state_memory_floor(
    least_owned_parameters: Ratio,
    least_held_parameters: Count,
    state_bytes: Bytes,
    copied_bytes: Bytes,
    offload: Text | None,
    stays_on_gpu: Ratio,
    weight_bytes: Bytes,
    zero_stage: Count | None,
    optimizer_state_bytes: Bytes | None,
    trains_all_parameters: Flag,
) -> Bytes | None:
    """
    Minimum memory of weights, gradients and optimizer state on the most loaded GPU. [B]

    A lower bound: what ranks share is spread as far as it can be. Where the optimizer is offloaded, gradients may be, too:
    weights count, and what stays of its state. Absent where weights are kept in CPU memory.
    """
    if offload == "weights":
        return None
    if offload == "optimizer":
        copied_bytes = weight_bytes if zero_stage is not None and zero_stage < 3 else 0.0
        state_bytes = weight_bytes + (stays_on_gpu * (optimizer_state_bytes or 0) if trains_all_parameters else 0.0)
    return copied_bytes * least_held_parameters + (state_bytes - copied_bytes) * least_owned_parameters


@derivation(of="Workload", sources=("korthikanti-2022",), kind=lower)
def kept_inputs_floor(
    layer_input_floor: Bytes | None, layers: Count | None, pipeline: Count, kind: Text, offload: Text | None
) -> Bytes:
    """
    Minimum memory of the inputs of layers, which the backward pass needs even with every activation recomputed. [B]

    A lower bound: those of an average stage for a single micro-batch. Nothing for inference, which keeps none, for
    activations in CPU memory, nor where the model's shape is not stated.
    """
    kept = kind != "inference" and offload != "activations"
    return (layer_input_floor or 0) * (layers or 0) / pipeline if kept else 0.0


@derivation(of="Workload", sources=("korthikanti-2022",), kind=lower)
def memory_floor(state_memory_floor: Bytes, kept_inputs_floor: Bytes, late_gradient_memory: Bytes | None) -> Bytes:
    """
    Minimum memory needed on the most loaded GPU with every activation recomputed. [B]

    A lower bound: the least state and the least inputs of layers, nothing for whatever is needed for a moment. Inputs may
    lie where gradients come later.
    """
    return state_memory_floor + max(0.0, kept_inputs_floor - (late_gradient_memory or 0.0))


@derivation(of="Workload", kind=lower)
def state_memory_total(least_parameters: Count, state_bytes: Bytes) -> Bytes:
    """
    Total memory of weights, gradients and optimizer state of one copy of the model. [B]

    Jobs that train a part of the parameters count its weights only: a lower bound then.
    """
    return least_parameters * state_bytes


@derivation(of="Workload", sources=("korthikanti-2022",), kind=lower)
def least_memory_total(
    state_memory_total: Bytes,
    kind: Text,
    layers: Count | None,
    hidden: Count | None,
    sequence: Count | None,
    activation_bytes: Bytes | None,
    offload: Text | None,
) -> Bytes:
    """
    Minimum total memory of all GPUs of the job, for any layout. [B]

    A lower bound: state of one copy of the model, and the input of each layer for one sequence with every activation
    recomputed. Inference keeps no inputs; nothing is counted where they may lie in CPU memory or the shape is open.
    """
    if kind == "inference" or offload == "activations":
        return state_memory_total
    return state_memory_total + (layers or 0) * (hidden or 0) * (sequence or 0) * (activation_bytes or 0)


@derivation(
    of="Workload", sources=("korthikanti-2022",), kind=lower.because("it holds for closed forms and known layouts only")
)
def least_stage_memory(
    layout_known: Flag,
    state_memory: Bytes,
    least_kept_memory: Bytes,
    layers_on_first_stage: Count,
    least_micro_batches_in_flight: Ratio,
    recompute: Text,
    recompute_memory: Bytes | None,
    eager: Flag | None,
    offload: Text | None,
    gradients_stay: Flag,
    gradient_memory: Bytes | None,
) -> Bytes | None:
    """
    Minimum memory needed per GPU on the first pipeline stage under the stated recomputation. [B]

    A lower bound: state, activations of the micro-batches that the schedule surely keeps, and the layer that is computed again
    where nothing is compiled. Logits, gathered layers, the CUDA context, buffers and fragmentation come on top. Absent where it
    is not certain how many layers the stage holds.
    """
    if not layout_known or offload == "activations":
        return None
    again = (recompute_memory or 0.0) if eager and recompute == "full" else 0.0
    late = 0.0 if gradients_stay else gradient_memory or 0.0
    kept = least_kept_memory * layers_on_first_stage * least_micro_batches_in_flight + again
    return state_memory + max(0.0, kept - late)
