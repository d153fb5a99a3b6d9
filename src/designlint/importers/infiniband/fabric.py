"""A discovered fabric: nodes by GUID, each cable once though both its ends list it."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from designlint.importers import defaults

if TYPE_CHECKING:
    from designlint.importers.base import Source

#: `MF0;NAME:MODEL/U1`, as managed switches call themselves.
MANAGED = re.compile(r"\s*(?:MF\d+;)([^:]*)(?::([^/]*))?(?:/.*)?\Z")
#: What a chip is called before anybody named it: shared by several, so no name.
UNNAMED = re.compile(
    r"Mellanox Technologies|\A(?:SwitchX|Switch-?IB|Quantum|Infiniscale|InfiniScale|MT\d{5})\b|\A\s*\Z", re.IGNORECASE
)
AGGREGATION = "Mellanox Technologies Aggregation Node"
ADAPTER = re.compile(r"\A(.*?)[\s:/]+((?:mlx\d+_|HCA-|hca|ibp|bnxt_re|irdma|mthca)\w*)\Z", re.IGNORECASE)


class DumpSpot(NamedTuple):
    """Where a node or a cable stands."""

    source: Source
    start: int
    end: int


class DumpNode(Struct):
    """
    A switch, an adapter of a host, or an aggregation node inside a switch.

    Attributes:
        host: the server that an adapter is in: the name before the adapter's.
        adapter: the adapter's own name; empty where the label has none.
        device: the number of a switch's chip.
    """

    guid: str
    kind: str
    label: str
    spot: DumpSpot
    model: str = ""
    seen: bool = True
    ports: int = 0
    host: str = ""
    adapter: str = ""
    device: str = ""

    def __post_init__(self) -> None:
        found = ADAPTER.match(self.label) if self.kind == "host" else None
        own = self.guid if self.kind == "host" and UNNAMED.search(self.label) else self.label
        self.host, self.adapter = (found[1], found[2]) if found else (own, "")


class DumpCable(NamedTuple):
    """A cable: both ends with their ports, and how it trained."""

    ends: tuple[tuple[str, str], tuple[str, str]]
    width: int
    rate: str
    spot: DumpSpot
    below: str = ""


class Fabric(Struct):
    """All that one dump lists."""

    nodes: dict[str, DumpNode] = field(default_factory=dict)
    cables: dict[tuple[tuple[str, str], tuple[str, str]], DumpCable] = field(default_factory=dict)
    idle: int = 0
    lines: int = 0

    def node(self, guid: str, kind: str, label: str, spot: DumpSpot, *, seen: bool = True, ports: int = 0) -> DumpNode:
        """A node by GUID; the first mention that calls it something names it."""
        known = self.nodes.get(guid)
        if known is not None:
            known.seen = known.seen or seen
            known.ports = known.ports or ports
            if seen and ports:
                known.spot = spot
            return known
        managed = MANAGED.match(label)
        name, model = (managed[1], managed[2] or "") if managed else (label, "")
        kind = "aggregation" if name.strip() == AGGREGATION else kind
        self.nodes[guid] = found = DumpNode(guid, kind, name.strip(), spot, model, seen, ports)
        return found

    def cable(
        self, one: tuple[str, str], other: tuple[str, str], width: int, rate: str, spot: DumpSpot, below: str = ""
    ) -> None:
        """A cable, unless its other end listed it; what only one end knows of it counts."""
        key = (one, other) if one <= other else (other, one)
        known = self.cables.get(key)
        if known is None or (not known.rate and rate):
            self.cables[key] = DumpCable((one, other), width, rate, spot, below or (known.below if known else ""))
        elif below and not known.below:
            self.cables[key] = known._replace(below=below)

    def names(self) -> dict[str, str]:
        """A name for each switch that no other has: its own, else its GUID."""
        switches = [node for node in self.nodes.values() if node.kind == "switch"]
        shared = Counter(node.label for node in switches)
        return {
            node.guid: node.guid if shared[node.label] > 1 or UNNAMED.search(node.label) else node.label
            for node in switches
        }


@cache
def speed(width: int, rate: str) -> str:
    """The line rate of so many lanes of a named rate, as a design states it; empty where the name is none."""
    lane = defaults.tool("infiniband").tables["lanes"].get(rate.upper())
    return f"{lane * width:g} Gbit/s" if lane and width else ""


def technology(rate: str) -> str:
    """The design language's name of a rate; empty where it has none."""
    return str(defaults.tool("infiniband").tables["technologies"].get(rate.upper(), ""))


def signalled_rate(gigabits: float) -> str:
    """The rate whose lanes signal at so many Gbit/s; empty where none does."""
    for name, value in defaults.tool("infiniband").tables["signalling"].items():
        if abs(float(value) - gigabits) < 0.01 * float(value):
            return str(name)
    return ""


def named_rate(gigabits: float) -> str:
    """The rate whose lanes carry so many Gbit/s, as the tools name it; empty where none does."""
    for name, value in defaults.tool("infiniband").tables["lanes"].items():
        if float(value) == gigabits:
            return str(name)
    return ""
