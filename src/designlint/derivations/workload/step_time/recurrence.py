"""Time of Mamba and linear attention layers: their matrices, and their states where attention has scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate
from designlint.derivations.workload.mixers import Delta, Mamba, of_layers
from designlint.derivations.workload.step_time.matrices import multiplication_time

if TYPE_CHECKING:
    from designlint.language.units import ComputeRate, Count, Duration, Ratio


@derivation(of="Model")
def attention_part(layers: Count, attention_layers: Count) -> Ratio:
    """
    Share of layers with softmax attention. [1]

    1 in a model of one kind.
    """
    return attention_layers / layers


@derivation(of="Model")
def feed_forward_part(layers: Count, feed_forward_layers: Count, layers_with_experts: Count) -> Ratio:
    """
    Share of layers without experts that have a feed-forward part. [1]

    1 in a transformer; hybrid models count both as layers of their own. 0 where every layer has experts.
    """
    plain = layers - layers_with_experts
    return (feed_forward_layers - layers_with_experts) / plain if plain else 0.0


@derivation(of="Workload", sources=("mamba2-2024",), kind=estimate())
def recurrent_rate(
    peak_bf16: ComputeRate | None,
    peak_fp16: ComputeRate | None,
    attention_share: Ratio,
    portable_attention_share: Ratio | None,
    crossover_sequence: Count,
    half_speed_sequence: Count | None,
    unmeasured_half_speed_sequence: Count,
) -> ComputeRate | None:
    """
    Rate of portable attention kernels on the sequence at which they take as long as the states of Mamba-2. [FLOP/s]

    As `attention_rate` has it for such kernels.
    """
    peak = peak_bf16 or peak_fp16
    if peak is None:
        return None
    half_speed = half_speed_sequence or unmeasured_half_speed_sequence
    slowed = crossover_sequence / (crossover_sequence + half_speed)
    return attention_share * (portable_attention_share or 1.0) * peak * slowed


def states(tokens: float, width: float, crossover: float, rate: ComputeRate) -> Duration:
    """Time of attention of such a width on the sequence at which states take as long. [s]"""
    return 2 * tokens * crossover * width / rate


@derivation(of="Workload", sources=("megatron-lm-flops",), groups=(Mamba,), kind=estimate())
def mamba_projection_time(
    micro_batch_tokens: Count,
    hidden: Count,
    mamba: Mamba,
    tensor: Count,
    matrix_rate: ComputeRate,
    matrix_knee: Ratio,
) -> Duration:
    """
    Forward time of the matrices in and out of one Mamba-2 layer for one micro-batch. [s]

    Values, gate, vectors of the states and time steps in one multiplication.
    """
    width = (2 * mamba.inner + mamba.vectors + mamba.mamba_heads) / tensor
    into = multiplication_time(micro_batch_tokens, width, hidden, matrix_rate, matrix_knee)
    return into + multiplication_time(micro_batch_tokens, hidden, mamba.inner / tensor, matrix_rate, matrix_knee)


@derivation(of="Workload", sources=("megatron-lm-flops", "maxtext"), groups=(Delta,), kind=estimate())
def linear_projection_time(
    micro_batch_tokens: Count,
    hidden: Count,
    delta: Delta,
    tensor: Count,
    matrix_rate: ComputeRate,
    matrix_knee: Ratio,
) -> Duration | None:
    """
    Forward time of the matrices in and out of one layer of Gated DeltaNet for one micro-batch. [s]

    Absent for other kinds of linear attention.
    """
    if not delta.known:
        return None
    width = 2 * (delta.keys + delta.values + delta.linear_value_heads) / tensor
    into = multiplication_time(micro_batch_tokens, width, hidden, matrix_rate, matrix_knee)
    return into + multiplication_time(micro_batch_tokens, hidden, delta.values / tensor, matrix_rate, matrix_knee)


@derivation(of="Workload", sources=("mamba2-2024",), groups=(Mamba,), kind=estimate())
def mamba_core_time(
    micro_batch_tokens: Count, mamba: Mamba, tensor: Count, crossover_sequence: Count, recurrent_rate: ComputeRate
) -> Duration:
    """
    Forward time of the states of one Mamba-2 layer for one micro-batch. [s]

    That of attention of the same width on the sequence at which both were measured to take the same time. The size of
    a state hardly counts, for its kernels wait for memory.
    """
    return states(micro_batch_tokens, mamba.inner / tensor, crossover_sequence, recurrent_rate)


@derivation(of="Workload", sources=("mamba2-2024",), groups=(Delta,), kind=estimate())
def linear_core_time(
    micro_batch_tokens: Count, delta: Delta, tensor: Count, crossover_sequence: Count, recurrent_rate: ComputeRate
) -> Duration | None:
    """
    Forward time of the states of one layer of Gated DeltaNet for one micro-batch. [s]

    Taken to be as long as that of a Mamba-2 layer of the same width. Absent for other kinds of linear attention.
    """
    if not delta.known:
        return None
    return states(micro_batch_tokens, delta.values / tensor, crossover_sequence, recurrent_rate)


@derivation(of="Workload", kind=estimate())
def recurrent_projection_time(
    layers: Count,
    mamba_layers: Count | None,
    mamba_projection_time: Duration | None,
    linear_layers: Count | None,
    linear_projection_time: Duration | None,
) -> Duration | None:
    """
    Forward time of the matrices of Mamba and linear attention in an average layer for one micro-batch. [s]

    Nothing in models without such layers; absent where their widths are not stated.
    """
    return _mean(layers, mamba_layers, mamba_projection_time, linear_layers, linear_projection_time)


@derivation(of="Workload", kind=estimate())
def recurrent_core_time(
    layers: Count,
    mamba_layers: Count | None,
    mamba_core_time: Duration | None,
    linear_layers: Count | None,
    linear_core_time: Duration | None,
) -> Duration | None:
    """
    Forward time of the states of Mamba and linear attention in an average layer for one micro-batch. [s]

    As `recurrent_projection_time`.
    """
    return _mean(layers, mamba_layers, mamba_core_time, linear_layers, linear_core_time)


def _mean(
    layers: Count, mambas: Count | None, mamba: Duration | None, linears: Count | None, linear: Duration | None
) -> Duration | None:
    """Time in an average layer; None where that of a kind that is there is not known. [s]"""
    first, second = of_layers(mambas, mamba), of_layers(linears, linear)
    return None if first is None or second is None else (first + second) / layers
