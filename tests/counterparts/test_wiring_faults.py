"""A designed fabric of 64 switches, simulated by ibsim, routed by opensm, discovered by ibnetdiscover, and compared."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from designlint import exporters
from designlint.comparing.asbuilt import files
from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.exporters import Order
from designlint.reading import read_bytes

from .network import Network, discovered, routed, simulated

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from designlint.design.design import Design

pytestmark = pytest.mark.counterparts

DESIGN = """\
designlint: 1
nodes:
  - name: train
    gpus: 8
    count: 96
    servers: "gpu[001-096]"
    networks: [{fabric: compute, ports: 8, speed: 200 Gbit/s}]
fabrics:
  - name: compute
    purpose: compute
    technology: infiniband-hdr
    speed: 200 Gbit/s
    topology: {kind: fat-tree, tiers: 2, switch: {ports: 64, port_speed: 200 Gbit/s}, leaves: 48, spines: 16,
               uplinks_per_leaf: 16, host_ports_per_leaf: 16, rail_optimized: true, scalable_unit: 16, uplink_speed: 200 Gbit/s}
"""


def designed(text: str, folder: Path) -> Design:
    return read_design(read_bytes(text.encode(), str(folder / "design.yaml")), engine.shipped_engine())


@pytest.fixture(scope="module")
def scheduled(tmp_path_factory: pytest.TempPathFactory) -> Design:
    """The design with the cable schedule that was exported from it: every port is stated."""
    for tool in ("ibsim", "opensm", "ibnetdiscover"):
        assert shutil.which(tool) or shutil.which(tool, path="/usr/sbin:/sbin"), f"{tool} is not installed"
    folder = tmp_path_factory.mktemp("design")
    export = exporters.load_format("cables").write(Order(designed(DESIGN, folder)))
    (folder / "cables.csv").write_text(export.text, "utf-8")
    return designed(DESIGN.replace("topology: {kind", "topology: {from: cables.csv, kind"), folder)


@pytest.fixture
def network(scheduled: Design) -> Network:
    return Network.read(exporters.load_format("ibsim").write(Order(scheduled)).text)


def seen(network: Network, folder: Path) -> Path:
    """The dump of the network as it is."""
    with simulated(network, folder / f"sim-{folder.name[-40:]}") as environment:
        dump = folder / "fabric.out"
        dump.write_text(discovered(environment), "utf-8")
    return dump


def seen_routed(network: Network, folder: Path, *, tiers: int) -> Path:
    """The dump of the network once opensm has routed it as a fat tree of so many tiers."""
    with simulated(network, folder / "whole") as environment:
        log = routed(environment, folder)
        dump = folder / "fabric.out"
        dump.write_text(discovered(environment), "utf-8")
    assert "SUBNET UP" in log
    assert f"FatTree rank (roots to leaf switches): {tiers}" in log
    return dump


def told(design: Design, dump: Path) -> list[tuple[str, str]]:
    found = files.against(design, [dump])
    return [(one.finding.rule.removeprefix("as-built/"), one.finding.message) for one in found.differences]


def test_a_designed_fabric_is_routed_discovered_and_found_as_designed(
    scheduled: Design, network: Network, tmp_path: Path
) -> None:
    dump = seen_routed(network, tmp_path, tiers=2)
    assert " lid 0 4x" not in dump.read_text("utf-8")
    for design in (scheduled, designed(DESIGN, tmp_path)):
        found = files.against(design, [dump])
        assert list(found.differences) == []
        assert found.counts["leaves"] == (48, 48)
        assert found.counts["spines"] == (16, 16)
        assert found.counts["cables between switches"] == (768, 768)
        assert found.counts["cables to servers"] == (768, 768)
        assert found.unjoined == (0, 0)


#: Four pods of eight leaves and four spines, and a group of four cores for each spine of a pod.
PODS = DESIGN.replace("count: 96", "count: 64").replace("gpu[001-096]", "gpu[001-064]").replace("ports: 8", "ports: 4").replace(
    "tiers: 2, switch: {ports: 64, port_speed: 200 Gbit/s}, leaves: 48, spines: 16,",
    "tiers: 3, switch: {ports: 16, port_speed: 200 Gbit/s}, leaves: 32, spines: 16, cores: 16, pods: 4, uplinks_per_spine: 8,",
).replace("uplinks_per_leaf: 16, host_ports_per_leaf: 16,", "uplinks_per_leaf: 8, host_ports_per_leaf: 8,").replace(
    "scalable_unit: 16", "scalable_unit: 8"
)  # fmt: skip


def test_a_fabric_of_three_tiers_is_routed_discovered_and_found_as_designed(tmp_path: Path) -> None:
    design = designed(PODS, tmp_path)
    export = exporters.load_format("cables").write(Order(design))
    (tmp_path / "cables.csv").write_text(export.text, "utf-8")
    listed = designed(PODS.replace("topology: {kind", "topology: {from: cables.csv, kind"), tmp_path)
    network = Network.read(exporters.load_format("ibsim").write(Order(listed)).text)
    dump = seen_routed(network, tmp_path, tiers=3)
    for one in (listed, design):
        found = files.against(one, [dump])
        assert list(found.differences) == []
        assert (found.counts["leaves"], found.counts["spines"], found.counts["cores"]) == ((32, 32), (16, 16), (16, 16))
        assert found.counts["cables between switches"] == (384, 384)


#: Each fault: what is done to the cables, and what must be said, rule and words.
FAULTS: dict[str, tuple[Callable[[Network], object], list[tuple[str, str]]]] = {
    "swapped uplinks of two leaves": (
        lambda net: net.swap(("leaf-01", 17), ("leaf-20", 20)),
        [("cables-swapped", "leaf-01 goes to spine-04, and leaf-20 to spine-01")],
    ),
    "swapped uplinks of one leaf": (
        lambda net: net.swap(("leaf-05", 17), ("leaf-05", 18)),
        [("wrong-port", "leaf-05 and spine-01"), ("wrong-port", "leaf-05 and spine-02")],
    ),
    "missing uplink": (
        lambda net: net.unplug(("leaf-07", 20)),
        [("cable-not-seen", "no cable is seen between leaf-07 and spine-04")],
    ),
    "missing cable to a server": (
        lambda net: net.unplug(("gpu010 HCA-3", 1)),
        [("cable-not-seen", "adapter 2 of gpu010 and leaf-03")],
    ),
    "uplink to a wrong spine": (
        lambda net: net.move(net.cables["leaf-09", 17][0], ("spine-08", 60)),
        [("cable-elsewhere", "a cable from leaf-09 goes to spine-08; the design has it going to spine-01")],
    ),
    "swapped rails of a server": (
        lambda net: net.swap(("gpu020 HCA-1", 1), ("gpu020 HCA-8", 1)),
        [("rails-swapped", "adapter 0 of gpu020 goes to leaf-16, and adapter 7 of gpu020 to leaf-09")],
    ),
    "adapters of two servers in two units": (
        lambda net: net.swap(("gpu001 HCA-4", 1), ("gpu090 HCA-4", 1)),
        [("cables-swapped", "adapter 3 of gpu001 goes to leaf-44, and adapter 3 of gpu090 to leaf-04")],
    ),
    "adapter on a wrong rail": (
        lambda net: net.move(net.cables["gpu033 HCA-2", 1][0], ("leaf-21", 60)),
        [("wrong-rail", "adapter 1 of gpu033 goes to leaf-21, which serves rail 4; the design has it going to leaf-18, rail 1")],
    ),
    "adapter on its rail in a wrong unit": (
        lambda net: net.move(net.cables["gpu034 HCA-2", 1][0], ("leaf-34", 61)),
        [("cable-elsewhere", "adapter 1 of gpu034 goes to leaf-34; the design has it going to leaf-18")],
    ),
    "slow uplink": (
        lambda net: net.retrain(("leaf-30", 25), "4xEDR"),
        [("link-below-rate", "1 cable between leaf-30 and spine-09 runs at 100 Gbit/s; the design has 200 Gbit/s")],
    ),
    "uplink of one lane": (
        lambda net: net.retrain(("leaf-31", 25), "1xHDR"),
        [("link-below-rate", "1 cable between leaf-31 and spine-09 runs at 50 Gbit/s")],
    ),
    "slow cable to a server": (
        lambda net: net.retrain(("gpu050 HCA-6", 1), "4xEDR"),
        [("link-below-rate", "adapter 5 of gpu050 and leaf-30 runs at 100 Gbit/s")],
    ),
    "dead spine": (lambda net: net.remove("spine-11"), [("switch-not-seen", "spine-11 is not seen in the dump; 48 cables")]),
    "dead leaf": (lambda net: net.remove("leaf-40"), [("switch-not-seen", "leaf-40 is not seen in the dump; 32 cables")]),
    "server that is off": (
        lambda net: net.remove(*net.server("gpu077")),
        [("server-not-seen", "gpu077 is not seen in the dump")],
    ),
    "uplink in another port of its spine": (
        lambda net: net.move(net.cables["leaf-12", 17][0], ("spine-01", 61)),
        [("wrong-port", "leaf-12 and spine-01 is in port 17 and 61; the design has it in 17 and 12")],
    ),
    "adapter in another port of its leaf": (
        lambda net: net.move(net.cables["gpu040 HCA-1", 1][0], ("leaf-17", 62)),
        [("wrong-port", "adapter 0 of gpu040 and leaf-17 is in port 62; the design has it in 8")],
    ),
    "second cable between two switches": (
        lambda net: net.plug(("leaf-02", 60), ("spine-02", 60)),
        [("cable-not-designed", "2 cables are seen between leaf-02 and spine-02; the design has 1 cable")],
    ),
    "cable between two leaves": (
        lambda net: net.plug(("leaf-03", 60), ("leaf-04", 60)),
        [("cable-not-designed", "1 cable is seen between leaf-03 and leaf-04; the design has 0 cables")],
    ),
    "switch that nobody designed": (
        lambda net: net.add("Switch", "old-switch", 36).plug(("old-switch", 1), ("spine-16", 64)),
        [("switch-not-designed", "old-switch is in the dump, but not in the design; 1 cable leads there")],
    ),
    "server that nobody designed": (
        lambda net: net.add("Hca", "laptop HCA-1", 1).plug(("laptop HCA-1", 1), ("leaf-48", 64)),
        [("server-not-designed", "laptop is in the dump, but not in the design")],
    ),
    "two cables of a server missing and one slow": (
        lambda net: [
            net.unplug(("gpu060 HCA-1", 1)),
            net.unplug(("gpu060 HCA-2", 1)),
            net.retrain(("gpu060 HCA-3", 1), "4xEDR"),
        ],
        [("cable-not-seen", "adapter 0 of gpu060"), ("cable-not-seen", "adapter 1 of gpu060"), ("link-below-rate", "gpu060")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_each_wiring_fault_is_named_and_nothing_else(
    fault: str, scheduled: Design, network: Network, tmp_path: Path
) -> None:
    change, wanted = FAULTS[fault]
    change(network)
    said = told(scheduled, seen(network, tmp_path))
    assert [rule for rule, _ in said] == [rule for rule, _ in wanted], said
    assert all(words in message for (_, message), (_, words) in zip(said, wanted, strict=True)), said


def test_all_faults_at_once_are_all_named(scheduled: Design, network: Network, tmp_path: Path) -> None:
    """No fault hides another, but where they concern the same switch, cable or server."""
    apart = [name for name in FAULTS if name != "swapped uplinks of one leaf"]
    for name in apart:
        FAULTS[name][0](network)
    said = told(scheduled, seen(network, tmp_path))
    missed = [name for name in apart for rule, words in FAULTS[name][1]
              if not any(rule == one and words.partition(";")[0] in message for one, message in said)]  # fmt: skip
    assert missed == [], said
