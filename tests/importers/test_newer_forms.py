"""Forms of known files that are newer, shorter or cut: what they state is read, and what they do not state is left open."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

HARDWARE = {"host_processors_per_node": 2, "host_processor_core_count": 112, "host_processor_vcpu_count": 224}
MEMORY = {"host_memory_capacity": "2.2T"}
GPUS = {"accelerator_model_name": "NVIDIA H100 80GB HBM3", "accelerators_per_node": 8}
SOFTWARE = {"operating_system": "ubuntu 24.04", "driver": "Driver 575.57.08", "other_software_stack": "CUDA 12.9"}


@pytest.mark.parametrize(
    "nodes",
    [
        {**HARDWARE, **MEMORY, **GPUS, **SOFTWARE},
        {**HARDWARE, **MEMORY, **SOFTWARE, "accelerator_info": [GPUS]},
        {
            "hardware_ensemble": {"processor": HARDWARE, "host_memory": MEMORY, "accelerator": GPUS},
            "software_ensemble": SOFTWARE,
        },
    ],
    ids=["flat", "listed", "sections"],
)
def test_types_of_nodes_of_mlperfs_newer_descriptions(tmp_path: Path, nodes: dict[str, Any]) -> None:
    whole = {"system_name": "s", "node_types": [{"number_of_nodes": 2, **nodes}]}
    found = read(tmp_path, {"s.json": json.dumps(whole, indent=1)})
    words = plain(found.words)
    [pool] = words["nodes"]
    assert (pool["count"], pool["gpus"], pool["sockets"], pool["host_memory"]) == ("2", "8", "2", "2.2 TB")
    assert (words["software"]["driver"], words["software"]["cuda"]) == ("575.57.08", "12.9")
    names = [one.name for one in found.facts]
    assert "cores of a socket or a server" in names, "224 threads are two for each of 112 cores of the server"


def test_two_types_of_nodes_are_two_pools(tmp_path: Path) -> None:
    types = [{"number_of_nodes": 2, **GPUS}, {"number_of_nodes": 1, "host_processors_per_node": 2}]
    words = plain(read(tmp_path, {"s.json": json.dumps({"system_name": "s", "node_types": types})}).words)
    assert [(one["name"], one["count"]) for one in words["nodes"]] == [("s", "2"), ("s-2", "1")]


def test_sonic_is_known_by_its_neighbours(tmp_path: Path) -> None:
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "tor", "type": "ToRRouter"}},
        "DEVICE_NEIGHBOR": {"Ethernet0": {"name": "server", "port": "mlx5_0"}},
    }
    for held in (tables, {"DEVICE_NEIGHBOR": tables["DEVICE_NEIGHBOR"]}):
        words = plain(read(tmp_path, {"config_db.json": json.dumps(held)}).words)
        assert "server" in json.dumps(words["fabrics"][0]["topology"])


TREE = """\
SwitchName=root Switches=core,lone
SwitchName=core Switches=pod[1-2]
SwitchName=pod1 Switches=su1
SwitchName=pod2 Switches=su2
SwitchName=su1 Nodes=n1
SwitchName=su2 Nodes=n2
SwitchName=lone Nodes=n3
"""


def test_a_switch_lies_above_the_highest_below_it(tmp_path: Path) -> None:
    """As Slurm counts levels: a leaf below the root makes no spine of the root."""
    words = plain(read(tmp_path, {"topology.conf": TREE}).words)
    roles = {one["name"]: one.get("role") for one in words["fabrics"][0]["topology"]["switches"]}
    assert roles == {
        "root": None, "core": "core", "pod1": "spine", "pod2": "spine", "su1": "leaf", "su2": "leaf", "lone": "leaf",
    }  # fmt: skip


def test_what_a_part_of_slurm_conf_states_is_read(tmp_path: Path) -> None:
    text = "SelectType=select/cons_tres\nTopologyPlugin=topology/block\nNodeName=n[1-2] Gres=gpu:gb200:4\n"
    words = plain(read(tmp_path, {"slurm.conf": text}).words)
    assert words["scheduler"] == {"kind": "slurm", "topology_aware": "true"}


def test_a_log_of_nccl_tests_that_ends_before_its_table(tmp_path: Path) -> None:
    log = (
        "# nThread 1 nGpus 1 minBytes 8 maxBytes 16 step: 2(factor) warmup iters: 5 iters: 5\n#\n# Using devices\n"
        "#  Rank  0 Group  0 Pid    127 on h1 device  0 [0x00] NVIDIA H100 80GB HBM3\n"
    )
    for text in (log, log.replace("#", " ")):
        found = read(tmp_path, {"nccl.log": text})
        assert [(one.name, one.value.text) for one in found.facts] == [("GPU", "NVIDIA H100 80GB HBM3")]
        assert not found.words
        assert not found.accounts()[0].unclear


NXOS = """\
leaf-1# show lldp neighbors detail
Chassis id:  0000.0000.0000
Port id: Eth1/7
Local Port id: Eth1/1
Port Description: Ethernet1/7
System Name: spine-1
System Description: Cisco NX-OS(tm) n7700, Version 8.2(2)
"""


def test_rccl_names_algorithm_and_protocol_behind_the_figures(tmp_path: Path) -> None:
    figures = "1377.7  194.84  365.33      0   1376.1  195.07  365.76    N/A"
    for root, more in (("-1", "    RING    SIMPLE          32"), ("-1", ""), ("", "  Direct SIMPLE 4")):
        log = (
            "#       size         count      type   redop  root  time   algbw   busbw #wrong  time  algbw  busbw #wrong\n"
            f"   268435456      67108864     float     sum   {root}   {figures}{more}\n"
        )
        [result] = plain(read(tmp_path, {"rccl.log": log}).words["acceptance"])["results"]
        assert (result["bus_bandwidth"], result["gpus"]) == ("365.33 GB/s", "16")


@pytest.mark.parametrize(("stated", "memory"), [("512000", "512000 MiB"), ("64K", "65536 MiB"), ("512G", None)])
def test_memory_of_slurm_has_no_unit_but_k(tmp_path: Path, stated: str, memory: str | None) -> None:
    found = read(tmp_path, {"slurm.conf": f"NodeName=n1 CPUs=64 RealMemory={stated}\n"})
    assert plain(found.words)["nodes"][0].get("scheduled_memory") == memory
    assert [one.rule for one in found.clashes] == ([] if memory else ["import/not-a-value"])


@pytest.mark.parametrize("stated", ["Sockets=-4", "CPUs=1e3", "CPUs=many Sockets=2"])
def test_processors_of_slurm_are_numbers(tmp_path: Path, stated: str) -> None:
    found = read(tmp_path, {"slurm.conf": f"NodeName=n1 {stated} CoresPerSocket=8\n"})
    pool = plain(found.words)["nodes"][0]
    assert all(pool[key].isdecimal() for key in ("sockets", "cpu_cores", "cpu_threads") if key in pool)
    assert [one.rule for one in found.clashes] == ["import/not-a-value"]


def test_older_nxos_has_wider_gaps(tmp_path: Path) -> None:
    [fabric] = plain(read(tmp_path, {"lldp.txt": NXOS}).words)["fabrics"]
    [link] = fabric["topology"]["links"]
    assert (link["from"], link["to"], link["to_ports"]) == ("leaf-1", "spine-1", ["Eth1/7"])


def test_names_with_blanks_in_a_table_of_nxos(tmp_path: Path) -> None:
    table = (
        "Device ID            Local Intf      Hold-time  Capability  Port ID\n\n"
        "PowerEdge R750       Eth1/10         480        S           NIC.Slot.1 Port 2\n"
    )
    [fabric] = plain(read(tmp_path, {"leaf.txt": table}).words)["fabrics"]
    [link] = fabric["topology"]["host_links"]
    assert (link["server"], link["adapter"], link["port"]) == ("PowerEdge R750", "NIC.Slot.1 Port 2", "Eth1/10")


def test_one_gpu_at_an_nvswitch_is_no_domain_of_one(tmp_path: Path) -> None:
    gpu = (
        '<pci busid="0:{0}" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16"><gpu dev="{0}" sm="80" gdr="1">'
        '<nvlink target="0:c4" count="2" tclass="0x068000"/></gpu></pci>'
    )
    for gpus, domain in ((1, None), (2, "2")):
        cards = "".join(gpu.format(number) for number in range(gpus))
        text = f'<system version="1"><cpu numaid="0" arch="x86_64">{cards}</cpu></system>'
        found = read(tmp_path, {f"topo{gpus}.xml": text})
        [pool] = plain(found.words)["nodes"]
        assert pool.get("scale_up_domain") == domain
        assert bool([one for one in found.unknowns if one.word.endswith("scale_up_domain")]) is (domain is None)
