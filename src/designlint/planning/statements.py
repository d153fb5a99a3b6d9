"""The statements of a brief that leave no plan without an error, and what the plan would have in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.findings.model import Severity
from designlint.planning.aims import SettledAims
from designlint.planning.brief import Brief
from designlint.planning.document import in_words, leaves, plain, value_at, without
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from designlint.findings.model import Finding
    from designlint.planning.result import PlanAnswer

#: What every brief needs, and what names things: no plan can do without it.
NEEDED = ("designlint", "name", "fabric", "gpu", "model", "parameters", "tokens", "gpus", "kind", "purpose")
#: Statements that the errors name and that are left out alone, one after another, at most.
ALONE = 4

#: Where a brief states something: keys, and numbers of items.
Path: TypeAlias = "tuple[str | int, ...]"
Again: TypeAlias = "Callable[[dict[str, Any]], PlanAnswer]"


def find_contradiction(answer: PlanAnswer, design: dict[str, Any], again: Again) -> SettledAims | None:
    """
    That a plan has an error as long as the brief states something beside its aims; None where it has none, or there is no such
    statement.

    Args:
        design: the brief as it was given.
        again: the plan for another brief.
    """
    wrong, size = errors(answer), answer.settled.size
    if not wrong or size is None:
        return None
    alone = Brief(design, answer.brief.vocabulary).only("layout").with_job({"runs_on": {"gpus": str(size.gpus)}})
    found = _find_blamed(wrong, alone.design, again) if errors(again(alone.design)) else None
    if found is None:
        return None
    paths, other = found
    words = tuple(in_words(alone.design, path) for path in paths)
    instead = [(name.rpartition("/")[2], _value(other, name)) for name in words]
    ways = (" and ".join(f"`{name}: {value}`" for name, value in instead),) if all(one for _, one in instead) else ()
    return SettledAims(None, sure=False, conflict=words, why=f"{wrong[0].message} ({wrong[0].rule})", ways=ways)


def plan_without_spares(answer: PlanAnswer, design: dict[str, Any], again: Again) -> PlanAnswer | None:
    """
    The plan without spare servers, which are the plan's own wish, where it has no error then; None where it has, or spares are
    stated.
    """
    first, *others = design.get("nodes") or [{}]
    if not isinstance(first, dict) or "spares" in first or answer.settled.size is None:
        return None
    other = again({**design, "nodes": [{**first, "spares": "0"}, *others]})
    return None if other.error or errors(other) else other


def errors(answer: PlanAnswer) -> list[Finding]:
    """What makes the design of a plan wrong."""
    return [one for one in answer.findings if one.severity is Severity.ERROR]


def _find_blamed(wrong: list[Finding], design: dict[str, Any], again: Again) -> tuple[list[Path], PlanAnswer] | None:
    """
    Statements without which the plan at the same size has no error, with that plan; None where it has one without them all.

    It is a single one that the errors name where that is enough, else a set of which none may stay.
    """

    def sound(paths: Sequence[Path]) -> PlanAnswer | None:
        fewer = design
        for path in paths:
            fewer = without(fewer, path)
        try:
            other = again(fewer)
        except UsageError:
            return None
        return None if other.error or errors(other) else other

    told = {name for one in wrong for name in one.values}
    for path in [one for one in _statements(design, parts=True) if one[-1] in told][:ALONE]:
        if (other := sound([path])) is not None:
            return [path], other
    return _fewest(sorted(_statements(design), key=lambda path: path[-1] not in told), sound)


def _fewest(
    free: list[Path], sound: Callable[[Sequence[Path]], PlanAnswer | None]
) -> tuple[list[Path], PlanAnswer] | None:
    """Statements of which none may stay: half of them are put back at a time, the last first, then ever fewer."""
    other, paths, group = sound(free), free, (len(free) + 1) // 2
    if other is None:
        return None
    while group:
        for end in range(len(paths), 0, -group):
            fewer = [*paths[: max(0, end - group)], *paths[end:]]
            if fewer and (better := sound(fewer)) is not None:
                paths, other = fewer, better
        group //= 2
    return paths, other


def _statements(design: dict[str, Any], *, parts: bool = False) -> list[Path]:
    """What a plan can do without: single values, and lists of values as one; with parts, those of the model and the GPU, too."""
    found: dict[Path, None] = {}
    for path in leaves(design):
        last = max(at for at, step in enumerate(path) if isinstance(step, str))
        if not {*NEEDED} & {*path[last if parts else max(0, last - 1) : last + 1]}:
            found[path[: last + 1]] = None
    return list(found)


def _value(answer: PlanAnswer, path: str) -> str:
    """What a plan states at a path in words; empty where it states nothing there, or several values."""
    root = answer.job_design.document.root
    value: Any = None if root is None else plain(root)
    for step in path.split("/"):
        if isinstance(value, list):
            value = next((one for one in value if isinstance(one, dict) and one.get("name") == step), None)
        else:
            value = value_at(value, (step,))
    return value if isinstance(value, str) else ""
