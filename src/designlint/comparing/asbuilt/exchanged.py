"""Devices in each other's place: the cables of one lead where the design has those of the other."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from designlint.comparing.asbuilt.difference import Deviation
from designlint.language.sentences import many
from designlint.wiring.graph import natural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from designlint.comparing.asbuilt.joining import NameMatches
    from designlint.wiring.graph import HostCable, Wiring

#: What a cable of a device leads to, and what tells it from the others there: an adapter, a port, or nothing.
FarEnd = tuple[str, ...]
#: Share of a device's cables that the place of the other has to explain.
LEAST = 0.75
#: Devices with a cable elsewhere, beyond which nobody looks for two in each other's place.
MOST = 5000


class Sides(NamedTuple):
    """The far ends of each device's cables by its name in the design: as designed, and as seen."""

    wanted: dict[str, Counter[FarEnd]]
    seen: dict[str, Counter[FarEnd]]

    def gain(self, one: str, other: str) -> int:
        """How many more cables of one device the place of the other explains; 0 where that is not nearly all of them."""
        seen, own, there = (
            Counter({end: count for end, count in ends.items() if end[0] not in (one, other)})
            for ends in (self.seen[one], self.wanted[one], self.wanted[other])
        )
        explained = (seen & there).total()
        whole = explained >= LEAST * max(seen.total(), there.total())
        return max(0, explained - (seen & own).total()) if whole else 0


def find_exchanged(design: Wiring, built: Wiring, same: NameMatches) -> tuple[NameMatches, list[Deviation]]:
    """The pairs in each other's place, and the names joined as their cables have it."""
    found: list[Deviation] = []
    for one, other, cables in _pairs(_of_switches(design, built, same), same.placed):
        spots = design.switches[one].spot, built.switches[same.switches[one]].spot
        found.append(Deviation("as-built/swapped-places", _values(one, other, cables), *spots, (one, other)))
        same = replace(same, switches=_with_swapped(same.switches, one, other))
    for one, other, cables in _pairs(_of_servers(design, built, same), same.placed):
        spots = design.servers[one], built.servers[same.servers[one]]
        found.append(Deviation("as-built/swapped-places", _values(one, other, cables), *spots))
        same = replace(same, servers=_with_swapped(same.servers, one, other))
    return same, found


def _values(one: str, other: str, count: int) -> dict[str, str]:
    return {"one": one, "other": other, "cables": many(count, "cable")}


def _with_swapped(names: Mapping[str, str], one: str, other: str) -> dict[str, str]:
    return {**names, one: names[other], other: names[one]}


def _pairs(sides: Sides, placed: set[str]) -> Iterator[tuple[str, str, int]]:
    """Pairs of which each one's place explains the other's cables better than its own, with how many it explains."""
    astray = [one for one, ends in sides.seen.items() if ends != sides.wanted.get(one) and one not in placed]
    if len(astray) > MOST:
        return
    leading: dict[FarEnd, list[str]] = defaultdict(list)
    for name in astray:
        for end in sides.wanted.get(name, ()):
            leading[end].append(name)
    done: set[str] = set()
    for one in sorted(astray, key=natural):
        votes = Counter(other for end in sides.seen[one] for other in leading[end] if other != one)
        for other, _ in votes.most_common(4):
            gains = sides.gain(one, other), sides.gain(other, one)
            if min(gains) > 0 and done.isdisjoint((one, other)):
                done |= {one, other}
                yield one, other, sum(gains)


def _of_switches(design: Wiring, built: Wiring, same: NameMatches) -> Sides:
    """Switches by what they are cabled to: adapters of servers, ports of switches where all are known."""
    word = _adapter_word(design.hosts, built.hosts)
    ports = all(end.port for side in (design, built) for one in side.cables for end in (one.one, one.other))
    sides: list[dict[str, Counter[FarEnd]]] = []
    for side, switches, servers in _names(design, built, same):
        found: dict[str, Counter[FarEnd]] = defaultdict(Counter)
        for cable in side.cables:
            for near, far in ((cable.one, cable.other), (cable.other, cable.one)):
                if near.switch in switches and far.switch in switches:
                    found[switches[near.switch]][switches[far.switch], far.port if ports else ""] += 1
        for host in side.hosts:
            if host.to.switch in switches and host.server in servers:
                found[switches[host.to.switch]][servers[host.server], _adapter(host, word)] += 1
        sides.append(found)
    return Sides(*sides)


def _of_servers(design: Wiring, built: Wiring, same: NameMatches) -> Sides:
    """Servers by the leaves of their adapters, and the ports there where all are known."""
    word = _adapter_word(design.hosts, built.hosts)
    ports = all(one.to.port for side in (design, built) for one in side.hosts)
    sides: list[dict[str, Counter[FarEnd]]] = []
    for side, switches, servers in _names(design, built, same):
        found: dict[str, Counter[FarEnd]] = defaultdict(Counter)
        for host in side.hosts:
            if host.to.switch in switches and host.server in servers:
                end = switches[host.to.switch], host.to.port if ports else "", _adapter(host, word)
                found[servers[host.server]][end] += 1
        sides.append(found)
    return Sides(*sides)


def _names(
    design: Wiring, built: Wiring, same: NameMatches
) -> tuple[tuple[Wiring, Mapping[str, str], Mapping[str, str]], ...]:
    """Each side with the names of the design for its switches and servers, as far as they are joined."""
    back = [{other: name for name, other in names.items()} for names in (same.switches, same.servers)]
    ours = [{name: name for name in names} for names in (same.switches, same.servers)]
    return (design, ours[0], ours[1]), (built, back[0], back[1])


def _adapter_word(*sides: Iterable[HostCable]) -> str:
    """Whether adapters are told apart by their names or by their numbers; empty where a side gives neither for all."""
    cables = [one for side in sides for one in side]
    words = ("adapter", "nic")
    return next((word for word in words if all(getattr(one, word) not in ("", None) for one in cables)), "")


def _adapter(host: HostCable, word: str) -> str:
    return str(getattr(host, word)) if word else ""
