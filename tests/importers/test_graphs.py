"""Drawn clusters: topograph's models and InfraGraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path


def test_topograph_gives_servers_switches_and_nvlink_domains(tmp_path: Path) -> None:
    text = (
        "switches:\n- {name: spine, switches: [leaf]}\n- {name: leaf, capacity_blocks: [b1]}\n"
        "capacity_blocks:\n- {name: b1, type: H100, nvlink: nv1, nodes: ['n[1-4]']}\n"
    )
    words = plain(read(tmp_path, {"model.yaml": text}).words)
    assert words["nodes"] == [{"name": "h100", "count": "4", "servers": "n[1-4]", "gpu": "h100-sxm-80gb"}]
    assert words["scheduler"]["blocks"] == [{"name": "nv1", "servers": "n[1-4]", "count": "4"}]
    assert len(words["fabrics"][0]["topology"]["host_links"]) == 4


def test_infragraph_expands_slices_and_does_not_take_bytes_for_bits(tmp_path: Path) -> None:
    text = """\
devices:
- {name: dgx, components: [{choice: xpu, name: xpu, count: 8}, {choice: nic, name: nic, count: 2}]}
- {name: sw, components: [{choice: port, name: port, count: 4}]}
instances: [{name: host, device: dgx, count: 2}, {name: leaf, device: sw, count: 2}, {name: spine, device: sw, count: 1}]
links: [{name: slow, physical: {bandwidth: {choice: gigabytes_per_second, gigabytes_per_second: 50}}}]
edges:
- {ep1: {instance: 'host[0:2]', component: 'nic[0]'},
   ep2: {instance: 'leaf[0]', component: 'port[0:2]'}, scheme: one2one, link: slow}
- {ep1: {instance: 'host[:2]', component: 'nic[1]'},
   ep2: {instance: 'leaf[1]', component: 'port[0:2]'}, scheme: one2one, link: slow}
- {ep1: {instance: leaf, component: 'port[2]'}, ep2: {instance: spine, component: 'port[0:2]'}, scheme: one2one, link: slow}
"""
    words = plain(read(tmp_path, {"graph.yaml": text}).words)
    topology = words["fabrics"][0]["topology"]
    assert words["nodes"] == [{"name": "host", "count": "2", "gpus": "8"}]
    assert [(one["server"], one["to"], one["speed"]) for one in topology["host_links"]] == [
        ("host-0", "leaf-0", "400 Gbit/s"),
        ("host-1", "leaf-0", "400 Gbit/s"),
        ("host-0", "leaf-1", "400 Gbit/s"),
        ("host-1", "leaf-1", "400 Gbit/s"),
    ]
    assert [(one["from"], one["to"], one["cables"]) for one in topology["links"]] == [
        ("leaf-0", "spine-0", "1"),
        ("leaf-1", "spine-0", "1"),
    ]


def test_infragraph_takes_a_component_without_a_slice_for_all_of_them(tmp_path: Path) -> None:
    text = """\
devices:
- {name: server, components: [{choice: npu, name: npu, count: 4}, {choice: nic, name: nic, count: 2}]}
- {name: sw, components: [{choice: port, name: port, count: 16}]}
instances: [{name: host, device: server, count: 2}, {name: leaf, device: sw, count: 2}]
links: []
edges:
- {ep1: {instance: 'host[0]', component: nic}, ep2: {instance: 'leaf[0]', component: port}, scheme: one2one, link: eth}
- {ep1: {instance: 'host[1]', component: nic}, ep2: {instance: 'leaf[1]', component: port}, scheme: one2one, link: eth}
"""
    words = plain(read(tmp_path, {"graph.yaml": text}).words)
    assert words["nodes"] == [{"name": "host", "count": "2", "gpus": "4"}]
    assert [(one["server"], one["nic"], one["to"]) for one in words["fabrics"][0]["topology"]["host_links"]] == [
        ("host-0", "0", "leaf-0"),
        ("host-0", "1", "leaf-0"),
        ("host-1", "0", "leaf-1"),
        ("host-1", "1", "leaf-1"),
    ]


def test_topograph_with_switches_by_name_and_blocks_below_them(tmp_path: Path) -> None:
    text = """\
switches:
  core:
    switches: [leaf-1, leaf-2]
blocks:
- switch: leaf-1
  nodes: ["node[01-03]", node05]
  annotations: {accelerator.topology.test/domain: nvl-1, accelerator.topology.test/sub-domain: rack-1}
- switch: leaf-2
  nodes: ["node[11-12]"]
  labels: {network.topology.nvidia.com/accelerator: nvl-1}
- nodes: ["cpu[1-2]"]
"""
    words = plain(read(tmp_path, {"model.yaml": text}).words)
    topology = words["fabrics"][0]["topology"]
    assert [(one["name"], one["role"]) for one in topology["switches"]] == [
        ("core", "spine"), ("leaf-1", "leaf"), ("leaf-2", "leaf")
    ]  # fmt: skip
    assert [(one["from"], one["to"]) for one in topology["links"]] == [("leaf-1", "core"), ("leaf-2", "core")]
    assert len(topology["host_links"]) == 6
    assert words["nodes"][0]["count"] == "8"
    assert words["scheduler"]["blocks"] == [
        {"name": "nvl-1", "servers": "node[01-03],node05,node[11-12]", "count": "6"}
    ]


def test_topograph_with_everything_by_name(tmp_path: Path) -> None:
    text = """\
switches:
  S1: {switches: [S2]}
  S2: {nodes: [I21, I22]}
nodes:
  I21: {capacity_block: CB2, type: H100, attributes: {nvlink: nvl2}}
  I22: {capacity_block: CB2, type: H100}
capacity_blocks:
  CB2: {nodes: ["I[21-22]"]}
"""
    words = plain(read(tmp_path, {"model.yaml": text}).words)
    assert words["nodes"] == [{"name": "h100", "count": "2", "servers": "I[21-22]", "gpu": "h100-sxm-80gb"}]
    assert words["scheduler"]["blocks"] == [{"name": "nvl2", "servers": "I[21-22]", "count": "2"}]
    assert [one["server"] for one in words["fabrics"][0]["topology"]["host_links"]] == ["I21", "I22"]


SERVER = """\
infrastructure:
  devices:
    - name: node
      components: [{name: xpu, type: xpu}, {name: nic, type: nic, external: true}]
      connections: [xpu.0.pcie.nic.0, xpu.1.pcie.nic.1, xpu.2.pcie.nic.0]
"""
SWITCH = """\
infrastructure:
  devices:
    - name: box
      components: [{name: asic, type: custom}, {name: port, type: nic, external: true}]
      connections: [asic.0.ic.port.0, asic.0.ic.port.1]
"""
GRAPH = """\
infrastructure:
  instances: [{name: leaf, device: box}, {name: top, device: box}, {name: host, device: node}]
  connections:
    - host.0.nic.0.eth1.leaf.0.port.0
    - host.0.nic.1.eth1.leaf.1.port.0
    - host.1.nic.0.eth1.leaf.0.port.1
    - leaf.0.port.4.eth2.top.0.port.0
    - leaf.0.port.5.eth2.top.0.port.1
"""


def test_infragraphs_early_syntax_with_its_devices_in_other_files(tmp_path: Path) -> None:
    words = plain(read(tmp_path, {"graph.yaml": GRAPH, "server.yaml": SERVER, "switch.yaml": SWITCH}).words)
    assert words["nodes"] == [{"name": "host", "count": "2", "gpus": "3"}]
    topology = words["fabrics"][0]["topology"]
    assert {one["name"]: one["role"] for one in topology["switches"]} == {
        "leaf-0": "leaf", "leaf-1": "leaf", "top-0": "spine",
    }  # fmt: skip
    assert [(one["server"], one["to"]) for one in topology["host_links"]] == [
        ("host-0", "leaf-0"), ("host-0", "leaf-1"), ("host-1", "leaf-0"),
    ]  # fmt: skip
    assert [(one["from"], one["to"], one["cables"]) for one in topology["links"]] == [("leaf-0", "top-0", "2")]


def test_an_instance_of_an_undefined_device_is_neither_server_nor_switch(tmp_path: Path) -> None:
    found = read(tmp_path, {"graph.yaml": GRAPH, "switch.yaml": SWITCH})
    assert "nodes" not in found.words
    assert [one["name"] for one in plain(found.words)["fabrics"][0]["topology"]["switches"]] == ["leaf-0", "top-0"]
    assert [one.why for one in found.unknowns] == ["the device `node` of `host` is not defined in these files"]


def test_early_infragraph_states_the_bandwidth_of_a_link_itself(tmp_path: Path) -> None:
    text = """\
devices:
- {name: host, components: [{name: xpu, type: xpu, count: 1}, {name: nic, type: nic, count: 1}]}
- {name: sw, components: [{name: port, type: nic, count: 4}]}
instances: [{name: host, device: host, count: 1}, {name: leaf, device: sw, count: 1}]
links: [{name: eth, bandwidth: {choice: giga_bytes_per_second, giga_bytes_per_second: 50}}]
connections: [host.0.nic.0.eth.leaf.0.port.0]
"""
    (fabric,) = plain(read(tmp_path, {"graph.yaml": text}).words["fabrics"])
    assert fabric["topology"]["host_links"] == [{"server": "host-0", "nic": "0", "to": "leaf-0", "speed": "400 Gbit/s"}]
