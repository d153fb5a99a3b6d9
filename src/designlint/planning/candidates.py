"""The layouts of a brief that fit, the fastest first, and why there may be none."""

from __future__ import annotations

from math import ceil, lcm, prod
from typing import TYPE_CHECKING, Any

from designlint.derivations.workload.placement import STATE
from designlint.language.sentences import percent
from designlint.layouts.jobs import MEMORY_RULE, SHAPE, fact
from designlint.layouts.search import EVEN_LOAD, Layout, LayoutSearch, preferred_first, short, steps
from designlint.layouts.space import Space
from designlint.planning import cluster, networks
from designlint.planning.choices import choices
from designlint.planning.document import Chosen
from designlint.planning.lacking import explain_lack, explain_unplanned, stated_words
from designlint.planning.rounding import batch
from designlint.planning.skeleton import ONE, derive_facts, skeleton
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.graph.subjects import Subject
    from designlint.planning.brief import Brief
    from designlint.rules.engine import Engine

#: The rule that limits the tokens of a step.
BATCH_RULE = "parallelism/batch-beyond-published"
#: Degrees whose product divides the GPUs of a job.
SPLIT = ("tensor", "context", "pipeline")
#: What a layout needs beside memory.
TIME = ("predicted_step_time",)
#: How often the batch is doubled where no layout of a smaller one works.
DOUBLINGS = 6
#: How often it is doubled where GPUs are idle for want of work, and the share of time that each time must save.
MORE, LEAST_GAIN = 3, 0.1
#: Share of a step that a layout may be slower than the fastest where its groups reach fewer domains, or its time is surer.
HARDLY = 0.02
#: The rule on what GPUs of recent classes reach, and the formats that it is about.
NEWER_GPUS, LONG_FORMATS = "compute/mfu-beyond-newer-gpus", ("bf16", "fp16")


class Candidates:
    """
    The layouts of one brief on one number of servers.

    Attributes:
        layouts: those that fit, the fastest first, but before them one that is hardly slower and preferred.
        why: where there is none, what is in conflict.
        unpredicted, unknown: whether only the time of a step, or even what a layout keeps, is unknown.
        unjoined: whether no network joins the servers.
        beyond_memory: whether there is none because no layout leaves a GPU with what it can hold.
    """

    def __init__(self, brief: Brief, servers: int, engine: Engine, *, over_pcie: bool = False) -> None:
        """
        Args:
            over_pcie: whether the GPUs of a server may share tensors over PCIe.
        """
        self.brief, self.servers, self.engine, self.over_pcie = brief, servers, engine, over_pcie
        self.gpus = brief.gpus or servers * brief.gpus_per_server
        self.job = derive_facts(skeleton(brief, servers), engine).graph.by_class["Workload"][0]
        self.layouts: list[Layout] = []
        self.unpredicted = self.unknown = self.beyond_memory = False
        self.unjoined = networks.fabrics(brief, servers, cluster.spares(brief, servers)) is None
        self.why = self._impossible()
        if not self.why:
            self._search()

    @property
    def only_pcie(self) -> bool:
        """Whether GPUs of a server reach others only over PCIe."""
        return int(fact(self.job, "scale_up_domain") or self.brief.gpus_per_server) < self.brief.gpus_per_server

    @property
    def crowded(self) -> str:
        """Why memory is in the way of every layout, or of every one with room to spare; empty where it is not."""
        if self.beyond_memory:
            return self.why
        one = self.layouts[0].cost if self.layouts else None
        if one is None or one.memory <= one.usable * self._limit(MEMORY_RULE):
            return ""
        return (
            f"the layout with the lowest memory use takes {percent(one.memory / one.usable)} of the usable GPU memory"
        )

    def why_batch(self, layout: Layout) -> str:
        """Why a layout has its batch, in a few words."""
        tokens = layout.words["global_batch"] * layout.words["sequence"]
        usual = self._batch_tokens(int(fact(self.job.facts["model"], "experts") or 1))
        told = f"{tokens / 1e6:.3g} M tokens"
        published = "as in published fine-tuning" if self._tunes else "as in published runs of this size"
        return (
            f"{told}; with {usual / 1e6:.3g} M, {published}, GPUs lack work"
            if tokens > 2 * usual
            else f"{told}, {published}"
        )

    def _impossible(self) -> str:
        """Why no layout at all can work; empty where one could."""
        total, usable = self.job.number("state_memory_total"), self.job.number("usable_gpu_memory")
        if self.unjoined:
            switch = self.brief.hardware["switches"][-1]
            return f"three tiers of {switch} cannot connect {self.servers} servers, even with one plane per rail"
        if undivided := self._explain_undivided():
            return undivided
        if fact(self.job.facts.get("parallelism"), "offload") in STATE:
            return self._beyond_servers()
        if total is None or usable is None or total <= usable * self.gpus:
            return ""
        self.beyond_memory = True
        return too_little(total, usable, self.gpus, self._bytes)

    def _explain_undivided(self) -> str:
        """That the stated degrees do not divide the GPUs; empty where they do."""
        stated = {
            name: value for name, value in self._fixed_words().items() if name in SPLIT and isinstance(value, int)
        }
        if self.gpus % (group := prod(stated.values())) == 0:
            return ""
        told = ", ".join(f"{name} {value}" for name, value in stated.items())
        return f"the stated layout ({told}) needs a multiple of {group} GPUs; {self.gpus} is not one"

    def _beyond_servers(self) -> str:
        """That the CPU memory of the servers does not hold what the GPUs leave to it; empty where it could."""
        needed, memory = self.job.number("offloaded_memory"), self.job.number("host_memory")
        share = self.brief.number(choices()["offloaded"]["most"], "Ratio")
        if needed is None or memory is None or needed <= memory * share:
            return ""
        self.beyond_memory = True
        return (
            f"optimizer state needs {self._bytes(needed)} of CPU memory per server; at most {percent(share)} of its "
            f"{self._bytes(memory)} may be used"
        )

    def _search(self) -> None:
        """Fills in the layouts of the smallest batch that has any, or why none works."""
        shape, fixed = self._shape(), self._fixed_words()
        stated = int(fixed.pop("global_batch", 0))
        tokens, sequence = self._batch_tokens(int(shape["experts"] or 1)), int(shape["sequence"])
        least = int(fixed.get("micro_batch", 1)) * int(fixed.get("data", 1))
        target = stated or batch(tokens, sequence, lcm(self.gpus, least))
        domain = min(int(fact(self.job, "scale_up_domain") or self.brief.gpus_per_server), self.gpus)
        within = min(self.brief.gpus_per_server, self.gpus) if self.over_pcie else domain
        published = self._limit(BATCH_RULE) / sequence
        searches: list[LayoutSearch] = []
        for doubled in range(1 if stated else DOUBLINGS):
            space = Space(
                self.gpus, target << doubled, int(shape["layers"]), int(shape["heads"]),
                int(shape["kv_heads"] or shape["heads"]), within, int(shape["experts"] or 1), int(shape["sequence"]), fixed,
                int(shape["feed_forward"] or 0), str(fact(self.job, "framework") or ""),
                str(fact(self.job.facts.get("precision"), "matmul") or ""),
            )  # fmt: skip
            found, search = self._rank(space)
            searches.append(search)
            better = found and (not self.layouts or per_token(found[0]) < per_token(self.layouts[0]) * (1 - LEAST_GAIN))
            if better:
                self.layouts = preferred_first(found, domain, HARDLY)
            full = busy(found[0]) and (target << doubled) * sequence >= tokens if found else False
            enough = not better or doubled + 1 >= MORE or full or (target << doubled + 1) > published
            if search.unpredicted or (self.layouts and enough):
                break
        if self.layouts:
            return
        self.why = self._unfound(searches, target, target << (len(searches) - 1))

    def _shape(self) -> dict[str, Any]:
        """What of the model bounds the degrees. Raises UsageError where it is unknown."""
        model = self.job.facts["model"]
        shape = {name: fact(model, name) for name in SHAPE}
        lacking = ", ".join(name for name in ("layers", "heads", "sequence") if not shape[name])
        if lacking:
            raise UsageError(f"the search for layouts needs the model's {lacking}")
        return shape

    def _fixed_words(self) -> dict[str, Any]:
        """The words of the layout that the brief states."""
        return stated_words(self.brief)

    def _batch_tokens(self, experts: int) -> float:
        """Tokens of one step in published runs of this size."""
        parameters = float(fact(self.job.facts["model"], "parameters") or fact(self.job, "parameters") or 0)
        sizes = choices()["batch_tokens"]
        if self._tunes:
            return float(choices()["fine_tuning_batch"]["tokens"])
        size = next((one for one in sizes if parameters <= float(one["parameters"])), sizes[-1])
        return float(size["with_experts" if experts > 1 else "tokens"])

    def _rank(self, space: Space) -> tuple[list[Layout], LayoutSearch]:
        """The layouts of one batch that leave a GPU room; where none does, those that fit at all."""
        design = skeleton(self.brief, self.servers, ONE | {"global_batch": str(space.batch)})
        graph = derive_facts(design, self.engine, steps(self.engine.plan)).graph
        most = self._limit(MEMORY_RULE)
        search = LayoutSearch(self.engine.plan, graph, graph.by_class["Workload"][0])
        found = search.rank(space)
        for one in found:
            one.words.update(global_batch=space.batch, sequence=space.sequence)
        return [one for one in found if one.cost.memory <= one.cost.usable * most] or found, search

    @property
    def _tunes(self) -> bool:
        """Whether the job fine-tunes, in steps that are far smaller than those of pre-training."""
        return self.job.facts.get("kind") == "fine-tuning"

    def _limit(self, rule: str) -> float:
        """The most that a rule allows."""
        return float(self.engine.rules[rule].texts.limits["most"].value)

    def _unfound(self, searches: list[LayoutSearch], least: int, most: int) -> str:
        """What keeps every layout from working."""
        batches = f"{least} sequences" if least == most else f"{least} to {most} sequences"
        self.unpredicted = any(one.unpredicted for one in searches)
        self.unknown = any(one.unknown for one in searches) and not any(one.smallest for one in searches)
        if (self.unpredicted or self.unknown) and (why := explain_unplanned(self.job)):
            return why
        if self.unpredicted:
            return f"layouts fit, but their step time is not known: {explain_lack(self.brief, self.servers, self.engine, TIME)}"
        if self.unknown:
            return f"the memory per GPU is not known: {explain_lack(self.brief, self.servers, self.engine, EVEN_LOAD)}"
        tight = min((one.smallest for one in searches if one.smallest), default=None, key=lambda one: one[0])
        if tight is None:
            stated = ", ".join(f"{name} {value}" for name, value in self._fixed_words().items())
            return (
                f"no layout{f' with {stated}' if stated else ''} suits {self.gpus} GPUs: its degrees must divide the GPUs, the "
                f"model's layers and heads, and the batch of {batches}, with a micro-batch for each pipeline stage; try a larger "
                "`global_batch` or another number of GPUs"
            )
        self.beyond_memory = True
        need, usable, words = tight
        return (
            f"of all layouts on {self.gpus} GPUs, {short(words)} needs the least memory: {self._bytes(need)} per GPU, but only "
            f"{self._bytes(usable)} is usable"
        )

    def _bytes(self, amount: float) -> str:
        """An amount of memory, in the units that all amounts of a sentence have."""
        return self.brief.vocabulary.units.format(amount, "Bytes", decimal=True)


def too_little(total: float, usable: float, gpus: int, told: Callable[[float], str]) -> str:
    """That all GPUs together do not hold what training keeps."""
    hold = "one GPU has" if gpus == 1 else f"all {gpus} GPUs have"
    return (
        f"weights, gradients and optimizer state need {told(total)}, but {hold} {told(usable * gpus)}; at least "
        f"{ceil(total / usable)} of these GPUs are needed"
    )


def per_token(layout: Layout) -> float:
    """Time for one sequence, in seconds."""
    return float(layout.cost.step / layout.words["global_batch"])


def busy(layout: Layout) -> bool:
    """Whether a batch keeps the GPUs as busy as published runs are."""
    return layout.cost.mfu is None or layout.cost.mfu >= float(choices()["busy_mfu"]["least"])


def offload_optimizer(brief: Brief) -> Brief:
    """The same brief with the optimizer in CPU memory."""
    return brief.with_job({"parallelism": {"offload": Chosen("optimizer", "no layout fits with it on the GPUs")}})


def published_utilisation(brief: Brief, engine: Engine, job: Subject) -> float:
    """The utilisation that published runs on GPUs of this class stay below, and no plan aims beyond."""
    most, peak = brief.number(choices()["run"]["most_mfu"], "Ratio"), job.number("peak_compute")
    limits = engine.rules[NEWER_GPUS].texts.limits
    newer = peak is not None and peak >= float(limits["class"].value)
    return (
        min(most, float(limits["most"].value))
        if newer and fact(job.part("precision"), "matmul") in LONG_FORMATS
        else most
    )
