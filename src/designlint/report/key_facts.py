"""The strip at the head of a report: what is built, what it draws, how long it takes, whether it fits, what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.graph.certainty import certainty
from designlint.language.kinds import Side
from designlint.report.dossier import KeyFact
from designlint.report.wording import fact_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.design.design import Design
    from designlint.graph.subjects import Subject

#: Pools and fabrics that one note names.
MOST = 3


def key_facts(design: Design) -> Sequence[KeyFact]:
    """What is known of the design at a glance; what is not known is left out."""
    return [*_gpus(design), *_fabric(design), *_power(design), *_days(design), *_memory(design), *_cost(design)]


def _gpus(design: Design) -> Iterator[KeyFact]:
    if total := fact_text(design.graph.root, "cluster_gpus", design):
        pools = [one for one in _all(design, "NodePool") if one.facts.get("pool_gpus")]
        named = [f"{fact_text(one, 'count', design)} x {fact_text(one, 'model', design) or one.name}" for one in pools]
        yield KeyFact("GPUs", total, ", ".join(_cut_texts(named)))


def _fabric(design: Design) -> Iterator[KeyFact]:
    fabrics = [one for one in _all(design, "Fabric") if one.facts.get("carries_training") is True]
    named = [text for one in fabrics if (text := fact_text(one, "technology", design))]
    if named:
        shapes = [
            text
            for one in _all(design, "Topology")
            if one.path.removesuffix("/topology") in {each.path for each in fabrics}
            and (text := fact_text(one, "kind", design))
        ]
        yield KeyFact(
            "Compute fabric", ", ".join(_cut_texts(dict.fromkeys(named))), ", ".join(_cut_texts(dict.fromkeys(shapes)))
        )


def _power(design: Design) -> Iterator[KeyFact]:
    for one in _all(design, "Facility"):
        committed = fact_text(one, "utility_power", design)
        least, most = (fact_text(one, word, design) for word in ("least_facility_power", "facility_power"))
        drawn = least if least == most else " to ".join(filter(None, (least, most)))
        if least:
            yield KeyFact(
                "Facility power",
                drawn if most else f"at least {least}",
                f"utility commits {committed}" if committed else "",
            )


def _days(design: Design) -> Iterator[KeyFact]:
    if (job := _largest(design, "training_time")) is not None:
        deadline = next(
            (
                fact_text(one, "deadline", design)
                for one in _all(design, "Targets")
                if one.path == f"{job.path}/targets"
            ),
            "",
        )
        yield KeyFact(
            "Training time", _sure(job, "training_time", design), _of(job, f"deadline {deadline}" if deadline else "")
        )


def _memory(design: Design) -> Iterator[KeyFact]:
    if (job := _largest(design, "memory_per_gpu", "gpu_memory")) is not None:
        there = fact_text(job, "gpu_memory", design)
        yield KeyFact("Memory per GPU", _sure(job, "memory_per_gpu", design), _of(job, f"of {there}" if there else ""))


def _cost(design: Design) -> Iterator[KeyFact]:
    for one in _all(design, "Procurement"):
        if spent := fact_text(one, "ordered_cost", design):
            budget = fact_text(one, "budget", design)
            yield KeyFact("Orders", spent, f"budget {budget}" if budget else "")


def _all(design: Design, cls: str) -> Sequence[Subject]:
    return design.graph.by_class.get(cls, ())


def _largest(design: Design, word: str, against: str = "") -> Subject | None:
    """The job with the largest value, as a share of another one where that is named and known."""

    def share(job: Subject) -> float:
        value, whole = job.facts.get(word), job.facts.get(against, 1)
        return value / whole if isinstance(value, int | float) and isinstance(whole, int | float) and whole else -1.0

    jobs = [one for one in _all(design, "Workload") if share(one) >= 0]
    return max(jobs, key=share, default=None)


def _sure(subject: Subject, word: str, design: Design) -> str:
    """A value, and before it whether it is a bound or an estimate."""
    kind = certainty(subject, word, design.engine.vocabulary)
    before = "about" if kind.side is Side.ESTIMATE else kind.label
    return f"{before} {fact_text(subject, word, design)}".strip()


def _of(job: Subject, note: str) -> str:
    return ", ".join(filter(None, (job.name, note)))


def _cut_texts(texts: Sequence[str] | dict[str, None]) -> list[str]:
    """The first few texts, and how many more there are."""
    listed = list(texts)
    return [*listed[:MOST], *([f"{len(listed) - MOST} more"] if len(listed) > MOST else [])]
