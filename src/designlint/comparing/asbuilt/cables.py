"""Cables between switches: which are not there, too many, swapped, or lead elsewhere."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product
from typing import TYPE_CHECKING

from designlint.comparing.asbuilt.difference import Deviation, cables
from designlint.language.sentences import many, series
from designlint.wiring.graph import PLURALS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.comparing.asbuilt.joining import NameMatches
    from designlint.wiring.graph import Cable, Wiring

Pair = tuple[str, str]
#: Pairs of switches with a cable too few or too many, beyond which nobody looks for two that changed places.
MOST = 5000
#: Neighbours from which on cables that are slow without exception point to their switch.
SEVERAL = 3


class CablePairs:
    """The cables of both sides by pairs of switches, in the names of the design; what one side does not see is left out."""

    def __init__(self, design: Wiring, built: Wiring, joined: NameMatches) -> None:
        self.joined = joined
        self.back = {other: name for name, other in joined.switches.items()}
        self.wanted: dict[Pair, list[Cable]] = defaultdict(list)
        self.seen: dict[Pair, list[Cable]] = defaultdict(list)
        for cable in design.cables:
            if all(end.switch in joined.switches for end in (cable.one, cable.other)):
                self.wanted[cable.pair].append(cable)
        for cable in built.cables:
            one, other = (self.back.get(end.switch) for end in (cable.one, cable.other))
            if one is not None and other is not None:
                self.seen[min(one, other), max(one, other)].append(cable)
        self.presence = design.adjacency or built.adjacency
        self.roles = {one.name: one.role for one in design.switches.values()}
        leaves = {one.name for one in design.tier("leaf")}
        listed = {name for pair in self.wanted if leaves.issuperset(pair) for name in pair}
        #: Leaves that may have cables to one another although the design lists none.
        self.peers = set() if design.paired is False else leaves - listed

    def count_cables(self, cables: Sequence[Cable]) -> int:
        """So many cables; whether there is one where a side does not count them."""
        return min(len(cables), 1) if self.presence else len(cables)

    def port(self, cable: Cable, name: str) -> str:
        """The port of a cable of the dump at a switch of the design."""
        return cable.port(self.joined.switches[name])


def differences(between: CablePairs) -> Iterator[Deviation]:
    """Every difference in which switches the cables join."""
    missing: Counter[Pair] = Counter()
    extra: Counter[Pair] = Counter()
    for pair in dict.fromkeys([*between.wanted, *between.seen]):
        wanted, seen = (between.count_cables(one.get(pair, [])) for one in (between.wanted, between.seen))
        missing[pair] += max(0, wanted - seen)
        extra[pair] += max(0, seen - wanted)
    if between.peers:
        extra = Counter({pair: count for pair, count in extra.items() if not between.peers.issuperset(pair)})
    missing, extra = +missing, +extra
    if len(missing) <= MOST and len(extra) <= MOST:
        beside = _beside(missing)
        yield from _find_swapped(between, missing, extra, beside)
        yield from _elsewhere(between, missing, extra, beside)
    for pair, count in sorted(missing.items()):
        if count > 0:
            yield _counts("as-built/cable-not-seen", between, pair)
    for pair, count in sorted(extra.items()):
        if count > 0:
            yield _counts("as-built/cable-not-designed", between, pair)


def open_pairs(design: Wiring, built: Wiring, joined: NameMatches) -> Iterator[str]:
    """Cables of the dump between two leaves of which the design lists none, and does not state whether leaves are paired."""
    if design.paired is not None:
        return
    leaves = {joined.switches.get(one.name) for one in design.tier("leaf")}
    listed = {tuple(sorted(joined.switches.get(end, end) for end in one.pair)) for one in design.cables}
    count = sum(leaves.issuperset(one.pair) and tuple(sorted(one.pair)) not in listed for one in built.cables)
    if count:
        what = f"{many(count, 'cable')} between leaves {'is' if count == 1 else 'are'}"
        yield f"{what} not compared: the design does not state `homing`"


def _counts(rule: str, between: CablePairs, pair: Pair) -> Deviation:
    one, other = (between.joined.display_name(name) for name in pair)
    wanted, seen = between.wanted.get(pair, []), between.seen.get(pair, [])
    values = {
        "one": one,
        "other": other,
        "seen": cables(between.count_cables(seen)),
        "designed": many(between.count_cables(wanted), "cable"),
    }
    return Deviation(rule, values, wanted[0].spot if wanted else None, seen[-1].spot if seen else None, pair)


def _beside(missing: Counter[Pair]) -> dict[str, list[str]]:
    """The switches that each one lacks a cable to."""
    found: dict[str, list[str]] = defaultdict(list)
    for one, other in sorted(missing):
        found[one].append(other)
        found[other].append(one)
    return found


def _find_swapped(
    between: CablePairs, missing: Counter[Pair], extra: Counter[Pair], beside: dict[str, list[str]]
) -> Iterator[Deviation]:
    """Two cables that changed places: `x-a` and `y-b` are designed, `x-y` and `a-b` are there."""
    for x, y in sorted(extra):
        for a, b in product(beside.get(x, ()), beside.get(y, ())):
            lacking = missing[_pair(x, a)] > 0 and missing[_pair(y, b)] > 0
            if a == b or not lacking or extra[x, y] <= 0 or extra[_pair(a, b)] <= 0:
                continue
            for counter, pairs in ((extra, ((x, y), _pair(a, b))), (missing, (_pair(x, a), _pair(y, b)))):
                for pair in pairs:
                    counter[pair] -= 1
            shown = between.joined.display_name
            values = {"one": shown(x), "one_to": shown(y), "other": shown(b), "other_to": shown(a)}
            seen, wanted = between.seen[x, y], between.wanted[_pair(x, a)]
            yield Deviation("as-built/cables-swapped", values, wanted[0].spot, seen[-1].spot, (x, y, b, a))


def _elsewhere(
    between: CablePairs, missing: Counter[Pair], extra: Counter[Pair], beside: dict[str, list[str]]
) -> Iterator[Deviation]:
    """A cable that leads from the right switch to a wrong one."""
    for x, y in sorted(extra):
        for near, far in ((x, y), (y, x)):
            for pair in (_pair(near, one) for one in beside.get(near, ())):
                if extra[x, y] <= 0 or missing[pair] <= 0:
                    continue
                extra[x, y] -= 1
                missing[pair] -= 1
                shown = between.joined.display_name
                values = {"one": shown(near), "to": shown(far), "designed": shown(_far(pair, near))}
                seen = between.seen[x, y]
                yield Deviation("as-built/cable-elsewhere", values, between.wanted[pair][0].spot, seen[-1].spot, (x, y))


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one <= other else (other, one)


def _far(pair: Pair, near: str) -> str:
    return pair[1] if pair[0] == near else pair[0]


def ports(between: CablePairs) -> Iterator[Deviation]:
    """Cables between the right switches in ports that the design states otherwise."""
    for pair, wanted in between.wanted.items():
        seen = between.seen.get(pair, [])
        one, other = pair
        if len(wanted) != len(seen) or any(not cable.one.port or not cable.other.port for cable in (*wanted, *seen)):
            continue
        stated = {(cable.port(one), cable.port(other)): cable for cable in wanted}
        there = {(between.port(cable, one), between.port(cable, other)): cable for cable in seen}
        wrong = [ends for ends in there if ends not in stated]
        for ends, meant in zip(wrong, (one for one in stated if one not in there), strict=False):
            values = {
                "one": between.joined.display_name(one), "other": between.joined.display_name(other),
                "ports": series(ends), "designed": series(meant),
            }  # fmt: skip
            yield Deviation("as-built/wrong-port", values, stated[meant].spot, there[ends].spot, pair)


def slow(between: CablePairs) -> Iterator[Deviation]:
    """Cables that run below the rate that the design gives them; those of a switch with no others are one difference."""
    late: dict[tuple[float, float], dict[Pair, list[Cable]]] = defaultdict(dict)
    for pair, seen in between.seen.items():
        speed = min((cable.speed for cable in between.wanted.get(pair, []) if cable.speed), default=None)
        for rate in sorted({cable.speed for cable in seen if speed and cable.speed and cable.speed < speed}):
            late[rate, speed or rate][pair] = [cable for cable in seen if cable.speed == rate]
    for (rate, speed), pairs in late.items():
        for switch, far, role in _wholly_slow(between, pairs):
            these = [cable for one in far for cable in pairs.pop(_pair(switch, one))]
            one, other = between.joined.display_name(switch), f"{len(far)} {PLURALS[role]}"
            yield _slow(between, _pair(switch, far[0]), these, rate, speed, one, other)
        for pair, these in pairs.items():
            one, other = (between.joined.display_name(name) for name in pair)
            yield _slow(between, pair, these, rate, speed, one, other)


def _wholly_slow(between: CablePairs, late: dict[Pair, list[Cable]]) -> Iterator[tuple[str, list[str], str]]:
    """Switches all of whose cables to the several switches of another tier are late; each pair stands with one of its ends."""
    beside: dict[tuple[str, str], list[str]] = defaultdict(list)
    for pair in between.seen:
        for near, end in (pair, pair[::-1]):
            beside[near, between.roles[end]].append(end)
    done: set[Pair] = set()
    for (name, role), ends in sorted(beside.items(), key=lambda one: -len(one[1])):
        far = [one for one in ends if _pair(name, one) not in done]
        whole = all(len(late.get(_pair(name, one), ())) == len(between.seen[_pair(name, one)]) for one in ends)
        if whole and len(far) >= SEVERAL and role in PLURALS:
            done |= {_pair(name, one) for one in far}
            yield name, far, role


def _slow(
    between: CablePairs, pair: Pair, late: list[Cable], rate: float, speed: float, one: str, other: str
) -> Deviation:
    values = {
        "what": many(len(late), "cable"),
        "runs": "runs" if len(late) == 1 else "run",
        "one": one,
        "other": other,
        "rate": rate,
        "designed": speed,
    }
    return Deviation("as-built/link-below-rate", values, between.wanted[pair][0].spot, late[0].spot, pair)
