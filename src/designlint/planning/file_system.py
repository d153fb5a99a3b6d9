"""The parallel file system of a plan: its rates, and the servers that deliver them."""

from __future__ import annotations

from math import ceil, inf
from typing import TYPE_CHECKING, NamedTuple

from designlint.planning.choices import choices, shell

if TYPE_CHECKING:
    from designlint.planning.brief import Brief

#: Servers that hold the data of the smallest parallel file system.
LEAST_OBJECT_SERVERS = 3
#: Bits of a byte.
BITS = 8


class Rates(NamedTuple):
    """What a file system reads and writes, and why. [B/s]"""

    read: float
    write: float
    for_read: str
    for_write: str


def object_servers(brief: Brief, servers: int) -> int:
    """Servers of the parallel file system that hold data."""
    stated = brief.file_system
    if "object_servers" in stated:
        return int(brief.number(stated["object_servers"], "Count"))
    return max(LEAST_OBJECT_SERVERS, ceil(rates(brief, servers).read / _each(brief)))


def file_servers(brief: Brief, servers: int) -> int:
    """Servers of the parallel file system: those that hold data, and those that hold metadata."""
    usual = sum(int(one.get("metadata_servers", 0)) for one in shell()["storage"])
    return object_servers(brief, servers) + int(brief.number(brief.file_system.get("metadata_servers", usual), "Count"))


def rates(brief: Brief, servers: int) -> Rates:
    """
    What the file system reads and writes.

    It is in proportion to the rate that the brief states; else as many servers of the file system as it states deliver at
    most what they can.
    """
    given, stated = choices()["storage"], brief.file_system
    each = {way: brief.number(given[f"{way}_per_gpu"], "Bandwidth") for way in ("read", "write")}
    known = {way: brief.number(stated[way], "Bandwidth") / each[way] for way in each if way in stated}
    gpus, source = float(servers * brief.gpus_per_server), given["source"]
    if known:
        share = each["write"] / each["read"]
        times, more = next(iter(known.values())), f"{1 / share:.2g} times the write rate ({source})"
        return Rates(times * each["read"], times * each["write"], more, f"{share:.2g} of the read rate ({source})")
    most = brief.number(stated["object_servers"], "Count") if "object_servers" in stated else inf
    if most * _each(brief) < gpus * each["read"]:
        times = most * _each(brief) / each["read"]
        why = f"{brief.vocabulary.units.format(_each(brief), 'Bandwidth')} for each object server"
        return Rates(times * each["read"], times * each["write"], why, f"in proportion to the read rate ({source})")
    why = f"{given['read_per_gpu']} for each GPU ({source})"
    return Rates(gpus * each["read"], gpus * each["write"], why, f"{given['write_per_gpu']} for each GPU")


def _each(brief: Brief) -> float:
    """What one server of the file system reads, no more than its ports carry. [B/s]"""
    ports = int(choices()["networks"]["storage"]["ports"])
    carried = ports * brief.number(brief.storage_hardware["speed"], "DataRate") / BITS
    return min(brief.number(choices()["file_system"]["read_per_server"], "Bandwidth"), carried)
