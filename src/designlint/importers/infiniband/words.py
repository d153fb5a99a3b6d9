"""From a discovered fabric to the wiring of a design."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from designlint.importers import defaults, tiers
from designlint.importers.base import Fragment, How, Value, Words, put
from designlint.importers.infiniband.fabric import DumpCable, DumpNode, DumpSpot, Fabric, speed, technology
from designlint.importers.infiniband.shape import adapter_places, host_end, is_one_plane, leaf_rails, port_name
from designlint.language.sentences import many

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Makes a value of all its fields at once: a large fabric has millions.
MAKE = partial(tuple.__new__, Value)
MEASURED = How.MEASURED


def fragment(fabric: Fabric, name: str) -> Fragment:
    """The fabric as words, every cable once."""
    found = Fragment()
    if not fabric.nodes:
        return found
    first = next(iter(fabric.nodes.values())).spot
    words: Words = {"name": value(first, name, How.DERIVED, "the dump names no fabric").as_text()}
    switches, roles = fabric.names(), _roles(fabric)
    hosts = [cable for cable in fabric.cables.values() if host_end(fabric, cable) is not None]
    rates = Counter((cable.width, cable.rate) for cable in hosts or fabric.cables.values() if cable.rate)
    if len(rates) == 1:
        (width, rate), times = next(iter(rates.items()))
        at = next(cable.spot for cable in fabric.cables.values() if (cable.width, cable.rate) == (width, rate))
        note = f"{width}x{rate} on {many(times, 'cable')}{' to servers' if hosts else ''}"
        put(words, "technology", value(at, technology(rate), How.DERIVED, note).as_text() if technology(rate) else None)
        put(words, "speed", value(at, speed(width, rate), How.DERIVED, note) if hosts and speed(width, rate) else None)
    listed = [_switch(node, switches[guid], roles.get(guid)) for guid, node in fabric.nodes.items() if guid in switches]
    topology: Words = {"switches": listed}
    topology["links"] = list(_links(fabric, switches, found))
    topology["host_links"] = cabled = list(_host_links(fabric, hosts, switches, found))
    if is_one_plane(fabric, roles):
        put(topology, "planes", value(first, 1, How.DERIVED, "most leaves connect to every spine"))
    ends = [(one["to"], one["nic"]) for one in cabled if "nic" in one]
    rails = leaf_rails((to.text, nic.text) for to, nic in ends if isinstance(to, Value) and isinstance(nic, Value))
    if rails:
        put(
            topology, "rail_optimized", value(first, "true", How.DERIVED, "each leaf serves one adapter of the servers")
        )
    for switch in listed:
        own = switch["name"]
        if isinstance(own, Value) and own.text in rails:
            note = "the adapter of most of its cables"
            put(
                switch,
                "rail",
                MAKE((rails[own.text], own.source, own.start, own.end, How.DERIVED, note, False, "")),
            )
    words["topology"] = topology
    found.words["fabrics"] = [words]
    _facts(fabric, found, first)
    return found


def value(spot: DumpSpot, text: object, how: How = How.MEASURED, note: str = "") -> Value:
    """A value that a line of the dump bears."""
    return MAKE((str(text), *spot, how, note, False, ""))


def title(spot: DumpSpot, text: str) -> Value:
    """A name that a line of the dump bears."""
    return MAKE((text, *spot, How.MEASURED, "", True, ""))


def _switch(node: DumpNode, name: str, level: int | None) -> Words:
    words: Words = {"name": title(node.spot, name)}
    if node.guid != name and not node.guid.startswith("lid "):
        put(words, "guid", title(node.spot, node.guid))
    tiers.put_role(words, title(node.spot, name), level)
    model = node.model.strip() or str(defaults.tool("pci-devices").tables["switch_chips"].get(node.device, ""))
    put(words, "model", title(node.spot, model) if model else None)
    return words


def _roles(fabric: Fabric) -> dict[str, int]:
    """
    The level of each switch above the servers, by the shortest way.

    Where some switches have no block of their own, servers below them are not seen: of what is not a leaf, only what lists all
    of its neighbours has a level, and only where these do so, too, if they are switches without servers.
    """
    beside: dict[str, list[str]] = {}
    lowest: dict[str, None] = {}
    for cable in fabric.cables.values():
        (one, _), (other, _) = cable.ends
        kinds = (fabric.nodes[one].kind, fabric.nodes[other].kind)
        if kinds == ("switch", "switch"):
            beside.setdefault(one, []).append(other)
            beside.setdefault(other, []).append(one)
        elif "host" in kinds and "switch" in kinds:
            lowest[one if kinds[0] == "switch" else other] = None
    level = tiers.levels(lowest, beside)
    unseen = {guid for guid, node in fabric.nodes.items() if node.kind == "switch" and not node.seen}
    return {
        guid: one
        for guid, one in level.items()
        if one == 0 or (guid not in unseen and (one == 1 or unseen.isdisjoint(beside[guid])))
    }


def _links(fabric: Fabric, names: dict[str, str], found: Fragment) -> Iterable[Words]:
    bundles: dict[tuple[str, str, int, str], list[DumpCable]] = {}
    for cable in fabric.cables.values():
        ends, width, rate, spot, below = cable
        one, other = ends[0][0], ends[1][0]
        if one in names and other in names:
            key = (one, other, width, rate) if names[one] <= names[other] else (other, one, width, rate)
            bundles.setdefault(key, []).append(cable)
            if below:
                found.fact("link below its rate", value(spot, f"{names[one]} - {names[other]}: {below}"))
    make, measured = MAKE, MEASURED
    for (one, other, width, rate), cables in bundles.items():
        spot = cables[0].spot
        note = f"{len(cables)} cables counted" if len(cables) > 1 else ""
        words: Words = {
            "from": make((names[one], *spot, measured, "", True, "")),
            "to": make((names[other], *spot, measured, "", True, "")),
            "cables": make((str(len(cables)), *spot, measured, note, False, "")),
        }
        if told := speed(width, rate):
            words["speed"] = make((told, *spot, measured, "", False, ""))
        words["from_ports"], words["to_ports"] = own, far = [], []
        for ends, _, _, spot, _ in cables:
            near = 0 if ends[0][0] == one else 1
            own.append(make((ends[near][1], *spot, measured, "", True, "")))
            far.append(make((ends[1 - near][1], *spot, measured, "", True, "")))
        yield words


def _host_links(fabric: Fabric, cables: list[DumpCable], names: dict[str, str], found: Fragment) -> Iterable[Words]:
    """Cables of servers; an adapter's number is its place among the names of all adapters, where most servers use the same."""
    places = adapter_places(fabric, cables)
    make, measured, derived = MAKE, MEASURED, How.DERIVED
    note = "place among the adapters that most servers have"
    for cable in cables:
        one, other = cable.ends
        (switch, port), (guid, _) = (one, other) if one[0] in names else (other, one)
        if switch not in names:
            continue
        node, spot = fabric.nodes[guid], cable.spot
        words: Words = {"server": make((node.host, *spot, measured, "", True, ""))}
        if node.adapter:
            words["adapter"] = make((node.adapter, *spot, measured, "", True, ""))
            place = places.get((node.host, port_name(fabric, cable)))
            if place is not None:
                words["nic"] = make((place, *spot, derived, note, False, ""))
        words["to"] = make((names[switch], *spot, measured, "", True, ""))
        words["port"] = make((port, *spot, measured, "", True, ""))
        if told := speed(cable.width, cable.rate):
            words["speed"] = make((told, *spot, measured, "", False, ""))
        if cable.below:
            found.fact("link below its rate", value(spot, f"{node.label} - {names[switch]}: {cable.below}"))
        yield words


def _facts(fabric: Fabric, found: Fragment, first: DumpSpot) -> None:
    kinds = Counter(node.kind for node in fabric.nodes.values())
    servers = {node.host for node in fabric.nodes.values() if node.kind == "host" and node.host != node.guid}
    unnamed = sum(node.kind == "host" and node.host == node.guid for node in fabric.nodes.values())
    found.fact("servers seen", value(first, len(servers)))
    found.fact("adapters that name no server", value(first, unnamed) if unnamed else None)
    found.fact("aggregation nodes", value(first, kinds["aggregation"]) if kinds["aggregation"] else None)
    found.fact("ports without a cable", value(first, fabric.idle) if fabric.idle else None)
    for model, times in Counter(node.model for node in fabric.nodes.values() if node.model).items():
        found.fact("switch model", value(first, model, How.MEASURED, f"of {times} switches"))
    unseen = [node for node in fabric.nodes.values() if node.kind == "switch" and not node.seen]
    if unseen:
        note = "named by their neighbours, without a block of their own"
        found.fact("switches seen from their neighbours only", value(unseen[0].spot, len(unseen), How.DERIVED, note))
