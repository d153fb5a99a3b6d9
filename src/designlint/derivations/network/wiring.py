"""What an explicit wiring, switch by switch and link by link, adds up to."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation
from designlint.language.groups import joined_groups

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count, DataRate

DEPTH = {"leaf": 1, "spine": 2, "core": 3}


class ListedLinks(Struct, frozen=True):
    """The switches and the bundles of links that a design lists."""

    switch_names: tuple[Text, ...]
    switch_roles: tuple[Text, ...]
    link_sources: tuple[Text, ...]
    link_targets: tuple[Text, ...]
    link_cables: tuple[Count, ...]

    def between(self, lower: str, upper: str) -> int | None:
        """Cables between two tiers; None where a switch or a link is only half described."""
        if len(self.switch_names) != len(self.switch_roles) or not self.whole:
            return None
        role, wanted = self.roles, {(lower, upper), (upper, lower)}
        ends = zip(self.link_sources, self.link_targets, self.link_cables, strict=True)
        return sum(count for one, other, count in ends if (role.get(one), role.get(other)) in wanted)

    @property
    def roles(self) -> dict[str, str]:
        """The tier of each switch."""
        return dict(zip(self.switch_names, self.switch_roles, strict=True))

    @property
    def uplinks(self) -> list[tuple[str, int, int]] | None:
        """Of each link between a leaf and a spine the leaf, the number of cables and the link's place; None as in `between`."""
        if len(self.switch_names) != len(self.switch_roles) or not self.whole:
            return None
        role, found = self.roles, []
        ends = zip(self.link_sources, self.link_targets, self.link_cables, strict=True)
        for place, (one, other, count) in enumerate(ends):
            lower, upper = (one, other) if role.get(one) == "leaf" else (other, one)
            if role.get(lower) == "leaf" and role.get(upper) == "spine":
                found.append((lower, count, place))
        return found

    @property
    def whole(self) -> bool:
        """Whether every link has two ends and a number of cables."""
        return len(self.link_sources) == len(self.link_targets) == len(self.link_cables)


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


@derivation(of="Topology", groups=(ListedLinks,))
def listed_uplinks_per_leaf(links: ListedLinks) -> Count | None:
    """
    Cables from each leaf of an explicit wiring to spines. [1]

    Assumes that every switch states its role, and that every link names two switches of the list. Absent where leaves
    differ, and where no cable leads from a leaf to a spine.
    """
    cables = Counter[str]()
    for leaf, count, _ in links.uplinks or ():
        cables[leaf] += count
    alike = set(cables.values())
    return alike.pop() if len(alike) == 1 and len(cables) == links.switch_roles.count("leaf") else None


@derivation(of="Topology", groups=(ListedLinks,))
def listed_uplink_speed(link_rates: tuple[DataRate, ...], links: ListedLinks) -> DataRate | None:
    """
    Line rate of the cables between leaves and spines of an explicit wiring. [bit/s]

    Assumes that every switch states its role. Absent where cables differ, and where no cable leads from a leaf to a spine.
    """
    if len(link_rates) != len(links.link_sources):
        return None
    alike = {link_rates[place] for _, _, place in links.uplinks or ()}
    return alike.pop() if len(alike) == 1 else None


@derivation(of="Topology")
def listed_host_ports_per_leaf(switch_roles: tuple[Text, ...], listed_host_ports: tuple[Count, ...]) -> Count | None:
    """
    Ports that lead to hosts on each leaf of an explicit wiring. [1]

    Assumes that only leaves state such ports. Absent where leaves differ, or some state none.
    """
    alike = set(listed_host_ports)
    return alike.pop() if len(alike) == 1 and len(listed_host_ports) == switch_roles.count("leaf") else None


@derivation(of="Topology", groups=(ListedLinks,))
def listed_leaf_cables(links: ListedLinks) -> Count | None:
    """
    Cables between leaves and spines of an explicit wiring. [1]

    Assumes that every switch states its role, and that every link names two switches of the list; absent otherwise.
    """
    return links.between("leaf", "spine")


@derivation(of="Topology", groups=(ListedLinks,))
def listed_core_cables(links: ListedLinks) -> Count | None:
    """
    Cables between spines and cores of an explicit wiring. [1]

    Assumes that every switch states its role, and that every link names two switches of the list; absent otherwise.
    """
    return links.between("spine", "core")


@derivation(of="Topology")
def separate_parts(
    switch_names: tuple[Text, ...],
    link_sources: tuple[Text, ...],
    link_targets: tuple[Text, ...],
    link_cables: tuple[Count, ...],
) -> Count | None:
    """
    Disconnected parts of an explicit wiring. [1]

    Assumes that every link names two switches of the list. Absent where an end of a link is not named.
    """
    if not len(link_sources) == len(link_targets) == len(link_cables):
        return None
    parts = joined_groups(switch_names, zip(link_sources, link_targets, strict=True))
    return len(set(parts.values()))


@derivation(of="SwitchInstance")
def rail(host_nics: tuple[Count, ...]) -> Count | None:
    """
    Rail of a leaf. [1]

    Assumes that most of its cables are right: the adapter that more than half of them come from. Absent where there
    is none such, as on a leaf that serves all adapters of its servers.
    """
    nic, most = Counter(host_nics).most_common(1)[0]
    return nic if 2 * most > len(host_nics) else None
