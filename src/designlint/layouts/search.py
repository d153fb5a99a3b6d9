"""The layouts of a job that fit, the fastest first, each costed by the derivations that `check` and `why` run."""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import log, prod
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.graph.incremental import Place
from designlint.graph.straight_line import StraightLine
from designlint.layouts.space import WORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.graph.derive import Plan
    from designlint.graph.subjects import Graph, Subject
    from designlint.layouts.space import Space

#: What a step is split into over the GPUs.
DEGREES = ("tensor", "pipeline", "context", "expert")
#: What a GPU keeps where that depends on the router: the sum at an even load.
EVEN_LOAD = ("state_memory", "activation_memory", "gathered_memory", "recompute_memory")


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
    offload: float
    tensor: float
    context: float
    experts: float

    @property
    def waits(self) -> dict[str, float]:
        """What a step loses beside the stages' own work, by name."""
        return {
            "pipeline bubble": self.bubble, "exposed gradient exchange": self.exchange, "optimizer": self.optimizer,
            "optimizer in CPU memory": self.offload,
            "tensor-parallel exchange": self.tensor, "context-parallel exchange": self.context,
            "all-to-all with experts": self.experts,
        }  # fmt: skip

    @property
    def work(self) -> float:
        """Time of the stages' own work."""
        return self.step - sum(self.waits.values())


class Layout(NamedTuple):
    """One layout with its cost."""

    words: dict[str, Any]
    cost: Cost


class PartialLayout(NamedTuple):
    """A layout of which the time of a step or what a GPU keeps is unknown: None."""

    words: dict[str, Any]
    step: float | None
    memory: float | None


def places(job: Subject) -> list[Place]:
    """The words of a job that make a layout."""
    split = job.part("parallelism")
    assert split is not None  # every job has one, stated or not
    return [Place(split, word) for word in WORDS]


class LayoutSearch:
    """
    The layouts of one job of a design that is derived, the fastest that fits first.

    Attributes:
        beyond: whether the layout that was looked at last is known not to fit.
        unpredicted: whether one fits whose time is unknown.
        unknown: whether what one keeps is unknown.
        loose: layouts that fit as far as is known, of which the time of a step or the memory is unknown.
        smallest: of those that do not fit, the one that needs least: its memory, what a GPU can use, its words.
    """

    #: What is asked of each layout, the memory of the most loaded GPU; and of those that fit, time, its interval and parts.
    ROOM = ("memory_per_gpu", "usable_gpu_memory", "memory_floor", *EVEN_LOAD)
    TIME = (
        "predicted_step_time", "predicted_step_time_low", "predicted_step_time_high", "predicted_mfu", "fill_time",
        "exposed_data_time", "optimizer_time", "offload_time", "tensor_wait_time", "context_wait_time", "expert_wait_time",
    )  # fmt: skip

    def __init__(self, plan: Plan, graph: Graph, job: Subject) -> None:
        """
        Args:
            graph: states any layout of the job, derived at least by `steps`; what it states for the words that vary does
                not matter.
        """
        self._job, self._line = job, StraightLine(plan, graph, places(job), steps(plan))
        self.room = self._line.function([Place(job, word) for word in self.ROOM])
        self.beyond = self.unpredicted = self.unknown = False
        self.loose: list[PartialLayout] = []
        self.smallest: tuple[float, float, dict[str, Any]] | None = None

    @cached_property
    def time(self) -> Callable[..., tuple[Any, ...]]:
        """What of each layout that fits; made only where one does."""
        return self._line.function([Place(self._job, word) for word in self.TIME])

    def cost(self, layout: dict[str, Any]) -> Cost | None:
        """What a layout costs; None where it does not fit, or its time or memory is unknown."""
        words = [layout[word] for word in WORDS]
        memory, usable, floor, *even = self.room(*words)
        self.beyond = False
        if memory is None and None not in even:
            memory = sum(even)
        if memory is None or usable is None:
            self.unknown = True
            if None not in (floor, usable) and floor <= usable:
                self.loose.append(PartialLayout(layout, self.time(*words)[0], None))
            return None
        memory = max(memory, floor or 0.0)
        self.beyond = memory > usable
        if self.beyond:
            if self.smallest is None or memory < self.smallest[0]:
                self.smallest = memory, usable, layout
            return None
        step, low, high, mfu, *parts = self.time(*words)
        if step is None:
            self.unpredicted = True
            self.loose.append(PartialLayout(layout, None, memory))
            return None
        return Cost(step, low, high, mfu, memory, usable, *(one or 0.0 for one in parts))

    def rank(self, space: Space) -> list[Layout]:
        """Every layout that fits, the fastest first; of those that are alike in time the one that keeps less."""
        layouts = space.layouts(lambda: self.beyond)
        found = [Layout(words, cost) for words in layouts if (cost := self.cost(words)) is not None]
        return sorted(found, key=lambda one: (one.cost.step, one.cost.memory, *map(str, one.words.values())))


@lru_cache(maxsize=4)
def steps(plan: Plan) -> frozenset[int]:
    """The calculations that lead to what a search asks."""
    return plan.needed_steps({*LayoutSearch.ROOM, *LayoutSearch.TIME})


def groups(words: dict[str, Any]) -> tuple[int, int]:
    """GPUs of the tensor and context group of a layout, and of its expert group."""
    return words["tensor"] * words["context"], words["expert"] * (words["expert_tensor"] or 1)


def domains_spanned(words: dict[str, Any], domain: int) -> int:
    """Scale-up domains that the tensor and context group of a layout reaches, times those of its expert group."""
    return prod(max(1, -(-one // domain)) for one in groups(words))


def preferred_first(layouts: list[Layout], domain: int, slower: float) -> list[Layout]:
    """
    Layouts, the fastest first, but before them one of those hardly slower: it spans fewest scale-up domains, and of these
    its time is the surest.
    """
    near = [one for one in layouts if one.cost.step <= layouts[0].cost.step * (1 + slower)]
    first = min(near, key=lambda one: (domains_spanned(one.words, domain), half_width(one.cost), one.cost.step))
    return [first, *(one for one in layouts if one is not first)]


def half_width(cost: Cost) -> float:
    """Half the width of the interval of a step's time in the logarithm, to a tenth of a percent; 0 where there is none."""
    return round(log(cost.high / cost.low) / 2, 3) if cost.low and cost.high else 0.0


def distinct(layouts: list[Layout], most: int) -> list[Layout]:
    """The best layouts that differ in more than what is kept at the same cost."""
    found: dict[tuple[float, float], Layout] = {}
    for one in layouts:
        found.setdefault((round(one.cost.step, 6), round(one.cost.memory)), one)
        if len(found) == most:
            break
    return list(found.values())


def apart(layouts: list[Layout], near: int, most: int) -> list[Layout]:
    """The best layouts: some that differ in their cost, then those whose groups are of other sizes than all before them."""
    found = distinct(layouts, near)
    seen = {groups(one.words) for one in found}
    for one in layouts:
        if len(found) < most and groups(one.words) not in seen:
            seen.add(groups(one.words))
            found.append(one)
    return found


def of_degrees(layouts: list[Layout], most: int) -> list[Layout]:
    """The best layout of each tensor, pipeline, context and expert degree."""
    found: dict[tuple[Any, ...], Layout] = {}
    for one in layouts:
        found.setdefault(tuple(one.words[word] for word in DEGREES), one)
        if len(found) == most:
            break
    return list(found.values())


def short(words: dict[str, Any], *, kept: bool = True) -> str:
    """A layout in the shorthand of the field, such as `TP8 PP16 VPP8 DP128`; `kept` adds what decides what a GPU keeps."""
    names = {"tensor": "TP", "pipeline": "PP", "virtual_stages": "VPP", "context": "CP", "expert": "EP", "data": "DP"}
    told = [f"{name}{words[word]}" for word, name in names.items() if words[word] > 1]
    more = [f"MBS{words['micro_batch']}", f"ZeRO{words['zero_stage']}", f"recompute {words['recompute']}"]
    return " ".join([*told, *(more if kept or not told else ())])
