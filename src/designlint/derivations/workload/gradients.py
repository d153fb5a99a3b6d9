"""When gradients are in memory: from the start, or only once a backward pass has made them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, upper

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Count, Ratio

#: Frameworks that allocate the buffers of all gradients before they train.
BUFFERED = frozenset({"megatron", "nemo", "deepspeed"})


@derivation(of="Workload", sources=("megatron-lm", "zero-2020", "torchtune"))
def gradients_stay(framework: Text | None, micro_batches: Count | None, pipeline: Count) -> Flag:
    """
    Whether all gradients are surely in memory while all activations of a micro-batch are.

    Megatron and DeepSpeed allocate them once. Elsewhere the first backward pass of a step makes them, while it frees activations;
    further micro-batches and pipeline stages find them there. A single micro-batch needs less than the sum of both.
    """
    return framework in BUFFERED or pipeline > 1 or (micro_batches or 1) > 1


@derivation(
    of="Workload", sources=("torchtune",), kind=upper.because("it is what the floor of the state counts of gradients")
)
def late_gradient_memory(
    gradients_stay: Flag,
    trains_all_parameters: Flag,
    gradient_bytes: Bytes | None,
    zero_stage: Count | None,
    least_held_parameters: Count,
    least_owned_parameters: Ratio,
    offload: Text | None,
) -> Bytes:
    """
    Gradients counted in the least state of a GPU that may not exist yet when its activations take most. [B]

    0 where they surely stay, where none are counted, and where some state is offloaded.
    """
    if gradients_stay or not trains_all_parameters or gradient_bytes is None or offload in ("optimizer", "weights"):
        return 0.0
    whole = zero_stage is not None and zero_stage < 2
    return gradient_bytes * (least_held_parameters if whole else least_owned_parameters)
