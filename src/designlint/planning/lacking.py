"""Which stated words an unknown fact lacks: followed from the fact down to words that no calculation gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.graph.incremental import Dependencies, Place

if TYPE_CHECKING:
    from designlint.graph.derive import Plan
    from designlint.graph.subjects import Graph, Subject


def lacking(plan: Plan, graph: Graph, subject: Subject, word: str) -> list[str]:
    """
    The words, by their path, without which a fact stays unknown; what a calculation can do without is left out.

    Args:
        graph: with all that follows from it.
    """
    dependencies = Dependencies(plan, graph)
    found: dict[str, None] = {}
    seen: set[Place] = set()
    waiting = [Place(subject, word)]
    while waiting:
        place = waiting.pop()
        if place in seen or place.subject.facts.get(place.word) is not None:
            continue
        seen.add(place)
        writers = dependencies.writers(place)
        if not writers:
            found[f"{place.subject.path}/{place.word}"] = None
        for number in writers:
            waiting += [Place(*end) for path in _needed(plan, number) for end in place.subject.follow(path)]
    return sorted(found)


def _needed(plan: Plan, number: int) -> list[tuple[str, ...]]:
    """The paths that a step cannot do without."""
    step = plan.steps[number]
    if "path" in step:
        return [tuple(step["path"])]
    return [tuple(path) for path, mode, *_ in step["params"] if mode != "optional"]
