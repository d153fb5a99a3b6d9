"""What the most loaded GPU of each workload holds, part by part, against what it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.figures.shared.stacks import Bar, Part, stack_figure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design.design import Design
    from designlint.figures.shared.facts import Facts
    from designlint.figures.shared.figure import Figure, Omission
    from designlint.findings.report import Report

PLACE, TITLE = 3, "Memory per GPU against capacity"
STATE = {"weight_memory": "weights", "gradient_memory": "gradients", "optimizer_memory": "optimizer state"}
COMPONENTS = {**STATE, "activation_memory": "activations", "working_memory": "temporary memory"}


def draw(design: Design, report: Report) -> Iterator[Figure | Omission]:
    """One figure of all workloads whose state is known."""
    yield stack_figure(design, "memory", TITLE, [*STATE], _bar, _description)


def _parts(facts: Facts) -> list[Part]:
    found, unit = [], facts.text_of("gpu_memory").partition(" ")[2]  # all in the unit of the capacity
    for kind, (word, label) in enumerate(COMPONENTS.items()):
        value = facts.number(word)
        if value:
            found.append(Part(kind, label, max(0.0, value), facts.text_of(word, unit)))
    return found


def _bar(facts: Facts) -> Bar:
    capacity = facts.number("gpu_memory")
    notes = [f"Unknown: {_unknown(facts)}"] if _unknown(facts) else []
    notes += [_last_stage(facts)] if _last_stage(facts) else []
    text = f"capacity {facts.text_of('gpu_memory')}" if capacity is not None else ""
    return Bar(_head(facts), _verdict(facts), _parts(facts), capacity, text, notes)


def _last_stage(facts: Facts) -> str:
    """What the last pipeline stage needs, where that is more than the first one does."""
    last, first = (facts.number(one) for one in ("last_stage_memory", "first_stage_memory"))
    if last is None or first is None or last <= first:
        return ""
    return f"The first pipeline stage is shown; the last one needs more, {facts.text_of('last_stage_memory')}"


def _unknown(facts: Facts) -> str:
    return ", ".join(label for word, label in COMPONENTS.items() if facts.number(word) is None)


def _verdict(facts: Facts) -> str:
    """Whether it fits, as the memory that a GPU reports allows; nothing where that is not known."""
    needed, room = facts.number("memory_per_gpu"), facts.number("usable_gpu_memory")
    surely = facts.number("state_memory") if needed is None else needed
    if room is None or surely is None:
        return ""
    return "bad" if surely > room else "" if needed is None else "good"


def _head(facts: Facts) -> str:
    needed, state = facts.text_of("memory_per_gpu"), facts.text_of("state_memory")
    return f"{facts.name}: {needed or f'{state} of state alone'} on the most loaded GPU"


def _description(facts: Facts) -> str:
    """The bar in words."""
    listed = ", ".join(f"{one.label} {one.text}" for one in _parts(facts))
    capacity = facts.text_of("gpu_memory")
    verdict = {"good": "; it fits", "bad": "; it does not fit"}.get(_verdict(facts), "")
    return (
        f"{_head(facts)}{f' of {capacity} capacity' if capacity else ''}{verdict}: {listed}"
        f"{f'; unknown: {_unknown(facts)}' if _unknown(facts) else ''}"
        f"{f'. {_last_stage(facts)}' if _last_stage(facts) else ''}"
    )
