"""What the optimizer adds to a step: on the GPUs, and in the memory of their servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Bandwidth, Bytes, Count, Duration, Rate, Ratio


@derivation(of="Workload", sources=("zero-2020", "step-time-corpus"), kind=estimate())
def optimizer_time(
    other_parameters_held: Ratio,
    expert_parameters_held: Ratio,
    zero_stage: Count,
    state_sharers: Count,
    memory_rate: Bandwidth,
    offload: Text | None,
    stays_on_gpu: Ratio,
    owned_parameter_traffic: Bytes,
    held_parameter_traffic: Bytes,
) -> Duration:
    """
    Time of the optimizer on the GPUs per step. [s]

    Adam's memory traffic, of an optimizer in CPU memory for the share that stays.
    """
    held = other_parameters_held + expert_parameters_held
    owned = held / (state_sharers if zero_stage else 1)
    share = stays_on_gpu if offload == "optimizer" else 1.0
    return (owned_parameter_traffic * share * owned + held_parameter_traffic * held) / memory_rate


@derivation(of="Workload", sources=("deepspeed-core-binding-2025", "deepspeed-cpu-adam-2021"), kind=estimate())
def offload_time(
    other_parameters_held: Ratio,
    expert_parameters_held: Ratio,
    zero_stage: Count,
    state_sharers: Count,
    offload: Text | None,
    stays_on_gpu: Ratio,
    gpus: Count,
    servers: Count,
    host_update_rate: Rate,
) -> Duration:
    """
    Time per step spent waiting for CPUs to update the offloaded parameters. [s]

    Nothing of it hidden: gradients there and weights back are part of the measured rate. 0 where the optimizer stays on
    the GPUs.
    """
    if offload != "optimizer":
        return 0.0
    owned = (other_parameters_held + expert_parameters_held) / (state_sharers if zero_stage else 1)
    return (1 - stays_on_gpu) * owned * gpus / servers / host_update_rate
