"""How a planned job is saved and recovers, and how much of the time failures and checkpoints then leave."""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from designlint.derivations.operations.reliability import daly_checkpoint_interval, goodput
from designlint.language.sentences import percent
from designlint.planning.choices import choices
from designlint.planning.document import Chosen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.graph.subjects import Subject
    from designlint.planning.brief import Brief
    from designlint.rules.engine import Engine

#: What a failure and a checkpoint cost, as designs state it.
TIMES = ("stall", "detect", "restart")
#: The rule on checkpoints between which published runs take more steps.
FEW_STEPS = "checkpoint/interval-of-few-steps"


class Recovery(Struct, frozen=True):
    """
    Checkpoints and restarts of a job.

    Attributes:
        stall, detect, restart: as the plan states them; the brief's own where it has them.
        interval: time between checkpoints; None where failures are unknown.
        goodput: share of time that the plan counts on.
        reached: share that failures and checkpoints alone leave; None where failures are unknown.
        targeted: the same as a target in whole percent, and why it is what it is.
        tiers: where checkpoints are written, the nearest first.
        quick: whether the usual times would lose too much, and shorter ones are planned.
    """

    stall: str | Chosen
    detect: str | Chosen
    restart: str | Chosen
    interval: Chosen | None
    goodput: float
    reached: float | None
    targeted: Chosen
    tiers: tuple[str, str]
    quick: bool = False

    @property
    def words(self) -> dict[str, Any]:
        """The part of a job that says so."""
        saved = {
            "mode": "asynchronous", "sharded": "true", "tiers": [*self.tiers], "keep": "8", "stall": self.stall,
        }  # fmt: skip
        return {
            "targets": {"goodput": self.targeted},
            "checkpoint": saved if self.interval is None else {**saved, "interval": self.interval},
            "recovery": {
                "automatic_restart": "true", "detect": self.detect, "restart": self.restart, "health_checks": "true",
                "straggler_detection": "true", "communication_timeout": "10 min",
            },
        }  # fmt: skip


def recovery(brief: Brief, job: Subject, shortest: float = 0.0, *, quick: bool | None = None) -> Recovery:
    """
    How a job that is derived on its servers recovers.

    Args:
        shortest: time between checkpoints that the plan does not go below, unless it then misses the goodput that it aims at. [s]
        quick: whether with the shorter times; None where that is to be found out: failures come often, or the usual times
            miss the goodput that the run aims at.
    """
    between, often = job.number("mtbf"), brief.number(choices()["run"]["often"], "Duration")
    usual = _recovery(brief, between, shortest, _times(brief, {}))
    enough = usual.reached is None or (usual.reached >= _aimed_goodput(brief) and not _shorter(between, often))
    if quick is False or (quick is None and enough):
        return usual
    why = {
        "stall": "snapshot into host memory: failures come every few minutes",
        "detect": "health checks between steps",
        "restart": "warm standbys and restart in place (byterobust-2025); prove it before the run",
    }
    if not _shorter(between, often) and usual.reached is not None:
        why["stall"] = f"snapshot into host memory: longer stops would leave {percent(usual.reached)} goodput"
    return replace(_recovery(brief, between, shortest, _times(brief, why)), quick=True)


def _shorter(between: float | None, often: float) -> bool:
    return between is not None and between < often


def _aimed_goodput(brief: Brief) -> float:
    """The goodput that the brief aims at, else the one of published runs."""
    return brief.number(choices()["run"]["goodput"], "Ratio") if brief.goodput is None else brief.goodput


def _times(brief: Brief, why: Mapping[str, str]) -> dict[str, str | Chosen]:
    """Stall, detection and restart: the brief's own, else the usual ones, or the short ones with their reasons."""
    given = choices()["run"]
    stated = {**(brief.job.get("checkpoint") or {}), **(brief.job.get("recovery") or {})}
    usual = {name: given[name] for name in TIMES}
    return {name: stated.get(name, Chosen(given[f"short_{name}"], why[name]) if why else usual[name]) for name in TIMES}


def shortest_interval(engine: Engine, step: float) -> float:
    """Time of the fewest steps that published pretraining runs take between checkpoints, in whole minutes. [s]"""
    return ceil(float(engine.rules[FEW_STEPS].texts.limits["few"].value) * step / 60) * 60.0


def _recovery(brief: Brief, between: float | None, shortest: float, times: dict[str, str | Chosen]) -> Recovery:
    """What these times come to."""
    given, units, aimed = choices()["run"], brief.vocabulary.units, _aimed_goodput(brief)
    stall, detect, restart = (times[name] for name in TIMES)
    target = Chosen(f"{aimed * 100:.4g} %", f"reached by whole published runs ({given['source']})")
    if between is None:
        return Recovery(stall, detect, restart, None, aimed, None, target, brief.tiers)
    stands, found, recovers = (
        brief.number(one.text if isinstance(one, Chosen) else one, "Duration") for one in (stall, detect, restart)
    )
    interval, why = _interval(brief, stands, between)

    def left(wait: float) -> float | None:
        return goodput(stands, wait, wait, between, found, recovers)

    reached = left(interval) if interval else None
    if why and interval and interval < shortest and (left(shortest) or 0) >= aimed:
        interval, reached, why = shortest, left(shortest), "as many steps as published runs take at least"
    if reached is not None and reached < aimed:
        aimed = max(reached, 0.01)
        why_less = f"the maximum with one failure every {units.format(between, 'Duration')}"
        target = Chosen(f"{max(floor(aimed * 100), 1)} %", why_less)
    text = None if interval is None else Chosen(units.format(interval, "Duration"), why)
    return Recovery(stall, detect, restart, text, aimed, reached, target, brief.tiers)


def _interval(brief: Brief, stall: float, between: float) -> tuple[float | None, str]:
    """Time between checkpoints, and why: the brief's own, or what wastes least time within the allowed overhead. [s]"""
    stated = (brief.job.get("checkpoint") or {}).get("interval")
    if stated is not None:
        return brief.number(stated, "Duration"), ""
    best = daly_checkpoint_interval(stall, between)
    if best is None:
        return None, ""
    overhead = (brief.job.get("targets") or {}).get("checkpoint_overhead", choices()["run"]["checkpoint_overhead"])
    share = brief.number(overhead, "Ratio")
    least = stall / share if share else 0.0
    wanted = max(best, least)
    whole = (
        max(60.0, round(wanted / 60) * 60.0)
        if wanted >= 60 and round(wanted / 60) * 60 >= least
        else -(-wanted // 10) * 10
    )
    why = (
        "loses the least time at this failure rate (Daly)"
        if best >= least
        else f"the shortest that keeps stalls within {percent(share)}"
    )
    return whole, why
