"""The layouts of a job of a design as it stands, beside the one that the design states."""

from __future__ import annotations

from heapq import nsmallest
from math import log2
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.graph.subjects import Subject
from designlint.layouts.search import DEGREES, Layout, LayoutSearch, PartialLayout
from designlint.layouts.space import MOST_PIPELINE, WORDS, Space

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design.design import Design

#: The rule whose limit says how full a GPU may be.
MEMORY_RULE = "memory/need-near-limit"
#: Words of the model that bound the degrees.
SHAPE = ("layers", "heads", "kv_heads", "sequence", "experts", "feed_forward")
#: Degrees and counts of a layout, which are near to others by ratio.
COUNTS = ("tensor", "pipeline", "virtual_stages", "context", "expert", "expert_tensor", "micro_batch")
#: Jobs of a design that are looked at, and loose layouts of each that are kept.
MOST_JOBS, MOST_LOOSE = 8, 12
#: What is computed again, the least first.
RECOMPUTE = ("none", "selective", "full")


class LayoutComparison(NamedTuple):
    """
    A job, its stated layout and the others.

    Attributes:
        stated: absent where it does not fit, or where its time is unknown.
        layouts: those that fit, the fastest first.
        loose: where none surely does, layouts that fit as far as is known: the fastest first, then those that change least.
    """

    job: Subject
    stated: Layout | None
    layouts: list[Layout]
    loose: list[PartialLayout]

    @property
    def best(self) -> Layout:
        """The fastest."""
        return self.layouts[0]

    @property
    def gain(self) -> float | None:
        """Share of a step that the fastest layout saves; None where the stated one has no time."""
        return None if self.stated is None else 1 - self.best.cost.step / self.stated.cost.step


def every(design: Design) -> Iterator[LayoutComparison]:
    """Every job of a design for which layouts can be compared."""
    for job in design.graph.by_class.get("Workload", [])[:MOST_JOBS]:
        found = of(design, job)
        if found is not None and found.layouts:
            yield found


def of(design: Design, job: Subject) -> LayoutComparison | None:
    """One job, searched once for a design; None where the design does not say enough to look for layouts."""
    if job.path not in design.layouts:
        several = len(design.layouts) >= MOST_JOBS
        design.layouts[job.path] = None if several else _find_layout(design, job)
    found: LayoutComparison | None = design.layouts[job.path]
    return found


def _find_layout(design: Design, job: Subject) -> LayoutComparison | None:
    possible = space(job)
    if possible is None:
        return None
    search, words = LayoutSearch(design.engine.plan, design.graph, job), stated_layout(job)
    cost = search.cost(words)
    search.loose.clear()
    found = search.rank(possible)
    rule = design.engine.rules.get(MEMORY_RULE)
    most = 1.0 if rule is None else float(rule.texts.limits["most"].value)
    roomy = [one for one in found if one.cost.memory <= one.cost.usable * most] or found
    loose = (
        []
        if roomy
        else [
            one for one in search.loose if one.memory is not None or _keeps_no_more(one.words, words, possible.domain)
        ]
    )
    return LayoutComparison(job, None if cost is None else Layout(words, cost), roomy, _first(loose, words))


def _first(loose: list[PartialLayout], others: dict[str, Any]) -> list[PartialLayout]:
    """
    Of some layouts those whose memory is known, then the fastest, and those that change least where no time is known:
    the first of those that differ in words which the stated layout has.
    """
    shown = [word for word in WORDS if others[word] is not None or word in DEGREES]

    def order(one: PartialLayout) -> tuple[bool, bool, float, tuple[int, float]]:
        return one.memory is None, one.step is None, one.step or 0.0, _far(one.words, others)

    first: dict[tuple[Any, ...], PartialLayout] = {}
    for one in loose:
        key = tuple(one.words[word] for word in shown)
        if key not in first or order(one) < order(first[key]):
            first[key] = one
    return nsmallest(MOST_LOOSE, first.values(), key=order)


def _keeps_no_more(words: dict[str, Any], others: dict[str, Any], domain: int) -> bool:
    """Whether a layout recomputes, shares and splits tokens as much as another one, in micro-batches that are no larger."""
    recompute, zero, micro = (others[one] for one in ("recompute", "zero_stage", "micro_batch"))
    across = min(others["tensor"] or 1, domain) * (others["context"] or 1)
    least = RECOMPUTE.index(recompute) if recompute in RECOMPUTE else 0
    return bool(
        RECOMPUTE.index(words["recompute"]) >= least
        and words["zero_stage"] >= (zero or 0)
        and words["micro_batch"] <= (micro or 1)
        and words["tensor"] * words["context"] >= across
    )


def space(job: Subject) -> Space | None:
    """What layouts of a job may be; None where not even its GPUs are known."""
    split, model = job.facts.get("parallelism"), job.facts.get("model")
    shape: dict[str, int] = {name: fact(model, name) or 0 for name in SHAPE}
    gpus: Any = job.facts.get("gpus") or fact(job.facts.get("runs_on"), "gpus")
    domain = job.facts.get("scale_up_domain")
    if split is None or not isinstance(gpus, int) or gpus < 1 or job.facts.get("kind") == "inference":
        return None
    micro, context = (fact(split, word) or 1 for word in ("micro_batch", "context"))
    return Space(
        gpus, fact(split, "global_batch") or gpus * micro * MOST_PIPELINE, shape["layers"], shape["heads"],
        shape["kv_heads"] or shape["heads"], min(domain, gpus) if isinstance(domain, int) else 1, shape["experts"] or 1,
        shape["sequence"], {} if shape["sequence"] else {"context": context}, shape["feed_forward"],
        str(fact(job, "framework") or ""), str(fact(job.facts.get("precision"), "matmul") or ""),
    )  # fmt: skip


def stated_layout(job: Subject) -> dict[str, Any]:
    """The words of the stated layout, with what follows where it leaves one out."""
    split = job.facts["parallelism"]
    words = {word: fact(split, word) for word in WORDS}
    words["data"] = words["data"] or job.facts.get("data_parallel")
    return words


def _far(words: dict[str, Any], others: dict[str, Any]) -> tuple[int, float]:
    """How far a layout is from another: degrees that differ, then their doublings and one for each other word that differs."""
    ratios = [abs(log2((words[one] or 1) / (others[one] or 1))) for one in COUNTS]
    apart = sum(words[one] != others[one] for one in ("zero_stage", "recompute", "sequence_parallel"))
    return sum(one > 0 for one in ratios), sum(ratios) + apart


def fact(subject: object, word: str) -> Any:
    """A fact of what may be a subject; None where it is none, or does not know it."""
    return subject.facts.get(word) if isinstance(subject, Subject) else None
