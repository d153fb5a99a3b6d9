"""What a layer does besides multiplying by weights: attention scores, passes over memory, launches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate
from designlint.derivations.workload.communication import SHORT

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bandwidth, ComputeRate, Count, Duration, Ratio

#: Passes over the score matrix where it is stored: product, mask, softmax, dropout, product.
SCORE_PASSES = 5
#: Bytes of a value in 16 bit.
WIDE = 2


@derivation(of="Workload", sources=("aiconfigurator",), kind=estimate())
def memory_rate(gpu_memory_bandwidth: Bandwidth, memory_efficiency: Ratio) -> Bandwidth:
    """
    Sustained memory bandwidth of kernels. [B/s]

    One share of the data-sheet rate for all GPUs.
    """
    return memory_efficiency * gpu_memory_bandwidth


@derivation(of="Workload")
def blockwise(flash_attention: Flag | None, blockwise_attention: Flag | None) -> Flag:
    """
    Attention scores are never stored.

    As the design states it, else as the software profile has it, else so: every framework since 2023 does.
    """
    return flash_attention if flash_attention is not None else blockwise_attention is not False


@derivation(of="Workload", sources=("aiconfigurator", "step-time-corpus"), kind=estimate())
def attention_rate(
    peak_bf16: ComputeRate | None,
    peak_fp16: ComputeRate | None,
    attention_share: Ratio,
    sequence: Count,
    half_speed_sequence: Count | None,
    unmeasured_half_speed_sequence: Count,
    portable_attention: Flag | None,
    framework_portable_attention: Flag | None,
    portable_attention_share: Ratio | None,
) -> ComputeRate | None:
    """
    Rate of blockwise attention, forward and backward averaged. [FLOP/s]

    A share of the 16-bit peak in every recipe, less for short sequences, the more so the faster the generation. Portable
    kernels (FlashAttention 2) do not use what newer generations added.
    """
    peak = peak_bf16 or peak_fp16
    if peak is None:
        return None
    portable = framework_portable_attention if portable_attention is None else portable_attention
    factor = (portable_attention_share or 1.0) if portable else 1.0
    slowed = sequence / (sequence + (half_speed_sequence or unmeasured_half_speed_sequence))
    return attention_share * factor * peak * slowed


@derivation(of="Workload")
def attended_tokens(
    seen_tokens: Ratio, attention_layers: Count, multi_token_prediction_layers: Count | None
) -> Ratio | None:
    """
    Twice the average number of tokens that a token attends to, in an average attention layer. [1]

    The sequence, where every layer sees all of it.
    """
    layers = attention_layers + (multi_token_prediction_layers or 0)
    return seen_tokens / layers if layers else None


@derivation(of="Workload", sources=("flash-attention-2", "korthikanti-2022"), kind=estimate())
def attention_core_time(
    micro_batch_tokens: Count,
    attended_tokens: Ratio,
    query_width: Count,
    value_width: Count,
    heads: Count,
    tensor: Count,
    blockwise: Flag,
    attention_rate: ComputeRate,
    wide_rate: ComputeRate,
    memory_rate: Bandwidth,
) -> Duration:
    """
    Forward time of attention scores and their product with the values in one layer for one micro-batch. [s]

    Blockwise kernels skip the half that the causal mask cuts off; where scores are stored all are computed, and
    five passes over them come on top.
    """
    scores = micro_batch_tokens * attended_tokens / tensor
    if not blockwise:
        stored = SCORE_PASSES * WIDE * scores * heads / memory_rate
        return 2 * scores * (query_width + value_width) / wide_rate + stored
    return scores * (query_width + value_width) / attention_rate


@derivation(of="Workload", sources=("flash-attention-2",), kind=estimate())
def attention_core_backward_time(attention_core_time: Duration, blockwise: Flag) -> Duration:
    """
    Backward time of attention scores in one layer for one micro-batch. [s]

    Blockwise kernels compute the scores again: 2.5 times the operations of the forward pass, else twice.
    """
    return attention_core_time * (2.5 if blockwise else 2.0)


@derivation(of="Workload", sources=("step-time-corpus",), kind=estimate())
def compiler_factor(compiled: Flag | None, uncompiled_factor: Ratio) -> Ratio:
    """
    Memory traffic of element-wise operations, relative to fused ones. [1]

    More where the design says that no compiler fuses them.
    """
    return uncompiled_factor if compiled is False else 1.0


@derivation(of="Workload", sources=("step-time-corpus",), kind=estimate())
def residual_time(
    micro_batch_tokens: Count,
    hidden: Count,
    tensor: Count,
    split_residual: Flag,
    residual_passes: Ratio,
    compiler_factor: Ratio,
    memory_rate: Bandwidth,
) -> Duration:
    """
    Forward time of norms, residuals, rotary embedding and similar in one layer for one micro-batch. [s]

    Passes over the residual stream in 16 bit, which sequence parallelism splits.
    """
    stream = micro_batch_tokens * hidden * WIDE / (tensor if split_residual else 1)
    return residual_passes * compiler_factor * stream / memory_rate


@derivation(of="Workload", sources=("step-time-corpus",), kind=estimate())
def conversion_time(matmul: Text, cast_passes: Ratio, memory_rate: Bandwidth) -> Duration:
    """
    Time to convert one input of a multiplication to a low-precision format, forward. [s]

    Nothing in 16 bit. It does not shrink with the faster multiplication.
    """
    return cast_passes * WIDE / memory_rate if matmul in SHORT else 0.0


@derivation(of="Workload", sources=("step-time-corpus",), kind=estimate())
def cast_time(
    micro_batch_tokens: Count,
    hidden: Count,
    value_width: Count,
    tensor: Count,
    split_residual: Flag,
    conversion_time: Duration,
) -> Duration:
    """
    Forward time to convert the inputs of attention's projections in one layer to a low-precision format for one micro-batch. [s]

    The residual stream, which sequence parallelism splits, and the values of all heads.
    """
    inputs = hidden / (tensor if split_residual else 1) + value_width / tensor
    return micro_batch_tokens * inputs * conversion_time


@derivation(of="Workload", sources=("step-time-corpus",), kind=estimate())
def activation_function_time(
    micro_batch_tokens: Count,
    feed_forward: Count | None,
    gated: Flag | None,
    feed_forward_part: Ratio,
    hidden: Count,
    tensor: Count,
    split_residual: Flag,
    compiler_factor: Ratio,
    conversion_time: Duration,
    memory_rate: Bandwidth,
) -> Duration | None:
    """
    Forward time of the activation function of one layer's dense feed-forward part for one micro-batch. [s]

    Reads and writes of the inner width in 16 bit, and the conversion of both inputs to a low-precision format.
    """
    if feed_forward_part == 0:
        return 0.0
    if feed_forward is None or gated is None:
        return None
    passes = 4.5 if gated else 3.0
    inputs = hidden / (tensor if split_residual else 1) + feed_forward / tensor
    function = compiler_factor * passes * micro_batch_tokens * feed_forward * WIDE / tensor / memory_rate
    return function + micro_batch_tokens * inputs * conversion_time


@derivation(of="Workload")
def split_residual(sequence_parallel: Flag | None, profile_sequence_parallel: Flag | None, tensor: Count) -> Flag:
    """
    Tensor-parallel ranks shard the residual stream.

    As the design states it, else as the software profile has it; nothing to share without tensor parallelism.
    """
    stated = sequence_parallel if sequence_parallel is not None else profile_sequence_parallel
    return tensor > 1 and stated is not False
