"""How often a job saves, whether its design states that as a time or in steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower, upper

if TYPE_CHECKING:
    from designlint.language.units import Count, Duration


@derivation(of="Workload", kind=lower)
def least_steps_interval(
    interval_steps: Count,
    measured_step_time: Duration | None,
    least_step_time: Duration | None,
    least_layers_time: Duration | None,
) -> Duration | None:
    """
    Minimum time of the steps between two stored checkpoints. [s]

    Steps take what was measured, or else as little as the hardware allows; where the vocabulary is unknown, that of the
    layers alone.
    """
    shortest = least_layers_time if least_step_time is None else least_step_time
    step_time = shortest if measured_step_time is None else measured_step_time
    return None if step_time is None else interval_steps * step_time


@derivation(of="Workload", kind=upper)
def most_steps_interval(
    interval_steps: Count, measured_step_time: Duration | None, step_time: Duration | None
) -> Duration | None:
    """
    Maximum time of the steps between two stored checkpoints. [s]

    Steps take what was measured, or else no longer than the targeted utilisation allows.
    """
    longest = step_time if measured_step_time is None else measured_step_time
    return None if longest is None else interval_steps * longest


@derivation(of="Workload", kind=lower)
def least_interval(interval: Duration | None, least_steps_interval: Duration | None) -> Duration | None:
    """
    Minimum time between two stored checkpoints. [s]

    The interval where the design states it as a time, otherwise that of its steps.
    """
    return least_steps_interval if interval is None else interval


@derivation(of="Workload", kind=upper)
def most_interval(interval: Duration | None, most_steps_interval: Duration | None) -> Duration | None:
    """
    Maximum time between two stored checkpoints. [s]

    The interval where the design states it as a time, otherwise that of its steps.
    """
    return most_steps_interval if interval is None else interval
