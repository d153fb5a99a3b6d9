"""A fabric as a scheduler sees it: one switch above each server, and switches above switches, up to the top."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from designlint.language.tiers import TIERS
from designlint.wiring.graph import Cable, End, HostCable, natural
from designlint.wiring.graph import Switch as Real

if TYPE_CHECKING:
    from designlint.wiring.graph import Wiring


class NoTree(Exception):  # noqa: N818  the wiring has no such form, nothing went wrong
    """Two servers share some of their leaves, but not all."""


class TreeSwitch(NamedTuple):
    """A switch of the tree: its level above the servers, what is below it, and the real switches that it stands for."""

    name: str
    level: int
    servers: list[str]
    below: list[str]
    stands_for: list[str]


def units(wiring: Wiring) -> dict[frozenset[str], list[str]]:
    """Servers that lead to the same leaves. Raises: NoTree where two sets of leaves overlap."""
    leaves: dict[str, set[str]] = defaultdict(set)
    for one in wiring.hosts:
        leaves[one.server].add(one.to.switch)
    found: dict[frozenset[str], list[str]] = {}
    for server, names in leaves.items():
        found.setdefault(frozenset(names), []).append(server)
    owner: dict[str, str] = {}
    for shared, people in found.items():
        for leaf in shared:
            if leaf in owner:
                told = f"{owner[leaf]} and {people[0]} share {leaf}, but not all their leaves"
                raise NoTree(f"{told}; Slurm's tree has one switch above each server")
            owner[leaf] = people[0]
    return found


def tree(wiring: Wiring) -> list[TreeSwitch]:
    """The switches, those above servers first. Raises: NoTree."""
    known = units(wiring)
    found = [TreeSwitch(_unit(number, leaves, len(known)), 0, people, [], sorted(leaves, key=natural))
             for number, (leaves, people) in enumerate(known.items(), 1)]  # fmt: skip
    current = {one.name: set(one.stands_for) for one in found}
    for role in TIERS[1:]:
        groups = _groups(wiring, current, role)
        if len(current) < 2:
            continue
        if len(groups) == len(current):  # each has switches of its own above it, over which the next tier joins them
            current = {name: current[name] | set(names) for [name], names in groups}
            continue
        level = found[-1].level + 1
        above = [TreeSwitch(names[0] if len(names) == 1 else f"{role}s-{number}", level, [], below, names)
                 for number, (below, names) in enumerate(groups, 1)]  # fmt: skip
        found += above
        current = {one.name: set(one.stands_for) for one in above}
    return found


def _unit(number: int, leaves: frozenset[str], count: int) -> str:
    [first, *others] = sorted(leaves, key=natural)
    return f"unit-{number:0{len(str(count))}d}" if others else first


def _groups(wiring: Wiring, current: dict[str, set[str]], role: str) -> list[tuple[list[str], list[str]]]:
    """Switches of the level below that the same switches of a tier join, directly or over others; with these switches."""
    owner = {real: name for name, reals in current.items() for real in reals}
    above: dict[str, set[str]] = defaultdict(set)
    for cable in wiring.cables:
        for near, far in (cable.pair, cable.pair[::-1]):
            if near in owner and far in wiring.switches and wiring.switches[far].role == role:
                above[far].add(owner[near])
    group = {name: {name} for name in current}
    for below in above.values():
        first, *rest = sorted(below, key=natural)
        for other in rest:
            if group[first] is not group[other]:
                group[first] |= group[other]
                for name in group[other]:
                    group[name] = group[first]
    joined: dict[int, list[str]] = {}
    for name in current:
        joined.setdefault(id(group[name]), []).append(name)
    return [
        (below, sorted((real for real, names in above.items() if names & set(below)), key=natural))
        for below in joined.values()
    ]


def tops(found: list[TreeSwitch]) -> int:
    """Switches of the tree that stand below no other."""
    below = {name for one in found for name in one.below}
    return sum(one.name not in below for one in found)


def as_tree(wiring: Wiring) -> Wiring:
    """The wiring as its tree, neighbours without a number of cables. Raises: NoTree."""
    found = tree(wiring)
    switches = {
        one.name: Real(
            one.name, TIERS[min(one.level, 2)], spot=wiring.spot, unit=number if not one.level else None, plane=0
        )
        for number, one in enumerate(found)
    }
    cables = [Cable(End(name), End(one.name), spot=wiring.spot) for one in found for name in one.below]
    hosts = [
        HostCable(server, End(one.name), spot=wiring.servers.get(server)) for one in found for server in one.servers
    ]
    return replace(wiring, switches=switches, cables=cables, hosts=hosts, adjacency=True)
