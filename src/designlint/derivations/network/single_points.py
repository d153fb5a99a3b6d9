"""Which switches an explicit wiring cannot lose."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation
from designlint.derivations.network.wiring import ListedLinks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from designlint.derivations.base import Text
    from designlint.language.units import Count


@derivation(of="Topology", sources=("tarjan-1972",), groups=(ListedLinks,))
def lone_switches(links: ListedLinks) -> Count | None:
    """
    Switches of an explicit wiring whose failure disconnects some leaves from others. [1]

    Assumes that traffic may take any way through switches. A leaf that takes only its own servers with it is none.
    Absent where an end of a link is not named.
    Method: one depth-first walk that notes how far back every part of it reaches; linear in the number of links.
    """
    if not links.whole:
        return None
    return len(lone(links.switch_names, links.switch_roles, links.link_sources, links.link_targets))


@derivation(of="Topology", sources=("tarjan-1972",))
def lone_switch(
    switch_names: tuple[Text, ...],
    switch_roles: tuple[Text, ...],
    link_sources: tuple[Text, ...],
    link_targets: tuple[Text, ...],
    lone_switches: Count,
) -> Text | None:
    """
    First switch whose failure disconnects some leaves from others.

    Assumes what `lone_switches` does; absent where there is none.
    """
    return lone(switch_names, switch_roles, link_sources, link_targets)[0] if lone_switches else None


@lru_cache(maxsize=1)
def lone(
    names: tuple[str, ...], roles: tuple[str, ...], sources: tuple[str, ...], targets: tuple[str, ...]
) -> list[str]:
    """The switches that separate leaves from leaves when they are gone, in the order of the list."""
    near: dict[str, set[str]] = {name: set() for name in names}
    for source, target in zip(sources, targets, strict=True):
        if source != target and source in near and target in near:
            near[source].add(target)
            near[target].add(source)
    leaves = {name for name, role in zip(names, roles, strict=False) if role == "leaf"}
    depth: dict[str, int] = {}
    found = {one for name in near if name not in depth for one in _lone_of(name, near, leaves, depth)}
    return [name for name in near if name in found]


def _lone_of(start: str, near: Mapping[str, set[str]], leaves: set[str], depth: dict[str, int]) -> Iterator[str]:
    """
    The switches of one connected part that separate leaves from leaves.

    A switch separates what hangs on it by a branch that reaches no further back than the switch itself.
    """
    back: dict[str, int] = {}  # the least depth that a link from the branch at a switch leads to
    below: dict[str, int] = {}  # leaves in that branch
    cut: dict[str, list[int]] = {}  # leaves in each branch that only the switch holds
    walk: list[tuple[str, Iterator[str]]] = []

    def enter(name: str) -> None:
        depth[name] = back[name] = len(walk)
        below[name], cut[name] = name in leaves, []
        walk.append((name, iter(near[name])))

    enter(start)
    while walk:
        name, ways = walk[-1]
        for other in ways:
            if other not in depth:
                enter(other)
                break
            back[name] = min(back[name], depth[other])
        else:
            walk.pop()
            if walk:
                above = walk[-1][0]
                back[above] = min(back[above], back[name])
                below[above] += below[name]
                if back[name] >= depth[above]:
                    cut[above].append(below[name])
    for name, branches in cut.items():
        rest = below[start] - (name in leaves) - sum(branches)
        if sum(map(bool, (*branches, rest))) > 1:
            yield name
