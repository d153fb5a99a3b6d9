"""What was measured of a job: rates and utilisations that follow from each other where the design states one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower, upper

if TYPE_CHECKING:
    from designlint.language.units import Computation, ComputeRate, Count, Duration, Rate, Ratio


@derivation(of="Workload")
def measured_tokens_per_second(
    measured_step_time: Duration,
    tokens_per_step: Count | None,
    tokens: Count | None,
    steps: Count | None,
    phase_tokens: tuple[Count | None, ...],
) -> Rate | None:
    """
    Tokens per second of all GPUs of the job, where only the time of a step was measured. [1/s]

    Assumes sequences filled to their length. Where batch or sequence is open, a step has the tokens of the run over its steps,
    unless it has phases.
    """
    mean = tokens / steps if tokens is not None and steps and not phase_tokens else None
    each = mean if tokens_per_step is None else tokens_per_step
    return None if each is None or measured_step_time <= 0 else each / measured_step_time


@derivation(of="Workload", sources=("chowdhery-2022",))
def mfu_of_measured_flops(measured_flops: ComputeRate, peak_compute: ComputeRate) -> Ratio:
    """
    Utilisation calculated from the measured FLOP/s of one GPU. [1]

    Over the dense peak of the precision in use. Frameworks that count what is computed again print the utilisation of the
    hardware, not of the model.
    """
    return measured_flops / peak_compute


@derivation(of="Workload", sources=("chowdhery-2022",))
def mfu_of_measured_tokens(
    measured_tokens_per_second: Rate, flops_per_token: Computation, gpus: Count, peak_compute: ComputeRate
) -> Ratio:
    """
    Model FLOPs utilisation (MFU) calculated from the measured tokens per second. [1]

    Over the dense peak of the precision in use; attention counts the part of the scores that the causal mask keeps.
    """
    return measured_tokens_per_second * flops_per_token / (gpus * peak_compute)


@derivation(of="Workload", sources=("korthikanti-2022",), kind=upper)
def most_printed_flops_per_token(
    matmul_flops_per_token: Computation,
    attention_flops_per_token: Computation,
    recurrent_flops_per_token: Computation | None,
) -> Computation:
    """
    Highest number of FLOPs per token that publishers count. [FLOP]

    All scores of attention, masked ones too, and the forward pass twice.
    """
    once = matmul_flops_per_token + 2 * attention_flops_per_token + (recurrent_flops_per_token or 0.0)
    return once * 4 / 3


@derivation(of="Workload", sources=("chowdhery-2022",), kind=lower)
def least_measured_share(
    measured_tokens_per_second: Rate, least_flops_per_token: Computation, gpus: Count, best_peak: ComputeRate
) -> Ratio:
    """
    Minimum share of the dense peak that the measured tokens per second require. [1]

    A lower bound: the least FLOPs of a token, over the fastest format of the GPU where the job's is open.
    """
    return measured_tokens_per_second * least_flops_per_token / (gpus * best_peak)


@derivation(of="Workload", sources=("chowdhery-2022",))
def measured_mfu(mfu_of_measured_tokens: Ratio) -> Ratio:
    """
    Model FLOPs utilisation that was reached, where the design states tokens per second or the time of a step. [1]

    FLOP/s as frameworks print them may count what is computed again: they do not say it.
    """
    return mfu_of_measured_tokens


@derivation(of="Workload", kind=lower)
def measured_training_time(
    tokens: Count, measured_tokens_per_second: Rate, measured_goodput: Ratio | None, targeted_goodput: Ratio | None
) -> Duration | None:
    """
    Time to train on all tokens at the measured rate. [s]

    At the measured goodput, else the targeted one. Assumes that no time is lost where the design states neither: a lower
    bound then.
    """
    goodput = next((one for one in (measured_goodput, targeted_goodput) if one is not None), 1.0)
    return tokens / measured_tokens_per_second / goodput if measured_tokens_per_second > 0 and goodput > 0 else None
