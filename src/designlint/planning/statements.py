"""The statement of a brief that leaves no plan without an error, and what the plan would have in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.findings.model import Severity
from designlint.planning.aims import Settled
from designlint.planning.brief import Brief
from designlint.planning.document import in_words, leaves, plain, value_at, without
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from designlint.findings.model import Finding
    from designlint.planning.result import PlanAnswer

#: What every brief needs, and what names things: no plan can do without it.
NEEDED = ("designlint", "name", "fabric", "gpu", "model", "parameters", "tokens", "gpus", "kind", "purpose")
#: Statements that are left out one after another at most.
MOST = 12


class Statement(NamedTuple):
    """A value that a brief states, by its path in words, and what a plan has there that is free of errors without it."""

    path: str
    instead: str


def contradicted(
    answer: PlanAnswer, design: dict[str, Any], again: Callable[[dict[str, Any]], PlanAnswer]
) -> Settled | None:
    """
    That a plan has an error as long as the brief states something beside its aims; None where it has none, or there is no such
    statement.

    Args:
        design: the brief as it was given.
        again: the plan for another brief.
    """
    errors, size = _errors(answer), answer.settled.size
    if not errors or size is None:
        return None
    alone = Brief(design, answer.brief.vocabulary).only("layout").with_job({"runs_on": {"gpus": str(size.gpus)}})
    found = next(_blamed(errors, alone.design, again), None) if _errors(again(alone.design)) else None
    if found is None:
        return None
    ways = (f"`{found.path.rpartition('/')[2]}: {found.instead}`",) if found.instead else ()
    why = f"{errors[0].message} ({errors[0].rule})"
    return Settled(None, sure=False, conflict=(found.path,), why=why, ways=ways)


def _errors(answer: PlanAnswer) -> list[Finding]:
    return [one for one in answer.findings if one.severity is Severity.ERROR]


def _blamed(
    errors: list[Finding], design: dict[str, Any], again: Callable[[dict[str, Any]], PlanAnswer]
) -> Iterator[Statement]:
    """Each statement without which the plan at the same size has no error, first those that the errors name."""
    free = [path for path in leaves(design) if not {*NEEDED} & {*path[-2:]}]
    told = {name for one in errors for name in one.values}
    for path in sorted(free, key=lambda path: path[-1] not in told)[:MOST]:
        try:
            other = again(without(design, path))
        except UsageError:
            continue
        if not other.error and not _errors(other):
            words = in_words(design, path)
            yield Statement(words, _value(other, words))


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
