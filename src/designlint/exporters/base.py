"""What exporters are made of: what is asked for, the file that comes of it, and why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from designlint.design.known import Known, spot_of
from designlint.graph.subjects import Subject
from designlint.version import __version__
from designlint.wiring import ports
from designlint.wiring.designed import of_design
from designlint.wiring.known import fabric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.design.design import Design
    from designlint.design.known import Spot
    from designlint.wiring.graph import Wiring


class ExportRefusal(Exception):  # noqa: N818  the design lacks something, nothing went wrong
    """Nothing can be written: one sentence, and the place of the design that it is about."""

    def __init__(self, why: str, spot: Spot | None = None) -> None:
        super().__init__(why)
        self.why, self.spot = why, spot


class Export(Struct, frozen=True):
    """
    The text of a file.

    Attributes:
        notes: what was left out as the design does not say it, and what was formed by a rule; comments of the file repeat them.
    """

    text: str
    notes: Sequence[str] = ()


class Order(Struct, frozen=True):
    """What is to be exported: a design and, where it has several, which fabric and which workload."""

    design: Design
    fabric: str = ""
    workload: str = ""
    _held: dict[str, Wiring] = field(default_factory=dict)

    @property
    def wiring(self) -> Wiring:
        """The wiring of the fabric. Raises: UsageError where there is no such fabric."""
        if "wiring" not in self._held:
            self._held["wiring"] = of_design(self.design, self.fabric)
        return self._held["wiring"]

    @property
    def topology(self) -> Known:
        """The topology of the fabric. Raises: Refusal where there is none."""
        known = fabric(self.design, self.fabric)
        part = known.subject.facts.get("topology")
        if not isinstance(part, Subject):
            raise ExportRefusal("the design states no topology", known.spot)
        return Known(self.design, part)

    def part(self, word: str) -> Known:
        """A section of the design, such as its scheduler. Raises: Refusal where the design states none."""
        found = self.design.graph.root.facts.get(word)
        if not isinstance(found, Subject) or found.node is None:
            raise ExportRefusal(f"the design states no `{word}`", spot_of(self.design.graph.root.node))
        return Known(self.design, found)

    def assign_ports(self) -> tuple[Wiring, list[str]]:
        """The wiring with a port at every end, and the notes that belong to it. Raises: Refusal where there is no cable."""
        wiring = self.wiring
        if not wiring.cables and not wiring.hosts:
            raise ExportRefusal(wiring.links_open or wiring.hosts_open or "the design connects nothing", wiring.spot)
        if wiring.adjacency:
            raise ExportRefusal("the design does not say how many cables connect its switches", wiring.spot)
        filled, assigned = ports.fill_ports(wiring, self.topology.count("host_ports_per_leaf"))
        return filled, [*left_out(wiring), *_assign_ports(wiring, assigned)]


def left_out(wiring: Wiring) -> list[str]:
    """What the wiring does not hold, as notes."""
    told = []
    if wiring.links_open:
        told.append(f"left out: cables between switches: {wiring.links_open}")
    if wiring.hosts_open and wiring.hosts_open != wiring.links_open:
        told.append(f"left out: cables to servers: {wiring.hosts_open}")
    return told + [f"left out: {one}" for one in wiring.open if one not in (wiring.links_open, wiring.hosts_open)]


def _assign_ports(wiring: Wiring, count: int) -> list[str]:
    told = []
    if wiring.assigned:
        told.append("names of switches are formed from their tier and a number: the design states counts")
    if wiring.assigned_servers and wiring.hosts:
        told.append("names of servers are formed from their pool's name and a number: the design states no `servers`")
    if count:
        what = "port is" if count == 1 else "ports are"
        told.append(f"{count} {what} numbered in the order of cables, servers first: the design does not state them")
    return told


def head(order: Order, title: str, notes: Sequence[str], *, fabric: str = "") -> list[str]:
    """The comment that a file starts with."""
    of = f", fabric {fabric}" if fabric else ""
    file = order.design.document.file.replace("\n", " ")
    return [f"# {title}, exported by designlint {__version__} from {file}{of}.", *(f"# - {one}" for one in notes)]
