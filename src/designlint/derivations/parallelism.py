"""How one step is split over GPUs: degrees, micro-batches, stages and the pipeline's idle time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.units import Count, Ratio


@derivation(of="Placement")
def gpus(pool_gpus: Count) -> Count:
    """
    GPUs of the job, where the design states none. [1]

    Assumes that the job takes the whole pool, spares left out.
    """
    return pool_gpus


@derivation(of="Workload")
def servers(gpus: Count, gpus_per_server: Count) -> Count | None:
    """
    Servers that the job takes. [1]

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
def data_parallel(gpus: Count, model_parallel: Count) -> Count | None:
    """
    Copies of the model that train side by side. [1]

    Absent where the degrees do not divide the GPUs: no such job starts.
    """
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
def layers_per_stage(layers: Count, pipeline: Count) -> Count:
    """
    Most layers on one pipeline stage. [1]

    Assumes stages as even as the number of layers allows.
    """
    return math.ceil(layers / pipeline)


@derivation(of="Workload", sources=("narayanan-2021",))
def pipeline_bubble(pipeline: Count, micro_batches: Count, virtual_stages: Count) -> Ratio:
    """
    Idle time of the pipeline per ideal time of a step. [1]

    Assumes the 1F1B or the interleaved schedule and stages of equal time; zero-bubble schedules idle less.
    """
    return (pipeline - 1) / (micro_batches * virtual_stages)


@derivation(of="Workload", sources=("korthikanti-2022",))
def micro_batches_in_flight(pipeline: Count, virtual_stages: Count, micro_batches: Count | None) -> Ratio | None:
    """
    Micro-batches whose activations the first pipeline stage keeps at once. [1]

    Assumes the 1F1B or the interleaved schedule. A fraction counts the chunks that interleaving adds, each of
    1 / virtual_stages of a stage. Without pipeline one micro-batch is kept, however many there are.
    """
    if pipeline == 1:
        return 1
    if micro_batches is None:
        return None
    extra = (pipeline - 1) / virtual_stages if virtual_stages > 1 else 0
    return min(micro_batches, pipeline + extra)
