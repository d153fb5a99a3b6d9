"""What a tenth less of each thing changes: links, kernels, memory, GPUs; and what eight bits do, and failures twice as often."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

from designlint.graph.incremental import Place
from designlint.graph.straight_line import compile_function
from designlint.language.sentences import percent
from designlint.layouts.search import distinct, places, short
from designlint.layouts.space import WORDS
from designlint.planning.failures import recovery, shortest_interval
from designlint.planning.result import PlanChange
from designlint.planning.sizes import Sizes
from designlint.planning.skeleton import ONE, derive_facts, skeleton

if TYPE_CHECKING:
    from designlint.layouts.search import Layout
    from designlint.planning.result import PlanAnswer
    from designlint.planning.sizes import Size
    from designlint.rules.engine import Engine

#: What is taken away of each rate.
LESS = 0.1
#: Layouts that are looked at again with each rate.
TRIED = 20
#: Share by which another layout must be faster to be named.
CLEARLY = 0.01
#: Doublings by which batches differ clearly.
UNLIKE = 0.25
#: Rates of a job, and what they are called. What follows from them is calculated anew.
RATES = {
    "network": ("network_rate",),
    "scale-up links": ("scale_up_rate",),
    "kernels": ("matrix_rate", "wide_rate", "attention_rate"),
    "GPU memory": ("memory_rate",),
}


def changes(answer: PlanAnswer, engine: Engine) -> list[PlanChange]:
    """Each change to a plan, in a fixed order."""
    size, sizes = answer.settled.size, answer.settled.free
    if size is None:
        return []
    found = list(_slower(answer, size, engine))
    if sizes is not None and answer.brief.tokens is not None and (one := _fewer(size, sizes)) is not None:
        found.append(one)
    found += [one for one in (_in_eight_bits(size, sizes), _failing(size)) if one is not None]
    return found


def _slower(answer: PlanAnswer, size: Size, engine: Engine) -> list[PlanChange]:
    """The step with each rate a tenth lower."""
    brief, best = answer.brief, answer.layouts[0]
    words = ONE | {"global_batch": str(best.words["global_batch"])}
    graph = derive_facts(skeleton(brief, size.servers, words), engine).graph
    job = graph.by_class["Workload"][0]
    rates = [Place(job, word) for words in RATES.values() for word in words if job.facts.get(word) is not None]
    step = compile_function(engine.plan, graph, [*places(job), *rates], [Place(job, "predicted_step_time")])
    layouts = distinct(answer.layouts, TRIED)
    found = []
    for name, lower in RATES.items():
        values = [(job.number(one.word) or 0.0) * (1 - LESS * (one.word in lower)) for one in rates]
        times = [step(*(one.words[word] for word in WORDS), *values)[0] or one.cost.step for one in layouts]
        fastest = min(range(len(times)), key=lambda at: (times[at], at))
        overtaken = times[fastest] < times[0] * (1 - CLEARLY) and layouts[0].cost.step <= layouts[fastest].cost.step
        instead = short(layouts[fastest].words) if overtaken else ""
        found.append(PlanChange(f"{percent(LESS)} slower {name}", times[0] / best.cost.step - 1, instead))
    return found


def _fewer(size: Size, sizes: Sizes) -> PlanChange | None:
    """The run on about a tenth fewer GPUs."""
    step = sizes.step(size.servers)
    for servers in range(int(size.servers * (1 - LESS) / step) * step, size.servers // 2, -step):
        one = sizes.at(servers)
        took, before = one.days(sure=False), size.days(sure=False)
        if took is not None and before is not None:
            gone, layouts = 1 - one.gpus / size.gpus, one.candidates.layouts
            what = f"{percent(gone)} fewer GPUs ({one.gpus}{_batches(layouts[0], size.candidates.layouts[0])})"
            return PlanChange(what, took / before - 1, _other(layouts, size))
    return None


def _batches(other: Layout, before: Layout) -> str:
    """That another number of GPUs trains in batches of a clearly different size, which no choice of layout makes up for."""
    own, was = (one.words["global_batch"] for one in (other, before))
    return f", in batches of {own} sequences, not {was}" if abs(log2(own / was)) > UNLIKE else ""


def _in_eight_bits(size: Size, sizes: Sizes | None) -> PlanChange | None:
    """The run in FP8 on as many GPUs, where the brief leaves the number format open and the GPU has it."""
    brief = size.brief
    if sizes is None or brief.tokens is None or "precision" in brief.job or "peak_fp8" not in brief.machine.gpu_figures:
        return None
    one = Sizes(brief.with_job({"precision": "fp8"}), sizes.engine, sizes.progress).at(size.servers)
    took, before = one.days(sure=False), size.days(sure=False)
    if took is None or before is None:
        return None
    return PlanChange("FP8 (`precision: fp8`)", took / before - 1)


def _other(layouts: list[Layout], size: Size) -> str:
    """The layout on fewer GPUs, where it is another than before."""
    same = ("tensor", "pipeline", "context", "expert")
    before = size.candidates.layouts[0].words
    return "" if all(layouts[0].words[one] == before[one] for one in same) else short(layouts[0].words)


def _failing(size: Size) -> PlanChange | None:
    """The run with failures twice as often."""
    job = size.candidates.job
    between = job.number("mtbf")
    if between is None:
        return None
    job.facts["mtbf"] = between / 2
    try:
        shortest = shortest_interval(size.engine, size.candidates.layouts[0].cost.step)
        half = recovery(size.brief, job, shortest, quick=size.recovery.quick)
    finally:
        job.facts["mtbf"] = between
    before, after = size.recovery, half.reached
    if before.reached is None or not after:
        return PlanChange("failures twice as often", before.goodput / half.goodput - 1)
    covered = f"covered by the planned goodput of {percent(before.goodput)}" if after >= before.goodput else ""
    return PlanChange("failures twice as often", before.reached / after - 1, covered=covered)
