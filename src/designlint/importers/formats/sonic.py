"""SONiC's config_db.json: tables of tables, or the flat dump of its database with `TABLE|key`."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from designlint.importers import neighbours, sonic_lossless, tiers
from designlint.importers.base import Fate, Fragment, How, Source, Value, Words, put
from designlint.importers.joining import join_fragments
from designlint.importers.neighbours import Neighbour
from designlint.importers.notations import structured
from designlint.importers.sonic_tables import Database, each, value_of
from designlint.importers.workloads import name_workload

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.importers.base import Context

TITLE = "SONiC config_db.json"
TABLES = re.compile(
    r'"(PORT|PORT_QOS_MAP|DEVICE_METADATA|DEVICE_NEIGHBOR|DEVICE_NEIGHBOR_METADATA|LOOPBACK_INTERFACE|BGP_NEIGHBOR|PFC_WD'
    r'|WRED_PROFILE|DSCP_TO_TC_MAP|BUFFER_PG)(?:\|[^"]*)?"\s*:\s*\{'
)
#: A port as the dump of the database names it.
PORT = '"PORT|Ethernet'
#: Tables that decide whether a class is lossless, and which queue serves it, but that no word holds.
UNREAD = (
    "BUFFER_PG", "BUFFER_PROFILE", "BUFFER_POOL", "BUFFER_QUEUE", "CABLE_LENGTH", "QUEUE", "SCHEDULER",
    "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP", "MAP_PFC_PRIORITY_TO_QUEUE", "SWITCH_HASH",
)  # fmt: skip
#: Tables of port channels that end at two switches at once, MC-LAG's; the older name holds all of it.
PAIRS = ("MCLAG_INTERFACE", "MC_LAG")
#: Kinds of neighbours that no cable of the fabric leads to: chips inside the switch, and switches of management.
NO_CABLE = ("Asic", "Mgmt")


def sure(source: Source) -> int:
    """8 where two of SONiC's tables stand in a JSON file, that of its neighbours, or a port as its database names it."""
    if source.text.lstrip()[:1] != "{":
        return 0
    tables = set(TABLES.findall(source.text[:500_000]))
    return 8 if len(tables) >= 2 or "DEVICE_NEIGHBOR" in tables or PORT in source.text[:500_000] else 0


def read(source: Source, context: Context) -> tuple[Source, Database]:
    """The tables, nested or flat."""
    root = structured.root(source)
    structured.refuse_broken(source)
    found: Database = defaultdict(dict)
    for table, node in root.entries.items() if root is not None else ():
        name, separator, key = table.partition("|")
        if separator:
            found[name][key] = node
        else:
            found[name] |= node.entries
    source.open_lines = False
    return source, found


def design(models: Sequence[tuple[Source, Database]], context: Context) -> Fragment:
    """The fabric as each switch is configured for it; where two differ, that is a finding."""
    found = Fragment()
    for source, tables in models:
        fragment = Fragment()
        words = _fabric(source, tables, fragment)
        if words:
            name = source.value(
                "ethernet", 0, 1, How.DERIVED, "the configuration of a switch names no fabric"
            ).as_text()
            fragment.words["fabrics"] = [{"name": name, **words}]
        found = join_fragments([found, fragment])
        source.mark(0, len(source.text), Fate.IMMATERIAL)
        for node in (node for table in UNREAD for node in tables.get(table, {}).values()):
            source.mark(node.start, node.end, Fate.UNCLEAR)
    _wire(models, found)
    return found


def _wire(models: Sequence[tuple[Source, Database]], found: Fragment) -> None:
    """The cables that the switches are configured for, each switch by its host name."""
    seen: neighbours.Seen = {}
    servers: set[str] = set()
    ports: dict[str, set[str]] = {}
    for source, tables in models:
        host = value_of(source, tables.get("DEVICE_METADATA", {}).get("localhost"), "hostname")
        name = host or name_workload(source)
        kinds = each(source, tables, "DEVICE_NEIGHBOR_METADATA", "type")
        servers |= {device for device, kind in kinds.items() if kind.text == "Server"}
        platforms = each(source, tables, "DEVICE_NEIGHBOR_METADATA", "hwsku")
        others = {device for device, kind in kinds.items() if kind.text.startswith(NO_CABLE)}
        listed = [
            one._replace(model=platforms.get(one.device.text))
            for one in _neighbours(source, tables)
            if one.device.text not in others
        ]
        up = {port for port, state in each(source, tables, "PORT", "admin_status").items() if state.text == "up"}
        ports[name.text] = up or set(tables.get("PORT", {}))
        seen[name.text] = (name, [*seen.get(name.text, (name, []))[1], *listed])
    wiring = neighbours.wiring(seen, servers)
    if not wiring:
        return
    at = next(iter(seen.values()))[0]
    title = at.but("ethernet", "the configuration of a switch names no fabric", How.DERIVED).as_text()
    fabric: Words = {"name": title, "topology": wiring}
    hosts = wiring["host_links"]
    rates = [one.get("speed") for one in hosts if isinstance(one, dict)] if isinstance(hosts, list) else []
    if (
        rates
        and isinstance(rates[0], Value)
        and all(isinstance(one, Value) and one.text == rates[0].text for one in rates)
    ):
        put(fabric, "speed", rates[0].but(rates[0].text, f"of {len(rates)} ports to servers"))
    known = found.words.get("fabrics")
    found.words["fabrics"] = [{**known[0], **fabric}] if isinstance(known, list) and known else [fabric]  # type: ignore[dict-item]
    for host_name, (at, listed) in seen.items():  # a list without some port in service does not show what is not there
        whole = ports[host_name] <= {one.interface.text for one in listed}
        found.fact(tiers.ASKED, at if whole else at.but(tiers.NOBODY))


def _neighbours(source: Source, tables: Database) -> Iterator[Neighbour]:
    """Entries by the switch's port, or, as older versions have them, by the neighbour."""
    speeds = each(source, tables, "PORT", "speed")
    for key, node in tables.get("DEVICE_NEIGHBOR", {}).items():
        title = source.value(key, node.key_start, node.key_end)
        own, device = value_of(source, node, "local_port"), value_of(source, node, "name")
        port, device = (own, device or title) if own is not None else (title, device)
        if device is None:
            continue
        speed = speeds.get(port.text)
        rate = speed.but(f"{speed.number / 1000:g} Gbit/s", "Mbit/s in the file") if speed and speed.number else None
        yield Neighbour(port, device, value_of(source, node, "port"), rate)


def _fabric(source: Source, tables: Database, found: Fragment) -> Words:
    words: Words = {}
    host = tables.get("DEVICE_METADATA", {}).get("localhost")
    for name in ("hostname", "hwsku", "type"):
        found.fact(name, value_of(source, host, name))
    ports = tables.get("PORT", {})
    at = next(iter(ports.values()), None)
    found.fact("ports", source.value(len(ports), at.start, at.start + 1, How.DERIVED, "counted") if at else None)
    entries = sum(map(len, tables.values()))
    first = next((node for table in tables.values() for node in table.values()), None)
    found.fact(
        "entries",
        source.value(entries, first.start, first.start + 1, How.DERIVED, "counted") if first is not None else None,
    )
    speeds, frames = each(source, tables, "PORT", "speed"), each(source, tables, "PORT", "mtu")
    if speeds and len({one.text for one in speeds.values()}) == 1:
        speed = next(iter(speeds.values()))
        if speed.number:
            found.fact(
                "port speed",
                speed.but(f"{speed.number / 1000:g} Gbit/s", f"of all {len(speeds)} ports, Mbit/s in the file"),
            )
    if frames and len({one.text for one in frames.values()}) == 1:
        put(words, "mtu", next(iter(frames.values())))
    found.fact("ports", next(iter(speeds.values())).but(len(speeds), "counted") if speeds else None)
    listed = next(iter(tables.get("DEVICE_NEIGHBOR", {}).values()), None)
    many = len(tables.get("DEVICE_NEIGHBOR", {}))
    if listed is not None:
        found.fact("neighbours", source.value(many, listed.start, listed.start + 1, How.DERIVED, "counted"))
    sonic_lossless.pause(source, tables, words, found)
    sonic_lossless.headroom(source, tables, words, found)
    pairs = next((node for table in PAIRS for node in tables.get(table, {}).values()), None)
    if pairs is not None:
        put(
            words,
            "homing",
            source.value("mlag", pairs.key_start, pairs.key_end, How.DERIVED, "port channels of MC-LAG"),
        )
    sonic_lossless.marking(source, tables, words, found)
    return words
