"""Lossless classes of a SONiC switch: pauses and their watchdog, buffers for packets in flight, marking of congestion."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, How, Source, Value, Words, put
from designlint.importers.sonic_tables import Database, each, value_of
from designlint.language.sentences import cut

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The key of settings for the whole switch.
GLOBAL = "GLOBAL"


def pause(source: Source, tables: Database, words: Words, found: Fragment) -> None:
    """Lossless priorities by port, and whether the watchdog watches all of them."""
    lossless = each(source, tables, "PORT_QOS_MAP", "pfc_enable")
    watched = each(source, tables, "PORT_QOS_MAP", "pfcwd_sw_enable")
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
        put(words, "pfc_watchdog", at.but(False, f"{cut(unwatched, 3)}: lossless, but not in PFC_WD"))
    elif watched or any(port != GLOBAL for port in tables.get("PFC_WD", {})):
        put(words, "pfc_watchdog", at.but(True, "PFC watchdog on the lossless ports"))
    else:
        status = value_of(source, tables.get("DEVICE_METADATA", {}).get("localhost"), "default_pfcwd_status")
        if status is not None and status.text == "disable":
            put(words, "pfc_watchdog", status.but(False, "no PFC_WD table, default_pfcwd_status disable"))


def headroom(source: Source, tables: Database, words: Words, found: Fragment) -> None:
    """What a port keeps for packets in flight, where all lossless priority groups keep the same."""
    lossless = {
        one for value in each(source, tables, "PORT_QOS_MAP", "pfc_enable").values() for one in _split_list(value.text)
    }
    used = {
        profile.text.rpartition("|")[2].strip("[]")
        for key, profile in each(source, tables, "BUFFER_PG", "profile").items()
        if not lossless.isdisjoint(_groups(key.rpartition("|")[2]))
    }
    kept = [one for name, one in each(source, tables, "BUFFER_PROFILE", "xoff").items() if name in used and one.number]
    sizes = sorted({int(one.number or 0) for one in kept})
    if len(sizes) == 1 and len(kept) == len(used):
        put(words, "pfc_headroom", kept[0].but(f"{sizes[0]} B", "xoff of every lossless profile in use"))
    elif kept:
        found.fact(
            "PFC headroom of ports, least and most", kept[0].but(f"{sizes[0]} and {sizes[-1]} B", "xoff", How.DERIVED)
        )


def _groups(text: str) -> set[str]:
    """The priority groups of a key: one, or a range such as `3-4`."""
    first, _, last = text.partition("-")
    if not first.isdigit() or (last and not last.isdigit()):
        return set()
    return {str(one) for one in range(int(first), min(int(last or first), 64) + 1)}


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


def marking(source: Source, tables: Database, words: Words, found: Fragment) -> None:
    """Congestion marking, and the classes that marked packets fall into."""
    for name, node in tables.get("WRED_PROFILE", {}).items():
        ecn = value_of(source, node, "ecn")
        if ecn is None:
            continue
        put(words, "ecn", ecn.but(ecn.text != "ecn_none", f"profile {name}: {ecn.text}"))
        found.fact("ECN", ecn)
        for label, key in (
            ("ECN threshold, least", "green_min_threshold"),
            ("ECN threshold, most", "green_max_threshold"),
        ):
            found.fact(label, value_of(source, node, key))
    maps = each(source, tables, "PORT_QOS_MAP", "dscp_to_tc_map")
    if maps:
        put(words, "dscp_trust", next(iter(maps.values())).but(True, "ports map DSCP to traffic classes"))
    lossless = {
        one for value in each(source, tables, "PORT_QOS_MAP", "pfc_enable").values() for one in _split_list(value.text)
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


def _split_list(text: str) -> tuple[str, ...]:
    return tuple(sorted(one.strip() for one in text.split(",") if one.strip()))
