"""Fabrics of a few switches, exported and read again, and what can go wrong with their cables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint import exporters, importers
from designlint.comparing.asbuilt.comparison import compare_built
from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.exporters import Order
from designlint.reading import read_bytes
from designlint.wiring.measured import of_import

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from designlint.exporters import Export
    from designlint.wiring.graph import Wiring

REGULAR = """\
designlint: 1
nodes:
  - name: train
    gpus: 8
    gpu: h100-sxm-80gb
    count: 12
    networks: [{fabric: compute, ports: 4, speed: 400 Gbit/s}]
fabrics:
  - name: compute
    purpose: compute
    technology: infiniband-ndr
    topology: {kind: fat-tree, tiers: 2, switch: qm9700, leaves: 8, spines: 4, uplinks_per_leaf: 8, host_ports_per_leaf: 8,
               rail_optimized: true, scalable_unit: 6, uplink_speed: 400 Gbit/s}
"""
#: Two pods of four leaves and two spines, each spine with a core of its own in either pod; two planes of two rails each.
PODS = REGULAR.replace(
    "tiers: 2, switch: qm9700, leaves: 8, spines: 4, uplinks_per_leaf: 8,",
    "tiers: 3, switch: qm9700, leaves: 8, spines: 4, cores: 4, pods: 2, uplinks_per_leaf: 8, uplinks_per_spine: 16,",
)
PLANES = REGULAR.replace("leaves: 8, spines: 4,", "leaves: 8, spines: 4, planes: 2,")
LISTED = """\
designlint: 1
fabrics:
  - name: compute
    technology: infiniband-hdr
    speed: 200 Gbit/s
    topology:
      switches:
        - {name: a-leaf, role: leaf}
        - {name: b-leaf, role: leaf}
        - {name: spine, role: spine}
      links:
        - {from: a-leaf, to: spine, cables: 2, speed: 200 Gbit/s, from_ports: ["31", "32"], to_ports: ["1", "2"]}
        - {from: spine, to: b-leaf, cables: 1, speed: 100 Gbit/s}
      host_links:
        - {server: n1, adapter: mlx5_0, to: a-leaf, port: "7", speed: 200 Gbit/s}
        - {server: n2, adapter: mlx5_0, to: b-leaf, speed: 200 Gbit/s}
"""


def order(text: str, workload: str = "") -> Order:
    return Order(read_design(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine()), workload=workload)


def exported(text: str, to: str, workload: str = "") -> Export:
    return exporters.load_format(to).write(order(text, workload))


def again(text: str, folder: Path, name: str = "exported") -> Wiring:
    """The wiring that importers read in an exported file."""
    path = folder / name
    path.write_text(text, "utf-8")
    found = importers.import_files([path], within=folder)
    assert not found.refused
    assert all(not one.partial for one in found.accounts())
    return of_import(found, engine.shipped_engine().vocabulary.units)[0]


def built(asked: Order, folder: Path, change: Callable[[str], str] = lambda text: text) -> Wiring:
    return again(change(exporters.load_format("ibsim").write(asked).text), folder)


def said(asked: Order, there: Wiring, mapped: dict[str, str] | None = None) -> list[tuple[str, str]]:
    found = compare_built(asked.wiring, there, mapped or {}, asked.design.engine)
    return [(one.finding.rule.removeprefix("as-built/"), one.finding.message) for one in found.differences]


def without_switch(wiring: Wiring, name: str) -> None:
    del wiring.switches[name]
    wiring.cables = [one for one in wiring.cables if name not in one.pair]
    wiring.hosts = [one for one in wiring.hosts if one.to.switch != name]


def recabled(wiring: Wiring, one: tuple[str, str], upper: str) -> None:
    """Lead a cable of a leaf to another spine."""
    at = next(at for at, cable in enumerate(wiring.cables) if cable.pair == one)
    cable = wiring.cables[at]
    low, high = (cable.one, cable.other) if cable.one.switch == one[0] else (cable.other, cable.one)
    wiring.cables[at] = cable._replace(one=low, other=high._replace(switch=upper, port="60"))


def led(wiring: Wiring, server: str, nic: int, leaf: str) -> None:
    """Lead an adapter to another leaf."""
    wiring.hosts = [
        one._replace(to=one.to._replace(switch=leaf)) if (one.server, one.nic) == (server, nic) else one
        for one in wiring.hosts
    ]
