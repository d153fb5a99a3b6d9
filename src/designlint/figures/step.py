"""What one optimizer step is made of, if nothing runs at the same time, against the time that its target allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.figures.shared.stacks import Bar, Part, stacked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design import Design
    from designlint.figures import Figure, Omission
    from designlint.figures.shared.facts import Facts
    from designlint.model import Report

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
    yield stacked(design, "step", TITLE, ["compute_time"], _bar, _told)


def _parts(facts: Facts) -> list[Part]:
    compute, bubble = facts.number("compute_time") or 0.0, facts.number("pipeline_bubble")
    found = [Part(0, "compute at the dense peak", compute, facts.told("compute_time"))]
    for kind, (word, label) in enumerate(EXCHANGES.items(), 1):
        value = facts.number(word)
        if value:
            found.append(Part(kind, label, max(0.0, value), facts.told(word)))
    if bubble:
        idle = facts.amount(bubble * compute, "Duration")
        found.append(Part(len(EXCHANGES) + 1, "pipeline bubble", bubble * compute, idle))
    return found


def _bar(facts: Facts) -> Bar:
    step, mfu = facts.number("step_time"), facts.number("mfu")
    text = f"step of {facts.told('step_time')} at the target" if step is not None else ""
    if mfu is not None and step is not None:
        text = f"step of {facts.told('step_time')} at {facts.amount(100 * mfu, 'Count')} % MFU"
    return Bar(_head(facts), _verdict(facts), _parts(facts), step, text, _notes(facts))


def _verdict(facts: Facts) -> str:
    least, step = facts.number("least_step_time"), facts.number("step_time")
    return "" if step is None or least is None else "bad" if least > step else ""


def _head(facts: Facts) -> str:
    share = facts.number("communication_share")
    if share is None:
        return f"{facts.name}: {facts.told('compute_time')} of computation in a step"
    return f"{facts.name}: {100 * share:.3g} % of a step would be communication if nothing were hidden"


def _notes(facts: Facts) -> list[str]:
    """What must be hidden, and what is not known."""
    unknown = [label for word, label in EXCHANGES.items() if _open(facts, word)]
    notes = [f"Unknown: {', '.join(unknown)}"] if unknown else []
    hide = facts.number("time_to_hide")
    if hide is not None:
        least = facts.told("time_to_hide")
        told = f"At least {least} of communication must run behind computation" if hide else "Nothing has to be hidden"
        notes.append(f"{told} to reach the target, with links at line rate and GPUs at their dense peak")
    if facts.number("step_time") is None:
        notes.append("The budget is unknown: the design targets no utilisation")
    return notes


def _open(facts: Facts, word: str) -> bool:
    """Whether an exchange is unknown that the job has: one rank alone exchanges nothing."""
    degree = facts.number(word.removesuffix("_time")) if word != "data_time" else facts.number("data_parallel")
    return facts.number(word) is None and degree != 1


def _told(facts: Facts) -> str:
    """The bar in words."""
    listed = ", ".join(f"{one.label} {one.text}" for one in _parts(facts))
    step = facts.told("step_time")
    budget = f"; the budget is a step of {step}" if step else ""
    return ". ".join([f"{_head(facts)}: {listed}{budget}", *_notes(facts)])
