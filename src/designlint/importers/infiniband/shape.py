"""What a whole dump shows of a fabric's shape: that it is one plane, and that each leaf serves one rail."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from designlint.importers.infiniband.fabric import DumpCable, Fabric

#: Share of a leaf's cables that lead to one adapter of the servers where leaves serve rails: some are swapped.
OF_ONE_RAIL = 0.75
#: Cables to servers that tell whether a leaf serves one rail.
FEWEST_CABLES = 3


def is_one_plane(fabric: Fabric, level: Mapping[str, int]) -> bool:
    """
    Whether most leaves connect to every spine, so that all spines are of one plane.

    A dump in which some nodes have no block of their own is an excerpt, and shows nothing.
    """
    if not all(node.seen for node in fabric.nodes.values()):
        return False
    spines = {guid for guid, one in level.items() if one == 1}
    joined: dict[str, set[str]] = {guid: set() for guid, one in level.items() if one == 0}
    for cable in fabric.cables.values():
        one, other = cable.ends[0][0], cable.ends[1][0]
        for leaf, spine in ((one, other), (other, one)):
            if leaf in joined and spine in spines:
                joined[leaf].add(spine)
    whole = sum(found == spines for found in joined.values())
    return len(spines) > 1 and max(level.values()) == 1 and 2 * whole > len(joined)


def leaf_rails(ends: Iterable[tuple[str, str]]) -> dict[str, str]:
    """
    The rail of each leaf, where each serves one; nothing where one of them serves several.

    Args:
        ends: a leaf and the place of the adapter, for each cable of a server.
    """
    served: dict[str, Counter[str]] = {}
    for leaf, place in ends:
        served.setdefault(leaf, Counter())[place] += 1
    usual = {leaf: counts.most_common(1)[0] for leaf, counts in served.items()}
    clear = all(
        served[leaf].total() >= FEWEST_CABLES and most >= OF_ONE_RAIL * served[leaf].total()
        for leaf, (_, most) in usual.items()
    )
    found = {leaf: place for leaf, (place, _) in usual.items()}
    return found if clear and len(set(found.values())) > 1 else {}


def host_end(fabric: Fabric, cable: DumpCable) -> tuple[str, str] | None:
    """The end of a cable at a server; None where it has none."""
    nodes, (one, other) = fabric.nodes, cable.ends
    return one if nodes[one[0]].kind == "host" else other if nodes[other[0]].kind == "host" else None


def port_name(fabric: Fabric, cable: DumpCable) -> str:
    """The adapter and port at a cable's end."""
    guid, port = host_end(fabric, cable) or cable.ends[0]
    return f"{fabric.nodes[guid].adapter} {port}"


def adapter_places(fabric: Fabric, cables: Iterable[DumpCable]) -> dict[tuple[str, str], str]:
    """
    The place of each port among those of its server, by server and port, so that a place means the same everywhere.

    Most servers have to use the same adapters. One that lacks some of them has the others at their places; where several
    call as many adapters by other names, those count too. None where servers differ.
    """
    sets: dict[str, set[str]] = {}
    for cable in cables:
        guid, _ = host_end(fabric, cable) or cable.ends[0]
        node = fabric.nodes[guid]
        if node.adapter or node.host != node.guid:
            sets.setdefault(node.host, set()).add(port_name(fabric, cable))
    groups = Counter(map(frozenset, sets.values()))
    [(usual, times)] = groups.most_common(1) or [(frozenset[str](), 0)]
    if not 2 * times > len(sets) > 1:
        return {}
    own = {names for names, many in groups.items() if len(names) == len(usual) and many > 1 and not names & usual}
    orders = {names: {name: str(at) for at, name in enumerate(sorted(names, key=_natural))} for names in {usual, *own}}
    return {
        (host, name): place
        for host, names in sets.items()
        for name, place in orders.get(frozenset(names), orders[usual]).items()
        if name in names
    }


def _natural(name: str) -> tuple[int, str]:
    digits = "".join(letter for letter in name.split(" ")[0] if letter.isdigit() or letter == "_").rpartition("_")[2]
    return int(digits or 0), name
