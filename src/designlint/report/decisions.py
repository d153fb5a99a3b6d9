"""What a design decides, area by area, and what is lost when a part of it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.report.dossier import DossierPoint, Risk
from designlint.report.wording import fact_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.design.design import Design
    from designlint.graph.subjects import Subject

#: Classes whose words are decisions, and how many of one class are listed.
AREAS = (
    "NodePool", "Fabric", "Topology", "StorageTier", "Scheduler", "Workload", "Targets", "Parallelism", "Checkpoint",
    "Recovery", "Facility", "Cooling", "Racks", "Ups", "Software", "Security",
)  # fmt: skip
MOST, MOST_WORDS = 6, 14
#: Words that say nothing of their own.
PLAIN = ("name", "description", "note")
#: What is lost with a part.
LOSSES = (
    ("gpus_on_leaf", "GPUs behind one leaf switch"),
    ("servers_on_leaf", "servers behind one leaf switch"),
    ("bandwidth_lost_with_spine", "share of a leaf's bandwidth that one spine carries"),
    ("lone_switches", "switches whose loss separates leaves"),
    ("rack_gpus", "GPUs in one rack"),
    ("gpus_lost_with_feed", "GPUs that stop with one power feed of a rack"),
    ("gpus_lost_with_pdu", "GPUs that stop with one power distribution unit"),
    ("gpus_lost_with_cdu", "GPUs that stop with one coolant distribution unit"),
    ("time_lost_per_failure", "lost with each failure"),
    ("mtbf", "between failures that stop the job"),
)


def decisions(design: Design) -> list[DossierPoint]:
    """What the file states of each area, in the order of areas."""
    return [
        DossierPoint(one.path, text)
        for area in AREAS
        for one in design.graph.by_class.get(area, ())[:MOST]
        if (text := ", ".join(_stated_words(one, design)))
    ]


def _stated_words(one: Subject, design: Design) -> list[str]:
    words = [word for word in one.facts if word in one.keys and word not in PLAIN and one.keys[word].kind == "scalar"]
    return [f"{word} {text}" for word in words if (text := fact_text(one, word, design))][:MOST_WORDS]


def losses(design: Design) -> list[DossierPoint]:
    """What is lost with one part, as derived; for the first of many parts alike."""
    return list(_losses(design))


def _losses(design: Design) -> Iterator[DossierPoint]:
    shown: dict[str, int] = {}
    for one in design.graph.subjects.values():
        for word, meaning in LOSSES:
            text = fact_text(one, word, design) if word in one.facts else ""
            if text and shown.setdefault(word, 0) < MOST:
                shown[word] += 1
                yield DossierPoint(one.path or "the design", f"{text} {meaning}")


def risks(design: Design) -> Sequence[Risk]:
    """The risks that the design states."""
    words = ("name", "failure_domain", "impact", "likelihood", "gpus_lost", "mitigation", "owner", "reviewed")
    return [Risk(*(fact_text(one, word, design) for word in words)) for one in design.graph.by_class.get("Risk", ())]
