"""Rows in groups, with what is computed over each: as SPARQL has it, nothing is known of a sum with an unknown part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from designlint.expressions.evaluation import Evaluate

    #: Slot of the result, name, whether equal values count once, what stands between texts, and the argument.
    Aggregate: TypeAlias = tuple[int, str, bool, str, Evaluate | None]


def aggregated(
    rows: list[list[Any]], width: int, keys: Sequence[int], sums: Sequence[Aggregate], run: Any
) -> list[list[Any]]:
    """
    One row for each group, with the variables that it is grouped by and the results.

    Args:
        width: the slots of a row.
        keys: the slots of the variables that rows of a group share; where there are none, all rows are one group.
        run: what evaluating an argument takes beside a row.
    """
    groups: dict[Any, list[list[Any]]] = {} if keys else {(): []}
    for row in rows:
        groups.setdefault(tuple([(row[one].__class__, row[one]) for one in keys]), []).append(row)
    found: list[list[Any]] = []
    for key, members in groups.items():
        made: list[Any] = [None] * width
        for slot, (_, value) in zip(keys, key, strict=True):
            made[slot] = value
        for slot, kind, once, mark, of in sums:
            values: list[Any] = [True] * len(members) if of is None else [of((row, run)) for row in members]
            if once:
                values = list({(one.__class__, one): one for one in values}.values())
            made[slot] = _texts(values, mark) if kind == "GROUP_CONCAT" else AGGREGATES[kind](values)
        found.append(made)
    return found


def _count(values: list[Any]) -> int:
    return sum(one is not None for one in values)


def _sum(values: list[Any]) -> Any:
    if any(one is None or one.__class__ not in (int, float) for one in values):
        return None
    return sum(values)


def _extreme(choose: Callable[..., Any]) -> Callable[[list[Any]], Any]:
    def chosen(values: list[Any]) -> Any:
        if not values or None in values:
            return None
        try:
            return choose(values, key=lambda one: getattr(one, "path", one))  # subjects are in the order of their paths
        except TypeError:  # values of several types have no order
            return None

    return chosen


def _texts(values: list[Any], mark: str) -> Any:
    return mark.join(values) if all(isinstance(one, str) for one in values) else None


def _sample(values: list[Any]) -> Any:
    return next((one for one in values if one is not None), None)


AGGREGATES: Mapping[str, Callable[[list[Any]], Any]] = {
    "COUNT": _count,
    "SUM": _sum,
    "MAX": _extreme(max),
    "MIN": _extreme(min),
    "SAMPLE": _sample,
}
