"""Rows in groups, with what is computed over each: as SPARQL has it, nothing is known of a sum with an unknown part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.expressions.selects.rows import rank

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def aggregate(
    rows: list[tuple[tuple[Any, ...], tuple[Any, ...]]], grouped: bool, sums: Sequence[tuple[str, bool, str]]
) -> list[tuple[tuple[Any, ...], list[Any]]]:
    """
    The values that the rows of a group share, with what is computed over them.

    Args:
        rows: each the values by which it is grouped, and the argument of each function.
        grouped: whether there are such values; where there are none, all rows are one group.
        sums: name, whether equal values count once, and what stands between texts.
    """
    groups: dict[Any, tuple[tuple[Any, ...], list[tuple[Any, ...]]]] = {} if grouped else {(): ((), [])}
    for keys, values in rows:
        groups.setdefault(tuple([(one.__class__, one) for one in keys]), (keys, []))[1].append(values)
    found: list[tuple[tuple[Any, ...], list[Any]]] = []
    for keys, members in groups.values():
        made: list[Any] = []
        for at, (kind, once, mark) in enumerate(sums):
            told = [one[at] for one in members]
            if once:
                told = list({(one.__class__, one): one for one in told}.values())
            made.append(_texts(told, mark) if kind == "GROUP_CONCAT" else AGGREGATES[kind](told))
        found.append((keys, made))
    return found


def _count(values: list[Any]) -> int:
    return sum(one is not None for one in values)


def _sum(values: list[Any]) -> Any:
    if any(one is None or one.__class__ not in (int, float) for one in values):
        return None
    return sum(values)


def _extreme(choose: Callable[..., Any]) -> Callable[[list[Any]], Any]:
    return lambda values: None if not values or None in values else choose(values, key=rank)


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
