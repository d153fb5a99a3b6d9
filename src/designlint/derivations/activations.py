"""What the forward pass leaves in memory for the backward pass, by recompute mode."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.units import Bytes, Count, Ratio


@derivation(of="Workload")
def micro_batch_tokens(sequence: Count, micro_batch: Count, context: Count) -> Count:
    """
    Tokens of one micro-batch on one GPU. [1]

    Context-parallel ranks share each sequence out evenly.
    """
    return math.ceil(sequence * micro_batch / context)


@derivation(of="Workload", sources=("korthikanti-2022",))
def residual_activation_memory(
    micro_batch_tokens: Count,
    hidden: Count,
    activation_bytes: Bytes,
    tensor: Count,
    sequence_parallel: Flag | None,
) -> Bytes | None:
    """
    Activations of one layer for one micro-batch outside the regions that tensor parallelism splits. [B]

    The inputs of two norms, of attention and of the feed-forward layer, and two dropout masks of a byte each:
    10 s b h in 16-bit formats. Sequence parallelism splits them; absent where the design does not say if.
    """
    if sequence_parallel is None and tensor > 1:
        return None
    return micro_batch_tokens * hidden * (4 * activation_bytes + 2) / (tensor if sequence_parallel else 1)


@derivation(of="Workload", sources=("korthikanti-2022",))
def split_activation_memory(
    micro_batch_tokens: Count,
    query_width: Count,
    value_width: Count,
    kv_heads: Count,
    head_dimension: Count,
    feed_forward: Count,
    gated: Flag,
    experts: Count | None,
    attention: Text | None,
    activation_bytes: Bytes,
    tensor: Count,
) -> Bytes | None:
    """
    Activations of one layer for one micro-batch that tensor parallelism splits, attention scores aside. [B]

    Queries, keys, values, the output of attention, and the inner values of the feed-forward layer: 24 s b h
    / t for a GPT in 16-bit formats. A rank keeps at least one key and value head; a gated layer keeps three
    inner values where a plain one keeps two. Absent for mixtures of experts, whose load depends on the
    data, and for latent attention: no closed form is valid there.
    """
    if experts is not None or attention == "mla":
        return None
    keys_and_values = 2 * max(kv_heads, tensor) * head_dimension
    inner = feed_forward * (3 if gated else 2)
    return micro_batch_tokens * activation_bytes * (query_width + value_width + keys_and_values + inner) / tensor


@derivation(of="Workload", sources=("korthikanti-2022", "flash-attention-2022"))
def score_memory(
    micro_batch_tokens: Count,
    sequence: Count,
    heads: Count,
    activation_bytes: Bytes,
    tensor: Count,
    flash_attention: Flag,
) -> Bytes:
    """
    Attention scores of one layer for one micro-batch. [B]

    The softmax, its dropout mask of a byte, and the dropped-out scores: 5 a s^2 b / t in 16-bit formats.
    Blockwise (flash) attention never stores them.
    """
    if flash_attention:
        return 0.0
    return micro_batch_tokens * sequence * heads * (2 * activation_bytes + 1) / tensor


@derivation(of="Workload", sources=("korthikanti-2022",))
def layer_input_memory(
    micro_batch_tokens: Count,
    hidden: Count,
    activation_bytes: Bytes,
    tensor: Count,
    sequence_parallel: Flag | None,
) -> Bytes | None:
    """
    The input of one layer for one micro-batch. [B]

    2 s b h in 16-bit formats; sequence parallelism splits it. Absent where the design does not say if it is
    used.
    """
    if sequence_parallel is None and tensor > 1:
        return None
    return micro_batch_tokens * hidden * activation_bytes / (tensor if sequence_parallel else 1)


@derivation(of="Workload", sources=("korthikanti-2022",))
def layer_input_floor(
    sequence: Count,
    hidden: Count,
    micro_batch: Count | None,
    activation_bytes: Bytes,
    tensor: Count,
    context: Count,
) -> Bytes:
    """
    Least memory that the input of one layer takes for one micro-batch. [B]

    A lower bound: split over tensor and context ranks, one sequence where the design states no micro-batch.
    """
    return sequence * (micro_batch or 1) * hidden * activation_bytes / (tensor * context)


@derivation(of="Workload", sources=("korthikanti-2022",))
def layer_activation_memory(
    recompute: Text,
    residual_activation_memory: Bytes,
    split_activation_memory: Bytes,
    layer_input_memory: Bytes,
    score_memory: Bytes | None,
) -> Bytes | None:
    """
    Activations that one layer keeps for one micro-batch. [B]

    Full recomputation keeps the layer's input, selective recomputation all but the attention scores, none
    everything. Assumes a transformer with dropout; without it two bytes in 34 less are kept.
    """
    if recompute == "full":
        return layer_input_memory
    scores = 0.0 if recompute == "selective" else score_memory
    return None if scores is None else residual_activation_memory + split_activation_memory + scores


@derivation(of="Workload", sources=("korthikanti-2022",))
def activation_memory(
    layer_activation_memory: Bytes,
    layers_per_stage: Count,
    micro_batches_in_flight: Ratio,
    offload: Text | None,
) -> Bytes | None:
    """
    Activations kept on the first pipeline stage, all micro-batches in flight together. [B]

    Assumes equal layers on the stage with most of them. The embedding's output and the loss are not counted.
    Absent where activations are kept in CPU memory.
    """
    if offload == "activations":
        return None
    return layer_activation_memory * layers_per_stage * micro_batches_in_flight


@derivation(of="Workload", sources=("korthikanti-2022",))
def recompute_memory(
    recompute: Text,
    residual_activation_memory: Bytes,
    split_activation_memory: Bytes,
    score_memory: Bytes,
) -> Bytes:
    """
    Activations of the layer whose backward pass runs, as far as they were computed again. [B]

    Assumes that layers are recomputed one by one.
    """
    matrices = residual_activation_memory + split_activation_memory if recompute == "full" else 0.0
    return matrices + (0.0 if recompute == "none" else score_memory)


@derivation(of="Workload", sources=("megatron-lm-memory",))
def logit_memory(pipeline: Count, micro_batch_tokens: Count, hidden: Count, vocabulary: Count, tensor: Count) -> Bytes:
    """
    FP32 logits and the input of the output layer, where the first stage is the last one too. [B]

    Assumes logits split over the vocabulary by tensor parallelism, and one FP32 copy; a loss that is not
    fused keeps another for the gradient.
    """
    if pipeline > 1:
        return 0.0
    return 4 * micro_batch_tokens * (hidden + vocabulary) / tensor


@derivation(of="Workload", sources=("pytorch-fsdp-2023",))
def gathered_memory(
    zero_stage: Count,
    body_parameters: Count,
    experts: Count | None,
    layers: Count,
    tensor: Count,
    weight_bytes: Bytes,
    gradient_bytes: Bytes,
) -> Bytes | None:
    """
    Weights and gradients of the layer that is gathered, where data-parallel ranks share weights out. [B]

    Assumes sharding layer by layer and no prefetch: a prefetched layer needs its weights once more. Absent
    for mixtures of experts.
    """
    if zero_stage < 3:
        return 0.0
    if experts is not None:
        return None
    return body_parameters / layers / tensor * (weight_bytes + gradient_bytes)


@derivation(of="Workload")
def working_memory(recompute_memory: Bytes, logit_memory: Bytes, gathered_memory: Bytes) -> Bytes:
    """
    What is needed for a moment on top of state and kept activations. [B]

    Assumes that the logits are gone before the first layer is recomputed.
    """
    return gathered_memory + max(recompute_memory, logit_memory)
