"""An explicit wiring of leaves, spines and cores as numbers that paths can be counted in."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from designlint.derivations.network.wiring import ListedLinks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from designlint.language.units import DataRate

#: Bandwidth to each neighbour, in whole bit/s so that sums are exact.
Rates: TypeAlias = "Mapping[str, int]"
#: Links of a reduced network beyond which no flow is computed, about half a second: a whole fat tree has a few hundred.
MOST_LINKS = 40_000


class ClosWiring(ListedLinks, frozen=True):
    """The same with the bandwidth of each cable."""

    link_rates: tuple[DataRate, ...]


class Clos(NamedTuple):
    """
    A network in which leaves are joined to spines, spines to cores, and nothing else.

    Attributes:
        leaves: bandwidth of each leaf to each of its spines.
        spines: bandwidth of each spine to each of its cores.
        groups: leaves that reach one another without a core, each group in the order of the list.
        planes: groups that reach one another at all.
    """

    leaves: Mapping[str, Rates]
    spines: Mapping[str, Rates]
    groups: Sequence[Sequence[str]]
    planes: Sequence[Sequence[Sequence[str]]]


@lru_cache(maxsize=1)
def clos(wiring: ClosWiring) -> Clos | None:
    """The network of a list of switches and links; None where it is not built of leaves, spines and cores."""
    names, roles, cables, rates = wiring.switch_names, wiring.switch_roles, wiring.link_cables, wiring.link_rates
    sources, targets = wiring.link_sources, wiring.link_targets
    if len(names) != len(roles) or not len(sources) == len(targets) == len(cables) == len(rates):
        return None
    role = dict(zip(names, roles, strict=True))
    leaves: dict[str, dict[str, int]] = {name: {} for name in names if role[name] == "leaf"}
    spines: dict[str, dict[str, int]] = {name: {} for name in names if role[name] == "spine"}
    for source, target, count, rate in zip(sources, targets, cables, rates, strict=True):
        if role.get(source) not in ("leaf", "spine") or (role[source] == "spine" and role.get(target) == "leaf"):
            source, target = target, source
        if (role.get(source), role.get(target)) not in (("leaf", "spine"), ("spine", "core")):
            return None
        above = leaves[source] if source in leaves else spines[source]
        above[target] = above.get(target, 0) + count * int(rate)
    if not leaves or not all(leaves.values()):
        return None
    listed = list(leaves)
    groups = [[listed[at] for at in one] for one in together([*leaves.values()])]
    cores = [{core for leaf in group for spine in leaves[leaf] for core in spines[spine]} for group in groups]
    return Clos(leaves, spines, groups, [[groups[at] for at in one] for one in together(cores)])


def together(held: Sequence[Iterable[str]]) -> list[list[int]]:
    """The numbers of the collections that share members, directly or over others; every group in order."""
    above = list(range(len(held)))

    def top(at: int) -> int:
        while above[at] != at:
            above[at] = at = above[above[at]]
        return at

    first: dict[str, int] = {}
    for number, members in enumerate(held):
        for one in members:
            low, high = sorted((top(first.setdefault(one, number)), top(number)))
            above[high] = low
    found: dict[int, list[int]] = defaultdict(list)
    for number in range(len(held)):
        found[top(number)].append(number)
    return list(found.values())


def flow(
    spines: Mapping[str, Rates], given: dict[str, int], taken: dict[str, int], most: int = MOST_LINKS
) -> int | None:
    """
    Most bandwidth from spines that are given so much to spines that take so much; None where the network is too irregular.

    Method: switches that are wired alike, and given and taking alike, may swap places, so that some best flow treats
    them alike: they become one switch of their added links. What is left has one node for each kind of switch, and is
    solved as a maximum flow.
    """
    if not any(spines[one] for one in given):
        return sum(min(rate, taken.get(one, 0)) for one, rate in given.items())
    reduced = _reduce_links(spines, given, taken)
    if len(reduced) > most:
        return None
    import networkx

    graph: networkx.DiGraph[object] = networkx.DiGraph()
    graph.add_nodes_from(("given", "taken"))
    for (lower, upper), rate in reduced.items():
        graph.add_edge(lower, upper, capacity=rate)
    found: int = networkx.maximum_flow_value(graph, "given", "taken")
    return found


def _reduce_links(
    spines: Mapping[str, Rates], given: dict[str, int], taken: dict[str, int]
) -> dict[tuple[object, object], int]:
    """The links of the network of kinds of switches: given - spine - core - spine - taken."""
    kinds = Counter((given.get(one, 0), taken.get(one, 0), tuple(sorted(spines[one].items()))) for one in given | taken)
    reached: dict[str, list[tuple[int, int]]] = defaultdict(list)
    links: dict[tuple[object, object], int] = {}
    for number, ((gives, takes, cores), count) in enumerate(kinds.items()):
        links["given", (number, "up")] = gives * count
        links[(number, "down"), "taken"] = takes * count
        links[(number, "up"), (number, "down")] = min(gives, takes) * count
        for core, rate in cores:
            reached[core].append((number, rate * count))
    for number, (ends, count) in enumerate(Counter(map(tuple, reached.values())).items()):
        for kind, rate in ends:
            links[(kind, "up"), number] = links[number, (kind, "down")] = rate * count
    return {link: rate for link, rate in links.items() if rate}
