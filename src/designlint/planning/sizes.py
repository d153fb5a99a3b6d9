"""How many servers a brief takes: as it states, the fewest that meet its deadline, or the most that its limits allow."""

from __future__ import annotations

from functools import cached_property
from math import ceil, inf, lcm, prod
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from designlint.planning import cluster
from designlint.planning.candidates import SPLIT, Candidates, busy, offload_optimizer, per_token, published_utilisation
from designlint.planning.choices import choices
from designlint.planning.failures import recovery, shortest_interval
from designlint.planning.racks import keep_groups_whole
from designlint.planning.rounding import whole
from designlint.planning.skeleton import derive_facts, furnish_storage, skeleton

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.layouts.search import Layout
    from designlint.planning.brief import Brief
    from designlint.planning.failures import Recovery
    from designlint.rules.engine import Engine

#: Times that the number of servers is doubled in search of one that meets a deadline.
DOUBLINGS = 12
#: Share of its peak at which a first number of servers is guessed.
GUESS = 0.45
#: Where twice the servers save less than this share of the time, more do not help.
NO_GAIN = 0.02
#: A size that takes so many times as long as the fastest one is far from it.
FAR = 4


class Size(Struct, frozen=True, dict=True):
    """
    A number of servers, its layouts, and what the run then takes.

    Attributes:
        brief: what its layouts keep to; the optimizer is in CPU memory where no layout fits otherwise.
        kept_away: why the optimizer is there; empty where it is not, or the brief wants it there.
        still_crowded: what is in the way with the optimizer there, too, where that was tried in vain.
    """

    brief: Brief
    engine: Engine
    servers: int
    candidates: Candidates
    kept_away: str = ""
    still_crowded: str = ""

    @property
    def gpus(self) -> int:
        """GPUs of the job."""
        return self.candidates.gpus

    def days(self, *, sure: bool) -> float | None:
        """Time of the run, on the slow side of the interval or in its middle. [s]"""
        found = self.candidates.layouts
        return self.run_time(found[0], sure=sure) if found else None

    def run_time(self, layout: Layout, *, sure: bool = True) -> float | None:
        """Time of the whole run with failures; on the slow side of the interval where sure. [s]"""
        if self.brief.tokens is None:
            return None
        step = self._slow_step(layout) if sure else layout.cost.step
        each = layout.words["global_batch"] * layout.words["sequence"]
        return float(self.brief.tokens / each * step / self.recovery.goodput)

    def _slow_step(self, layout: Layout) -> float:
        """The slow end of a step's interval, and no faster than published runs on such GPUs. [s]"""
        cost, most = layout.cost, published_utilisation(self.brief, self.engine, self.candidates.job)
        return max(cost.high or cost.step, cost.step * (cost.mfu or 0.0) / most)

    @property
    def quickest(self) -> float:
        """The fast end of a step's interval, as a share of the step that is predicted."""
        cost = self.candidates.layouts[0].cost
        return 1.0 if cost.low is None else cost.low / cost.step

    def gpu_time(self, *, sure: bool) -> float | None:
        """Time of all GPUs, added up. [s]"""
        took = self.days(sure=sure)
        return None if took is None else took * self.gpus

    @cached_property
    def recovery(self) -> Recovery:
        """How the job recovers, and how much time failures leave it."""
        found = self.candidates.layouts
        return recovery(
            self.brief, self.candidates.job, shortest_interval(self.engine, found[0].cost.step if found else 0)
        )

    @cached_property
    def power(self) -> float:
        """What the utility has to commit. [W]"""
        design = furnish_storage(self.brief, self.servers, skeleton(self.brief, self.servers), self.engine)
        graph = derive_facts(design, self.engine).graph
        return cluster.utility_power(self.brief, graph.root, graph.by_class["NodePool"][0])


class Sizes:
    """The sizes of one brief, each looked at once."""

    def __init__(
        self,
        brief: Brief,
        engine: Engine,
        progress: Callable[[str], None],
        found: dict[tuple[int, object, str, str, bool], Candidates] | None = None,
    ) -> None:
        self.brief, self.engine, self.progress = brief, engine, progress
        self.seen: dict[int, Size] = {}
        self.found = {} if found is None else found

    def of(self, brief: Brief) -> Sizes:
        """The sizes of the same brief with fewer aims; layouts that were found are shared, for limits do not change them."""
        return Sizes(brief, self.engine, self.progress, self.found)

    @property
    def known(self) -> list[int]:
        """Numbers of servers whose layouts were found, for whatever aims."""
        return [servers for servers, *rest in self.found if (servers, *rest) == self._key(self.brief, servers)]

    @staticmethod
    def _key(brief: Brief, servers: int, *, over_pcie: bool = False) -> tuple[int, object, str, str, bool]:
        return servers, brief.gpus, str(brief.job.get("parallelism")), str(brief.pool.get("spares")), over_pcie

    def at(self, servers: int) -> Size:
        """One size."""
        if servers not in self.seen:
            one = self._of(self.brief, servers)
            other = self._of(offload_optimizer(self.brief), servers) if self._may_offload(one) else one
            better = other is not one and other.candidates.layouts and not other.candidates.crowded
            found = (
                replace(other, kept_away=one.candidates.crowded)
                if better
                else replace(one, still_crowded="" if other is one else other.candidates.crowded)
            )
            found = self._over_pcie(found)
            roomy = keep_groups_whole(found.brief, servers, found.candidates.layouts)
            self.seen[servers] = (
                found if roomy is found.brief else replace(self._of(roomy, servers), kept_away=found.kept_away)
            )
        return self.seen[servers]

    def _over_pcie(self, one: Size) -> Size:
        """The same size with tensors shared over PCIe where nothing else fits or all else is far slower; else the size itself."""
        mine = one.candidates.layouts
        if not one.candidates.only_pcie or not (one.candidates.beyond_memory or (mine and not busy(mine[0]))):
            return one
        other = self._of(one.brief, one.servers, over_pcie=True)
        theirs, gain = other.candidates.layouts, float(choices()["over_pcie"]["least_gain"])
        faster = bool(mine and theirs) and per_token(theirs[0]) * gain <= per_token(mine[0])
        return replace(other, still_crowded="" if theirs else one.still_crowded) if faster or not mine else one

    def _of(self, brief: Brief, servers: int, *, over_pcie: bool = False) -> Size:
        key = self._key(brief, servers, over_pcie=over_pcie)
        if key not in self.found:
            self.progress(f"layouts on {servers * brief.gpus_per_server} GPUs")
            self.found[key] = Candidates(brief, servers, self.engine, over_pcie=over_pcie)
        return Size(brief, self.engine, servers, self.found[key])

    def _may_offload(self, size: Size) -> bool:
        """Whether memory is all that is in the way, more GPUs are no choice, and the brief leaves open what stays on them."""
        stated = self.brief.job.get("parallelism") or {}
        return bool(size.candidates.crowded) and self.brief.gpus is not None and "offload" not in stated

    def fewest(self, *, sure: bool) -> Size | None:
        """The fewest servers that meet the deadline, in round steps; None where no number does."""
        return self._first(lambda one: (one.days(sure=sure) or inf) <= (self.brief.deadline or 0))

    def smallest(self) -> Size | None:
        """The fewest servers on which a layout fits, in round steps."""
        return self._first(lambda one: bool(one.candidates.layouts))

    def nearest(self, servers: int) -> Size | None:
        """The first number above one, rounder each time, on which a layout fits."""
        steps = [self.unit * 2**power for power in range((servers // self.unit).bit_length() + DOUBLINGS // 2)]
        rounder = [whole(servers, step) for step in steps]
        for one in sorted(set(rounder) - {servers}):
            if self.at(one).candidates.layouts:
                return self.at(one)
        return None

    def _first(self, holds: Callable[[Size], bool]) -> Size | None:
        """The fewest servers for which something holds; None where twice as many come no nearer to it."""
        low, high, last = 0, whole(self.least(), self.unit), inf
        while self.at(high).candidates.unjoined and high > self.unit:
            high = whole(high // 2, self.unit)
        for _ in range(DOUBLINGS):
            one = self.at(high)
            if holds(one):
                break
            took = one.days(sure=False)
            if (
                one.candidates.unpredicted
                or one.candidates.unjoined
                or (took is not None and took > last * (1 - NO_GAIN))
            ):
                return self._below(holds)
            low, high, last = high, high * 2, took or last
        else:
            return None
        step = self.step(high)
        while high - low > step:
            middle = whole((low + high) / 2, step)
            if middle >= high:
                break
            low, high = (low, middle) if holds(self.at(middle)) else (middle, high)
        return self.at(high)

    def _below(self, holds: Callable[[Size], bool]) -> Size | None:
        """The first number below all looked at, halved each time, for which something holds; None where none is found."""
        one = self.at(min(self.seen))
        while one.servers > self.unit and one.candidates.layouts and not holds(one):
            best = self.fastest()
            if best is not None and (one.days(sure=False) or 0) > FAR * (best.days(sure=False) or inf):
                return None
            one = self.at(whole(one.servers // 2, self.unit))
        return one if holds(one) else None

    def step(self, servers: int) -> int:
        """Servers by which a search goes on: units times a power of two, about a sixteenth of them."""
        return self.unit << max(0, (servers // self.unit).bit_length() - 5)

    @cached_property
    def unit(self) -> int:
        """Servers of which every size is a multiple: the fewest whose GPUs the stated degrees divide."""
        stated, each = self.brief.job.get("parallelism") or {}, self.brief.gpus_per_server
        degrees = prod(int(self.brief.number(stated[one], "Count")) for one in SPLIT if one in stated)
        return lcm(degrees, each) // each

    def most(self, holds: Callable[[Size], bool]) -> Size | None:
        """The most servers for which a limit holds, in round steps; None where it holds for none."""
        first = self.smallest()
        while first is not None and not holds(first):
            first = self._thriftier(first)
        if first is None:
            return None
        low, high = first.servers, first.servers * 2
        for _ in range(DOUBLINGS):
            if not self._fits(high, holds):
                break
            low, high = high, high * 2
        else:
            return self.at(low)
        step = self.step(high)
        while high - low > step:
            middle = whole((low + high) / 2, step)
            if middle >= high:
                break
            low, high = (middle, high) if self._fits(middle, holds) else (low, middle)
        return self.at(low)

    def _thriftier(self, one: Size) -> Size | None:
        """Twice the servers, where these take less GPU time under a budget of it; None where they do not."""
        more = self.at(one.servers * 2)
        spent, less = one.gpu_time(sure=False), more.gpu_time(sure=False)
        return (
            more if self.brief.budget is not None and spent is not None and less is not None and less < spent else None
        )

    def thriftiest(self) -> Size | None:
        """Of the sizes looked at, the one whose run takes least GPU time."""
        found = [one for one in self.seen.values() if one.gpu_time(sure=False) is not None]
        return min(found, key=lambda one: (one.gpu_time(sure=False) or 0, one.servers), default=None)

    def thrifty(self, one: Size) -> bool:
        """Whether a size under a budget of GPU hours takes little more of them than the thriftiest that was looked at."""
        spent = [size.gpu_time(sure=False) for size in self.seen.values() if size.candidates.layouts]
        own, least = one.gpu_time(sure=False), min((took for took in spent if took is not None), default=None)
        if self.brief.budget is None or own is None or least is None:
            return True
        return own <= least * (1 + self.brief.number(choices()["run"]["more_hours"], "Ratio"))

    def _fits(self, servers: int, holds: Callable[[Size], bool]) -> bool:
        one = self.at(servers)
        return bool(one.candidates.layouts) and holds(one)

    def least(self) -> int:
        """Servers to begin with: a power of two that holds the state and, at a good share of the peak, meets the deadline."""
        job = derive_facts(skeleton(self.brief, 1), self.engine).graph.by_class["Workload"][0]
        total, usable, needed = map(job.number, ("state_memory_total", "usable_gpu_memory", "least_mfu_needed"))
        counts: list[int] = [1]
        if total is not None and usable is not None:
            counts.append(ceil(total / usable / self.brief.gpus_per_server))
        if needed is not None:
            counts.append(int(needed / GUESS))
        return int(2 ** (max(counts) - 1).bit_length())

    def fastest(self) -> Size | None:
        """Of the sizes looked at, the one whose run is shortest."""
        found = [one for one in self.seen.values() if one.days(sure=False) is not None]
        return min(found, key=lambda one: (one.days(sure=False) or 0, one.servers), default=None)
