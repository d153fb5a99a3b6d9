"""Cables to servers: adapters that lead to a wrong leaf, rails that are swapped, ports and rates that differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from designlint.comparing.asbuilt.difference import Deviation, cables
from designlint.language.sentences import many

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from designlint.comparing.asbuilt.joining import NameMatches
    from designlint.wiring.graph import HostCable, Wiring


#: Servers cabled alike from which on an interface's name stands for an adapter.
ALIKE = 3


class MisplacedCable(NamedTuple):
    """A cable that leads elsewhere than designed: the cable of both sides, and both leaves in the names of the design."""

    wanted: HostCable
    seen: HostCable
    leaf: str
    led: str


class JoinedHosts:
    """
    The cables of each server that both sides know, joined adapter by adapter.

    One that is not designed, to a switch that is not, is the difference of that switch.
    """

    def __init__(self, design: Wiring, built: Wiring, joined: NameMatches) -> None:
        self.design, self.joined = design, joined
        self.back = {other: name for name, other in joined.switches.items()}
        self.presence = design.adjacency or built.adjacency
        ours, theirs = _by_server(design.hosts), _by_server(_number_adapters(design, built, joined))
        self.same: list[tuple[HostCable, HostCable]] = []
        self.missing: list[HostCable] = []
        self.extra: list[HostCable] = []
        self.loose: list[tuple[list[HostCable], list[HostCable]]] = []
        for name, other in joined.servers.items():
            self._server(ours.get(name, []), theirs.get(other, []))
        self.rails = _rails(design)

    def _server(self, ours: list[HostCable], theirs: list[HostCable]) -> None:
        word = next((one for one in ("adapter", "nic") if _all(ours, one) and _all(theirs, one)), "")
        if not word:
            self.loose.append((ours, theirs))
            return
        known = {getattr(one, word): one for one in theirs}
        for cable in ours:
            other = known.pop(getattr(cable, word), None)
            if other is None:
                self.missing.append(cable)
            else:
                self.same.append((cable, other))
        self.extra += [one for one in known.values() if one.to.switch in self.back]

    def leaf(self, cable: HostCable) -> str:
        """The leaf of a cable of the dump in the names of the design, or as the dump calls it."""
        return self.back.get(cable.to.switch, cable.to.switch)

    def is_known(self, wanted: HostCable, seen: HostCable) -> bool:
        """Whether one of two leaves is on both sides; else a switch that was renamed or replaced is the one difference."""
        return wanted.to.switch in self.joined.switches or seen.to.switch in self.back

    def server_end(self, cable: HostCable) -> str:
        """The server's end of a cable of the design."""
        return cable._replace(server=self.joined.display_name(cable.server)).server_end


def _number_adapters(design: Wiring, built: Wiring, joined: NameMatches) -> Sequence[HostCable]:
    """
    The cables of the dump, each with the adapter that its interface is on most servers.

    LLDP names interfaces and numbers none. Each rail has its own leaf, so that servers cabled alike show which is which.
    """
    if any(one.nic is not None for one in built.hosts):
        return built.hosts
    adapters: dict[tuple[str, str], list[int]] = defaultdict(list)
    for cable in design.hosts:
        if cable.nic is not None and design.switches[cable.to.switch].rail is not None:
            leaf = joined.switches.get(cable.to.switch, "")
            adapters[joined.servers.get(cable.server, ""), leaf].append(cable.nic)
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    for cable in built.hosts:
        numbers = adapters.get((cable.server, cable.to.switch), [])
        votes[cable.adapter].update(numbers if len(numbers) == 1 else [])
    usual = {name: vote.most_common(1)[0] for name, vote in votes.items() if vote}
    sure = {name: nic for name, (nic, most) in usual.items() if most >= ALIKE and 4 * most > 3 * votes[name].total()}
    if len(set(sure.values())) != len(sure):
        return built.hosts
    return [one._replace(nic=sure.get(one.adapter)) for one in built.hosts]


def _by_server(hosts: Iterable[HostCable]) -> dict[str, list[HostCable]]:
    found: dict[str, list[HostCable]] = defaultdict(list)
    for one in hosts:
        found[one.server].append(one)
    return found


def _all(cables: list[HostCable], word: str) -> bool:
    values = [getattr(one, word) for one in cables]
    return bool(values) and all(one not in ("", None) for one in values) and len(set(values)) == len(values)


def _rails(design: Wiring) -> dict[str, int]:
    """The rail of each leaf: stated, or that of more than half of its cables."""
    found = {name: one.rail for name, one in design.switches.items() if one.rail is not None}
    counts: dict[str, Counter[int | None]] = defaultdict(Counter)
    for cable in design.hosts:
        counts[cable.to.switch][cable.nic] += 1
    for leaf, count in counts.items():
        nic, most = count.most_common(1)[0]
        if leaf not in found and nic is not None and 2 * most > sum(count.values()):
            found[leaf] = nic
    return found


def differences(hosts: JoinedHosts) -> Iterator[Deviation]:
    """Every difference in which leaf an adapter leads to."""
    wrong = [
        MisplacedCable(wanted, seen, wanted.to.switch, hosts.leaf(seen))
        for wanted, seen in hosts.same
        if hosts.leaf(seen) != wanted.to.switch and hosts.is_known(wanted, seen)
    ]
    yield from _find_misled(hosts, wrong)
    gone = [one for one in hosts.missing if one.to.switch in hosts.joined.switches]
    for cable in gone:
        values = _counts(hosts, cable, cable.to.switch, 0, 1)
        yield Deviation("as-built/cable-not-seen", values, cable.spot, None, (cable.to.switch,))
    for cable in hosts.extra:
        values = {
            "one": cable.server_end,
            "other": hosts.joined.display_name(hosts.leaf(cable)),
            "seen": "1 cable is",
            "designed": "0 cables",
        }
        yield Deviation("as-built/cable-not-designed", values, None, cable.spot, (hosts.leaf(cable),))
    for ours, theirs in hosts.loose:
        yield from _loosely(hosts, ours, theirs)


def _counts(hosts: JoinedHosts, cable: HostCable, leaf: str, seen: int, designed: int) -> dict[str, str]:
    return {
        "one": hosts.server_end(cable),
        "other": hosts.joined.display_name(leaf),
        "seen": cables(seen),
        "designed": many(designed, "cable"),
    }


def _find_misled(hosts: JoinedHosts, wrong: list[MisplacedCable]) -> Iterator[Deviation]:
    """Cables to a wrong leaf: two that changed places, first of one server, then of two; the others one by one."""
    waiting: dict[tuple[str, str], list[MisplacedCable]] = defaultdict(list)
    for one in wrong:
        waiting[one.led, one.leaf].append(one)  # found by the cable that should lead where this one does, and back
    done: set[int] = set()
    for same_server in (True, False):
        for one in wrong:
            partner = next(
                (
                    other
                    for other in waiting.get((one.leaf, one.led), ())
                    if id(other) not in done and (other.wanted.server == one.wanted.server or not same_server)
                ),
                None,
            )
            if id(one) in done or partner is None:
                continue
            done |= {id(one), id(partner)}
            rule = "as-built/rails-swapped" if same_server else "as-built/cables-swapped"
            values = {
                "one": hosts.server_end(one.wanted), "one_to": hosts.joined.display_name(one.led),
                "other": hosts.server_end(partner.wanted), "other_to": hosts.joined.display_name(partner.led),
            }  # fmt: skip
            yield Deviation(rule, values, one.wanted.spot, one.seen.spot, (one.leaf, one.led))
    for one in (each for each in wrong if id(each) not in done):
        shown = hosts.joined.display_name
        values = {"one": hosts.server_end(one.wanted), "to": shown(one.led), "designed": shown(one.leaf)}
        rail, right = hosts.rails.get(one.led), hosts.rails.get(one.leaf)
        crossed = rail is not None and right is not None and rail != right
        rule = "as-built/wrong-rail" if crossed else "as-built/cable-elsewhere"
        yield Deviation(rule, values | {"rail": rail, "right": right} if crossed else values, one.wanted.spot, one.seen.spot,
                  (one.leaf, one.led))  # fmt: skip


def _loosely(hosts: JoinedHosts, ours: list[HostCable], theirs: list[HostCable]) -> Iterator[Deviation]:
    """A server whose adapters no name or number joins: how many cables it has to each leaf."""
    counts = [Counter(one.to.switch for one in ours), Counter(hosts.leaf(one) for one in theirs)]
    wanted, seen = (dict.fromkeys(one, 1) if hosts.presence else one for one in counts)
    missing = {leaf: n - seen.get(leaf, 0) for leaf, n in wanted.items() if leaf in hosts.joined.switches}
    extra = {leaf: n - wanted.get(leaf, 0) for leaf, n in seen.items()}
    strange = {leaf for leaf in extra if leaf not in hosts.joined.switches and leaf not in wanted}
    below, shown = {one.to.switch: one for one in ours}, hosts.joined.display_name
    there = {hosts.leaf(one): one for one in theirs}
    server = shown(ours[0].server if ours else theirs[0].server)
    for leaf, led in _find_moved(missing, extra):
        values = {"one": server, "to": shown(led), "designed": shown(leaf)}
        yield Deviation("as-built/cable-elsewhere", values, below[leaf].spot, there[led].spot, (leaf, led))
    for rule, left in (("as-built/cable-not-seen", missing), ("as-built/cable-not-designed", extra)):
        for leaf in (one for one, count in left.items() if count > 0 and one not in strange):
            counted = {"seen": cables(seen.get(leaf, 0)), "designed": many(wanted.get(leaf, 0), "cable")}
            spots = [side[leaf].spot if leaf in side else None for side in (below, there)]
            yield Deviation(rule, {"one": server, "other": shown(leaf)} | counted, spots[0], spots[1], (leaf,))


def _find_moved(missing: dict[str, int], extra: dict[str, int]) -> Iterator[tuple[str, str]]:
    """One cable too few at one leaf and one too many at another is one cable that leads elsewhere; both are counted down."""
    for leaf in missing:
        for led in extra:
            while missing[leaf] > 0 and extra[led] > 0:
                missing[leaf] -= 1
                extra[led] -= 1
                yield leaf, led


def ports(hosts: JoinedHosts) -> Iterator[Deviation]:
    """Adapters on the right leaf, in a port that the design states otherwise."""
    for wanted, seen in hosts.same:
        right, port = wanted.to.port, seen.to.port
        if hosts.leaf(seen) == wanted.to.switch and right and port and right != port:
            values = {
                "one": hosts.server_end(wanted),
                "other": hosts.joined.display_name(wanted.to.switch),
                "ports": port,
                "designed": right,
            }
            yield Deviation("as-built/wrong-port", values, wanted.spot, seen.spot, (wanted.to.switch,))


def slow(hosts: JoinedHosts) -> Iterator[Deviation]:
    """Cables to servers that run below the rate that the design gives them."""
    for wanted, seen in hosts.same:
        if wanted.speed and seen.speed and seen.speed < wanted.speed:
            leaf = hosts.leaf(seen)
            ends = {"one": hosts.server_end(wanted), "other": hosts.joined.display_name(leaf)}
            values = {"what": "1 cable", "runs": "runs", **ends, "rate": seen.speed, "designed": wanted.speed}
            yield Deviation("as-built/link-below-rate", values, wanted.spot, seen.spot, (leaf,))


def behind(design: Wiring, same: NameMatches) -> set[str]:
    """Servers that are connected only to switches that are not seen: what the dump cannot show."""
    reached = {one.server for one in design.hosts if one.to.switch in same.switches}
    return {one.server for one in design.hosts} - reached - {*same.servers}
