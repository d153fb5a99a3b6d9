"""SONiC's config_db.json: tables of tables, or the flat dump of its database with `TABLE|key`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from designlint.importers import neighbours, tiers
from designlint.importers.base import Fate, Fragment, How, Source, Value, Words, put
from designlint.importers.joining import join_fragments
from designlint.importers.neighbours import Neighbour
from designlint.importers.notations import structured
from designlint.importers.workloads import name_workload

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from designlint.importers.base import Context
    from designlint.reading import Node

TITLE = "SONiC config_db.json"
TABLES = re.compile(
    r'"(?:PORT|PORT_QOS_MAP|DEVICE_METADATA|PFC_WD|WRED_PROFILE|DSCP_TO_TC_MAP|BUFFER_PG)(?:\|[^"]*)?"\s*:\s*\{'
)

#: Tables that decide whether a class is lossless, and which queue serves it, but that no word holds.
UNREAD = (
    "BUFFER_PG", "BUFFER_PROFILE", "BUFFER_POOL", "BUFFER_QUEUE", "CABLE_LENGTH", "QUEUE", "SCHEDULER",
    "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP", "MAP_PFC_PRIORITY_TO_QUEUE", "SWITCH_HASH",
)  # fmt: skip
#: The key of settings for the whole switch.
GLOBAL = "GLOBAL"

#: Kinds of neighbours that no cable of the fabric leads to: chips inside the switch, and switches of management.
NO_CABLE = ("Asic", "Mgmt")

#: Entries by table and key; each entry is a mapping of texts.
Database = dict[str, dict[str, "Node"]]


def sure(source: Source) -> int:
    """8 where two of SONiC's tables stand in a JSON file."""
    if source.text.lstrip()[:1] != "{":
        return 0
    return 8 if len(set(TABLES.findall(source.text[:500_000]))) >= 2 else 0


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
        host = _value(source, tables.get("DEVICE_METADATA", {}).get("localhost"), "hostname")
        name = host or name_workload(source)
        kinds = _each(source, tables, "DEVICE_NEIGHBOR_METADATA", "type")
        servers |= {device for device, kind in kinds.items() if kind.text == "Server"}
        others = {device for device, kind in kinds.items() if kind.text.startswith(NO_CABLE)}
        listed = [one for one in _neighbours(source, tables) if one.device.text not in others]
        up = {port for port, state in _each(source, tables, "PORT", "admin_status").items() if state.text == "up"}
        ports[name.text] = up or set(tables.get("PORT", {}))
        seen[name.text] = (name, [*seen.get(name.text, (name, []))[1], *listed])
    wiring = neighbours.wiring(seen, servers)
    if not wiring:
        return
    at = next(iter(seen.values()))[0]
    title = at.but("ethernet", "the configuration of a switch names no fabric", How.DERIVED).as_text()
    fabric: Words = {"name": title, "topology": wiring}
    known = found.words.get("fabrics")
    found.words["fabrics"] = [{**known[0], **fabric}] if isinstance(known, list) and known else [fabric]  # type: ignore[dict-item]
    for host_name, (at, listed) in seen.items():  # a list without some port in service does not show what is not there
        whole = ports[host_name] <= {one.interface.text for one in listed}
        found.fact(tiers.ASKED, at if whole else at.but(tiers.NOBODY))


def _neighbours(source: Source, tables: Database) -> Iterator[Neighbour]:
    """Entries by the switch's port, or, as older versions have them, by the neighbour."""
    speeds = _each(source, tables, "PORT", "speed")
    for key, node in tables.get("DEVICE_NEIGHBOR", {}).items():
        title = source.value(key, node.key_start, node.key_end)
        own, device = _value(source, node, "local_port"), _value(source, node, "name")
        port, device = (own, device or title) if own is not None else (title, device)
        if device is None:
            continue
        speed = speeds.get(port.text)
        rate = speed.but(f"{speed.number / 1000:g} Gbit/s", "Mbit/s in the file") if speed and speed.number else None
        yield Neighbour(port, device, _value(source, node, "port"), rate)


def _value(source: Source, node: Node | None, key: str) -> Value | None:
    """One field of an entry."""
    inner = node.entries.get(key) if node is not None else None
    return (
        source.value(inner.text, inner.start, inner.end)
        if inner is not None and inner.kind == "scalar" and inner.text
        else None
    )


def _each(source: Source, tables: Database, table: str, key: str) -> dict[str, Value]:
    """A field of every entry of a table."""
    return {
        name: value for name, node in tables.get(table, {}).items() if (value := _value(source, node, key)) is not None
    }


def _fabric(source: Source, tables: Database, found: Fragment) -> Words:
    words: Words = {}
    host = tables.get("DEVICE_METADATA", {}).get("localhost")
    for name in ("hostname", "hwsku", "type"):
        found.fact(name, _value(source, host, name))
    ports = tables.get("PORT", {})
    at = next(iter(ports.values()), None)
    found.fact("ports", source.value(len(ports), at.start, at.start + 1, How.DERIVED, "counted") if at else None)
    entries = sum(map(len, tables.values()))
    first = next((node for table in tables.values() for node in table.values()), None)
    found.fact(
        "entries",
        source.value(entries, first.start, first.start + 1, How.DERIVED, "counted") if first is not None else None,
    )
    speeds, frames = _each(source, tables, "PORT", "speed"), _each(source, tables, "PORT", "mtu")
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
    _pause(source, tables, words, found)
    _marking(source, tables, words, found)
    return words


def _split_list(text: str) -> tuple[str, ...]:
    return tuple(sorted(one.strip() for one in text.split(",") if one.strip()))


def _pause(source: Source, tables: Database, words: Words, found: Fragment) -> None:
    """Lossless priorities by port, and whether the watchdog watches all of them."""
    lossless = _each(source, tables, "PORT_QOS_MAP", "pfc_enable")
    watched = _each(source, tables, "PORT_QOS_MAP", "pfcwd_sw_enable")
    if not lossless:
        return
    groups = Counter(_split_list(one.text) for one in lossless.values())
    for priorities, ports in groups.items():
        one = next(value for value in lossless.values() if _split_list(value.text) == priorities)
        found.fact(f"lossless priorities of {ports} ports", one.but(",".join(priorities)))
    most = max(groups, key=lambda one: (len(one), groups[one]))
    at = next(value for value in lossless.values() if _split_list(value.text) == most)
    put(words, "pfc", at.but(True, f"pfc_enable on {len(lossless)} ports"))
    put(
        words,
        "pfc_priorities",
        at.but(len(most), f"priorities {', '.join(most)} on {groups[most]} of {len(lossless)} ports"),
    )
    found.fact("lossless ports", at.but(len(lossless), "counted"))
    for value in list(watched.values())[:1]:
        found.fact("watched priorities", value)
    blind, unwatched = _blind(tables, lossless, watched)
    if watched and blind:
        put(words, "pfc_watchdog", at.but(False, f"priorities {', '.join(sorted(blind))} are lossless but not watched"))
    elif unwatched:
        named_ports = f"{', '.join(unwatched[:3])}{' and others' if len(unwatched) > 3 else ''}"
        put(words, "pfc_watchdog", at.but(False, f"{named_ports}: lossless, but not in PFC_WD"))
    elif watched or any(port != GLOBAL for port in tables.get("PFC_WD", {})):
        put(words, "pfc_watchdog", at.but(True, "PFC watchdog on the lossless ports"))
    else:
        status = _value(source, tables.get("DEVICE_METADATA", {}).get("localhost"), "default_pfcwd_status")
        if status is not None and status.text == "disable":
            put(words, "pfc_watchdog", status.but(False, "no PFC_WD table, default_pfcwd_status disable"))


def _blind(tables: Database, lossless: Mapping[str, Value], watched: Mapping[str, Value]) -> tuple[set[str], list[str]]:
    """Lossless priorities that no port's mask watches; without masks, lossless ports for which the watchdog is not set up."""
    priorities = {
        priority
        for port, value in lossless.items()
        for priority in _split_list(value.text)
        if watched and priority not in _split_list(watched[port].text if port in watched else "")
    }
    ports = {port for port in tables.get("PFC_WD", {}) if port != GLOBAL}
    missing = [port for port in lossless if port not in ports] if ports and not watched else []
    return priorities, missing if GLOBAL not in lossless else []


def _marking(source: Source, tables: Database, words: Words, found: Fragment) -> None:
    """Congestion marking, and the classes that marked packets fall into."""
    for name, node in tables.get("WRED_PROFILE", {}).items():
        ecn = _value(source, node, "ecn")
        if ecn is None:
            continue
        put(words, "ecn", ecn.but(ecn.text != "ecn_none", f"profile {name}: {ecn.text}"))
        found.fact("ECN", ecn)
        for label, key in (
            ("ECN threshold, least", "green_min_threshold"),
            ("ECN threshold, most", "green_max_threshold"),
        ):
            found.fact(label, _value(source, node, key))
    maps = _each(source, tables, "PORT_QOS_MAP", "dscp_to_tc_map")
    if maps:
        put(words, "dscp_trust", next(iter(maps.values())).but(True, "ports map DSCP to traffic classes"))
    lossless = {
        one for value in _each(source, tables, "PORT_QOS_MAP", "pfc_enable").values() for one in _split_list(value.text)
    }
    codes: dict[str, Value] = {}
    for node in tables.get("DSCP_TO_TC_MAP", {}).values():
        for code, cell in node.entries.items():
            if cell.text in lossless:
                value = source.value(cell.text, cell.start, cell.end)
                found.fact(f"DSCP {code}: lossless class", value)
                codes.setdefault(code, value.but(code, f"its class {cell.text} is lossless"))
    if lossless and tables.get("DSCP_TO_TC_MAP"):
        words["lossless_dscps"] = [codes[code] for code in sorted(codes, key=lambda one: (len(one), one))]
