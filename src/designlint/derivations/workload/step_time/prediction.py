"""The predicted step with its interval, and what follows: utilisation, tokens per second, days."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, estimate

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Computation, ComputeRate, Count, Duration, Rate, Ratio


@derivation(of="Workload", sources=("step-time-corpus",), kind=estimate())
def software_factor(stack_factor: Ratio | None, framework_stack_factor: Ratio | None) -> Ratio:
    """
    Step time relative to the reference software. [1]

    Of the stated profile, else of the newest measured one of the stated framework, else 1; the interval is wider then.
    """
    return stack_factor or framework_stack_factor or 1.0


class OncePerStep(Struct, frozen=True):
    """What a step takes once, after its micro-batches."""

    exposed_data_time: Duration
    optimizer_time: Duration
    offload_time: Duration

    @property
    def time(self) -> Duration:
        """All of it. [s]"""
        return self.exposed_data_time + self.optimizer_time + self.offload_time


@derivation(of="Workload", sources=("step-time-corpus",), groups=(OncePerStep,), kind=estimate())
def predicted_step_time(
    kind: Text,
    trains_all_parameters: Flag,
    offload: Text | None,
    micro_batches: Count,
    stage_time: Duration,
    exposed_border_time: Duration,
    fill_time: Duration,
    gathered_micro_batch_time: Duration | None,
    once: OncePerStep,
    software_factor: Ratio,
    step_overhead: Duration,
    launch_factor: Ratio | None,
) -> Duration | None:
    """
    Predicted time of one step with the stated layout. [s]

    An estimate: fitted on measured steps of other models and layouts. Absent for jobs that do not train all
    parameters, for reinforcement learning, which generates besides, and where weights or activations are fetched from
    CPU memory.
    """
    fetched = offload in ("weights", "activations")
    if not trains_all_parameters or kind == "reinforcement-learning" or fetched:
        return None
    each = gathered_micro_batch_time or stage_time
    launches = launch_factor or 1.0
    work = micro_batches * (each + exposed_border_time) + fill_time
    return software_factor * (work + once.time) + launches * step_overhead


class Spreads(Struct, frozen=True):
    """How far measured steps lie from predicted ones, each cause by itself."""

    base_spread: Ratio
    expert_spread: Ratio
    sharded_spread: Ratio
    generation_spread: Ratio | None
    unknown_spread: Ratio
    age_spread: Ratio
    offload_spread: Ratio


@derivation(of="Workload", sources=("step-time-corpus",), groups=(Spreads,), kind=estimate())
def step_time_spread(
    experts: Count | None,
    zero_stage: Count,
    predicted_step_time: Duration,
    offload_time: Duration,
    stack_factor: Ratio | None,
    framework_stack_factor: Ratio | None,
    steps_measured: Flag | None,
    recurrent_core_time: Duration,
    of: Spreads,
) -> Ratio:
    """
    Standard deviation of the logarithm of measured over predicted step time. [1]

    Of models that the fit had not seen; more with experts and shared weights, on generations of GPUs that were measured
    little, or where the age of the software is open, and most where either, the very kind of GPU, or Mamba and linear
    attention layers were never measured.
    On top, by its share of the step, the spread of what CPUs take.
    """
    layout = math.hypot(
        of.base_spread, of.expert_spread if experts else 0.0, of.sharded_spread if zero_stage == 3 else 0.0
    )
    gpus = of.generation_spread if of.generation_spread is not None and steps_measured else of.unknown_spread
    unstated = of.unknown_spread if framework_stack_factor is None else of.age_spread
    on_hosts = of.offload_spread * offload_time / predicted_step_time
    unseen = of.unknown_spread if recurrent_core_time else 0.0
    return math.hypot(layout, gpus, unstated if stack_factor is None else 0.0, unseen, on_hosts)


@derivation(of="Workload", sources=("step-time-corpus",), kind=estimate())
def predicted_step_time_low(predicted_step_time: Duration, step_time_spread: Ratio, interval_width: Ratio) -> Duration:
    """
    Lower end of the predicted step time with the stated layout (nine of ten cases are slower). [s]

    Lower end of an interval meant to hold 80 % of measured steps.
    """
    return predicted_step_time * math.exp(-interval_width * step_time_spread)


@derivation(of="Workload", sources=("step-time-corpus",), kind=estimate())
def predicted_step_time_high(predicted_step_time: Duration, step_time_spread: Ratio, interval_width: Ratio) -> Duration:
    """
    Upper end of the predicted step time with the stated layout (nine of ten cases are faster). [s]

    Upper end of an interval meant to hold 80 % of measured steps.
    """
    return predicted_step_time * math.exp(interval_width * step_time_spread)


@derivation(of="Workload", kind=estimate())
def predicted_tokens_per_second(tokens_per_step: Count, predicted_step_time: Duration) -> Rate:
    """
    Predicted tokens per second with the stated layout. [1/s]

    As far as `predicted_step_time` holds.
    """
    return tokens_per_step / predicted_step_time


def utilisation(tokens: Count, flops: Computation, gpus: Count, peak: ComputeRate, step: Duration) -> Ratio:
    """Model FLOPs of a step over what all GPUs could do in its time. [1]"""
    return tokens * flops / (gpus * peak * step)


@derivation(of="Workload", sources=("chowdhery-2022",), kind=estimate())
def predicted_mfu(
    tokens_per_step: Count,
    flops_per_token: Computation,
    gpus: Count,
    peak_compute: ComputeRate,
    predicted_step_time: Duration,
) -> Ratio:
    """
    Predicted model FLOPs utilisation (MFU) with the stated layout. [1]

    Over the dense peak of the precision in use, as targets are stated.
    """
    return utilisation(tokens_per_step, flops_per_token, gpus, peak_compute, predicted_step_time)


@derivation(of="Workload", sources=("chowdhery-2022",), kind=estimate())
def predicted_mfu_low(
    tokens_per_step: Count,
    flops_per_token: Computation,
    gpus: Count,
    peak_compute: ComputeRate,
    predicted_step_time_high: Duration,
) -> Ratio:
    """
    Lower end of the predicted model FLOPs utilisation (MFU) with the stated layout (nine of ten cases are above). [1]

    As `predicted_mfu`.
    """
    return utilisation(tokens_per_step, flops_per_token, gpus, peak_compute, predicted_step_time_high)


@derivation(of="Workload", sources=("chowdhery-2022",), kind=estimate())
def predicted_mfu_high(
    tokens_per_step: Count,
    flops_per_token: Computation,
    gpus: Count,
    peak_compute: ComputeRate,
    predicted_step_time_low: Duration,
) -> Ratio:
    """
    Upper end of the predicted model FLOPs utilisation (MFU) with the stated layout (nine of ten cases are below). [1]

    As `predicted_mfu`.
    """
    return utilisation(tokens_per_step, flops_per_token, gpus, peak_compute, predicted_step_time_low)


@derivation(of="Workload", kind=estimate())
def predicted_training_time(
    tokens: Count, tokens_per_step: Count, predicted_step_time: Duration, targeted_goodput: Ratio | None
) -> Duration | None:
    """
    Predicted time to train on all tokens with the stated layout. [s]

    At the targeted goodput; nothing is lost where the design targets none.
    """
    return _run(tokens, tokens_per_step, predicted_step_time, targeted_goodput)


@derivation(of="Workload", kind=estimate())
def predicted_training_time_low(
    tokens: Count, tokens_per_step: Count, predicted_step_time_low: Duration, targeted_goodput: Ratio | None
) -> Duration | None:
    """
    Lower end of the predicted time to train on all tokens with the stated layout (nine of ten cases take longer). [s]

    As `predicted_training_time`.
    """
    return _run(tokens, tokens_per_step, predicted_step_time_low, targeted_goodput)


@derivation(of="Workload", kind=estimate())
def predicted_training_time_high(
    tokens: Count, tokens_per_step: Count, predicted_step_time_high: Duration, targeted_goodput: Ratio | None
) -> Duration | None:
    """
    Upper end of the predicted time to train on all tokens with the stated layout (nine of ten cases take less). [s]

    As `predicted_training_time`.
    """
    return _run(tokens, tokens_per_step, predicted_step_time_high, targeted_goodput)


def _run(tokens: Count, step: Count, time: Duration, goodput: Ratio | None) -> Duration | None:
    """Time of all steps at a goodput; None where there is none. [s]"""
    share = 1.0 if goodput is None else goodput
    return tokens / step * time / share if share > 0 else None


@derivation(of="Workload", kind=estimate())
def measured_over_predicted(
    measured_step_time: Duration, predicted_step_time: Duration, software_factor: Ratio
) -> Ratio:
    """
    Stack factor with which the predicted step time equals the measured one. [1]

    To be stated as `software_profile: {stack_factor: ...}`, for other layouts of the same job.
    """
    return software_factor * measured_step_time / predicted_step_time
