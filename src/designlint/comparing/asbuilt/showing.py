"""What a dump can show of a design: of each cable, one end must have been asked for its neighbours, unless the cable is seen."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.wiring.graph import Cable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from designlint.comparing.asbuilt.joining import NameMatches
    from designlint.wiring.graph import HostCable, Wiring

#: What a cable joins: two devices, or a device and its port.
Ends = tuple[str, str]


def omit_unseen(design: Wiring, built: Wiring, same: NameMatches) -> Wiring:
    """The design without the cables of which the dump shows neither end, and without the switches that only these reach."""
    if built.asked is None:
        return design
    asked, names = built.asked, {**same.switches, **same.servers}
    seen: list[Cable | HostCable] = [*built.cables, *built.hosts]
    there = Counter(_pair(one, {}) for one in seen)
    ports = {end for one in seen for end in _ports(one, {})}

    def shows(cable: Cable | HostCable) -> bool:
        pair = _pair(cable, names)
        there[pair] -= 1  # of those that nobody was asked for, as many as are seen
        return not asked.isdisjoint(pair) or there[pair] >= 0 or not ports.isdisjoint(_ports(cable, names))

    cables = [one for one in design.cables if shows(one)]
    hosts = [one for one in design.hosts if shows(one)]
    reached = {end.switch for one in cables for end in (one.one, one.other)} | {one.to.switch for one in hosts}
    below = {one.server for one in hosts}
    servers_asked = not asked.isdisjoint(built.servers)
    return replace(
        design,
        cables=cables,
        hosts=hosts,
        switches={name: one for name, one in design.switches.items() if name in reached or name in same.switches},
        servers={
            name: one for name, one in design.servers.items() if servers_asked or name in below or name in same.servers
        },
    )


def _pair(cable: Cable | HostCable, names: Mapping[str, str]) -> Ends:
    """The two devices, by the names of the dump."""
    one, other = (cable.one.switch, cable.other.switch) if isinstance(cable, Cable) else (cable.server, cable.to.switch)
    one, other = names.get(one, one), names.get(other, other)
    return (one, other) if one <= other else (other, one)


def _ports(cable: Cable | HostCable, names: Mapping[str, str]) -> Iterator[Ends]:
    """The ports of switches that a cable is in, as far as they are stated."""
    for end in (cable.one, cable.other) if isinstance(cable, Cable) else (cable.to,):
        if end.port:
            yield names.get(end.switch, end.switch), end.port


def unseen(design: Wiring, built: Wiring, same: NameMatches) -> list[str]:
    """How many cables of the design the dump cannot show."""
    kept = omit_unseen(design, built, same)
    count = len(design.cables) + len(design.hosts) - len(kept.cables) - len(kept.hosts)
    if not count or built.hosts_only:
        return []
    what = "1 cable of the design is" if count == 1 else f"{count} cables of the design are"
    return [f"{what} not compared: the files show the neighbours of neither end"]
