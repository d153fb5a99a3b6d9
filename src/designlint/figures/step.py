"""What one optimizer step is made of, if nothing runs at the same time, against the time that its target allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.figures.shared.stacks import Bar, Part, Span, stack_figure
from designlint.reporters.shared.margins import percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design.design import Design
    from designlint.figures.shared.facts import Facts
    from designlint.figures.shared.figure import Figure, Omission
    from designlint.findings.report import Report

PLACE, TITLE = 6, "Time of one step against its budget"
EXCHANGES = {
    "tensor_time": "tensor",
    "context_time": "context",
    "expert_time": "experts",
    "pipeline_time": "pipeline",
    "data_time": "gradients",
}


def draw(design: Design, report: Report) -> Iterator[Figure | Omission]:
    """One figure of all workloads whose computation is known."""
    yield stack_figure(design, "step", TITLE, ["compute_time"], _bar, _description)


def _parts(facts: Facts) -> list[Part]:
    """What a step is made of: first what cannot be hidden, then every exchange."""
    found = [Part(0, "compute at the dense peak", facts.number("compute_time") or 0.0, facts.text_of("compute_time"))]
    for kind, (word, label) in enumerate({"bubble_time": "pipeline bubble", **EXCHANGES}.items(), 1):
        value = facts.number(word)
        if value:
            found.append(Part(kind, label, max(0.0, value), facts.text_of(word)))
    return found


def _bar(facts: Facts) -> Bar:
    step = facts.number("step_time")
    return Bar(_head(facts), _verdict(facts), _parts(facts), step, _budget(facts), _notes(facts), _spans(facts))


def _budget(facts: Facts) -> str:
    """The step that the target allows; empty where there is none."""
    step, mfu = facts.text_of("step_time"), facts.number("mfu")
    target = "the target" if mfu is None else f"{facts.amount(100 * mfu, 'Count')} % MFU"
    return f"step of {step} at {target}" if step else ""


def _spans(facts: Facts) -> list[Span]:
    """What of the step is left for communication, and what of communication is beyond it."""
    step, room, hide = facts.number("step_time"), facts.number("exposable_time"), facts.text_of("time_to_hide")
    spans, whole = list[Span](), sum(one.value for one in _parts(facts))
    if step is not None and room:
        spans.append(
            Span(step - room, step, f"{facts.text_of('exposable_time')} left for communication that is not hidden")
        )
    if step is not None and facts.number("time_to_hide"):
        beyond = facts.amount(whole - step, "Duration")
        spans.append(
            Span(step, whole, f"{beyond} over the budget: at least {hide} must overlap with computation", "bad")
        )
    return spans


def _verdict(facts: Facts) -> str:
    least, step = facts.number("least_step_time"), facts.number("step_time")
    return "" if step is None or least is None else "bad" if least > step else ""


def _head(facts: Facts) -> str:
    told, room, hide = (
        facts.text_of("communication_time"),
        facts.text_of("exposable_time"),
        facts.number("time_to_hide"),
    )
    if not told:
        return f"{facts.name}: {facts.text_of('compute_time')} of computation in a step"
    if hide is None or not (room or hide):
        return f"{facts.name}: {told} of communication in a step, {facts.text_of('compute_time')} of computation"
    if hide:
        return f"{facts.name}: at least {facts.text_of('time_to_hide')} of {told} of communication must be hidden"
    return f"{facts.name}: {told} of communication, none of which must be hidden"


def _notes(facts: Facts) -> list[str]:
    """What the target asks of kernels, and what is not known."""
    unknown = [label for word, label in EXCHANGES.items() if _open(facts, word)]
    notes = [f"Exchanges of unknown time: {', '.join(unknown)}"] if unknown else []
    if facts.number("step_time") is None:
        return [*notes, "The budget is unknown: the design states no target MFU"]
    if facts.number("communication_time"):
        notes += _kernels(facts.number("peak_share_if_hidden"), facts.number("peak_share_if_exposed"))
    notes.append("Assumed: GPUs at their dense peak, no recomputation, links at line rate; a real step takes longer")
    if facts.fact("overlap") is False:
        notes.append("GPUs wait during gradient exchange in this design: it adds to the step")
    return notes


def _kernels(hidden: float | None, exposed: float | None) -> list[str]:
    """What the target asks of kernels."""
    if hidden is None:
        return []
    if hidden > 1:
        return [f"Kernels would have to run at {percent(hidden)} of the peak even with all communication hidden"]
    least = f"at {percent(exposed)} if none is" if exposed is not None and exposed <= 1 else "above the peak if none is"
    return [f"The target requires kernels at {percent(hidden)} of the peak if all communication is hidden, {least}"]


def _open(facts: Facts, word: str) -> bool:
    """Whether an exchange is unknown that the job has: one rank alone exchanges nothing."""
    degree = facts.number(word.removesuffix("_time")) if word != "data_time" else facts.number("data_parallel")
    return facts.number(word) is None and degree != 1


def _description(facts: Facts) -> str:
    """The bar in words."""
    listed = ", ".join(f"{one.label} {one.text}" for one in _parts(facts))
    budget = f"; the budget is a {_budget(facts)}" if _budget(facts) else ""
    spans = [one.text for one in _spans(facts)]
    return ". ".join([f"{_head(facts)}: {listed}{budget}", *spans, *_notes(facts)])
