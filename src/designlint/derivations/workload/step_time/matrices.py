"""Rates at which matrix units work in whole training steps, and the time of each class of multiplications of a layer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate
from designlint.derivations.workload.compute import PEAK_OF_FORMAT

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bandwidth, ComputeRate, Count, Duration, Power, Ratio

#: Operations in a teraflop: energy of an operation is stated in pJ, which is W for each TFLOP/s.
TERA = 1e12
#: Formats that scale numbers in small blocks.
MICROSCALED = frozenset({"mxfp8", "mxfp4"})


def multiplication_time(tokens: float, width: float, depth: float, rate: ComputeRate, knee: float) -> Duration:
    """Time to multiply tokens x depth by depth x width: all operations at the rate, and longer where a side is short. [s]"""
    return 2 * tokens * width * depth / rate * (1 + knee * (1 / tokens + 1 / width + 1 / depth))


@derivation(of="Workload", sources=("step-time-corpus",), kind=estimate())
def power_factor(
    gpu_power_limit: Power | None,
    peak_bf16: ComputeRate | None,
    peak_fp16: ComputeRate | None,
    matrix_energy: Ratio | None,
    power_exponent: Ratio,
) -> Ratio:
    """
    Rate of large matrix multiplications, relative to the GPU for which the generation's shares are stated. [1]

    Newer GPUs multiply at their power limit: the power that a part has for each operation of its peak, over that of the
    reference, to a fitted exponent. 1 for older generations, and where the power is not known.
    """
    peak = peak_bf16 or peak_fp16
    if matrix_energy is None or gpu_power_limit is None or peak is None:
        return 1.0
    return math.pow(gpu_power_limit / peak * TERA / matrix_energy, power_exponent)


@derivation(of="Workload", sources=("step-time-corpus",), kind=estimate())
def matrix_rate(
    matmul: Text,
    peak_compute: ComputeRate,
    matrix_share_16: Ratio | None,
    matrix_share_8: Ratio | None,
    matrix_share_4: Ratio | None,
    unmeasured_share: Ratio,
    power_factor: Ratio,
    microscaling_factor: Ratio,
) -> ComputeRate:
    """
    Sustained rate of large matrix multiplications in the job's number format. [FLOP/s]

    The share of the dense peak is fitted for each generation of GPUs; one in between stands in where none was
    measured.
    """
    shares = {"fp8": matrix_share_8, "fp4": matrix_share_4}
    share = shares.get(PEAK_OF_FORMAT.get(matmul, matmul), matrix_share_16) or unmeasured_share
    return share * power_factor * peak_compute * (microscaling_factor if matmul in MICROSCALED else 1.0)


@derivation(of="Workload", sources=("step-time-corpus",), kind=estimate())
def wide_rate(
    peak_bf16: ComputeRate | None,
    peak_fp16: ComputeRate | None,
    matrix_share_16: Ratio | None,
    unmeasured_share: Ratio,
    power_factor: Ratio,
) -> ComputeRate | None:
    """
    Sustained rate of large matrix multiplications in 16 bits, for output layer and router. [FLOP/s]

    Recipes in FP8 and FP4 keep both in 16 bit.
    """
    peak = peak_bf16 or peak_fp16
    return None if peak is None else (matrix_share_16 or unmeasured_share) * power_factor * peak


@derivation(of="Workload", sources=("step-time-corpus",), kind=estimate())
def matrix_knee(matrix_rate: ComputeRate, gpu_memory_bandwidth: Bandwidth, wave_time: Duration) -> Ratio:
    """
    Matrix side at which a multiplication takes twice its time at the full rate. [1]

    Operations in the time in which memory passes half a value in 16 bit: operands and result pass once. And those in
    the time that the last, partly filled wave of tiles takes on average.
    """
    return matrix_rate * (1 / gpu_memory_bandwidth + wave_time)


@derivation(of="Workload", sources=("step-time-corpus",), kind=estimate())
def wide_knee(wide_rate: ComputeRate, gpu_memory_bandwidth: Bandwidth, wave_time: Duration) -> Ratio:
    """
    As `matrix_knee`, for multiplications in 16 bits. [1]

    As `matrix_knee`.
    """
    return wide_rate * (1 / gpu_memory_bandwidth + wave_time)


@derivation(of="Workload", sources=("megatron-lm",), kind=estimate())
def input_projection_time(
    micro_batch_tokens: Count,
    hidden: Count,
    query_width: Count,
    kv_heads: Count | None,
    head_dimension: Count | None,
    attention: Text | None,
    tensor: Count,
    matrix_rate: ComputeRate,
    matrix_knee: Ratio,
) -> Duration | None:
    """
    Forward time of the query, key and value projections in one layer for one micro-batch. [s]

    One multiplication for all three. Latent attention has its own: `latent_projection_time`.
    """
    if attention == "mla" or kv_heads is None or head_dimension is None:
        return 0.0 if attention == "mla" else None
    width = (query_width + 2 * kv_heads * head_dimension) / tensor
    return multiplication_time(micro_batch_tokens, width, hidden, matrix_rate, matrix_knee)


@derivation(of="Workload", sources=("deepseek-v3-2024",), kind=estimate())
def latent_projection_time(
    micro_batch_tokens: Count,
    hidden: Count,
    query_width: Count,
    value_width: Count,
    heads: Count,
    head_dimension: Count | None,
    query_rank: Count | None,
    kv_rank: Count | None,
    rope_dimension: Count | None,
    tensor: Count,
    matrix_rate: ComputeRate,
    matrix_knee: Ratio,
) -> Duration | None:
    """
    Forward time of the compressing and expanding projections in one latent attention layer for one micro-batch. [s]

    Tensor parallelism splits the expanding ones only.
    """
    if kv_rank is None or rope_dimension is None or head_dimension is None:
        return None

    def time(width: float, depth: float) -> float:
        return multiplication_time(micro_batch_tokens, width, depth, matrix_rate, matrix_knee)

    keys = time(kv_rank + rope_dimension, hidden) + time((heads * head_dimension + value_width) / tensor, kv_rank)
    if query_rank is None:
        return keys + time(query_width / tensor, hidden)
    return keys + time(query_rank, hidden) + time(query_width / tensor, query_rank)


@derivation(of="Workload", sources=("megatron-lm",), kind=estimate())
def output_projection_time(
    micro_batch_tokens: Count,
    hidden: Count,
    value_width: Count,
    tensor: Count,
    matrix_rate: ComputeRate,
    matrix_knee: Ratio,
) -> Duration:
    """
    Forward time of the output projection of attention in one layer for one micro-batch. [s]

    Tensor parallelism splits its inner side.
    """
    return multiplication_time(micro_batch_tokens, hidden, value_width / tensor, matrix_rate, matrix_knee)


@derivation(of="Workload", sources=("megatron-lm",), kind=estimate())
def feed_forward_time(
    micro_batch_tokens: Count,
    hidden: Count,
    feed_forward: Count | None,
    gated: Flag | None,
    feed_forward_part: Ratio,
    tensor: Count,
    matrix_rate: ComputeRate,
    matrix_knee: Ratio,
) -> Duration | None:
    """
    Forward time of the dense feed-forward matrix multiplications in one layer for one micro-batch. [s]

    A gated layer multiplies by both of its first matrices at once.
    """
    if feed_forward_part == 0:
        return 0.0
    if feed_forward is None or gated is None:
        return None
    width = feed_forward / tensor
    first = multiplication_time(micro_batch_tokens, (2 if gated else 1) * width, hidden, matrix_rate, matrix_knee)
    return first + multiplication_time(micro_batch_tokens, hidden, width, matrix_rate, matrix_knee)


@derivation(of="Workload", sources=("megatron-lm", "vocabulary-parallelism"), kind=estimate())
def output_layer_time(
    micro_batch_tokens: Count,
    hidden: Count,
    vocabulary: Count,
    multi_token_prediction_layers: Count | None,
    tensor: Count,
    wide_rate: ComputeRate,
    wide_knee: Ratio,
    memory_rate: Bandwidth,
) -> Duration:
    """
    Time of the output layer and the loss for one micro-batch, forward and backward. [s]

    Three multiplications in 16 bit, and 10 bytes of traffic for each logit of this rank; once more for each layer that
    predicts a further token.
    """
    share, times = vocabulary / tensor, 1 + (multi_token_prediction_layers or 0)
    product = 3 * multiplication_time(micro_batch_tokens, share, hidden, wide_rate, wide_knee)
    return times * (product + 10 * micro_batch_tokens * share / memory_rate)
