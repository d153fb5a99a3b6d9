"""The measured runs that are nearest to a plan: what somebody reached on such GPUs with such a model, and where it stands."""

from __future__ import annotations

import csv
from functools import cache
from math import log
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.language import resources
from designlint.language.sentences import percent

if TYPE_CHECKING:
    from designlint.planning.result import PlanAnswer

#: How far apart runs are that differ in kind of GPU, in having experts, and in number format; a factor of e in size counts 1.
OTHER_GPU, OTHER_KIND, OTHER_FORMAT = 2.0, 1.5, 0.7
#: Letters of a source that a line in a terminal shows.
LONGEST = 72
#: Share at which differences in number of GPUs and in length of sequences count.
LESS = 0.5


class EvidenceRun(NamedTuple):
    """A measured run: its job, its layout, the time of a step in seconds, model FLOPs utilisation, and who measured it."""

    model: str
    parameters: float
    active: float
    gpu: str
    gpus: int
    precision: str
    sequence: int
    layout: str
    step: float
    mfu: float
    source: str

    @property
    def sentence(self) -> str:
        """The run in one sentence."""
        return self._with(self.source)

    @property
    def line(self) -> str:
        """The same with a short source, for a terminal."""
        return self._with(self.source if len(self.source) <= LONGEST else f"{self.source[:LONGEST].rstrip()}...")

    def _with(self, source: str) -> str:
        place = f"{self.model} on {self.gpus} x {self.gpu}, {self.precision}, {self.layout}"
        return f"{place}: {percent(self.mfu)} MFU measured ({source})"


@cache
def runs() -> tuple[EvidenceRun, ...]:
    """All runs of `ontology/measured-runs.csv`."""
    with resources.ontology("measured-runs.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            EvidenceRun(
                row["model"], float(row["parameters"]), float(row["active"]), row["gpu"], int(row["gpus"]), row["precision"],
                int(row["sequence"] or 0), row["layout"], float(row["step"]), float(row["mfu"]), row["source"],
            )
            for row in csv.DictReader(file)
        )  # fmt: skip


def nearest(answer: PlanAnswer, most: int = 3) -> list[EvidenceRun]:
    """The runs most like a plan, the nearest first, one for each model and kind of GPU."""
    facts, best = answer.job.facts, answer.layouts[0].words
    model: Any = facts["model"]
    total, active = (
        next((_number(one[word]) for one in (facts, model.facts) if word in one), 0.0)
        for word in ("parameters", "active_parameters")
    )
    precision = str(facts.get("matmul"))
    wanted = (active or total, total or active, float(best["sequence"]), _gpus(answer), answer.brief.gpu, precision)
    found: dict[tuple[str, str], EvidenceRun] = {}
    for one in sorted(runs(), key=lambda one: (_distance(one, *wanted), one)):
        found.setdefault((one.model, one.gpu), one)
    return list(found.values())[:most]


def _gpus(answer: PlanAnswer) -> float:
    return float(answer.settled.size.gpus) if answer.settled.size is not None else 1.0


def _distance(
    run: EvidenceRun, active: float, total: float, sequence: float, gpus: float, gpu: str, precision: str
) -> float:
    """How little a run says of a plan."""
    far = abs(log(run.active / active)) if active else 0.0
    far += LESS * abs(log(run.gpus / gpus)) + LESS * abs(log((run.sequence or sequence) / sequence))
    far += OTHER_GPU * (run.gpu != gpu) + OTHER_FORMAT * (run.precision != precision)
    return far + OTHER_KIND * ((run.parameters > 1.3 * run.active) != (total > 1.3 * active))


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
