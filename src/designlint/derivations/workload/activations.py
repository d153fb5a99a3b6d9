"""What the forward pass leaves in memory for the backward pass, by recompute mode."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Count, Ratio


#: Frameworks whose selective recomputation is of one kind or the other, never of the attention scores alone.
CHOOSING = ("torchtitan",)


@derivation(of="Workload")
def micro_batch_tokens(sequence: Count, micro_batch: Count, context: Count) -> Count:
    """
    Tokens of one micro-batch on one GPU. [1]

    Context-parallel ranks share each sequence out evenly.
    """
    return math.ceil(sequence * micro_batch / context)


@derivation(of="Workload", sources=("korthikanti-2022",), kind=lower)
def residual_activation_memory(
    micro_batch_tokens: Count,
    hidden: Count,
    activation_bytes: Bytes,
    operand_bytes: Bytes,
    tensor: Count,
    sequence_parallel: Flag | None,
    dropout: Flag | None,
    part_share: Ratio,
) -> Bytes | None:
    """
    Activation memory of one layer for one micro-batch outside the tensor-parallel regions. [B]

    The inputs of two norms, of attention and of the feed-forward layer: 8 s b h in 16-bit formats, 10 s b h with the
    two masks of a byte each that dropout keeps; half of it in layers of one part. A lower bound where the design does not
    say if there is dropout.
    Sequence parallelism splits them; absent where the design does not say if.
    """
    if sequence_parallel is None and tensor > 1:
        return None
    width = hidden * (2 * activation_bytes + 2 * operand_bytes + (2 if dropout else 0))
    return part_share * micro_batch_tokens * width / (tensor if sequence_parallel else 1)


@derivation(of="Workload", sources=("korthikanti-2022", "megatron-core-moe-2026"), kind=estimate())
def split_activation_memory(
    mixer_activation_memory: Bytes,
    feed_forward_activation_memory: Bytes | None,
    routed_activation_memory: Bytes | None,
    shared_activation_memory: Bytes | None,
    dense_share: Ratio,
    layers: Count,
    feed_forward_layers: Count,
) -> Bytes | None:
    """
    Activations of one layer for one micro-batch inside attention, feed-forward layer and experts. [B]

    Attention scores aside: 24 s b h / t for a GPT in 16-bit formats. With experts, the mean over the layers
    of the first stage, dense ones among them; where layers differ in kind, the mean over all of them.
    """
    dense = 0.0 if dense_share == 0 else feed_forward_activation_memory
    routed, shared = (0.0, 0.0) if dense_share == 1 else (routed_activation_memory, shared_activation_memory)
    if dense is None or routed is None or shared is None:
        return None
    inner = dense_share * dense + (1 - dense_share) * (routed + shared)
    return mixer_activation_memory + inner * feed_forward_layers / layers


@derivation(of="Workload", sources=("korthikanti-2022", "flash-attention-2022"), kind=lower)
def score_memory(
    micro_batch_tokens: Count,
    sequence: Count,
    heads: Count,
    activation_bytes: Bytes,
    tensor: Count,
    flash_attention: Flag,
    dropout: Flag | None,
) -> Bytes:
    """
    Memory of attention scores of one layer for one micro-batch. [B]

    The softmax, and with dropout its mask of a byte and the dropped-out scores: 5 a s^2 b / t in 16-bit formats, 2
    without. A lower bound where the design does not say if there is dropout. Blockwise (flash) attention never stores
    them.
    """
    if flash_attention:
        return 0.0
    kept = 2 * activation_bytes + 1 if dropout else activation_bytes
    return micro_batch_tokens * sequence * heads * kept / tensor


@derivation(of="Workload", sources=("korthikanti-2022",))
def layer_input_memory(
    micro_batch_tokens: Count,
    hidden: Count,
    activation_bytes: Bytes,
    tensor: Count,
    sequence_parallel: Flag | None,
) -> Bytes | None:
    """
    Memory of one layer's input for one micro-batch. [B]

    2 s b h in 16-bit formats; sequence parallelism splits it. Absent where the design does not say if it is
    used.
    """
    if sequence_parallel is None and tensor > 1:
        return None
    return micro_batch_tokens * hidden * activation_bytes / (tensor if sequence_parallel else 1)


@derivation(of="Workload", sources=("korthikanti-2022",), kind=lower)
def layer_input_floor(
    sequence: Count,
    hidden: Count,
    micro_batch: Count | None,
    activation_bytes: Bytes,
    tensor: Count,
    context: Count,
) -> Bytes:
    """
    Minimum memory of one layer's input for one micro-batch. [B]

    A lower bound: split over tensor and context ranks, one sequence where the design states no micro-batch.
    """
    return sequence * (micro_batch or 1) * hidden * activation_bytes / (tensor * context)


@derivation(of="Workload", sources=("korthikanti-2022", "megatron-lm"), kind=estimate())
def layer_activation_memory(
    recompute: Text,
    residual_activation_memory: Bytes,
    split_activation_memory: Bytes,
    layer_input_memory: Bytes,
    score_memory: Bytes | None,
    names_modules: Flag | None,
    module_memory: Bytes | None,
    recomputed_share: Ratio | None,
    keeps_operators: Flag | None,
    operator_memory: Bytes | None,
    framework: Text | None,
) -> Bytes | None:
    """
    Activations that one layer keeps for one micro-batch. [B]

    Full recomputation keeps the layer's input, none keeps everything; where some layers are recomputed, the mean.
    Selective recomputation keeps all but the attention scores, as Megatron does where nothing else is named, and all but
    the modules that the design names, or what TorchTitan's policy of operators keeps; absent where nothing is named and the
    framework has several kinds. What a compiler (torch.compile)
    computes again by itself is not taken off.
    """
    whole = None if score_memory is None else residual_activation_memory + split_activation_memory + score_memory
    if recompute == "full":
        again = 1.0 if recomputed_share is None else recomputed_share
        kept = 0.0 if again == 1 else whole
        return None if kept is None else again * layer_input_memory + (1 - again) * kept
    if recompute == "none":
        return whole
    if keeps_operators:
        return operator_memory
    if (names_modules and module_memory is None) or (not names_modules and framework in CHOOSING):
        return None
    return residual_activation_memory + split_activation_memory - (module_memory or 0.0)


@derivation(of="Workload", sources=("korthikanti-2022",), kind=estimate())
def activation_memory(
    layer_activation_memory: Bytes,
    layers_on_first_stage: Count,
    micro_batches_in_flight: Ratio,
    offload: Text | None,
    stays_on_gpu: Ratio,
) -> Bytes | None:
    """
    Activation memory on the first pipeline stage, for all micro-batches in flight. [B]

    The embedding's output and the loss are not counted; of offloaded activations what stays on the GPU. Absent
    where all of them are offloaded.
    """
    if offload == "activations" and stays_on_gpu == 0:
        return None
    left = stays_on_gpu if offload == "activations" else 1.0
    return left * layer_activation_memory * layers_on_first_stage * micro_batches_in_flight


@derivation(of="Workload", sources=("korthikanti-2022",), kind=estimate())
def recompute_memory(
    recompute: Text,
    residual_activation_memory: Bytes,
    split_activation_memory: Bytes,
    score_memory: Bytes,
    module_memory: Bytes | None,
    keeps_operators: Flag | None,
    operator_memory: Bytes | None,
) -> Bytes:
    """
    Activations of the layer whose backward pass runs, as far as they were computed again. [B]

    Assumes that layers are recomputed one by one.
    """
    if recompute == "none":
        return 0.0
    full = residual_activation_memory + split_activation_memory
    if keeps_operators:
        return max(0.0, full + score_memory - (operator_memory or full))
    return score_memory + (full if recompute == "full" else module_memory or 0.0)
