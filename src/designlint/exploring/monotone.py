"""
Whether findings can only go, or only come, as one value grows: what makes a search by bisection sound.

Shown, not guessed: from the word along every calculation that reads it, by the text of its function, to every rule that
reads what changes. Whatever has a branch on a changing value, a list or a join is not shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.expressions.directions import directions
from designlint.expressions.operators import Direction
from designlint.graph.incremental import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from designlint.exploring.settings import SettablePlace as Named
    from designlint.expressions.tree import Node
    from designlint.findings.model import Severity
    from designlint.fixes.trial import FactTrials

UP, DOWN, BOTH = Direction.UP, Direction.DOWN, Direction.BOTH


class NotShownError(Exception):
    """Why it is not shown."""


def falling(trials: FactTrials, named: Named, severities: Iterable[Severity], rules: Iterable[str]) -> bool:
    """
    Whether findings of these severities or rules only go as the value grows; otherwise they only come.

    Raises:
        NotShownError: neither is shown.
    """
    if trials.design.graph.by_class.get("Waiver"):
        raise NotShownError("waivers may depend on the value")
    moved = _moved_places(trials, named)
    wanted, names = set(severities), set(rules)
    chosen = [one for one in trials.design.engine.rules.values() if one.severity in wanted or one.id in names]
    ways = set[Direction]()
    words = {place.word for place in moved}
    for rule in chosen:
        if rule.select and not words.isdisjoint(rule.words):
            raise NotShownError(f"{rule.id} joins several parts")
        if rule.condition is None:
            continue
        for subject in trials.design.graph.by_class.get(rule.about, ()):
            read = {name: [*subject.follow(path)] for name, path in rule.paths.items()}
            ways_of = {name: _together(moved.get(Place(*end)) for end in ends) for name, ends in read.items()}
            known = {name: way for name, way in ways_of.items() if way is not None}
            if known:
                holds = _of(rule.condition.judge, known)
                applies = None if rule.condition.when is None else _of(rule.condition.when, known)
                fails = _merge_directions([applies, holds.turned if holds is not None else None])
                if fails is BOTH:
                    raise NotShownError(f"{rule.id} may come and go")
                if fails is not None:
                    ways.add(fails)
    if len(ways) > 1:
        raise NotShownError("some rules fail below a value, others above it")
    return ways != {UP}


def _of(node: Node, known: Mapping[str, Direction]) -> Direction | None:
    """The direction of an expression in the value; None where it does not read it."""
    found = directions(node)
    return _merge_directions(
        found[name].after(way) if way is not BOTH else BOTH for name, way in known.items() if name in found
    )


def _together(ways: Iterable[Direction | None]) -> Direction | None:
    """The direction of one word that may stand at several places."""
    found = list(ways)
    return BOTH if len(found) > 1 and any(found) else found[0] if found else None


def _merge_directions(ways: Iterable[Direction | None]) -> Direction | None:
    found = {one for one in ways if one is not None}
    return None if not found else found.pop() if len(found) == 1 else BOTH


def _moved_places(trials: FactTrials, named: Named) -> dict[Place, Direction]:
    """Every place that the value reaches, with the direction in which it moves."""
    dependencies, start = trials.dependencies, Place(named.subject, named.word.name)
    found = {start: UP}
    for place in sorted(dependencies.downstream([start]), key=dependencies.order):
        writers = dependencies.writers(place)
        found[place] = _step(trials, writers[0], place, found) if len(writers) == 1 else BOTH
    return found


def _step(trials: FactTrials, number: int, place: Place, moved: Mapping[Place, Direction]) -> Direction:
    """The direction of what a step calculates."""
    step = trials.design.engine.plan.steps[number]
    ends = [*trials.dependencies.plan.reads(number, place.subject)]
    ways = [moved.get(Place(*end)) for end in ends]
    if "table" in step:
        return BOTH
    if "path" in step:
        return ways[0] or BOTH if len(ways) == 1 else BOTH
    if len(ends) != len(step["params"]) or any(mode not in ("one", "optional") for _, mode, *_ in step["params"]):
        return BOTH
    told = trials.design.engine.plan.description(number)
    paths = (path for path, *_ in step["params"])
    read = zip(paths, told["slopes"], ways, strict=True)
    moving = [(path[-1], Direction(slope), way) for path, slope, way in read if way is not None and slope]
    if not moving or any(name in told["dividing"] for name, _, _ in moving):
        return BOTH
    return _merge_directions(slope.after(way) for _, slope, way in moving) or BOTH
