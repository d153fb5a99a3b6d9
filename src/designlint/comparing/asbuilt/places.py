"""
Which switch is which where a design states counts and no names: leaves by the servers below them, spines in their order.

In a regular network the units, the leaves of one rail and the spines of a plane may each change places among themselves without
any difference, so that the order of names is as good as any other. A wrong cable is outvoted by the right ones of its switch.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from designlint.language.tiers import TIERS
from designlint.wiring.graph import natural

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from designlint.wiring.graph import Wiring

Names = dict[str, str]
#: Leaves of one server that say something of its unit.
MOST = 64


def by_place(
    design: Wiring, built: Wiring, switches: Mapping[str, str], servers: Mapping[str, str]
) -> tuple[Names, Names]:
    """Switches and servers that no name joined; those that are joined already stay out."""
    found: Names = {}
    people: Names = {}
    if any(one.unit is not None for one in design.switches.values()):
        units = (
            _vote_leaves(design, built, servers)
            if servers
            else _clusters(design, built)
            if design.assigned_servers
            else {}
        )
        found |= _leaves(design, built, units, switches)
        if not servers and units:
            people = _servers(design, built, {**switches, **found})
    for role in TIERS:
        taken = {*switches.values(), *found.values()}
        ours = [one.name for one in design.tier(role) if one.name not in switches and one.name not in found]
        theirs = [one.name for one in built.tier(role) if one.name not in taken]
        found |= _in_order(ours, theirs, design, built, {**switches, **found})
    return found, people


def _vote_leaves(design: Wiring, built: Wiring, servers: Mapping[str, str]) -> dict[int, list[str]]:
    """Leaves by the unit that most of their cables come from."""
    unit_of = {one.server: design.switches[one.to.switch].unit for one in design.hosts}
    ours = {other: unit_of.get(name) for name, other in servers.items()}
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    for one in built.hosts:
        unit = ours.get(one.server)
        if unit is not None:
            votes[one.to.switch][unit] += 1
    found: dict[int, list[str]] = defaultdict(list)
    for leaf in sorted(votes, key=natural):
        found[votes[leaf].most_common(1)[0][0]].append(leaf)
    return found


def _clusters(design: Wiring, built: Wiring) -> dict[int, list[str]]:
    """Leaves that share servers, as the units of the design in the order of names."""
    numbers = sorted({one.unit for one in design.switches.values() if one.unit is not None})
    return dict(zip(numbers, _units(built), strict=False))


def _units(built: Wiring) -> list[list[str]]:
    """Leaves that share more than half of their servers, each group by name."""
    below: dict[str, set[str]] = defaultdict(set)
    beside: dict[str, set[str]] = defaultdict(set)
    for one in built.hosts:
        below[one.to.switch].add(one.server)
        beside[one.server].add(one.to.switch)
    shared: Counter[tuple[str, str]] = Counter()
    for leaves in (one for one in beside.values() if len(one) <= MOST):
        shared.update(combinations(sorted(leaves), 2))
    group = {leaf: {leaf} for leaf in below}
    for (left, right), count in shared.items():
        if 2 * count > min(len(below[left]), len(below[right])) and group[left] is not group[right]:
            group[left] |= group[right]
            for leaf in group[right]:
                group[leaf] = group[left]
    unique = {id(one): sorted(one, key=natural) for one in group.values()}
    return sorted(unique.values(), key=lambda one: natural(one[0]))


def _leaves(design: Wiring, built: Wiring, units: Mapping[int, list[str]], switches: Mapping[str, str]) -> Names:
    """The leaves of each unit, by the rail that most of their cables serve, else by plane and name."""
    rails: dict[str, Counter[int]] = defaultdict(Counter)
    for one in built.hosts:
        if one.nic is not None:
            rails[one.to.switch][one.nic] += 1
    ours: dict[int, list[str]] = defaultdict(list)
    for switch in design.tier("leaf"):
        if switch.unit is not None:
            ours[switch.unit].append(switch.name)
    found: Names = {}
    drawn, there = _planes(design), _planes(built)
    for number, leaves in units.items():
        wanted = {design.switches[name].rail: name for name in ours[number]}
        by_rail = {rails[leaf].most_common(1)[0][0]: leaf for leaf in leaves if rails[leaf]}
        if None not in wanted and len(by_rail) == len(leaves):
            found |= {name: by_rail[rail] for rail, name in wanted.items() if rail in by_rail}
        else:
            found |= dict(
                zip(
                    sorted(ours[number], key=lambda one: drawn.get(one, 0)),
                    sorted(leaves, key=lambda one: there.get(one, 0)),
                    strict=False,
                )
            )
    taken = set(switches.values())
    return {name: leaf for name, leaf in found.items() if name not in switches and leaf not in taken}


def _planes(wiring: Wiring) -> dict[str, int]:
    """A number for each leaf, the same for leaves that share more than half of the switches above them."""
    above: dict[str, set[str]] = {one.name: set() for one in wiring.tier("leaf")}
    for cable in wiring.cables:
        for near, far in (cable.pair, cable.pair[::-1]):
            if near in above:
                above[near].add(far)
    first: list[set[str]] = []
    found: dict[str, int] = {}
    for leaf in sorted(above, key=natural):
        ends = above[leaf]
        alike = (number for number, one in enumerate(first) if 2 * len(one & ends) > min(len(one), len(ends)))
        found[leaf] = next(alike, len(first))
        if found[leaf] == len(first):
            first.append(ends)
    return found


def _servers(design: Wiring, built: Wiring, switches: Mapping[str, str]) -> Names:
    """Servers by the leaf that most of their cables lead to a unit of, in the order of their names."""
    unit_of = {other: design.switches[name].unit for name, other in switches.items()}
    ours: dict[int | None, dict[str, None]] = defaultdict(dict)
    for one in design.hosts:
        ours[design.switches[one.to.switch].unit][one.server] = None
    votes: dict[str, Counter[int | None]] = defaultdict(Counter)
    for one in built.hosts:
        votes[one.server][unit_of.get(one.to.switch)] += 1
    theirs: dict[int | None, list[str]] = defaultdict(list)
    for server in sorted(votes, key=natural):
        theirs[votes[server].most_common(1)[0][0]].append(server)
    found: Names = {}
    for unit, names in ours.items():
        found |= dict(zip(names, theirs.get(unit, ()), strict=False))
    return found


def _in_order(
    ours: list[str], theirs: Iterable[str], design: Wiring, built: Wiring, switches: Mapping[str, str]
) -> Names:
    """Switches of one tier in the order of their names, among those that the design cables to the same joined switches."""
    alike = _groups(ours, design, switches)
    reached: dict[str, list[frozenset[str]]] = defaultdict(list)
    for group in sorted(alike, key=len):
        for far in group:
            reached[switches[far]].append(group)
    votes: dict[str, Counter[frozenset[str]]] = defaultdict(Counter)
    for cable in built.cables:
        for near, far in (cable.pair, cable.pair[::-1]):
            votes[near].update(reached.get(far, ()))
    by_group: dict[frozenset[str], list[str]] = defaultdict(list)
    for name in theirs:
        by_group[votes[name].most_common(1)[0][0] if votes[name] else next(iter(alike), frozenset())].append(name)
    found: Names = {}
    for group, names in by_group.items():
        wanted = alike.get(group, [])
        first = sorted(names, key=lambda one: (-votes[one][group], natural(one)))[: len(wanted)]
        found |= dict(zip(wanted, sorted(first, key=natural), strict=False))
    return found


def _groups(ours: list[str], design: Wiring, switches: Mapping[str, str]) -> dict[frozenset[str], list[str]]:
    """The switches of one plane or pod: those with cables to the same switches that are joined."""
    beside: dict[str, set[str]] = {name: set() for name in ours}
    for cable in design.cables:
        for near, far in (cable.pair, cable.pair[::-1]):
            if near in beside and far in switches:
                beside[near].add(far)
    found: dict[frozenset[str], list[str]] = defaultdict(list)
    for name, far_ends in beside.items():
        found[frozenset(far_ends)].append(name)
    return found
