"""How a job could be split where its own split fits no GPU, no scale-up domain, or not the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate
from designlint.derivations.search.split_facts import Kept, Room, Shape, Stated, job
from designlint.derivations.search.splits import Split, best

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Count


@derivation(of="Workload", kind=estimate())
def split_fails(
    gpus: Count,
    tensor: Count,
    pipeline: Count,
    context: Count,
    scale_up_domain: Count | None,
    heads: Count | None,
    feed_forward: Count | None,
    usable_gpu_memory: Bytes,
    memory_floor: Bytes | None,
    first_stage_memory: Bytes | None,
) -> Flag:
    """
    Whether the stated split does not divide or fit something: GPUs, widths, the scale-up domain or a GPU's memory.

    Judged by what is known of the design.
    """
    uneven = gpus % (tensor * pipeline * context) or (heads or tensor) % tensor or (feed_forward or tensor) % tensor
    need = max(memory_floor or 0, first_stage_memory or 0)
    return bool(uneven) or tensor > (scale_up_domain or tensor) or need > usable_gpu_memory


@derivation(
    of="Workload",
    sources=("narayanan-2021", "korthikanti-2022", "zero-2020"),
    groups=(Stated, Shape, Kept, Room),
    kind=estimate(),
)
def fitting_split(
    split_fails: Flag,
    trains_all_parameters: Flag,
    offload: Text | None,
    stated: Stated,
    shape: Shape,
    kept: Kept,
    room: Room,
) -> Text | None:
    """
    Tensor, pipeline and expert degree, micro-batch, ZeRO stage, recomputation, sequence parallelism that fit. [1]

    Method: of all degrees that divide the scale-up domain, the layers, the experts, the GPUs and the global batch,
    with the stated micro-batch or a divisor of it, the stated recomputation or more, and optimizer state shared or
    not, the split that loses least time to exchange, idle stages and recomputation among those whose memory fits.
    An estimate that chooses; what is proposed is judged by the exact formulas. Absent where the stated split fits and
    divides, where state is kept in CPU memory, and for jobs that train a part of the parameters.
    """
    whole = trains_all_parameters and offload in (None, "none") and (stated.expert_tensor or 1) <= 1
    if not split_fails or not whole:
        return None
    found = best(job(stated, shape, kept, room))
    return None if found is None or found == stated.split else " ".join(str(value).lower() for value in found)


def _part(fitting_split: Text, name: str) -> str:
    return fitting_split.split()[Split._fields.index(name)]


@derivation(of="Workload", kind=estimate())
def fitting_tensor(fitting_split: Text) -> Count:
    """
    Tensor-parallel degree of a split that fits. [1]

    As `fitting_split`.
    """
    return int(_part(fitting_split, "tensor"))


@derivation(of="Workload", kind=estimate())
def fitting_pipeline(fitting_split: Text) -> Count:
    """
    Pipeline degree of a split that fits. [1]

    As `fitting_split`.
    """
    return int(_part(fitting_split, "pipeline"))


@derivation(of="Workload", kind=estimate())
def fitting_expert(fitting_split: Text) -> Count:
    """
    Expert-parallel degree of a split that fits. [1]

    As `fitting_split`.
    """
    return int(_part(fitting_split, "expert"))


@derivation(of="Workload", kind=estimate())
def fitting_data(fitting_tensor: Count, fitting_pipeline: Count, context: Count, gpus: Count) -> Count:
    """
    Data-parallel ranks of a split that fits. [1]

    As `fitting_split`.
    """
    return gpus // (fitting_tensor * fitting_pipeline * context)


@derivation(of="Workload", kind=estimate())
def fitting_micro_batch(fitting_split: Text) -> Count:
    """
    Micro-batch of a split that fits. [1]

    As `fitting_split`.
    """
    return int(_part(fitting_split, "micro_batch"))


@derivation(of="Workload", kind=estimate())
def fitting_zero_stage(fitting_split: Text) -> Count:
    """
    ZeRO stage of a split that fits. [1]

    As `fitting_split`.
    """
    return int(_part(fitting_split, "zero_stage"))


@derivation(of="Workload", kind=estimate())
def fitting_recompute(fitting_split: Text) -> Text:
    """
    Recomputation of a split that fits.

    As `fitting_split`.
    """
    return _part(fitting_split, "recompute")


@derivation(of="Workload", kind=estimate())
def fitting_sequence_parallel(fitting_split: Text) -> Flag:
    """
    Whether a split that fits uses sequence parallelism.

    As `fitting_split`.
    """
    return _part(fitting_split, "sequence_parallel") == "true"
