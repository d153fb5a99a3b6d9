"""How one step is split over GPUs: degrees, micro-batches, stages and the pipeline's idle time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Count


@derivation(of="Placement")
def gpus(
    pool_gpus: Count,
    other_gpus: tuple[Count | None, ...],
    asked_gpus: tuple[Count | None, ...],
    imported: Flag | None,
) -> Count | None:
    """
    GPUs of the job, where the design states none. [1]

    As many as it asks the scheduler for. A job of a design that asks for none takes the whole pool, spares left out, and
    what it takes of further ones; one that was read from a script may take its size from the submit line.
    """
    for asked in asked_gpus:
        if asked is not None:
            return asked
    return None if imported or None in other_gpus else pool_gpus + sum(one or 0 for one in other_gpus)


@derivation(of="Placement")
def own_gpus(gpus: Count, other_gpus: tuple[Count | None, ...]) -> Count | None:
    """
    GPUs of the job in its first pool. [1]

    All that it does not take of further pools. Absent where that is open, or more than the job has.
    """
    rest = gpus - sum(one or 0 for one in other_gpus)
    return None if None in other_gpus or rest < 0 else rest


@derivation(of="Workload")
def servers(gpus: Count, gpus_per_server: Count) -> Count | None:
    """
    Servers of the job. [1]

    Assumes that the job fills its servers, the last one perhaps in part; absent for a pool without GPUs.
    """
    if gpus_per_server < 1:
        return None
    return math.ceil(gpus / gpus_per_server)


@derivation(of="Workload", sources=("narayanan-2021",))
def model_parallel(tensor: Count, pipeline: Count, context: Count) -> Count:
    """
    GPUs that hold one copy of the model. [1]

    Expert parallelism is no factor: it reuses the ranks of the others.
    """
    return tensor * pipeline * context


@derivation(of="Workload", sources=("narayanan-2021",))
def degrees_fill_gpus(stated_data_parallel: Count | None, model_parallel: Count, gpus: Count) -> Flag | None:
    """
    Whether the stated degrees take all GPUs of the job.

    Those that are left out are 1 then, the data-parallel degree among them: GPUs = tensor x pipeline x context x data. Absent
    where that degree is left out and there is room for it.
    """
    if stated_data_parallel is None:
        return True if model_parallel == gpus else None
    return stated_data_parallel * model_parallel == gpus


@derivation(of="Workload")
def context_is_settled(kind: Text, degrees_fill_gpus: Flag | None) -> Flag:
    """
    Whether a context degree that is left out is 1. [1]

    It is for jobs that serve, whose frameworks split no sequence unless told to, and where the stated degrees take all GPUs.
    """
    return kind == "inference" or degrees_fill_gpus is True


@derivation(of="Workload", sources=("narayanan-2021",))
def data_parallel(gpus: Count | None, model_parallel: Count, stated_data_parallel: Count | None) -> Count | None:
    """
    Copies of the model that train side by side. [1]

    As stated where the GPUs are open. Absent where the degrees do not divide the GPUs: no such job starts.
    """
    if gpus is None:
        return stated_data_parallel
    if gpus % model_parallel:
        return None
    return gpus // model_parallel


@derivation(of="Workload", sources=("megatron-core-moe-2026",))
def expert_data_parallel(
    gpus: Count, pipeline: Count, expert: Count, expert_tensor: Count | None, tensor: Count
) -> Count | None:
    """
    Copies of each expert. [1]

    Absent where the expert degrees do not divide the GPUs, and where experts may or may not be split by
    tensor parallelism: frameworks differ in what they do when the design does not say.
    """
    if expert_tensor is None and tensor > 1:
        return None
    if gpus % (pipeline * expert * (expert_tensor or 1)):
        return None
    return gpus // (pipeline * expert * (expert_tensor or 1))


@derivation(of="Workload", sources=("nccl-communicators",))
def communicators(
    tensor: Count,
    pipeline: Count,
    context: Count,
    data_parallel: Count,
    expert: Count,
    expert_data_parallel: Count | None,
) -> Count:
    """
    Groups of GPUs that each GPU exchanges with, each with a communicator and buffers of its own. [1]

    Tensor, pipeline, context, data, expert and expert-data ranks, as far as there are several. Frameworks make more: for
    embeddings, for the norm of the gradient, one for each direction.
    """
    degrees = (
        tensor,
        pipeline,
        context,
        data_parallel * context,
        expert,
        (expert_data_parallel or 1) if expert > 1 else 1,
    )
    return sum(degree > 1 for degree in degrees)


@derivation(of="Workload", sources=("narayanan-2021",))
def micro_batches(global_batch: Count, micro_batch: Count, data_parallel: Count) -> Count | None:
    """
    Micro-batches that one pipeline runs in a step. [1]

    Absent where the global batch does not divide evenly.
    """
    if global_batch % (micro_batch * data_parallel):
        return None
    return global_batch // (micro_batch * data_parallel)


@derivation(of="Workload")
def accumulated_micro_batches(micro_batches: Count, pipeline: Count, kind: Text | None) -> Count | None:
    """
    Micro-batches over which a rank accumulates gradients in a step without a pipeline. [1]

    Absent with a pipeline, where frameworks count differently, and for reinforcement learning, which may take several
    steps on one batch.
    """
    return None if pipeline > 1 or kind == "reinforcement-learning" else micro_batches
