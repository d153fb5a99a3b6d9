"""What an explicit wiring of leaves, spines and cores carries between leaves."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, islice
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation
from designlint.derivations.network.clos import MOST_LINKS, Clos, ClosWiring, clos, flow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.derivations.base import Text
    from designlint.language.units import Count, DataRate

#: Work on pairs beyond which none is named: links compared within groups, and pairs of kinds of leaves between groups.
MOST_NEAR, MOST_FAR = 1_000_000, 100


@derivation(of="Topology", groups=(ClosWiring,))
def half_bandwidth(wiring: ClosWiring) -> DataRate | None:
    """
    Bandwidth that half of the leaves of an explicit wiring have to their spines: what the bisection should carry. [bit/s]

    Assumes the halves of the bisection, of which the one with less bandwidth counts. Absent where a link joins other
    switches than leaf and spine or spine and core, where a leaf has no link, and for a plane of one leaf.
    """
    net = clos(wiring)
    if net is None or any(sum(map(len, plane)) < 2 for plane in net.planes):
        return None
    return float(sum(min(map(sum, map(dict.values, _halves(net, plane)))) for plane in net.planes))


@derivation(of="Topology", groups=(ClosWiring,))
def thinnest_leaf(wiring: ClosWiring) -> DataRate | None:
    """
    Lowest uplink bandwidth of a leaf of an explicit wiring. [bit/s]

    Assumes that every link joins a leaf and a spine or a spine and a core, and that every leaf has one; absent otherwise.
    """
    net = clos(wiring)
    return None if net is None else float(min(sum(up.values()) for up in net.leaves.values()))


@derivation(of="Topology", groups=(ClosWiring,))
def thickest_spine(wiring: ClosWiring) -> DataRate | None:
    """
    Highest bandwidth of a spine of an explicit wiring to its cores. [bit/s]

    Assumes that every link joins a leaf and a spine or a spine and a core, and that every leaf has one; absent
    otherwise, and without cores.
    """
    net = clos(wiring)
    return float(max(sum(cores.values()) for cores in net.spines.values())) or None if net and net.spines else None


@derivation(of="Topology", sources=("leiserson-1985",), groups=(ClosWiring,))
def bisection(wiring: ClosWiring, planes: Count) -> DataRate | None:
    """
    Bandwidth between two halves of the leaves of an explicit wiring, over all planes. [bit/s]

    Assumes paths that go up to spines or cores and down again. The halves are taken in the order of the list, leaves
    that share spines kept together: where the leaves of a group are wired alike, and the groups are, no other halves
    have less. Absent for other networks, for more separate parts than planes, and where hardly two switches are alike.
    Method: maximum flow from one half to the other on the network of kinds of switches.
    """
    net = clos(wiring)
    if net is None or len(net.planes) > planes:
        return None
    flows = [flow(net.spines, *_halves(net, plane)) for plane in net.planes]
    return None if None in flows else float(sum(one or 0 for one in flows))


@derivation(of="Topology", sources=("leiserson-1985",), groups=(ClosWiring,))
def thinnest_pair(wiring: ClosWiring, planes: Count) -> DataRate | None:
    """
    Lowest bandwidth between two leaves of an explicit wiring while other leaves are idle. [bit/s]

    Assumes the shortest paths, as routing takes them: over shared spines within a group, over cores between groups.
    Leaves of different planes are no pair. Absent where it is for the bisection, and for a single leaf.
    Method: each pair of kinds of leaves once; a sum over shared spines, or a maximum flow over cores.
    """
    net = clos(wiring)
    if net is None or len(net.planes) > planes:
        return None
    rates, apart, compared = list[int](), _far(net), 0
    for one, other in _near(net):
        here, there = net.leaves[one], net.leaves[other]
        shared = sum(min(rate, there.get(spine, 0)) for spine, rate in here.items())
        rates += [shared] if shared else []
        apart += [] if shared else [(one, other)]
        compared += len(here)
        if compared > MOST_NEAR or len(apart) > MOST_FAR:
            break
    if compared > MOST_NEAR or len(apart) > MOST_FAR:
        return None
    most = MOST_LINKS // max(1, len(apart))
    flows = [flow(net.spines, dict(net.leaves[one]), dict(net.leaves[other]), most) for one, other in apart]
    return None if None in flows or not rates + flows else float(min(one or 0 for one in (*rates, *flows)))


@derivation(of="Topology", groups=(ClosWiring,))
def partial_leaves(wiring: ClosWiring) -> Count | None:
    """
    Leaves of an explicit wiring that have no link to some spine of their group. [1]

    Assumes that leaves that share spines form a group in which every leaf reaches every spine.
    """
    net = clos(wiring)
    return None if net is None else len(_partial(net))


@derivation(of="Topology", groups=(ClosWiring,))
def partial_leaf(wiring: ClosWiring) -> Text | None:
    """
    First leaf that has no link to some spine of its group.

    Assumes what `partial_leaves` does; absent where there is none.
    """
    net = clos(wiring)
    return next(iter(_partial(net)), None) if net else None


def _halves(net: Clos, plane: Sequence[Sequence[str]]) -> tuple[dict[str, int], dict[str, int]]:
    """Bandwidth that each spine has to one half of the leaves, and to the other."""
    leaves = [leaf for group in plane for leaf in group]
    sides: tuple[dict[str, int], dict[str, int]] = {}, {}
    for number, leaf in enumerate(leaves):
        side = sides[number >= len(leaves) // 2]
        for spine, rate in net.leaves[leaf].items():
            side[spine] = side.get(spine, 0) + rate
    return sides


def _near(net: Clos) -> Iterator[tuple[str, str]]:
    """Two leaves of one group for every two kinds of them; leaves of a kind have the same links to the same spines."""
    for group in net.groups:
        kinds: dict[frozenset[tuple[str, int]], list[str]] = {}
        for leaf in group:
            kinds.setdefault(frozenset(net.leaves[leaf].items()), []).append(leaf)
        yield from ((alike[0], alike[1]) for alike in kinds.values() if len(alike) > 1)
        yield from combinations([alike[0] for alike in kinds.values()], 2)


def _far(net: Clos) -> list[tuple[str, str]]:
    """Two leaves of different groups for every two kinds; those of a kind have the same links to spines wired alike."""
    shapes = {spine: tuple(sorted(cores.items())) for spine, cores in net.spines.items()}
    found: list[tuple[str, str]] = []
    for plane in net.planes:
        kinds: dict[frozenset[tuple[object, int]], dict[int, str]] = {}
        for number, group in enumerate(plane):
            for leaf in group:
                ways = Counter((shapes[spine], rate) for spine, rate in net.leaves[leaf].items())
                kinds.setdefault(frozenset(ways.items()), {}).setdefault(number, leaf)
        for here, there in combinations_with_replacement(kinds.values(), 2):
            ends = ((here[one], there[other]) for one in here for other in there if one != other)
            found += [*islice(ends, 1)]
            if len(found) > MOST_FAR:
                return found
    return found


def _partial(net: Clos) -> list[str]:
    """The leaves that miss a spine of their group."""
    whole = [len({spine for leaf in group for spine in net.leaves[leaf]}) for group in net.groups]
    return [
        leaf
        for group, all_of_them in zip(net.groups, whole, strict=True)
        for leaf in group
        if len(net.leaves[leaf]) < all_of_them
    ]
