"""All ways to split a step over the GPUs of a job that could work, each costed by the derivations that `why` shows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.graph.incremental import Place
from designlint.graph.straight_line import compiled
from designlint.planning.fabric import divisors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.graph.derive import Plan
    from designlint.graph.subjects import Graph, Subject

#: The words of a layout, in the order in which alternatives are listed.
WORDS = (
    "tensor", "pipeline", "virtual_stages", "context", "expert", "expert_tensor", "data", "micro_batch", "zero_stage",
    "recompute", "sequence_parallel", "first_stage_layers", "last_stage_layers",
)  # fmt: skip
#: What a GPU keeps where that depends on the router: the sum at an even load.
EVEN_LOAD = ("state_memory", "activation_memory", "gathered_memory", "recompute_memory")
#: Degrees that published runs stay within.
MOST_PIPELINE, MOST_CONTEXT, MOST_VIRTUAL, MOST_MICRO_BATCH = 64, 32, 12, 8
#: Sequences that context parallelism splits have so many tokens and more; each rank keeps half of them at least.
SHORTEST_CONTEXT = 8192


class Cost(NamedTuple):
    """What a layout needs and how long a step takes; None where that is unknown."""

    step: float
    low: float | None
    high: float | None
    mfu: float | None
    memory: float
    usable: float
    bubble: float
    exchange: float
    optimizer: float

    @property
    def work(self) -> float:
        """Time of the stages' own work, with what they wait for inside a micro-batch."""
        return self.step - self.bubble - self.exchange - self.optimizer


class Layout(NamedTuple):
    """One layout with its cost."""

    words: dict[str, Any]
    cost: Cost


@dataclass(frozen=True, slots=True)
class Space:
    """What a layout may be: the job's numbers that bound it, and the words that a brief fixes."""

    gpus: int
    batch: int
    layers: int
    heads: int
    kv_heads: int
    domain: int
    experts: int
    sequence: int
    fixed: dict[str, Any]

    def layouts(self) -> Iterator[dict[str, Any]]:
        """Every layout whose degrees divide what they split."""
        for tensor, context, pipeline in product(self._tensors(), self._contexts(), self._pipelines()):
            group = tensor * context * pipeline
            if self.gpus % group or self.batch % (ranks := self.gpus // group):
                continue
            for micro in self._micro_batches(self.batch // ranks):
                batches = self.batch // ranks // micro
                if batches < pipeline:
                    continue
                experts = self._experts(self.gpus // pipeline, tensor)
                for (expert, across), virtual in product(experts, self._virtual(pipeline, batches)):
                    yield from self._kept(
                        tensor=tensor, pipeline=pipeline, virtual_stages=virtual, context=context, expert=expert,
                        expert_tensor=across, data=ranks, micro_batch=micro,
                    )  # fmt: skip

    def _kept(self, **degrees: int | None) -> Iterator[dict[str, Any]]:
        """The same split with each way to keep less on a GPU."""
        tensor, pipeline = degrees["tensor"] or 1, degrees["pipeline"] or 1
        alone = degrees["data"] == degrees["context"] == 1
        zeros = self._choice("zero_stage", (0,) if alone else (1,) if pipeline > 1 else (1, 3))
        # With experts the memory that selective recomputation spares depends on which modules are named.
        ways = ("none", "full") if self.experts > 1 else ("none", "selective", "full")
        for zero, recompute in product(zeros, self._choice("recompute", ways)):
            yield {
                **degrees, "zero_stage": zero, "recompute": recompute,
                "sequence_parallel": self.fixed.get("sequence_parallel", tensor > 1), **self._ends(pipeline),
            }  # fmt: skip

    def _ends(self, pipeline: int) -> dict[str, Any]:
        """Layers of the first and last stage, where the layers do not divide: they take fewer than the others."""
        if self.layers % pipeline == 0:
            return {"first_stage_layers": None, "last_stage_layers": None}
        left = self.layers - self._each(pipeline) * (pipeline - 2)
        return {"first_stage_layers": left - left // 2, "last_stage_layers": left // 2}

    def _each(self, pipeline: int) -> int:
        """Layers of a stage in the middle."""
        return -(-self.layers // pipeline)

    def _stageable(self, pipeline: int) -> bool:
        """Whether the layers fill the stages, the first and last with fewer than the others."""
        if self.layers % pipeline == 0:
            return True
        left = self.layers - self._each(pipeline) * (pipeline - 2)
        return pipeline > 1 and left >= 2

    def _choice(self, word: str, values: Sequence[Any]) -> Sequence[Any]:
        return (self.fixed[word],) if word in self.fixed else values

    def _tensors(self) -> Sequence[int]:
        fits = [one for one in divisors(self.domain) if self.heads % one == 0]
        return self._choice("tensor", [one for one in fits if not (self.kv_heads % one and one % self.kv_heads)])

    def _pipelines(self) -> Sequence[int]:
        most = min(MOST_PIPELINE, self.layers)
        return self._choice("pipeline", [one for one in divisors(self.gpus) if one <= most and self._stageable(one)])

    def _contexts(self) -> Sequence[int]:
        long = self.sequence >= SHORTEST_CONTEXT
        fits = [
            one
            for one in divisors(self.gpus)
            if one <= max(1, min(MOST_CONTEXT, 2 * self.sequence // SHORTEST_CONTEXT))
            and self.sequence % (2 * one) == 0
        ]
        return self._choice("context", [one for one in fits if one & (one - 1) == 0] if long else [1])

    def _micro_batches(self, most: int) -> Sequence[int]:
        return self._choice("micro_batch", [one for one in divisors(most) if one <= MOST_MICRO_BATCH])

    def _experts(self, stage: int, tensor: int) -> Sequence[tuple[int, int | None]]:
        """Expert degree and tensor degree of the experts, which divide the GPUs of a stage; experts stay whole if spread."""
        degrees = self._choice("expert", divisors(self.experts))
        if self.experts < 2:
            return [(one, None) for one in degrees]
        split = {one: self._choice("expert_tensor", (1,) if one > 1 else sorted({1, tensor})) for one in degrees}
        return [(one, across) for one in degrees for across in split[one] if stage % (one * across) == 0]

    def _virtual(self, pipeline: int, batches: int) -> Sequence[int]:
        each, ends = self._each(pipeline), self._ends(pipeline).values()
        even = set(ends) in ({None}, {each - 1})  # else the chunks of the ends would differ from the others
        interleaved = pipeline > 1 and batches % pipeline == 0 and even
        chunks = [one for one in divisors(each) if (one <= MOST_VIRTUAL and each // one <= 8) or one == 1]
        return self._choice("virtual_stages", chunks if interleaved else (1,))


class Search:
    """
    The layouts of one job of a design that is derived, the fastest that fits first.

    Attributes:
        unpredicted: whether one fits whose time is unknown.
        unknown: whether what one keeps is unknown.
        smallest: of those that do not fit, the one that needs least: its memory, what a GPU can use, its words.
    """

    #: What is asked of each layout: time, its interval and parts, utilisation, and the memory of the fullest GPU.
    OUTPUTS = (
        "predicted_step_time", "predicted_step_time_low", "predicted_step_time_high", "predicted_mfu", "memory_per_gpu",
        "usable_gpu_memory", "memory_floor", "fill_time", "exposed_data_time", "optimizer_time", *EVEN_LOAD,
    )  # fmt: skip

    def __init__(self, plan: Plan, graph: Graph, job: Subject) -> None:
        """
        Args:
            graph: states any layout of the job; what it states for the words that vary does not matter.
        """
        split = job.facts["parallelism"]
        inputs = [Place(split, word) for word in WORDS]  # type: ignore[arg-type]
        self.calculate = compiled(plan, graph, inputs, [Place(job, word) for word in self.OUTPUTS])
        self.unpredicted = self.unknown = False
        self.smallest: tuple[float, float, dict[str, Any]] | None = None

    def cost(self, layout: dict[str, Any]) -> Cost | None:
        """What a layout costs; None where it does not fit, or its time or memory is unknown."""
        step, low, high, mfu, memory, usable, floor, *others = self.calculate(*(layout[word] for word in WORDS))
        parts, even = others[:3], others[3:]
        if memory is None and None not in even:
            memory = sum(even)
        if memory is None or usable is None:
            self.unknown = True
            return None
        memory = max(memory, floor or 0.0)
        if memory > usable:
            self.smallest = min(
                (self.smallest or (memory, usable, layout)), (memory, usable, layout), key=lambda one: one[0]
            )
            return None
        if step is None:
            self.unpredicted = True
            return None
        return Cost(step, low, high, mfu, memory, usable, *(one or 0.0 for one in parts))

    def ranked(self, space: Space) -> list[Layout]:
        """Every layout that fits, the fastest first; of those that are alike in time the one that keeps less."""
        found = [Layout(words, cost) for words in space.layouts() if (cost := self.cost(words)) is not None]
        return sorted(found, key=lambda one: (one.cost.step, one.cost.memory, *map(str, one.words.values())))


def distinct(layouts: list[Layout], most: int) -> list[Layout]:
    """The best layouts that differ in more than what is kept at the same cost."""
    found: dict[tuple[float, float], Layout] = {}
    for one in layouts:
        found.setdefault((round(one.cost.step, 6), round(one.cost.memory)), one)
        if len(found) == most:
            break
    return list(found.values())


def of_degrees(layouts: list[Layout], most: int) -> list[Layout]:
    """The best layout of each tensor, pipeline, context and expert degree."""
    found: dict[tuple[Any, ...], Layout] = {}
    for one in layouts:
        found.setdefault(tuple(one.words[word] for word in ("tensor", "pipeline", "context", "expert")), one)
        if len(found) == most:
            break
    return list(found.values())


def short(words: dict[str, Any]) -> str:
    """A layout in the shorthand of the field, such as `TP8 PP16 VPP8 DP128`."""
    names = {"tensor": "TP", "pipeline": "PP", "virtual_stages": "VPP", "context": "CP", "expert": "EP", "data": "DP"}
    told = [f"{name}{words[word]}" for word, name in names.items() if words[word] > 1]
    return " ".join(
        [*told, f"MBS{words['micro_batch']}", f"ZeRO{words['zero_stage']}", f"recompute {words['recompute']}"]
    )
