"""Explicit wirings of any size, whole or with faults: as the lists that calculations read, and as designs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

Link: TypeAlias = tuple[str, str, int]
RATE = 400e9


@dataclass(slots=True)
class Wiring:
    """
    Switches by name with their role, and links with their number of cables.

    Attributes:
        host_ports: ports of each leaf that lead to hosts.
    """

    roles: dict[str, str] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    host_ports: int = 0

    def lists(self) -> dict[str, Any]:
        """The facts that calculations read."""
        return {**self.ends(), "link_rates": (RATE,) * len(self.links)}

    def ends(self) -> dict[str, Any]:
        """The facts without the rates."""
        return {
            "switch_names": tuple(self.roles),
            "switch_roles": tuple(self.roles.values()),
            "link_sources": tuple(source for source, _, _ in self.links),
            "link_targets": tuple(target for _, target, _ in self.links),
            "link_cables": tuple(cables for _, _, cables in self.links),
        }

    def yaml(self) -> str:
        """A design that lists the wiring."""
        ports = f", host_ports: {self.host_ports}" if self.host_ports else ""
        listed = ((name, role, ports if role == "leaf" else "") for name, role in self.roles.items())
        switches = [f"        - {{name: {name}, role: {role}{more}}}" for name, role, more in listed]
        links = [f"        - {{from: {one}, to: {other}, cables: {cables}}}" for one, other, cables in self.links]
        return "\n".join([HEAD, "      switches:", *switches, "      links:", *links, ""])


HEAD = """designlint: 1
fabrics:
  - name: compute
    purpose: compute
    technology: infiniband-ndr
    speed: 400 Gbit/s
    topology:
      kind: fat-tree
      switch: qm9700"""


def two_tiers(leaves: int, spines: int, cables: int = 1, *, plane: str = "") -> Wiring:
    """Every leaf joined to every spine."""
    wiring = Wiring(host_ports=spines * cables)
    add_group(wiring, plane, leaves, spines, cables)
    return wiring


def three_tiers(groups: int, leaves: int, spines: int, cores: int, cables: int = 1) -> Wiring:
    """Groups of two tiers; the spines that take the same place in every group meet at cores of their own."""
    wiring = Wiring(host_ports=spines * cables)
    for group in range(groups):
        add_group(wiring, f"{group}-", leaves, spines, cables)
    for spine in range(spines):
        wiring.roles |= {f"core-{spine}-{core}": "core" for core in range(cores)}
    for group in range(groups):
        wiring.links += [
            (f"spine-{group}-{spine}", f"core-{spine}-{core}", cables)
            for spine in range(spines)
            for core in range(cores)
        ]
    return wiring


def add_group(wiring: Wiring, place: str, leaves: int, spines: int, cables: int) -> None:
    """Leaves and spines, each joined to each."""
    wiring.roles |= {f"leaf-{place}{leaf}": "leaf" for leaf in range(leaves)}
    wiring.roles |= {f"spine-{place}{spine}": "spine" for spine in range(spines)}
    wiring.links += [
        (f"leaf-{place}{leaf}", f"spine-{place}{spine}", cables) for leaf in range(leaves) for spine in range(spines)
    ]
