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
    operand_bytes: Bytes,
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
    width = hidden * (2 * activation_bytes + 2 * operand_bytes + 2)
    return micro_batch_tokens * width / (tensor if sequence_parallel else 1)


@derivation(of="Workload", sources=("korthikanti-2022", "megatron-core-moe-2026"))
def split_activation_memory(
    attention_activation_memory: Bytes,
    latent_activation_memory: Bytes,
    feed_forward_activation_memory: Bytes | None,
    routed_activation_memory: Bytes | None,
    shared_activation_memory: Bytes | None,
    dense_share: Ratio,
) -> Bytes | None:
    """
    Activations of one layer for one micro-batch inside attention, feed-forward layer and experts. [B]

    Attention scores aside: 24 s b h / t for a GPT in 16-bit formats. With experts, the mean over the layers
    of the first stage, dense ones among them.
    """
    dense = 0.0 if dense_share == 0 else feed_forward_activation_memory
    routed, shared = (0.0, 0.0) if dense_share == 1 else (routed_activation_memory, shared_activation_memory)
    if dense is None or routed is None or shared is None:
        return None
    outside = attention_activation_memory + latent_activation_memory
    return outside + dense_share * dense + (1 - dense_share) * (routed + shared)


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


@derivation(of="Workload", sources=("korthikanti-2022", "megatron-lm"))
def layer_activation_memory(
    recompute: Text,
    residual_activation_memory: Bytes,
    split_activation_memory: Bytes,
    layer_input_memory: Bytes,
    score_memory: Bytes | None,
    names_modules: Flag | None,
    module_memory: Bytes | None,
) -> Bytes | None:
    """
    Activations that one layer keeps for one micro-batch. [B]

    Full recomputation keeps the layer's input, none keeps everything. Selective recomputation keeps all but
    the attention scores, as Megatron does where nothing else is named, and all but the modules that the
    design names. Assumes a transformer with dropout; without it two bytes in 34 less are kept.
    """
    if recompute == "full":
        return layer_input_memory
    if recompute == "none":
        return None if score_memory is None else residual_activation_memory + split_activation_memory + score_memory
    if names_modules and module_memory is None:
        return None
    return residual_activation_memory + split_activation_memory - (module_memory or 0.0)


@derivation(of="Workload", sources=("korthikanti-2022",))
def activation_memory(
    layer_activation_memory: Bytes,
    layers_per_stage: Count,
    micro_batches_in_flight: Ratio,
    offload: Text | None,
) -> Bytes | None:
    """
    Activations kept on the first pipeline stage, all micro-batches in flight together. [B]

    Assumes that the stage has as many layers as any. The embedding's output and the loss are not counted.
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
    module_memory: Bytes | None,
) -> Bytes:
    """
    Activations of the layer whose backward pass runs, as far as they were computed again. [B]

    Assumes that layers are recomputed one by one.
    """
    if recompute == "none":
        return 0.0
    full = residual_activation_memory + split_activation_memory
    return score_memory + (full if recompute == "full" else module_memory or 0.0)


@derivation(of="Workload", sources=("megatron-lm-memory",))
def output_memory(micro_batch_tokens: Count, hidden: Count, vocabulary: Count, tensor: Count) -> Bytes:
    """
    FP32 logits of one micro-batch and the input of the output layer. [B]

    Assumes logits split over the vocabulary by tensor parallelism, and one FP32 copy; a loss that is not
    fused keeps another for the gradient.
    """
    return 4 * micro_batch_tokens * (hidden + vocabulary) / tensor


@derivation(of="Workload", sources=("megatron-lm-memory",))
def logit_memory(pipeline: Count, output_memory: Bytes) -> Bytes:
    """
    FP32 logits and the input of the output layer, where the first stage is the last one too. [B]

    As `output_memory`; 0 where there are stages.
    """
    return 0.0 if pipeline > 1 else output_memory


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
