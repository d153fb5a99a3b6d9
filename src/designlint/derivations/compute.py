"""How much computation a token costs, and how long a step and a run take at a given utilisation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.units import Computation, ComputeRate, Count, Duration, Rate, Ratio

#: FLOPs per parameter and token: 2 forward, 2 for the gradient of the input, 2 for that of the weight.
PASSES = {"pretraining": 6, "continued-pretraining": 6, "fine-tuning": 6, "lora": 4, "inference": 2}

PEAK_OF_FORMAT = {"mxfp8": "fp8", "nvfp4": "fp4", "mxfp4": "fp4"}


@derivation(of="Workload", sources=("kaplan-2020", "megatron-bridge"))
def matmul_flops_per_token(
    kind: Text, active_parameters: Count, embedding_parameters: Count | None, tied_embeddings: Flag | None
) -> Computation | None:
    """
    Model FLOPs per token in matrix multiplications with weights. [FLOP]

    Assumes that every active parameter is multiplied once a token. The input embedding is looked up, not
    multiplied: it is taken off where the design says that it is a matrix of its own. Adapters (LoRA) spare
    the gradient of the frozen weights. Absent for reinforcement learning, which generates besides it
    trains.
    """
    if kind not in PASSES:
        return None
    looked_up = (embedding_parameters or 0) if tied_embeddings is False else 0
    return PASSES[kind] * (active_parameters - looked_up)


@derivation(of="Workload", sources=("megatron-bridge",))
def attention_flops_per_token(
    kind: Text, layers: Count, sequence: Count, query_width: Count, value_width: Count
) -> Computation | None:
    """
    Model FLOPs per token in attention scores and their product with the values. [FLOP]

    Assumes causal attention over the whole sequence and counts the half of the scores that the mask keeps,
    as NVIDIA's published rates do: 6 x layers x hidden x sequence for heads that fill the residual stream.
    Papers that count the full square (Korthikanti 2022, MosaicML) have twice as much here. Sliding windows
    and packed short documents need less.
    """
    if kind not in PASSES:
        return None
    passes = 1 if kind == "inference" else 3
    return passes * layers * sequence * (query_width + value_width)


@derivation(of="Workload", sources=("megatron-bridge",))
def flops_per_token(matmul_flops_per_token: Computation, attention_flops_per_token: Computation) -> Computation:
    """
    Model FLOPs to train on one token, forward and backward, without recomputation. [FLOP]

    Valid for transformers. Norms, activations, routing and the optimizer are left out, as in every published
    model FLOPs utilisation.
    """
    return matmul_flops_per_token + attention_flops_per_token


@derivation(of="Workload")
def peak_compute(
    matmul: Text,
    peak_fp16: ComputeRate | None,
    peak_bf16: ComputeRate | None,
    peak_fp8: ComputeRate | None,
    peak_fp4: ComputeRate | None,
) -> ComputeRate | None:
    """
    Dense peak of one GPU in the precision of the job's matrix multiplications. [FLOP/s]

    Absent for formats whose peak the catalogue does not hold (FP32, TF32) and for those that the GPU lacks.
    """
    peaks = {"fp16": peak_fp16, "bf16": peak_bf16, "fp8": peak_fp8, "fp4": peak_fp4}
    return peaks.get(PEAK_OF_FORMAT.get(matmul, matmul))


@derivation(of="Workload", sources=("chowdhery-2022",))
def tokens_per_second(mfu: Ratio, gpus: Count, peak_compute: ComputeRate, flops_per_token: Computation) -> Rate:
    """
    Tokens per second at the targeted model FLOPs utilisation. [1/s]

    Assumes that the utilisation holds for all GPUs of the job while it runs.
    """
    return mfu * gpus * peak_compute / flops_per_token


@derivation(of="Workload")
def tokens_per_step(global_batch: Count, sequence: Count) -> Count:
    """
    Tokens of one optimizer step. [1]

    Assumes sequences filled to their length.
    """
    return global_batch * sequence


@derivation(of="Workload")
def step_time(tokens_per_step: Count, tokens_per_second: Rate) -> Duration | None:
    """
    Time of one optimizer step at the targeted utilisation. [s]

    Checkpoints and failures are not included.
    """
    if tokens_per_second <= 0:
        return None
    return tokens_per_step / tokens_per_second


@derivation(of="Workload")
def training_time(tokens: Count, tokens_per_second: Rate, targeted_goodput: Ratio | None) -> Duration | None:
    """
    Time to train on all tokens at the targeted utilisation and goodput. [s]

    Assumes that no time is lost where the design targets no goodput: a lower bound then.
    """
    goodput = 1.0 if targeted_goodput is None else targeted_goodput
    if tokens_per_second <= 0 or goodput <= 0:
        return None
    return tokens / (tokens_per_second * goodput)


@derivation(of="Workload")
def gpu_time(gpus: Count, training_time: Duration) -> Duration:
    """
    Time that all GPUs of the run work, added up. [s]

    As `training_time`: restarts and experiments beyond the targeted goodput are not in it.
    """
    return gpus * training_time


@derivation(of="Workload", sources=("chowdhery-2022",))
def mfu_needed(
    tokens: Count,
    flops_per_token: Computation,
    deadline: Duration,
    gpus: Count,
    peak_compute: ComputeRate,
    targeted_goodput: Ratio | None,
) -> Ratio | None:
    """
    Model FLOPs utilisation that the deadline demands. [1]

    Assumes that no time is lost where the design targets no goodput: a lower bound then.
    """
    goodput = 1.0 if targeted_goodput is None else targeted_goodput
    if deadline <= 0 or goodput <= 0:
        return None
    return tokens * flops_per_token / (deadline * goodput * gpus * peak_compute)
