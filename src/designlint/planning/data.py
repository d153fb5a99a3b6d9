"""A plan as data, for programs; `designlint schema plan` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins

from designlint.language.vocabulary import HOME
from designlint.layouts.search import of_degrees
from designlint.layouts.space import WORDS
from designlint.planning.amounts import DAY, HOUR
from designlint.planning.answer import why_not
from designlint.planning.evidence import nearest
from designlint.planning.frontier import points
from designlint.reporters.shared.class_schema import DIALECT, of_class

if TYPE_CHECKING:
    from designlint.layouts.search import Layout
    from designlint.planning.evidence import EvidenceRun
    from designlint.planning.frontier import FrontierPoint
    from designlint.planning.result import PlanAnswer


class PlanRefusal(Struct, frozen=True):
    """No plan: the error, its reasons, the aims that cannot hold together, and what would make it possible."""

    error: str
    reasons: list[str]
    conflict: list[str]
    possible: list[str]


class StepTime(Struct, frozen=True):
    """Seconds of one optimizer step: as predicted, and the ends of an interval that holds four measured steps of five."""

    predicted: float
    low: float | None
    high: float | None


class StepParts(Struct, frozen=True):
    """
    Seconds of a step that its parts take: pipeline bubble, exposed gradient exchange, optimizer on the GPUs and in CPU
    memory, waits for tensor-parallel and context-parallel exchange and for all-to-all with experts, work of the stages.
    """

    bubble: float
    exchange: float
    optimizer: float
    offload: float
    tensor: float
    context: float
    experts: float
    work: float


class Split(Struct, frozen=True):
    """A layout: values as designs state them, step, model FLOPs utilisation, bytes on the most loaded GPU, days of the run."""

    layout: dict[str, int | str | bool]
    step_time: StepTime
    mfu: float | None
    memory: float
    memory_share: float
    days: float | None
    parts: StepParts
    why_not: str


class Sensitivity(Struct, frozen=True):
    """What happens, by which share the run then takes longer, and the layout that is then faster; empty where none is."""

    change: str
    longer: float
    instead: str


class PlanEvidence(Struct, frozen=True):
    """A measured run that is near to the plan: its job, its layout, seconds of a step, model FLOPs utilisation, its source."""

    model: str
    gpu: str
    gpus: int
    precision: str
    layout: str
    step_time: float
    mfu: float
    source: str


class PlanSize(Struct, frozen=True):
    """The run on another number of GPUs: days as predicted and at the slow end, GPU hours, watts of the utility."""

    gpus: int
    days: float
    days_high: float
    gpu_hours: float
    utility_power: float
    layout: str
    chosen: bool


class PlanFinding(Struct, frozen=True):
    """A finding on the plan."""

    rule: str
    severity: str
    message: str


class PlannedDesign(Struct, frozen=True):
    """
    A plan: the design as YAML, its size, watts of the utility, layouts (the chosen one first), and evidence.

    `goodput` is what days are counted at, `goodput_predicted` what failures and checkpoints alone leave.
    """

    design: str
    gpus: int
    servers: int
    utility_power: float
    goodput: float
    goodput_predicted: float | None
    layouts: list[Split]
    considered: int
    sensitivity: list[Sensitivity]
    evidence: list[PlanEvidence]
    frontier: list[PlanSize]
    findings: list[PlanFinding]


def schema() -> dict[str, Any]:
    """The JSON Schema of `designlint plan --format json`."""
    named: dict[str, Any] = {}
    either = [of_class(one, named, globals()) for one in (PlannedDesign, PlanRefusal)]
    return {
        "$schema": DIALECT,
        "$id": f"{HOME}/plan.schema.json",
        "title": "designlint plan",
        "oneOf": either,
        "$defs": dict(sorted(named.items())),
    }


def data(answer: PlanAnswer, top: int) -> dict[str, Any]:
    """The answer as JSON-able data."""
    data: dict[str, Any] = to_builtins(_refusal(answer) if answer.error else _plan(answer, top))
    return data


def _refusal(answer: PlanAnswer) -> PlanRefusal:
    found = answer.settled
    return PlanRefusal(answer.error, answer.refusal, list(found.conflict), list(found.ways))


def _plan(answer: PlanAnswer, top: int) -> PlannedDesign:
    size = answer.settled.size
    assert size is not None
    return PlannedDesign(
        answer.text, size.gpus, size.servers, size.power, size.recovery.goodput, size.recovery.reached,
        [_split(one, answer) for one in of_degrees(answer.layouts, top)], len(answer.layouts),
        [Sensitivity(one.what, one.longer, one.instead) for one in answer.changes],
        [_evidence(one) for one in nearest(answer)],
        [_place(one) for one in points(answer)],
        [PlanFinding(one.rule, str(one.severity), one.message) for one in answer.findings],
    )  # fmt: skip


def _evidence(run: EvidenceRun) -> PlanEvidence:
    return PlanEvidence(run.model, run.gpu, run.gpus, run.precision, run.layout, run.step, run.mfu, run.source)


def _place(one: FrontierPoint) -> PlanSize:
    return PlanSize(one.gpus, one.took / DAY, one.late / DAY, one.spent / HOUR, one.power, one.layout, one.planned)


def _split(one: Layout, answer: PlanAnswer) -> Split:
    size, cost = answer.settled.size, one.cost
    took = None if size is None else size.run_time(one, sure=False)
    words = {word: one.words[word] for word in (*WORDS, "global_batch") if one.words[word] is not None}
    if one.cost.offload:
        words["offload"] = "optimizer"
    return Split(
        words, StepTime(cost.step, cost.low, cost.high), cost.mfu, cost.memory, cost.memory / cost.usable,
        None if took is None else took / DAY, StepParts(**{name: getattr(cost, name) for name in StepParts.__struct_fields__}),
        "" if one is answer.layouts[0] else why_not(answer, one),
    )  # fmt: skip
