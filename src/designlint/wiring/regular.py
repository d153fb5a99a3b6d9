"""The wiring that follows from counts: every leaf to every spine of its plane, every rail of a unit to its leaf."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.design.known import Known
from designlint.language.tiers import TIERS
from designlint.wiring.graph import MOST, PLURALS, Cable, End, HostCable, Switch, Wiring, number_names
from designlint.wiring.known import pools

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.design.known import Known
    from designlint.wiring.known import Pool

LIST_IT = "list `switches`, `links` and `host_links`"


class RegularShape(Struct):
    """The counts of a regular network."""

    kind: str
    tiers: int | None
    planes: int
    leaves: int | None
    spines: int
    cores: int
    uplinks: int | None
    pods: int | None
    upper: int | None
    rails: bool | None
    unit: int | None


def regular(fabric: Known, topology: Known) -> Wiring:
    """The switches and cables of a network of stated counts; what does not follow from them is among what stays open."""
    wiring = Wiring(
        fabric.subject.name, fabric.text("technology"), fabric.number("host_rate"), assigned=True,
        spot=fabric.spot,
    )  # fmt: skip
    shape = _shape(topology)
    attached = pools(fabric)
    wiring.assigned_servers = bool(attached) and all(one.assigned for one in attached)
    for pool in attached:
        wiring.servers |= dict.fromkeys(pool.servers, pool.spot)
    reason = _explain_uncounted(shape)
    if reason:
        wiring.open.append(reason)
        wiring.links_open = wiring.hosts_open = reason
        return wiring
    _switches(wiring, shape)
    wiring.links_open = _links(wiring, shape, topology.number("link_speed"))
    wiring.hosts_open = _hosts(wiring, shape, attached)
    if managers := fabric.count("manager_ports"):
        wiring.open.append(f"{managers} ports of managers, gateways and storage: the design does not say which")
    return wiring


def _shape(topology: Known) -> RegularShape:
    planes = max(1, topology.count("planes") or 1)
    kind = topology.text("kind")
    leaves, spines, cores = (topology.count(word) for word in ("leaves", "spines", "cores"))
    if kind == "single-switch":
        leaves = leaves or planes
    tiers = topology.count("tiers") or {"single-switch": 1, "rail-only": 1}.get(kind)
    return RegularShape(
        kind, tiers, planes, leaves, (spines or 0) if (tiers or 2) > 1 else 0, (cores or 0) if (tiers or 3) > 2 else 0,
        topology.count("uplinks_per_leaf"), topology.count("pods"), topology.count("uplinks_per_spine"),
        topology.flag("rail_optimized"), topology.count("scalable_unit"),
    )  # fmt: skip


def _explain_uncounted(shape: RegularShape) -> str:
    """Why nothing can be wired; empty where switches can be counted."""
    if shape.kind in ("dragonfly", "dragonfly-plus", "torus"):
        return f"the wiring of a {shape.kind} does not follow from counts; {LIST_IT}"
    if shape.tiers is None:
        return "the design does not state the `tiers` of the network"
    if shape.tiers > len(TIERS):
        return f"networks of {shape.tiers} tiers are not wired from counts; {LIST_IT}"
    needed = dict(zip(TIERS, (shape.leaves, shape.spines, shape.cores), strict=True))
    for role in TIERS[: shape.tiers]:
        if not needed[role]:
            return f"the design does not state the number of {PLURALS[role]}"
    cables = (shape.leaves or 0) * (shape.uplinks or 0), shape.spines * (shape.upper or 0)
    if max(sum(one or 0 for one in needed.values()), *cables) > MOST:
        return f"a network of more than {MOST} cables is not wired from counts"
    odd = next((role for role in TIERS[: shape.tiers] if (needed[role] or 0) % shape.planes), "")
    return f"{needed[odd]} {PLURALS[odd]} do not divide into {shape.planes} planes" if odd else ""


def _switches(wiring: Wiring, shape: RegularShape) -> None:
    for role, count in zip(TIERS, (shape.leaves or 0, shape.spines, shape.cores), strict=True):
        each = max(1, count // shape.planes)
        for at, name in enumerate(number_names(role, count)):
            wiring.switches[name] = Switch(name, role, spot=wiring.spot, plane=at // each)


def _links(wiring: Wiring, shape: RegularShape, speed: float | None) -> str:
    """Cables between the tiers; why there are none, or not all, where that does not follow."""
    if shape.tiers == 1:
        return ""
    if shape.tiers != 2 and shape.pods is None:
        return f"the design does not say which spines a leaf reaches in a network of three tiers; state `pods`, or {LIST_IT}"
    pods = shape.planes * (shape.pods or 1)
    uneven = next((role for role in ("leaf", "spine") if len(wiring.tier(role)) % pods), "")
    if uneven:
        return f"{len(wiring.tier(uneven))} {PLURALS[uneven]} do not divide into {pods} pods; {LIST_IT}"
    above = shape.spines // pods
    if shape.uplinks is None:
        return "the design does not state `uplinks_per_leaf`"
    if shape.uplinks % above:
        return f"{shape.uplinks} uplinks of a leaf do not divide over {above} spines; {LIST_IT}"
    upper = _core_groups(shape, above) if shape.tiers == len(TIERS) else 1
    if isinstance(upper, str):
        return upper
    below = zip(_parts(wiring.tier("leaf"), pods), _parts(wiring.tier("spine"), pods), strict=True)
    for leaves, spines in below:
        _join_tiers(wiring, leaves, spines, shape.uplinks // above, speed)
    if shape.tiers == len(TIERS):
        groups = _parts(wiring.tier("core"), shape.planes * upper)
        for at, spine in enumerate(wiring.tier("spine")):
            group = groups[(spine.plane or 0) * upper + at % above % upper]
            _join_tiers(wiring, [spine], group, (shape.upper or 0) // len(group), speed)
    return ""


def _core_groups(shape: RegularShape, each: int) -> int | str:
    """
    Groups of cores of a plane; or why they do not follow.

    One where the uplinks of a spine divide over all cores of its plane; else as many as a pod has spines, and spine n of every
    pod leads to group n.
    """
    if shape.upper is None:
        return "the design does not state `uplinks_per_spine`"
    cores = shape.cores // shape.planes
    groups = 1 if shape.upper % cores == 0 else each
    if cores % groups or shape.upper % (cores // groups):
        return f"{shape.upper} uplinks of a spine do not divide over {cores} cores; {LIST_IT}"
    return groups


def _parts(switches: list[Switch], count: int) -> list[list[Switch]]:
    """Switches in so many parts of one size."""
    size = len(switches) // count
    return [switches[at : at + size] for at in range(0, len(switches), size)]


def _join_tiers(wiring: Wiring, lower: list[Switch], upper: list[Switch], cables: int, speed: float | None) -> None:
    """Joins each switch of a tier with each of the next by so many cables."""
    for one in lower:
        for other in upper:
            wiring.cables += [Cable(End(one.name), End(other.name), speed, wiring.spot)] * cables


def _hosts(wiring: Wiring, shape: RegularShape, attached: list[Pool]) -> str:
    """Cables to servers; why there are none where that does not follow."""
    if not attached:
        return "the design does not say how many servers, and how many ports of each, are on the fabric"
    if len(wiring.servers) != sum(len(one.servers) for one in attached):
        return "a server is named in two pools"
    leaf_of = _placement(wiring, shape, attached)
    if isinstance(leaf_of, str):
        return leaf_of
    if sum(len(one.servers) * one.ports for one in attached) > MOST:
        return f"a network of more than {MOST} cables is not wired from counts"
    number = 0
    for pool in attached:
        for server in pool.servers:
            for nic in range(pool.ports):
                leaf = leaf_of(number, nic)
                wiring.hosts.append(HostCable(server, End(leaf), nic, "", pool.speed or wiring.speed, pool.spot))
            number += 1
    return ""


def _placement(wiring: Wiring, shape: RegularShape, attached: list[Pool]) -> Callable[[int, int], str] | str:
    """The leaf of each server, by its number, and adapter; or why that does not follow from the counts."""
    leaves = [one.name for one in wiring.tier("leaf")]
    total, ports = len(wiring.servers), {one.ports for one in attached}
    rails = max(ports)
    if len(leaves) == 1:
        return lambda server, nic: leaves[0]
    if shape.kind in ("single-switch", "rail-only") and len(leaves) == rails == min(ports):
        return lambda server, nic: leaves[nic]
    size = shape.unit or (total if shape.rails and len(leaves) == rails else None)
    if size is None:
        return f"the design does not say which leaf a server's port connects to; state `scalable_unit`, or {LIST_IT}"
    units = -(-total // size)
    if shape.rails is None and len(leaves) != units:
        return f"the design does not state `rail_optimized`, so that the leaf of an adapter is unknown; state it, or {LIST_IT}"
    each = rails // shape.planes if shape.rails else 1
    plane = len(leaves) // shape.planes
    uneven = rails % shape.planes or (not shape.rails and shape.planes not in (1, rails))
    if (
        shape.rails
        and not uneven
        and units * each > plane
        and each % max(1, plane // units) == 0
        and plane % units == 0
    ):
        return f"{rails} rails share {len(leaves)} leaves, and the design does not say which rails share one; {LIST_IT}"
    if uneven or len(ports) > 1 or plane % each or units * each > plane:
        return (
            f"{total} servers in units of {size} with {rails} rails do not fill {len(leaves)} leaves evenly; {LIST_IT}"
        )
    if not shape.rails and plane != units:
        return f"{units} units share {len(leaves)} leaves, and the design does not say how; {LIST_IT}"
    for at, name in enumerate(leaves):
        first = at // plane * each
        wiring.switches[name].unit = at % plane // each
        wiring.switches[name].rail = first + at % plane % each if shape.rails else None
    if shape.planes == 1 and not shape.rails:
        return lambda server, nic: leaves[server // size]
    return lambda server, nic: leaves[nic // each * plane + (server // size) * each + nic % each]
