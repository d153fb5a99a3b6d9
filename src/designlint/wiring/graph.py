"""Switches, servers and cables, each with the place that states it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from designlint.language.tiers import TIERS

if TYPE_CHECKING:
    from designlint.design.known import Spot

#: Switches, servers or cables of one fabric that are looked at: twice as many as the largest published clusters have.
MOST = 2_000_000
PLURALS = {"leaf": "leaves", "spine": "spines", "core": "cores", "": "switches of no known tier"}


class End(NamedTuple):
    """An end of a cable at a switch; the port is empty where nothing states it."""

    switch: str
    port: str = ""


class Cable(NamedTuple):
    """A cable between two switches; its rate [bit/s] where it is known."""

    one: End
    other: End
    speed: float | None = None
    spot: Spot | None = None

    @property
    def pair(self) -> tuple[str, str]:
        """Its two switches in order of their names."""
        one, other = self.one.switch, self.other.switch
        return (one, other) if one <= other else (other, one)

    def port(self, switch: str) -> str:
        """Its port at one of its switches."""
        return self.one.port if self.one.switch == switch else self.other.port


class HostCable(NamedTuple):
    """A cable between a server and a leaf: adapter by number (which is its rail) and by name, as far as they are known."""

    server: str
    to: End
    nic: int | None = None
    adapter: str = ""
    speed: float | None = None
    spot: Spot | None = None

    @property
    def server_end(self) -> str:
        """The server's end, for messages."""
        if self.adapter:
            return f"adapter {self.adapter} of {self.server}"
        return self.server if self.nic is None else f"adapter {self.nic} of {self.server}"


class Switch(Struct):
    """A switch: its tier and model where they are known, its rail, unit or plane where the design says so."""

    name: str
    role: str = ""
    guid: str = ""
    spot: Spot | None = None
    unit: int | None = None
    rail: int | None = None
    plane: int | None = None
    model: str = ""


class Wiring(Struct):
    """
    One fabric, cable by cable.

    Attributes:
        speed: rate of a host port [bit/s], where it is known.
        servers: every server with where it is stated.
        assigned: names of switches are formed from their tier and a number, as the source names none; `assigned_servers`
            alike.
        adjacency: the source says which switches are neighbours, not by how many cables.
        asked: the devices whose own neighbours the source shows; None where it shows the whole fabric.
        paired: two leaves act as one (MLAG, stacking), so cables between leaves join the two of a pair; None where that is open.
        open: what the source does not say, in sentences; `hosts_open` is why there are no cables to servers.
        spot: where the source states the fabric.
    """

    fabric: str
    technology: str = ""
    speed: float | None = None
    switches: dict[str, Switch] = field(default_factory=dict)
    servers: dict[str, Spot | None] = field(default_factory=dict)
    cables: list[Cable] = field(default_factory=list)
    hosts: list[HostCable] = field(default_factory=list)
    assigned: bool = False
    assigned_servers: bool = False
    adjacency: bool = False
    asked: set[str] | None = None
    paired: bool | None = False
    open: list[str] = field(default_factory=list)
    links_open: str = ""
    hosts_open: str = ""
    spot: Spot | None = None

    def tier(self, role: str) -> list[Switch]:
        """The switches of a tier."""
        return [one for one in self.switches.values() if one.role == role]

    @property
    def hosts_only(self) -> bool:
        """Whether the source shows what servers see: their leaves, but not what these are connected to."""
        return bool(self.hosts) and not self.cables and not any(one.role for one in self.switches.values())

    def counts(self) -> dict[str, int]:
        """Switches of each tier, cables between tiers and to servers, servers: by what they are called."""
        roles = [*TIERS, *(() if all(one.role for one in self.switches.values()) else ("",))]
        counted = {PLURALS[role]: len(self.tier(role)) for role in roles}
        counted = {name: count for name, count in counted.items() if count}
        counted["cables between switches"] = len(self.cables)
        counted["cables to servers"] = len(self.hosts)
        counted["servers"] = len(self.servers)
        return counted


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A name as people sort it: runs of digits by their number."""
    parts = re.findall(r"\d+|\D+", name)
    return tuple((0, int(one), one) if one[0].isascii() and one.isdigit() else (1, 0, one) for one in parts)


def number_names(stem: str, count: int) -> list[str]:
    """So many names of one stem, padded to one width."""
    width = max(2, len(str(count)))
    return [f"{stem}-{number:0{width}d}" for number in range(1, count + 1)]
