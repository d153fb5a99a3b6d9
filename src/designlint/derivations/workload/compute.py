"""How much computation a token costs, and how long a step and a run take at a given utilisation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import astuple

from designlint.derivations.base import derivation, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Computation, ComputeRate, Count, Duration, Rate, Ratio

#: FLOPs per parameter and token: 2 forward, 2 for the gradient of the input, 2 for that of the weight.
FORWARD, FROZEN, TRAINED = 2, 4, 6

PEAK_OF_FORMAT = {"mxfp8": "fp8", "nvfp4": "fp4", "mxfp4": "fp4"}

#: Kinds of jobs that train every parameter unless the design says that they train adapters.
TRAINS = frozenset({"pretraining", "continued-pretraining", "fine-tuning", "reinforcement-learning"})


class OnlyTrained(Struct, frozen=True):
    """Words that only a job that trains has."""

    optimizer: Text | None
    framework: Text | None
    tokens: Count | None
    deadline: Duration | None
    mfu: Ratio | None
    micro_batch: Count | None
    global_batch: Count | None
    gradient_accumulation: Count | None
    zero_stage: Count | None
    recompute: Text | None
    schedule: Text | None
    steps: Count | None
    interval: Duration | None
    interval_steps: Count | None
    keep: Count | None
    stated_checkpoint_size: Bytes | None


@derivation(of="Workload", groups=(OnlyTrained,))
def kind_is_settled(name: Text, kind_names: Text, other_kind_names: Text, trained: OnlyTrained) -> Flag:
    """
    Whether the design shows the default kind of job, and nothing contradicts it. [1]

    Its name shows it, or a word that only training has. A name that suggests another kind contradicts it.
    """
    spelled = name.lower().replace("_", "-")
    shown = re.search(kind_names, spelled) is not None or any(one is not None for one in astuple(trained))
    return shown and re.search(other_kind_names, spelled) is None


@derivation(of="Workload")
def trains_parameters(
    kind: Text | None,
    global_batch: Count | None,
    gradient_accumulation: Count | None,
    optimizer: Text | None,
    steps: Count | None,
) -> Flag | None:
    """
    Whether the job trains parameters, all or some.

    Where its kind is unknown, a batch for the optimizer, an optimizer or a number of its steps shows that it does.
    """
    shown = any(one is not None for one in (global_batch, gradient_accumulation, optimizer, steps))
    return kind != "inference" if kind is not None else True if shown else None


@derivation(of="Workload")
def trains_all_parameters(kind: Text, adapters: Flag | None) -> Flag:
    """
    Whether the job keeps a gradient and optimizer state for every parameter.

    What inference and adapters (LoRA) do not; every framework trains all where no adapters are asked for.
    """
    return kind in TRAINS and not adapters


def passes(kind: str, adapters: bool | None) -> int:
    """FLOPs per parameter and token of one kind of job, generation aside."""
    if kind == "inference":
        return FORWARD
    return FROZEN if kind == "lora" or adapters else TRAINED


@derivation(of="Workload", sources=("kaplan-2020", "megatron-bridge"))
def matmul_flops_per_token(
    kind: Text,
    adapters: Flag | None,
    active_parameters: Count,
    active_prediction_parameters: Count | None,
    embedding_parameters: Count | None,
    tied_embeddings: Flag | None,
    position_parameters: Count | None,
) -> Computation | None:
    """
    Model FLOPs per token in matrix multiplications with weights. [FLOP]

    Assumes that every active parameter is multiplied once a token. The input embedding is looked up, not
    multiplied: it is taken off where the design says that it is a matrix of its own, and learned positions always.
    Adapters (LoRA) spare the gradient of the frozen weights. Absent for reinforcement learning, which generates
    besides it trains.
    """
    if kind == "reinforcement-learning":
        return None
    looked_up = ((embedding_parameters or 0) if tied_embeddings is False else 0) + (position_parameters or 0)
    return passes(kind, adapters) * (active_parameters + (active_prediction_parameters or 0) - looked_up)


@derivation(of="Workload", sources=("kaplan-2020", "megatron-bridge"), kind=lower)
def least_matmul_flops_per_token(
    kind: Text,
    adapters: Flag | None,
    rollouts: Text | None,
    active_parameters: Count,
    active_prediction_parameters: Count | None,
    embedding_parameters: Count | None,
    tied_embeddings: Flag | None,
    position_parameters: Count | None,
) -> Computation:
    """
    Minimum model FLOPs per token in matrix multiplications with weights. [FLOP]

    As `matmul_flops_per_token`, with the input embedding taken off unless the design says that the output layer
    shares it. A lower bound as far as the vocabulary is stated. Reinforcement learning trains on its tokens, and
    generates them too where the design says that it does so on the same GPUs.
    """
    looked_up = (0 if tied_embeddings else embedding_parameters or 0) + (position_parameters or 0)
    multiplied = active_parameters + (active_prediction_parameters or 0) - looked_up
    generates = kind == "reinforcement-learning" and rollouts == "same-gpus"
    return (passes(kind, adapters) + (FORWARD if generates else 0)) * multiplied


@derivation(of="Workload", sources=("megatron-bridge",))
def attention_flops_per_token(
    kind: Text, seen_tokens: Ratio, query_width: Count | None, value_width: Count | None
) -> Computation | None:
    """
    Model FLOPs per token in attention scores and their product with the values. [FLOP]

    Assumes causal attention and counts the part of the scores that the mask keeps, as NVIDIA's published rates do:
    6 x layers x hidden x sequence for heads that fill the residual stream and see the whole sequence.
    Papers that count the full square (Korthikanti 2022, MosaicML) have twice as much here. Packed short documents
    need less; linear attention and Mamba layers, whose cost does not grow with the sequence, are counted apart. 0 where no
    layer has attention, whose heads then do not matter.
    """
    if kind == "reinforcement-learning":
        return None
    if seen_tokens == 0:
        return 0.0
    if query_width is None or value_width is None:
        return None
    return (1 if kind == "inference" else 3) * seen_tokens * (query_width + value_width)


@derivation(of="Workload", sources=("megatron-lm-flops",))
def recurrent_flops_per_token(kind: Text, recurrent_flops: Computation) -> Computation:
    """
    Model FLOPs per token in the states of Mamba and linear attention layers. [FLOP]

    Forward and backward, but for inference.
    """
    return (1 if kind == "inference" else 3) * recurrent_flops


@derivation(of="Workload", kind=lower)
def least_flops_per_token(
    least_matmul_flops_per_token: Computation, attention_flops_per_token: Computation | None, layer_pattern: Flag
) -> Computation:
    """
    Minimum model FLOPs per token, forward and backward, without recomputation. [FLOP]

    A lower bound: attention counts only where the design says which layers see the whole sequence.
    """
    return least_matmul_flops_per_token + ((attention_flops_per_token or 0.0) if layer_pattern else 0.0)


@derivation(of="Workload", sources=("megatron-bridge",))
def flops_per_token(
    matmul_flops_per_token: Computation,
    attention_flops_per_token: Computation,
    recurrent_flops_per_token: Computation | None,
) -> Computation:
    """
    Model FLOPs per token, forward and backward, without recomputation. [FLOP]

    Norms, activations, routing and the optimizer are left out, as in every published model FLOPs utilisation; the
    states of Mamba and linear attention layers count where their widths are stated.
    """
    return matmul_flops_per_token + attention_flops_per_token + (recurrent_flops_per_token or 0.0)


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
    Tokens in one optimizer step. [1]

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


@derivation(of="Workload", kind=lower)
def training_time(
    tokens: Count, tokens_per_second: Rate, targeted_goodput: Ratio | None, phase_factor: Ratio | None
) -> Duration | None:
    """
    Time to train on all tokens at the targeted utilisation and goodput. [s]

    Assumes that no time is lost where the design targets no goodput: a lower bound then. Phases with longer or shorter
    sequences count by their FLOPs.
    """
    goodput = 1.0 if targeted_goodput is None else targeted_goodput
    if tokens_per_second <= 0 or goodput <= 0:
        return None
    return (1.0 if phase_factor is None else phase_factor) * tokens / (tokens_per_second * goodput)


@derivation(of="Workload", kind=lower)
def gpu_time(gpus: Count, training_time: Duration) -> Duration:
    """
    Time that all GPUs of the run work, added up. [s]

    As `training_time`: restarts and experiments beyond the targeted goodput are not in it.
    """
    return gpus * training_time


@derivation(of="Workload", sources=("chowdhery-2022",), kind=lower)
def mfu_needed(
    tokens: Count,
    flops_per_token: Computation,
    deadline: Duration,
    gpus: Count,
    peak_compute: ComputeRate,
    targeted_goodput: Ratio | None,
    phase_factor: Ratio | None,
) -> Ratio | None:
    """
    Model FLOPs utilisation (MFU) that the deadline requires. [1]

    Assumes that no time is lost where the design targets no goodput: a lower bound then.
    """
    goodput = 1.0 if targeted_goodput is None else targeted_goodput
    if deadline <= 0 or goodput <= 0:
        return None
    work = (1.0 if phase_factor is None else phase_factor) * tokens * flops_per_token
    return work / (deadline * goodput * gpus * peak_compute)
