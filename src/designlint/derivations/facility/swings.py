"""How much of the load moves in step: the GPUs of one synchronous job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.language.units import Count, Power


@derivation(of="Workload", sources=("power-stabilization-2025",))
def synchronous_power(gpus: Count, gpu_power_limit: Power) -> Power:
    """
    Design power of all GPUs of the job. [W]

    All of them compute together and wait together, so that this power swings with every step.
    """
    return gpus * gpu_power_limit
