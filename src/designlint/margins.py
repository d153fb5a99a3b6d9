"""How far a judgement is from its limit: the comparisons of a rule, measured in the numbers of one row."""

from __future__ import annotations

from math import inf, isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from designlint.model import Margin
from designlint.rules import MEASURE
from designlint.wording import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.rules import Row, Rule
    from designlint.units import Units

#: A strict comparison of whole numbers as the one that includes its limit, and the step to that.
INCLUSIVE = {"<": ("<=", -1), ">": (">=", 1)}
#: Comparisons as people write them.
SIGNS = {"<=": "≤", ">=": "≥"}
#: Digits that a room keeps: 0.1 + 0.2 is 0.3.
DIGITS = 12


class Reach(NamedTuple):
    """How far a condition is from changing its answer; without end where no number decides it."""

    room: float
    holds: bool
    margin: Margin | None = None


def measured(rule: Rule, row: Row, units: Units) -> Margin | None:
    """The margin of a row that passed or failed; None where no comparison of numbers decides it."""
    stated = rule["margin"]
    found = _reach(stated["tree"], stated["leaves"], row.measures, units) if stated is not None else None
    return None if found is None else found.margin


def _reach(tree: Any, leaves: Sequence[Mapping[str, str]], measures: Mapping[str, Any], units: Units) -> Reach | None:
    """
    The reach of a condition; None where it is unknown.

    What is joined by `and` reaches as far as its tightest part, by `or` as far as its widest; parts that are unknown do
    not count where the others decide, as in SPARQL.
    """
    if isinstance(tree, int):
        return _compared(leaves[tree], tree, measures, units)
    joined, *parts = tree
    reaches = [_reach(one, leaves, measures, units) for one in parts]
    known = [one for one in reaches if one is not None]
    if joined == "first":
        return known[0] if known else None
    decides = joined == "or"
    if len(known) < len(reaches) and all(one.holds is not decides for one in known):
        return None
    return (max if decides else min)(known, key=lambda one: (one.room, one.holds))


def _compared(leaf: Mapping[str, str], number: int, measures: Mapping[str, Any], units: Units) -> Reach | None:
    holds = measures.get(f"{MEASURE}{number}")
    if holds is None:
        return None
    value, limit = (measures.get(f"{MEASURE}{number}_{side}") for side in ("value", "limit"))
    if not (leaf["comparison"] and _number(value) and _number(limit)):
        return Reach(inf if holds else -inf, bool(holds))
    margin = _margin(leaf, value, limit, units)
    return Reach(margin.room, bool(holds), margin)


def _margin(leaf: Mapping[str, str], value: float, limit: float, units: Units) -> Margin:
    comparison, against, kind = leaf["comparison"], leaf["against"], leaf["kind"]
    if isinstance(value, int) and isinstance(limit, int) and comparison in INCLUSIVE:
        comparison, step = INCLUSIVE[comparison]
        against = str(limit + step) if against == str(limit) else against
        limit += step
    left = limit - value if comparison[0] == "<" else value - limit
    share = left / (abs(limit) or abs(value) or 1)
    text, limit_text = _text(value, kind, units), _text(limit, kind, units)
    words = (leaf["told"], text, SIGNS.get(comparison, comparison), leaf["told_against"], limit_text)
    return Margin(
        leaf["name"],
        against,
        comparison,
        value,
        limit,
        units.symbol(kind),
        float(f"{share:.{DIGITS}g}"),
        text,
        limit_text,
        " ".join(filter(None, words)),
    )


def _text(number: float, kind: str, units: Units) -> str:
    return str(number) if isinstance(number, int) and not kind else plain(number, kind, units)


def _number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
