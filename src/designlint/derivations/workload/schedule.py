"""How a pipeline works: layers of its stages, micro-batches that they keep, time that they wait."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Count, Ratio

#: Schedules whose kept micro-batches are fixed by their definition.
PLAIN = frozenset({"megatron", "nemo", "deepspeed"})
FIXED = frozenset({"gpipe", "1f1b", "interleaved", "dualpipe"})
#: Schedules whose stages are one model chunk each, by their definition.
WHOLE = frozenset({"gpipe", "1f1b"})


@derivation(of="Workload", sources=("megatron-lm", "deepspeed-docs"))
def pipeline_schedule(
    schedule: Text | None, framework: Text | None, pipeline: Count, virtual_stages: Count
) -> Text | None:
    """
    Pipeline schedule.

    What the design states; otherwise Megatron has 1F1B, and its interleaved form with virtual stages, and DeepSpeed has
    1F1B. Unknown for other frameworks.
    """
    if pipeline == 1 or schedule is not None:
        return schedule
    if framework in ("megatron", "nemo"):
        return "interleaved" if virtual_stages > 1 else "1f1b"
    return "1f1b" if framework == "deepspeed" else None


@derivation(of="Workload", sources=("narayanan-2021", "deepspeed-docs"))
def whole_stages(schedule: Text | None, framework: Text | None) -> Flag:
    """
    Whether each pipeline stage is one model chunk by the definition of its schedule. [1]

    GPipe and 1F1B have no chunks, and DeepSpeed has no interleaved schedule.
    """
    return schedule in WHOLE or (schedule is None and framework == "deepspeed")


@derivation(of="Workload")
def layers_per_stage(
    layers: Count, pipeline: Count, first_stage_layers: Count | None, last_stage_layers: Count | None
) -> Count | None:
    """
    Maximum number of layers on one pipeline stage. [1]

    Stages whose layers the design does not state are as even as the rest of the layers allows. Absent where the
    stated ones hold more layers than there are.
    """
    if pipeline == 1:
        return layers
    stated = [one for one in (first_stage_layers, last_stage_layers) if one is not None]
    rest, others = layers - sum(stated), pipeline - len(stated)
    if rest < 0 or (others == 0 and rest):
        return None
    return max([*stated, math.ceil(rest / others)] if others else stated)


@derivation(of="Workload")
def layers_on_first_stage(layers_per_stage: Count, first_stage_layers: Count | None, pipeline: Count) -> Count:
    """
    Layers on the first pipeline stage. [1]

    As many as on the fullest where the design does not say.
    """
    return layers_per_stage if first_stage_layers is None or pipeline == 1 else first_stage_layers


@derivation(of="Workload")
def even_layers(layers: Count, pipeline: Count, uneven_stages: Flag | None) -> Flag:
    """
    Whether every stage can hold equally many layers, and is not said to hold others.

    Assumes so where the layers divide evenly and the design does not say otherwise.
    """
    return layers % pipeline == 0 and not uneven_stages


@derivation(of="Workload")
def chunk_layers(layers: Count, pipeline: Count, virtual_stages: Count, even_layers: Flag) -> Count | None:
    """
    Layers of one model chunk that the virtual stages make. [1]

    Absent without virtual stages, and where the chunks do not hold equally many layers.
    """
    chunks = pipeline * virtual_stages
    return layers // chunks if virtual_stages > 1 and even_layers and layers % chunks == 0 else None


@derivation(of="Workload")
def layout_known(
    pipeline: Count, first_stage_layers: Count | None, uneven_stages: Flag | None, framework: Text | None
) -> Flag:
    """
    Whether it is certain how many layers the first stage holds.

    Without a pipeline, where the design says it, or says that stages are even, which Megatron's are unless told
    otherwise.
    """
    if pipeline == 1 or first_stage_layers is not None or uneven_stages is False:
        return True
    return framework in ("megatron", "nemo") and not uneven_stages


@derivation(of="Workload", sources=("narayanan-2021", "zero-bubble-2023", "dualpipe-2025"), kind=estimate())
def pipeline_bubble(
    pipeline: Count, micro_batches: Count, virtual_stages: Count, pipeline_schedule: Text | None
) -> Ratio:
    """
    Idle time of the pipeline divided by the ideal time of a step. [1]

    Assumes stages of equal time and a backward pass twice as long as the forward one, and where the schedule is open
    1F1B or its interleaved form. Zero-bubble schedules split the backward pass and wait a third; DualPipe feeds the
    pipeline from both ends.
    """
    waits = {"zero-bubble": (pipeline - 1) / 3, "zero-bubble-v": 0.0, "dualpipe": (pipeline / 2 - 1) * 2 / 3}
    chunks = virtual_stages if pipeline_schedule in (None, "interleaved") else 1
    return max(0.0, waits.get(pipeline_schedule or "", (pipeline - 1) / chunks)) / micro_batches


@derivation(of="Workload", sources=("narayanan-2021",), kind=lower.because("of an open schedule it counts nothing"))
def least_pipeline_bubble(
    pipeline: Count, pipeline_bubble: Ratio | None, pipeline_schedule: Text | None
) -> Ratio | None:
    """
    Minimum idle time of the pipeline divided by the ideal time of a step. [1]

    That of the schedule where it is 1F1B, its interleaved form or GPipe; otherwise nothing: some schedules hardly wait.
    """
    certain = pipeline_schedule in ("1f1b", "interleaved", "gpipe")
    return pipeline_bubble if pipeline > 1 and certain else 0.0


@derivation(of="Workload", sources=("korthikanti-2022", "zero-bubble-2023", "dualpipe-2025"), kind=estimate())
def micro_batches_in_flight(
    pipeline: Count, virtual_stages: Count, micro_batches: Count | None, pipeline_schedule: Text | None
) -> Ratio | None:
    """
    Micro-batches whose activations the first pipeline stage keeps at once. [1]

    Assumes 1F1B or its interleaved form where the schedule is open. A fraction counts the chunks that interleaving
    adds, each of 1 / virtual_stages of a stage. GPipe keeps all, DualPipe one more than it has stages, zero-bubble
    schedules as many as 1F1B. Without pipeline one micro-batch is kept, however many there are.
    """
    if pipeline == 1:
        return 1
    if micro_batches is None:
        return None
    if pipeline_schedule == "gpipe":
        return micro_batches
    if pipeline_schedule == "dualpipe":
        return min(micro_batches, pipeline + 1)
    chunks = virtual_stages if pipeline_schedule in (None, "interleaved") else 1
    extra = (pipeline - 1) / chunks if chunks > 1 else 0
    return min(micro_batches, pipeline + extra)


@derivation(of="Workload", kind=lower.because("of an open schedule it counts one"))
def least_micro_batches_in_flight(
    pipeline: Count,
    micro_batches_in_flight: Ratio | None,
    micro_batches: Count | None,
    pipeline_schedule: Text | None,
    first_stage_layers: Count | None,
) -> Ratio | None:
    """
    Minimum number of micro-batches whose activations the first pipeline stage keeps at the same time. [1]

    One where the schedule is open. Where the first stage holds fewer layers than the rest, the chunk that is
    missing may be the one that interleaving keeps more of.
    """
    if pipeline == 1 or pipeline_schedule not in FIXED:
        return 1
    if micro_batches_in_flight is None or micro_batches is None:
        return None
    return micro_batches_in_flight if first_stage_layers is None else min(micro_batches_in_flight, pipeline)


@derivation(of="Workload", sources=("korthikanti-2022",), kind=lower.because("interleaving only adds to 1F1B"))
def fewest_micro_batches_in_flight(
    pipeline: Count, micro_batches: Count | None, schedule: Text | None, framework: Text | None
) -> Count | None:
    """
    Micro-batches whose activations the first pipeline stage keeps at once, however many chunks a stage has. [1]

    As many as stages under 1F1B, which interleaving only adds to, and no fewer under GPipe and DualPipe; Megatron and DeepSpeed
    have no other schedules. One without a pipeline. Absent where the schedule is open.
    """
    if pipeline == 1:
        return 1
    known = schedule in FIXED or (schedule is None and framework in PLAIN)
    return min(micro_batches, pipeline) if known and micro_batches is not None else None


@derivation(of="Workload", sources=("korthikanti-2022",), kind=estimate())
def second_micro_batches_in_flight(
    pipeline: Count, virtual_stages: Count, micro_batches: Count, pipeline_schedule: Text | None
) -> Ratio | None:
    """
    Micro-batches whose activations the second pipeline stage keeps at the same time. [1]

    One less than the first under 1F1B, two chunks less where stages are interleaved. Absent without such a stage and
    for other schedules.
    """
    if pipeline < 3 or pipeline_schedule not in (None, "1f1b", "interleaved"):
        return None
    extra = (pipeline - 3) / virtual_stages if virtual_stages > 1 else -1
    return min(micro_batches, pipeline + extra)


@derivation(of="Workload", sources=("korthikanti-2022",), kind=estimate())
def last_micro_batches_in_flight(
    pipeline: Count, virtual_stages: Count, micro_batches: Count | None, pipeline_schedule: Text | None
) -> Ratio | None:
    """
    Micro-batches whose activations the last pipeline stage keeps at the same time. [1]

    Assumes the 1F1B schedule, which keeps one, or the interleaved schedule, which runs all but one chunk ahead, where
    the schedule is open; absent for schedules other than these.
    """
    if pipeline == 1 or (virtual_stages == 1 and pipeline_schedule in (None, "1f1b")):
        return 1
    if micro_batches is None or pipeline_schedule not in (None, "interleaved"):
        return None
    return min(micro_batches, (pipeline * (virtual_stages - 1) + 1) / virtual_stages)
