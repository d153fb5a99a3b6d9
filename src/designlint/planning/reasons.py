"""In words: what keeps the aims of a brief from holding at a size, and what an aim would have to be."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

from designlint.language.sentences import many, percent
from designlint.layouts.search import short
from designlint.planning.amounts import days, hours
from designlint.planning.cluster import reserve

if TYPE_CHECKING:
    from designlint.planning.sizes import Size


def broken_limits(size: Size, *, sure: bool) -> list[str]:
    """The limits of the brief that do not hold at a size."""
    brief = size.brief
    took, spent = size.days(sure=sure), size.gpu_time(sure=sure)
    found = []
    if brief.deadline is not None and took is not None and took > brief.deadline:
        found.append("deadline")
    if brief.budget is not None and spent is not None and spent > brief.budget:
        found.append("budget")
    if brief.power is not None and size.power > brief.power:
        found.append("power")
    reached = size.recovery.reached
    if brief.goodput is not None and reached is not None and reached < brief.goodput:
        found.append("goodput")
    return found


def describe_size(size: Size, aim: str) -> str:
    """What a size comes to, in the words of an aim."""
    units, took, spent = size.brief.vocabulary.units, size.days(sure=False), size.gpu_time(sure=False)
    gpus = many(size.gpus, "GPU")
    if aim == "gpus":
        return gpus
    if aim == "power":
        return f"a utility power of {units.format_planned(size.power, 'Power', 'up')} for {gpus}"
    if aim == "deadline" and took is not None:
        return f"a deadline of {days(took, up=True)} on {gpus}"
    if aim == "goodput" and size.recovery.reached is not None:
        return f"a goodput of {_round_share(size.recovery.reached)} on {gpus}"
    if aim == "budget" and spent is not None:
        return f"a budget of {hours(spent, up=True)} on {gpus}"
    return f"the layout {short(size.candidates.layouts[0].words)} on {gpus}" if aim == "layout" else ""


def reason(size: Size, conflict: tuple[str, ...] = (), *, limits: bool = True) -> str:
    """
    What keeps the aims of a brief, or those in conflict, from holding at a size.

    Args:
        limits: whether to name the limits, too.
    """
    if not size.candidates.layouts:
        still = f"; with `offload: optimizer`, {size.still_crowded}" if size.still_crowded else ""
        return f"{size.candidates.why}{still}"
    brief, name = size.brief, many(size.gpus, "GPU")
    wrong = [one for one in broken_limits(size, sure=False) if not conflict or one in conflict]
    if brief.gpus is None and brief.deadline is not None:
        name += ", the fastest of all sizes tried," if "deadline" in wrong else ", the fewest that meet the deadline,"
    elif brief.gpus is None and wrong == ["budget"]:
        name += ", the size with the fewest GPU hours,"
    told = [_describe_missed(size, one) for one in ("deadline", "budget", "power", "goodput") if one in wrong]
    return "; ".join(f"{name} {what}; {limit}" if limits else f"{name} {what}" for what, limit in told)


def _describe_missed(size: Size, aim: str) -> tuple[str, str]:
    """What a size comes to where a limit does not hold, and the limit."""
    brief, units, took = size.brief, size.brief.vocabulary.units, size.days(sure=False) or 0.0
    ending = "s" if size.gpus == 1 else ""
    if aim == "deadline":
        least, limit = took * size.quickest, brief.deadline or 0
        odds = f" (at the fast end of the interval {days(least)})" if least <= limit else ""
        return f"need{ending} {days(took, up=True)}{odds}", f"the deadline is {days(limit)}"
    if aim == "budget":
        return (
            f"use{ending} {hours(size.gpu_time(sure=False) or 0, up=True)}",
            f"the budget is {hours(brief.budget or 0)}",
        )
    if aim == "power":
        drawn = units.format_planned(size.power, "Power", "up")
        needed = f"need{ending} {drawn} from the utility, of which {percent(reserve(brief))} is reserve"
        return needed, f"the limit is {units.format(brief.power or 0, 'Power')}"
    reach = "reaches" if size.gpus == 1 else "reach"
    reached = _round_share(size.recovery.reached or 0)
    return f"{reach} a goodput of {reached}", f"the target is {round((brief.goodput or 0) * 100, 4):g} %"


def _round_share(share: float) -> str:
    """A share in percent, rounded down, so that it is reached."""
    return f"{floor(share * 1000) / 10:g} %"
