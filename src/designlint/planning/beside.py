"""The layout that a plan would choose for a job of a design as it stands, beside the one that the design states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.findings.model import Severity
from designlint.fixes import repairs
from designlint.fixes.proof import harmed, with_texts
from designlint.judging.judge import judged, rejudged
from designlint.planning.candidates import MEMORY_RULE, SHAPE, fact
from designlint.planning.layouts import WORDS, Layout, Search, Space, distinct, short
from designlint.reading.edits import EditRefused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design.design import Design
    from designlint.fixes.repairs import Repair
    from designlint.graph.subjects import Subject

#: Share by which a layout must be faster to be proposed, and the layouts that are tried.
GAIN, TRIED = 0.02, 4
#: Jobs of a design that are looked at.
MOST_JOBS = 8


class Beside(NamedTuple):
    """
    A job, its stated layout and the planned one.

    Attributes:
        stated: absent where it does not fit, or where its time is unknown.
        layouts: those that fit, the fastest first.
    """

    job: Subject
    stated: Layout | None
    layouts: list[Layout]

    @property
    def best(self) -> Layout:
        """The fastest."""
        return self.layouts[0]

    @property
    def gain(self) -> float | None:
        """Share of a step that the fastest layout saves; None where the stated one has no time."""
        return None if self.stated is None else 1 - self.best.cost.step / self.stated.cost.step

    @property
    def told(self) -> str:
        """The comparison in one sentence."""
        best = f"{short(self.best.words)} is predicted to take {self.best.cost.step:.3g} s a step"
        if self.stated is None:
            return f"{best}; the stated layout does not fit, or its time is not known"
        return f"{best}, the stated {short(self.stated.words)} {self.stated.cost.step:.3g} s"


def every(design: Design) -> Iterator[Beside]:
    """Every job of a design for which layouts can be compared."""
    for job in design.graph.by_class.get("Workload", [])[:MOST_JOBS]:
        found = of(design, job)
        if found is not None:
            yield found


def of(design: Design, job: Subject) -> Beside | None:
    """One job; None where the design does not say enough to compare layouts."""
    space = _space(job)
    if space is None:
        return None
    search = Search(design.engine.plan, design.graph, job)
    most = (
        float(design.engine.rules[MEMORY_RULE].texts.limits["most"].value)
        if MEMORY_RULE in design.engine.rules
        else 1.0
    )
    found = search.ranked(space)
    roomy = [one for one in found if one.cost.memory <= one.cost.usable * most] or found
    if not roomy:
        return None
    words = _stated(job)
    cost = search.cost(words)
    return Beside(job, None if cost is None else Layout(words, cost), roomy)


def _space(job: Subject) -> Space | None:
    """What layouts of a job may be; None where a number that bounds them is unknown."""
    split, model = job.facts.get("parallelism"), job.facts.get("model")
    shape: dict[str, Any] = {name: fact(model, name) for name in SHAPE}
    gpus: Any = job.facts.get("gpus") or fact(job.facts.get("runs_on"), "gpus")
    batch, domain = fact(split, "global_batch"), job.facts.get("scale_up_domain")
    counts = (gpus, batch, shape["layers"], shape["heads"], shape["sequence"])
    if not all(isinstance(one, int) and one > 0 for one in counts) or job.facts.get("kind") == "inference":
        return None
    near = min(domain, gpus) if isinstance(domain, int) else 1
    return Space(
        gpus, batch, shape["layers"], shape["heads"], shape["kv_heads"] or shape["heads"], near, shape["experts"] or 1,
        shape["sequence"], {},
    )  # fmt: skip


def _stated(job: Subject) -> dict[str, Any]:
    """The words of the stated layout, with what follows where it leaves one out."""
    split = job.facts["parallelism"]
    words = {word: fact(split, word) for word in WORDS}
    words["data"] = words["data"] or job.facts.get("data_parallel")
    return words


def repair(found: Beside, design: Design) -> Repair | None:
    """The change to the fastest layout that brings no error and no warning; None where none is clearly faster."""
    before = judged(design)
    for one in distinct(found.layouts, TRIED):
        if found.stated is not None and one.cost.step > found.stated.cost.step * (1 - GAIN):
            return None
        made = _made(found, one, design)
        if made is None or made.refusal or not made.placed:
            continue
        try:
            changed = made.changed()
        except EditRefused:
            continue
        after = rejudged(before, with_texts(design, changed))
        if not harmed(before.findings, after.findings, Severity.WARNING):
            return made
    return None


def _made(found: Beside, one: Layout, design: Design) -> Repair | None:
    """The repair that states a layout in place of the stated one."""
    split = found.job.facts["parallelism"]
    now = _stated(found.job)
    wanted = [
        ("set", split, word, str(value).lower() if isinstance(value, bool) else str(value))
        for word, value in one.words.items()
        if value is not None and value != now.get(word) and (word != "data" or fact(split, "data") is not None)
    ]
    wanted += [
        ("remove", split, word, "")
        for word in ("first_stage_layers", "last_stage_layers")
        if one.words[word] is None and fact(split, word) is not None
    ]
    took = "" if found.stated is None else f", not {found.stated.cost.step:.3g} s"
    title = f"Split {found.job.name} as planned: {short(one.words)} ({one.cost.step:.3g} s a step predicted{took})"
    because = "Of all layouts that fit, it is predicted to take least time."
    return repairs.of_words(title, because, wanted, design) if wanted else None
