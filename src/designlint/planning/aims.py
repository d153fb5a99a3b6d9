"""What a brief aims at, the size of job that holds it, and which aims cannot hold together."""

from __future__ import annotations

from itertools import combinations
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from designlint.planning.amounts import days
from designlint.planning.reasons import broken_limits, describe_size, reason
from designlint.planning.sizes import Sizes

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.planning.brief import Brief
    from designlint.planning.sizes import Size
    from designlint.rules.engine import Engine

#: What a request is answered with that the memory of its GPUs cannot meet; the words are those of the training architect.
REFUSAL = "Hardware constraints insufficient for model parameters"
#: What it is answered with where its aims cannot hold, and where nothing is found though no bound rules it out.
UNMET, NOT_FOUND = "Conflicting requirements", "No layout found"
#: What a brief may aim at, in the order in which an aim is given up to see whether the others hold without it.
AIMS = ("layout", "power", "budget", "goodput", "gpus", "deadline")


class SettledAims(NamedTuple):
    """
    What the aims of a brief come to.

    Attributes:
        size: where they hold.
        sure: whether limits hold at the slow end of the interval, too.
        likely: whether they hold as predicted, and not only at the fast end of the interval.
        conflict: aims that cannot, or are unlikely to, hold together, the fewest; empty where no aim is the reason.
        why: what keeps them from holding.
        ways: for each of these aims what it would have to be for the others to hold.
        nor: of the aims that are left, those that cannot hold together either, the fewest.
        unpredicted: the time of a step, or the memory of a layout, is not known.
        beyond_memory: what keeps them from holding is the memory of the GPUs.
    """

    size: Size | None = None
    sure: bool = True
    likely: bool = True
    conflict: tuple[str, ...] = ()
    why: str = ""
    ways: tuple[str, ...] = ()
    nor: tuple[str, ...] = ()
    unpredicted: bool = False
    beyond_memory: bool = False
    sizes: Sizes | None = None

    @property
    def error(self) -> str:
        """Why there is no plan, in short; the same words for every plan of its kind."""
        return NOT_FOUND if self.unpredicted else REFUSAL if self.beyond_memory else UNMET

    @property
    def free(self) -> Sizes | None:
        """The sizes of the same brief without its number of GPUs and its limits, for comparison."""
        return None if self.sizes is None else self.sizes.of(self.sizes.brief.only("layout", "deadline"))


def settle_aims(brief: Brief, engine: Engine, progress: Callable[[str], None]) -> SettledAims:
    """The size for a brief, or the smallest conflict among its aims."""
    sizes = Sizes(brief, engine, progress)
    for sure in (True, False):
        one = _size(sizes, sure=sure)
        if _holds(one, sure=sure):
            return SettledAims(one, sure, sizes=sizes)
    found = _conflict(sizes, one)
    if _may_hold(one):
        return found._replace(size=one, likely=False, why=reason(one))
    return found._replace(ways=(*found.ways, *_in_eight_bits(sizes, found.conflict)))


def _in_eight_bits(sizes: Sizes, conflict: tuple[str, ...]) -> tuple[str, ...]:
    """That all aims may hold where the job multiplies in FP8, if the brief leaves that open and the GPU has it."""
    brief = sizes.brief
    if (
        not {"deadline", "budget"} & {*conflict}
        or "precision" in brief.job
        or "peak_fp8" not in brief.machine.gpu_figures
    ):
        return ()
    size = _size(Sizes(brief.with_job({"precision": "fp8"}), sizes.engine, sizes.progress), sure=False)
    took = size.days(sure=False)
    if took is None or not (_holds(size, sure=False) or _may_hold(size)):
        return ()
    least = "" if _holds(size, sure=False) else f", at the fast end of the interval {days(took * size.quickest)}"
    return (f"`precision: fp8`, which takes {days(took)} on {size.gpus} GPUs{least}",)


def _may_hold(size: Size) -> bool:
    """Whether all limits hold at the fast end of the interval, though not as predicted."""
    brief, took, spent = size.brief, size.days(sure=False), size.gpu_time(sure=False)
    limits = {"deadline": (took, brief.deadline), "budget": (spent, brief.budget)}
    wrong = broken_limits(size, sure=False)
    if not size.candidates.layouts or not all(one in limits for one in wrong):
        return False
    return all((value or 0) * size.quickest <= (limit or 0) for value, limit in map(limits.__getitem__, wrong))


def _conflict(sizes: Sizes, one: Size) -> SettledAims:
    """Why the aims of a brief do not hold, as predicted, at the size that they lead to."""
    brief = sizes.brief
    if one.candidates.unpredicted or one.candidates.unknown:
        ways = tuple(filter(None, [_way(sizes, (), "layout") if brief.states("layout") else ""]))
        return SettledAims(None, sure=False, why=one.candidates.why, ways=ways, unpredicted=True, sizes=sizes)
    conflict = _smallest(sizes)
    open_ = [candidates for candidates in sizes.found.values() if candidates.unpredicted]
    if not conflict and open_:
        why = f"on {open_[0].gpus} GPUs, {open_[0].why}"
        return SettledAims(None, sure=False, why=f"{reason(one)}; {why}", unpredicted=True, sizes=sizes)
    if not conflict:
        return _nowhere(sizes, one)
    core = _size(sizes.of(brief.only(*conflict)), sure=False)
    if conflict == ("budget",):
        least = _least(sizes.of(brief.only("layout")), sizes, "budget")
        core = min(
            (core, one, sizes.of(brief.only("budget")).at(least.servers)),
            key=lambda size: size.gpu_time(sure=False) or inf,
        )
    asked = _requested_size(sizes, one, conflict)
    why = reason(core, conflict) if asked is None else f"{reason(asked, conflict)}{_elsewhere(core, asked, conflict)}"
    ways = tuple(filter(None, (_way(sizes, conflict, aim) for aim in conflict)))
    left = sizes.of(brief.only(*(aim for aim in AIMS if aim not in conflict)))
    nor = () if _holds(_size(left, sure=False), sure=False) else _smallest(left)
    return SettledAims(
        None, sure=False, conflict=conflict, why=why, ways=ways, nor=nor, sizes=sizes,
        beyond_memory=(asked or core).candidates.beyond_memory,
    )  # fmt: skip


def _nowhere(sizes: Sizes, one: Size) -> SettledAims:
    """That no number of GPUs is enough, whatever is given up: for want of memory where that is known of one."""
    most = max(candidates.gpus for candidates in sizes.found.values())
    full = [candidates for candidates in sizes.found.values() if candidates.beyond_memory]
    last = max(full, key=lambda candidates: candidates.gpus, default=one.candidates)
    why = f"no number of these GPUs up to {most} is enough" + (f": {last.why}" if last is not one.candidates else "")
    why = why if full and one.candidates.unjoined else f"{reason(one)}; {why}"
    return SettledAims(None, sure=False, why=why, beyond_memory=last.beyond_memory)


def _requested_size(sizes: Sizes, one: Size, conflict: tuple[str, ...]) -> Size | None:
    """The size with the GPUs that the brief asks for, where what is in conflict shows there, too; None where it does not."""
    brief = sizes.brief
    if brief.servers is None:
        return None
    limits = {*conflict} - {"gpus", "layout"}
    if limits:
        return one if one.candidates.layouts and limits <= {*broken_limits(one, sure=False)} else None
    alone = sizes.of(brief.only(*conflict, "gpus")).at(brief.servers)
    return None if alone.candidates.layouts else alone


def _elsewhere(core: Size, asked: Size, conflict: tuple[str, ...]) -> str:
    """That no other number of GPUs would do either, where their number is not in conflict."""
    if "gpus" in conflict or core.servers == asked.servers:
        return ""
    if not core.candidates.layouts:
        return "; no other number of these GPUs that was tried is enough"
    return f"; even {reason(core, conflict, limits=False)}"


def forbidden(sizes: Sizes, why: str) -> SettledAims:
    """That the stated layout cannot work, whatever its time and memory, and the one that a plan would choose instead."""
    conflict = ("layout",)
    ways = tuple(filter(None, [_way(sizes, conflict, "layout")]))
    return SettledAims(None, sure=False, conflict=conflict, why=why, ways=ways, sizes=sizes)


def _size(sizes: Sizes, *, sure: bool) -> Size:
    """The size that the limits lead to, whether they hold there or not."""
    brief = sizes.brief
    if brief.servers is not None:
        return sizes.at(brief.servers)
    if brief.deadline is not None and brief.tokens is not None:
        found = sizes.fewest(sure=sure)
    elif brief.power is not None or brief.budget is not None:
        found = sizes.most(lambda one: not broken_limits(one, sure=sure) and sizes.thrifty(one))
        found = found or (sizes.thriftiest() if brief.power is None else sizes.smallest())
    else:
        found = sizes.smallest()
    return found or sizes.fastest() or sizes.at(sizes.least())


def _holds(size: Size, *, sure: bool) -> bool:
    return bool(size.candidates.layouts) and not broken_limits(size, sure=sure)


def _smallest(sizes: Sizes) -> tuple[str, ...]:
    """The fewest aims of a brief that cannot hold together; none where nothing holds without any of them either."""
    stated = [aim for aim in AIMS if sizes.brief.states(aim)]
    for number in range(len(stated) + 1):
        for some in combinations(stated, number):
            if not _holds(_size(sizes.of(sizes.brief.only(*some)), sure=False), sure=False):
                return some
    return ()


def _way(sizes: Sizes, conflict: tuple[str, ...], aim: str) -> str:
    """What an aim would have to be for as many others as can hold, those of a conflict among them; empty where those cannot."""
    brief = sizes.brief
    asked = [one for one in AIMS if brief.states(one) and one != aim]
    needed = {*conflict} - {aim}
    for number in range(len(asked), len(needed) - 1, -1):
        for others in combinations(asked, number):
            if needed <= {*others} and _holds(size := _without(sizes, others, aim), sure=False):
                return describe_size(size, aim)
    return ""


def _without(sizes: Sizes, others: tuple[str, ...], aim: str) -> Size:
    """The size for other aims that comes nearest to one that is given up."""
    brief, fewer = sizes.brief, sizes.of(sizes.brief.only(*others))
    size = _size(fewer, sure=False)
    if aim == "gpus" and not ({*others} & {"deadline", "power", "budget"}):
        return _near(fewer, brief.servers) or size
    return _least(fewer, sizes, aim) if aim in ("deadline", "budget") and fewer.brief.gpus is None else size


def _near(fewer: Sizes, servers: int | None) -> Size | None:
    """The nearest size above one on which all holds, else the smallest, or the largest; None where there is none."""
    near = None if servers is None else fewer.nearest(servers)
    if near is not None and (fewer.brief.goodput is None or _holds(near, sure=False)):
        return near
    if near is None and servers is not None and fewer.at(servers).candidates.beyond_memory:
        return fewer.smallest()
    return fewer.most(lambda one: not broken_limits(one, sure=False))


def _least(fewer: Sizes, sizes: Sizes, aim: str) -> Size:
    """Of the sizes that were looked at, the one that is fastest or takes least GPU time without an aim."""
    sound = [one for one in map(fewer.at, {*sizes.seen, *fewer.seen, *fewer.known}) if _holds(one, sure=False)]
    return min(
        sound or [fewer.at(fewer.least())],
        key=lambda one: ((one.days if aim == "deadline" else one.gpu_time)(sure=False) or 0, one.servers),
    )
