"""How a job could be split where its own split fits no GPU, no scale-up domain, or not the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation
from designlint.derivations.memory import TRAINS_ALL_PARAMETERS
from designlint.derivations.splits import LARGEST_PIPELINE, Job, Split, best

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.units import Bandwidth, Bytes, Count, Duration


@derivation(of="Workload")
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
    Whether the stated split surely divides or fits something not: GPUs, widths, the scale-up domain or a GPU's memory.

    Judged by what is known of the design.
    """
    uneven = gpus % (tensor * pipeline * context) or (heads or tensor) % tensor or (feed_forward or tensor) % tensor
    need = max(memory_floor or 0, first_stage_memory or 0)
    return bool(uneven) or tensor > (scale_up_domain or tensor) or need > usable_gpu_memory


@derivation(of="Workload", sources=("narayanan-2021", "korthikanti-2022", "zero-2020"))
def fitting_split(
    split_fails: Flag,
    kind: Text,
    offload: Text | None,
    gpus: Count,
    parameters: Count,
    weight_bytes: Bytes,
    gradient_bytes: Bytes,
    optimizer_bytes: Bytes,
    usable_gpu_memory: Bytes,
    tensor: Count,
    pipeline: Count,
    context: Count,
    scale_up_domain: Count | None,
    expert: Count | None,
    expert_tensor: Count | None,
    routed_parameters: Count | None,
    embedding_parameters: Count | None,
    embedding_matrices: Count | None,
    experts: Count | None,
    micro_batch: Count | None,
    global_batch: Count | None,
    zero_stage: Count | None,
    recompute: Text | None,
    sequence_parallel: Flag | None,
    layers: Count | None,
    heads: Count | None,
    kv_heads: Count | None,
    feed_forward: Count | None,
    sequence: Count | None,
    hidden: Count | None,
    activation_bytes: Bytes | None,
    operand_bytes: Bytes | None,
    micro_batch_tokens: Count | None,
    split_activation_memory: Bytes | None,
    flash_attention: Flag | None,
    scale_up_rate: Bandwidth | None,
    network_rate: Bandwidth | None,
    compute_time: Duration | None,
) -> Text | None:
    """
    Tensor, pipeline and expert degree, micro-batch, ZeRO stage, recomputation, sequence parallelism that fit. [1]

    Method: of all degrees that divide the scale-up domain, the layers, the experts, the GPUs and the global batch,
    with the stated micro-batch or a divisor of it, the stated recomputation or more, and optimizer state shared or
    not, the split that loses least time to exchange, idle stages and recomputation among those whose memory fits.
    An estimate that chooses; what is proposed is judged by the exact formulas. Absent where the stated split fits and
    divides, where state is kept in CPU memory, and for jobs that train a part of the parameters.
    """
    if (
        not split_fails
        or kind not in TRAINS_ALL_PARAMETERS
        or offload not in (None, "none")
        or (expert_tensor or 1) > 1
    ):
        return None
    stated = Split(
        tensor, pipeline, expert or 1, micro_batch or 1, zero_stage or 0, recompute or "none", bool(sequence_parallel)
    )
    activation, operand = activation_bytes or 0.0, operand_bytes or 0.0
    inside = (split_activation_memory or 0) * tensor / (micro_batch_tokens or 1)
    job = Job(
        stated=stated,
        gpus=gpus,
        context=context,
        global_batch=global_batch or gpus * stated.micro_batch * LARGEST_PIPELINE,
        memory=usable_gpu_memory,
        domain=scale_up_domain or tensor,
        parameters=parameters,
        routed=routed_parameters or 0,
        layers=layers or 0,
        heads=heads or 0,
        kv_heads=kv_heads or 0,
        feed_forward=feed_forward or 0,
        experts=experts or 0,
        weight=weight_bytes,
        gradient=gradient_bytes,
        optimizer=optimizer_bytes,
        embedding=embedding_parameters or 0,
        embeddings=embedding_matrices or 0,
        sequence=sequence or 0,
        hidden=hidden or 0,
        token_bytes=activation,
        layer_token_bytes=inside,
        score_token_bytes=0.0 if flash_attention else (sequence or 0) * (heads or 0) * (2 * activation + 1),
        norm_token_bytes=(hidden or 0) * (2 * activation + 2 * operand + 2),
        scale_up_rate=scale_up_rate or 0.0,
        network_rate=network_rate or 0.0,
        compute_time=compute_time or 0.0,
    )
    found = best(job)
    return None if found is None or found == stated else " ".join(str(value).lower() for value in found)


def _part(fitting_split: Text, name: str) -> str:
    return fitting_split.split()[Split._fields.index(name)]


@derivation(of="Workload")
def fitting_tensor(fitting_split: Text) -> Count:
    """
    Tensor-parallel degree of a split that fits. [1]

    As `fitting_split`.
    """
    return int(_part(fitting_split, "tensor"))


@derivation(of="Workload")
def fitting_pipeline(fitting_split: Text) -> Count:
    """
    Pipeline degree of a split that fits. [1]

    As `fitting_split`.
    """
    return int(_part(fitting_split, "pipeline"))


@derivation(of="Workload")
def fitting_expert(fitting_split: Text) -> Count:
    """
    Expert-parallel degree of a split that fits. [1]

    As `fitting_split`.
    """
    return int(_part(fitting_split, "expert"))


@derivation(of="Workload")
def fitting_data(fitting_tensor: Count, fitting_pipeline: Count, context: Count, gpus: Count) -> Count:
    """
    Data-parallel ranks of a split that fits. [1]

    As `fitting_split`.
    """
    return gpus // (fitting_tensor * fitting_pipeline * context)


@derivation(of="Workload")
def fitting_micro_batch(fitting_split: Text) -> Count:
    """
    Micro-batch of a split that fits. [1]

    As `fitting_split`.
    """
    return int(_part(fitting_split, "micro_batch"))


@derivation(of="Workload")
def fitting_zero_stage(fitting_split: Text) -> Count:
    """
    ZeRO stage of a split that fits. [1]

    As `fitting_split`.
    """
    return int(_part(fitting_split, "zero_stage"))


@derivation(of="Workload")
def fitting_recompute(fitting_split: Text) -> Text:
    """
    Recomputation of a split that fits.

    As `fitting_split`.
    """
    return _part(fitting_split, "recompute")


@derivation(of="Workload")
def fitting_sequence_parallel(fitting_split: Text) -> Flag:
    """
    Whether a split that fits uses sequence parallelism.

    As `fitting_split`.
    """
    return _part(fitting_split, "sequence_parallel") == "true"
