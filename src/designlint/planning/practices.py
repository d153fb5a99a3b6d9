"""Practices and targets of a plan that follow from its size and its run."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

from designlint.language.sentences import percent
from designlint.planning.candidates import published_utilisation
from designlint.planning.choices import choices
from designlint.planning.document import Chosen
from designlint.planning.rounding import exact

if TYPE_CHECKING:
    from designlint.layouts.search import Layout
    from designlint.planning.brief import Brief
    from designlint.planning.sizes import Size


def kept_metrics(brief: Brief, practices: dict[str, Any]) -> dict[str, Any]:
    """Metrics kept for the whole run where its deadline is beyond the usual time."""
    usual = brief.number(practices["observability"]["metrics_retention"], "Duration")
    stated = (brief.job.get("targets") or {}).get("deadline")
    if brief.deadline is None or brief.deadline <= usual:
        return {}
    return {"observability": {"metrics_retention": Chosen(str(stated), "the whole run")}}


def audits(brief: Brief, practices: dict[str, Any]) -> dict[str, Any]:
    """Audits of performance twice within a run whose deadline comes before the second one of every plan."""
    usual = brief.number(practices["observability"]["performance_audits"], "Duration")
    if brief.deadline is None or brief.deadline >= 2 * usual:
        return {}
    half = brief.vocabulary.units.format_planned(brief.deadline / 2, "Duration", "down")
    return {"observability": {"performance_audits": Chosen(half, "twice within the run")}}


def spare_gpus(brief: Brief, practices: dict[str, Any], servers: int) -> dict[str, Any]:
    """Spare GPUs of a pool of which the usual share is less than one: one, or none where that is out of proportion."""
    gpus = servers * brief.gpus_per_server
    if brief.number(practices["operations"]["spare_gpus"], "Ratio") * gpus >= 1:
        return {}
    share, most = ceil(100 / gpus), brief.number(choices()["spare_gpus"]["most"], "Ratio")
    one = Chosen(f"{share} %", "one GPU") if share <= 100 * most else Chosen("0", "servers are repaired as a whole")
    return {"operations": {"spare_gpus": one}}


def aimed_utilisation(size: Size, best: Layout) -> dict[str, Any]:
    """
    The utilisation that the job aims at: what is predicted, no more than published runs reach.

    Where the limits of the brief hold only at the fast end of the interval, it is what they need.
    """
    brief, mfu = size.brief, best.cost.mfu
    if mfu is None or mfu < brief.number(choices()["aims"]["least_mfu"], "Ratio"):
        return {}
    took, most = size.run_time(best, sure=False) or 0.0, published_utilisation(brief, size.engine, size.candidates.job)
    limits = (brief.deadline, None if brief.budget is None else brief.budget / size.gpus)
    late = max((took / limit for limit in limits if limit), default=0.0)
    if late > 1:
        needed = f"needed for the deadline or the budget; {percent(mfu)} is predicted"
        return {"targets": {"mfu": Chosen(exact(mfu * late, up=True), needed)}}
    beyond = f"{percent(mfu)} is predicted; hardly any published run exceeds this"
    if mfu * late > most:
        needed = f"needed for the deadline or the budget; hardly any published run exceeds {percent(most)}"
        return {"targets": {"mfu": Chosen(exact(mfu * late, up=True), needed)}}
    reason = "as predicted for this layout" if mfu <= most else beyond
    return {"targets": {"mfu": Chosen(exact(min(mfu, most)), reason)}}
