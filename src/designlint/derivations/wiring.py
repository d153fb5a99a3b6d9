"""What an explicit wiring, switch by switch and link by link, adds up to."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.units import Count, DataRate

DEPTH = {"leaf": 1, "spine": 2, "core": 3}


@derivation(of="Topology")
def listed_tiers(switch_roles: tuple[Text, ...]) -> Count:
    """
    Switch tiers of an explicit wiring. [1]

    Assumes that every switch states its role, and that no tier is left out below the highest.
    """
    return max(DEPTH[role] for role in switch_roles)


@derivation(of="Topology")
def listed_leaves(switch_roles: tuple[Text, ...]) -> Count:
    """
    Leaves among the switches of an explicit wiring. [1]

    Assumes that every switch states its role.
    """
    return switch_roles.count("leaf")


@derivation(of="Topology")
def listed_spines(switch_roles: tuple[Text, ...]) -> Count:
    """
    Spines among the switches of an explicit wiring. [1]

    Assumes that every switch states its role.
    """
    return switch_roles.count("spine")


@derivation(of="Topology")
def listed_cores(switch_roles: tuple[Text, ...]) -> Count:
    """
    Cores among the switches of an explicit wiring. [1]

    Assumes that every switch states its role.
    """
    return switch_roles.count("core")


@derivation(of="Topology")
def listed_leaf_cables(
    switch_names: tuple[Text, ...],
    switch_roles: tuple[Text, ...],
    link_sources: tuple[Text, ...],
    link_targets: tuple[Text, ...],
    link_cables: tuple[Count, ...],
) -> Count | None:
    """
    Cables between leaves and spines of an explicit wiring. [1]

    Assumes that every switch states its role, and that every link names two switches of the list; absent otherwise.
    """
    return _cables("leaf", "spine", switch_names, switch_roles, link_sources, link_targets, link_cables)


@derivation(of="Topology")
def listed_core_cables(
    switch_names: tuple[Text, ...],
    switch_roles: tuple[Text, ...],
    link_sources: tuple[Text, ...],
    link_targets: tuple[Text, ...],
    link_cables: tuple[Count, ...],
) -> Count | None:
    """
    Cables between spines and cores of an explicit wiring. [1]

    Assumes that every switch states its role, and that every link names two switches of the list; absent otherwise.
    """
    return _cables("spine", "core", switch_names, switch_roles, link_sources, link_targets, link_cables)


def _cables(
    lower: str,
    upper: str,
    names: tuple[Text, ...],
    roles: tuple[Text, ...],
    sources: tuple[Text, ...],
    targets: tuple[Text, ...],
    cables: tuple[Count, ...],
) -> int | None:
    """Cables between two tiers."""
    if len(names) != len(roles) or not len(sources) == len(targets) == len(cables):
        return None
    role = dict(zip(names, roles, strict=True))
    ends = ({role.get(source), role.get(target)} for source, target in zip(sources, targets, strict=True))
    return sum(count for both, count in zip(ends, cables, strict=True) if both == {lower, upper})


@derivation(of="Link")
def speed(topology_speeds: tuple[DataRate, ...]) -> DataRate:
    """
    Line rate of one cable, where the link states none. [bit/s]

    Assumes the rate of the topology's uplinks.
    """
    return min(topology_speeds)


@derivation(of="Topology")
def separate_parts(
    switch_names: tuple[Text, ...],
    link_sources: tuple[Text, ...],
    link_targets: tuple[Text, ...],
    link_cables: tuple[Count, ...],
) -> Count | None:
    """
    Parts of an explicit wiring between which no link leads. [1]

    Assumes that every link names two switches of the list. Absent where an end of a link is not named.
    Method: disjoint sets, joined link by link; linear in the number of links but for a logarithm.
    """
    if not len(link_sources) == len(link_targets) == len(link_cables):
        return None
    parent = {name: name for name in switch_names}
    for source, target in zip(link_sources, link_targets, strict=True):
        if source in parent and target in parent:
            parent[root(parent, source)] = root(parent, target)
    return sum(name == above for name, above in parent.items())


def root(parent: dict[str, str], name: str) -> str:
    """The switch that stands for the part of a switch; the way to it is halved as it is walked."""
    while parent[name] != name:
        parent[name] = parent[parent[name]]
        name = parent[name]
    return name


@derivation(of="SwitchInstance")
def rail(host_nics: tuple[Count, ...]) -> Count | None:
    """
    Rail of a leaf. [1]

    Assumes that most of its cables are right: the adapter that more than half of them come from. Absent where there
    is none such, as on a leaf that serves all adapters of its servers.
    """
    nic, most = Counter(host_nics).most_common(1)[0]
    return nic if 2 * most > len(host_nics) else None
