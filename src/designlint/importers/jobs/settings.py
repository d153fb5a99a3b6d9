"""Files that only set variables for a launcher elsewhere, as MLPerf submissions and benchmark kits do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, How, Value, Words, put, whole
from designlint.importers.megatron import arguments, names
from designlint.importers.shell.options import FLAG, name_arguments
from designlint.importers.shell.pieces import fields, flat, value
from designlint.importers.slurm import times
from designlint.importers.workloads import YES, count, get, merge

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.shell.expansion import Scope
    from designlint.importers.shell.options import Argument
    from designlint.importers.shell.pieces import Text

COUNTS = {
    "job/servers": "DGXNNODES NNODES NUM_NODES",
    "job/gpus_per_server": "DGXNGPU GPUS_PER_NODE NGPUS_PER_NODE",
    "job/tasks_per_server": "TASKS_PER_NODE NTASKS_PER_NODE",
    "job/cpus_per_task": "CPUS_PER_TASK",
    "job/segment": "SEGMENT",
    "parallelism/tensor": "TENSOR_MODEL_PARALLEL TENSOR_MODEL_PARALLEL_SIZE TP",
    "parallelism/pipeline": "PIPELINE_MODEL_PARALLEL PIPELINE_MODEL_PARALLEL_SIZE PP",
    "parallelism/context": "CONTEXT_PARALLEL CONTEXT_PARALLEL_SIZE CP",
    "parallelism/expert": "EXPERT_MODEL_PARALLEL EXPERT_MODEL_PARALLEL_SIZE EP",
    "parallelism/virtual_stages": "INTERLEAVED_PIPELINE VIRTUAL_PIPELINE_MODEL_PARALLEL",
    "parallelism/micro_batch": "MICRO_BATCH_SIZE MBS",
    "parallelism/gradient_accumulation": "GRADIENT_STEPS",
    "parallelism/global_batch": "GLOBAL_BATCH_SIZE GBS",
    "targets/steps": "MAX_STEPS",
}
#: Arguments that are understood, from which on variables hold a job's.
LEAST = 3
FLAGS = {"parallelism/sequence_parallel": "SEQ_PARALLEL"}
#: Flags under names that other files give to degrees, and how the variables of MLPerf's machines begin.
SHORT, MACHINE = {"parallelism/sequence_parallel": "SP"}, "DGX"


def fill(words: Words, variables: Mapping[str, Text], found: Fragment) -> None:
    """The words of well-known variables."""
    given = {name: one for name, text in variables.items() if (one := value(text)) is not None and one.text}
    for path, spellings in COUNTS.items():
        put(words, path, count(_first(given, spellings)))
    of_mlperf = any(name.startswith(MACHINE) for name in given)
    for path, spellings in (*FLAGS.items(), *(SHORT.items() if of_mlperf else ())):
        flag = _first(given, spellings)
        put(words, path, flag and flag.but(flag.text.lower() in YES, "", flag.how))
    limit = given.get("WALLTIME")
    seconds = times.seconds(limit.text) if limit is not None else None
    put(words, "job/walltime", limit.but(times.duration(seconds), "", limit.how) if limit and seconds else None)
    if given.get("USE_DIST_OPTIMIZER") is not None and given["USE_DIST_OPTIMIZER"].text.lower() in YES:
        put(words, "parallelism/zero_stage", given["USE_DIST_OPTIMIZER"].but(1, "the distributed optimizer is ZeRO 1"))
    fp8 = given.get("FP8")
    if fp8 is not None and fp8.text.lower() in YES:
        put(words, "precision/matmul", fp8.but("fp8", "FP8").as_text())
    _accumulation(words, given)
    found.fact("sequences of one data-parallel rank", given.get("MINIBS"))
    _batch(words, given)


def loose(words: Words, scope: Scope) -> None:
    """Arguments in variables for a command that stands elsewhere, or that is not known; those that differ stay unknown."""
    given: dict[str, Value | None] = {}
    for listed in (*map(list, map(fields, scope.variables.values())), *scope.arrays.values()):
        found: dict[str, Argument] = {}
        if listed and FLAG.match(flat(listed[0])):
            name_arguments(listed, found)
        for name, one in found.items():
            known = given.get(name, one.value)
            alike = known is not None and one.value is not None and known.text == one.value.text
            given[name] = known if alike else None
    stated = {name: one for name, one in given.items() if one is not None}
    if len(names.understood() & stated.keys()) >= LEAST:
        merge(words, arguments.words(stated))


def _first(given: Mapping[str, Value], names: str) -> Value | None:
    return next((given[name] for name in names.split() if name in given), None)


def _accumulation(words: Words, given: Mapping[str, Value]) -> None:
    """MLPerf's BERT states what a GPU takes in a step, and in how many parts."""
    total, steps = count(given.get("BATCHSIZE")), whole(get(words, "parallelism/gradient_accumulation"))
    if total is not None and steps and (whole(total) or 0) % steps == 0:
        put(words, "parallelism/micro_batch", total.but((whole(total) or 0) // steps, f"{total.text} / {steps} steps"))


def _batch(words: Words, given: Mapping[str, Value]) -> None:
    """MLPerf states the batch of one data-parallel rank: the rest follows where all degrees are known."""
    each = count(given.get("MINIBS"))
    servers, gpus = get(words, "job/servers"), get(words, "job/gpus_per_server")
    degrees = [get(words, f"parallelism/{one}") for one in ("tensor", "pipeline", "context")]
    if each is None or servers is None or gpus is None or degrees[0] is None or degrees[1] is None:
        return
    shared = 1
    for degree in degrees:
        shared *= whole(degree) or 1
    total = (whole(servers) or 0) * (whole(gpus) or 0)
    if shared and total % shared == 0 and degrees[2] is not None:
        data = total // shared
        put(
            words,
            "parallelism/global_batch",
            each.but((whole(each) or 0) * data, f"{each.text} x {data} data-parallel ranks", How.DERIVED),
        )
