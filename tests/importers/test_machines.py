"""Single servers, switches, measurements and clouds: small files of our own for each format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import at, plain, read

if TYPE_CHECKING:
    from pathlib import Path


def pool(tmp_path: Path, name: str, text: str) -> dict[str, Any]:
    (found,) = plain(read(tmp_path, {name: text}).words["nodes"])
    words: dict[str, Any] = found
    return words


def nccl(speed: str, outer: str = "5.0 GT/s PCIe") -> str:
    device = '<pci busid="{b}" class="{c}" link_speed="{s}" link_width="16">{i}</pci>'
    parts = []
    for at_ in range(2):
        link = '<gpu dev="0" sm="90" gdr="1"><nvlink target="0:f" count="18" tclass="0x068000"/></gpu>'
        gpu = device.format(b=f"0:{at_}", c="0x030200", s=speed, i=link)
        nic = device.format(
            b=f"1:{at_}", c="0x020700", s=speed, i='<nic><net name="mlx5_0" speed="400000" gdr="1"/></nic>'
        )
        parts.append(device.format(b=f"2:{at_}", c="0x060400", s=outer, i=gpu + nic))
    return f'<system version="1"><cpu numaid="0">{"".join(parts)}</cpu></system>'


def test_rccl_finds_gpus_of_another_class_joined_by_xgmi(tmp_path: Path) -> None:
    cards = "".join(
        f'<pci busid="0:{at}" class="0x038000" link_speed="16 GT/s" link_width="16"><gpu dev="{at}" gdr="1">'
        f'<xgmi target="0:{at ^ 1}" count="1" tclass="0x038000"/></gpu></pci>'
        for at in range(4)
    )
    console = '<pci busid="0:9" class="0x038000" link_speed="5 GT/s" link_width="1"/>'
    words = pool(tmp_path, "mi250.xml", f'<system version="2"><cpu numaid="0">{cards}{console}</cpu></system>')
    assert (words["gpus"], words["scale_up_domain"], words["pcie_generation"]) == ("4", "2", "4")


def test_nccl_topology_counts_the_slot_of_the_gpu_not_of_the_switch_before_it(tmp_path: Path) -> None:
    words = pool(tmp_path, "h100.xml", nccl("32.0 GT/s PCIe"))
    assert (words["gpus"], words["scale_up_domain"], words["pcie_generation"], words["pcie_lanes_per_gpu"]) == (
        "2",
        "2",
        "5",
        "16",
    )
    assert (words["gpu_nic_same_switch"], words["gpu_direct_rdma"]) == ("true", "true")


def test_facts_of_a_server_that_no_word_holds(tmp_path: Path) -> None:
    text = '<topology><object type="Machine">%s</object></topology>'
    bank = '<object type="NUMANode" local_memory="1073741824"/>'
    files = {"a.xml": nccl("32.0 GT/s PCIe"), "b.xml": text % (bank + bank)}
    facts = {one.name: one.value.text for one in read(tmp_path, files).facts}
    assert (facts["names of networks"], facts["memory of the NUMA nodes"]) == ("mlx5_0, mlx5_0", "2.0 GiB")


def test_an_empty_link_speed_is_unknown_as_in_a_virtual_machine(tmp_path: Path) -> None:
    assert "pcie_generation" not in pool(tmp_path, "vm.xml", nccl(""))


def test_lstopo_without_devices_says_nothing_about_gpus(tmp_path: Path) -> None:
    package = '<object type="Package"><object type="NUMANode"/></object>'
    text = f'<topology version="2.0"><object type="Machine">{package}</object></topology>'
    words = pool(tmp_path, "host.xml", text)
    assert words == {"name": "host", "sockets": "1"}


MATRIX = (
    "        GPU0    GPU1    NIC0    CPU Affinity    NUMA Affinity\n"
    "GPU0     X      {a}    PIX     0-31    0\n"
    "GPU1    {a}     X      {b}     0-31    0\n"
)


def test_nvidia_smi_joins_gpus_by_nvlink(tmp_path: Path) -> None:
    words = pool(tmp_path, "topo.txt", MATRIX.format(a="NV18", b="PXB"))
    assert (words["gpus"], words["scale_up_domain"], words["gpu_nic_same_switch"]) == ("2", "2", "true")
    assert "scale_up_domain" not in pool(
        tmp_path, "p2p.txt", "        GPU0    GPU1\n GPU0   X       OK\n GPU1   OK      X\n"
    )
    assert "gpu_nic_same_switch" not in pool(tmp_path, "half.txt", MATRIX.format(a="SYS", b="SYS"))


TERMINAL = (
    "\t\x1b[4mGPU0\tGPU1\tNIC0\tmlx5_bond_0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
    "GPU0\t X \tNV18\tPIX\tSYS\t0-31\t0\t\tN/A\n"
    "GPU1\tNV18\t X \tSYS\tPIX\t\t1\t\tN/A\n"
    "NIC0\tPIX\tSYS\t X \tSYS\n"
)


def test_numa_nodes_of_gpus_stand_under_their_head(tmp_path: Path) -> None:
    found = read(tmp_path, {"topo.txt": TERMINAL})
    facts = {one.name: one.value.text for one in found.facts}
    assert facts["NUMA nodes"] == "2"
    assert facts["adapters"] == "2"
    assert plain(found.words["nodes"])[0]["gpu_nic_same_switch"] == "true"
    bare = (
        TERMINAL.replace("\tNUMA Affinity\tGPU NUMA ID", "")
        .replace("\t0\t\tN/A", "")
        .replace("\t\t1\t\tN/A", "\t32-63")
    )
    assert {one.name: one.value.text for one in read(tmp_path, {"old.txt": bare}).facts}["NUMA nodes"] == "2"


NCCL_TESTS = """\
[1,0]<stdout>:#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
[1,0]<stdout>:    67108864      16777216     float     sum      -1    996.0   67.38  126.34      0   1001.7   66.99  125.61      0
[1,0]<stdout>:  8589934592    2147483648     float     sum      -1  43000.0  199.77  374.57      0  43100.0  199.30  373.69      0
[1,0]<stdout>:# Avg bus bandwidth    : 52.9
"""


def test_the_result_is_the_largest_message_and_never_the_average(tmp_path: Path) -> None:
    (result,) = plain(read(tmp_path, {"out.txt": NCCL_TESTS}).words["acceptance"])["results"]
    assert result == {
        "name": "out",
        "test": "all_reduce",
        "gpus": "16",
        "message": "8589934592 B",
        "bus_bandwidth": "374.57 GB/s",
    }


def test_columns_without_a_root_are_the_old_layout(tmp_path: Path) -> None:
    text = NCCL_TESTS.replace("     root", "").replace("      -1  ", "  ")
    assert plain(read(tmp_path, {"out.txt": text}).words["acceptance"])["results"][0]["bus_bandwidth"] == "374.57 GB/s"


FIO = {"fio version": "fio-3.36", "jobs": [{"read": {"bw_bytes": 5e9}}, {"read": {"bw_bytes": 5e9}}]}
STORAGE = {
    "ior.txt": (
        "IOR-4.0.0: MPI Coordinated Test\n"
        "Max Write: 1000.00 MiB/sec (1048.58 MB/sec)\n"
        "Max Read:  2000.00 MiB/sec (2097.15 MB/sec)\n",
        "2.097 GB/s",
    ),
    "io500.txt": (
        "IO500 version io500-sc23\n"
        "[RESULT] ior-easy-read 10.0 GiB/s : time 300 seconds\n"
        "[RESULT] ior-hard-read 1.0 GiB/s : time 9 seconds\n",
        "10.74 GB/s",
    ),
    "fio.json": (json.dumps(FIO, indent=1), "10 GB/s"),
    "summary.json": (
        json.dumps({"num_hosts": 2, "metric": {"train_io_mean_MB_per_second": 1000}}, indent=1),
        "1.049 GB/s",
    ),
}


@pytest.mark.parametrize("name", sorted(STORAGE))
def test_storage_results_know_their_units(tmp_path: Path, name: str) -> None:
    text, rate = STORAGE[name]
    value = at(read(tmp_path, {name: text}), "acceptance/results/0/read")
    assert (value.text, value.how) == (rate, "measured")


def switch(**tables: object) -> str:
    return json.dumps({"PORT": {"E0": {"speed": "400000", "mtu": "9100"}}} | tables, indent=1)


def test_sonic_a_lossless_priority_that_nobody_watches(tmp_path: Path) -> None:
    qos = {"E0": {"pfc_enable": "2,3", "pfcwd_sw_enable": "3", "dscp_to_tc_map": "AZURE"}}
    (fabric,) = plain(read(tmp_path, {"config_db.json": switch(PORT_QOS_MAP=qos)}).words["fabrics"])
    assert (fabric["pfc"], fabric["pfc_priorities"], fabric["pfc_watchdog"], fabric["mtu"]) == (
        "true",
        "2",
        "false",
        "9100",
    )
    quiet = {"E0": {"pfc_enable": "3"}}
    assert "pfc_watchdog" not in plain(read(tmp_path, {"b.json": switch(PORT_QOS_MAP=quiet)}).words["fabrics"])[0]


def test_sonic_as_a_flat_dump_is_the_same(tmp_path: Path) -> None:
    flat = {"PORT|E0": {"speed": "400000", "mtu": "9100"}, "PORT_QOS_MAP|E0": {"pfc_enable": "3"}}
    (fabric,) = plain(read(tmp_path, {"dump.json": json.dumps(flat)}).words["fabrics"])
    assert (fabric["mtu"], fabric["pfc_priorities"]) == ("9100", "1")


def test_mlperf_reads_text_and_names_the_gpu_as_the_catalogue_does(tmp_path: Path) -> None:
    keys = {
        "number_of_nodes": "4",
        "accelerators_per_node": "8",
        "accelerator_model_name": "NVIDIA H100-SXM5-80GB",
        "host_memory_capacity": "2.0 TB",
        "accelerator_memory_capacity": "81559 MiB",
        "host_storage_capacity": "2x 1.92TB NVMe SSD + 8x 3.84TB NVMe U.2",
        "system_name": "eos",
    }
    words = pool(tmp_path, "system.json", json.dumps(keys, indent=1))
    assert words["gpu"] == {"model": "h100-sxm-80gb", "usable_memory": "81559 MiB"}
    assert (words["count"], words["host_memory"], words["local_storage"]) == (
        "4",
        "2.0 TB",
        {"drives": "8", "capacity": "30.72 TB"},
    )


CLUSTER = """\
Scheduling:
  Scheduler: slurm
  SlurmQueues:
    - Name: gpu
      ComputeResources:
        - Name: p5
          InstanceType: p5.48xlarge
          MaxCount: %s
          Efa: {Enabled: true}
SharedStorage:
  - {Name: fsx, MountDir: /fsx, StorageType: FsxLustre, FsxLustreSettings: {StorageCapacity: 4800, PerUnitStorageThroughput: 500}}
"""


def test_parallel_cluster_equips_pools_by_their_machine_type(tmp_path: Path) -> None:
    words = plain(read(tmp_path, {"cluster.yaml": CLUSTER % 16}).words)
    assert words["nodes"] == [{"name": "gpu-p5", "count": "16", "gpus": "8", "gpu": "h100-sxm-80gb"}]
    assert words["storage"][0]["read"] == "2343.75 MB/s"
    open_ended = read(tmp_path, {"cluster.yaml": CLUSTER % "${COUNT}"})
    assert [one.word for one in open_ended.unknowns] == ["nodes/gpu-p5/count"]


def test_a_blueprint_follows_its_variables_and_a_deployment_gives_them(tmp_path: Path) -> None:
    blueprint = """\
blueprint_name: gke
vars: {static_node_count: , machine: a3-ultragpu-8g}
deployment_groups:
- group: primary
  modules:
  - id: pool
    source: modules/compute/gke-node-pool
    settings: {machine_type: $(vars.machine), static_node_count: $(vars.static_node_count)}
"""
    alone = read(tmp_path, {"gke.yaml": blueprint})
    assert plain(alone.words["nodes"]) == [{"name": "pool", "gpus": "8", "gpu": "h200-sxm"}]
    assert [one.word for one in alone.unknowns] == ["nodes/pool/count"]
    deployment = "terraform_backend_defaults: {type: gcs}\nvars:\n  static_node_count: 4\n"
    both = read(tmp_path, {"gke.yaml": blueprint, "deployment.yaml": deployment})
    assert plain(both.words["nodes"])[0]["count"] == "4"


def test_metric_lists_leave_commented_fields_out(tmp_path: Path) -> None:
    text = (
        "# Format\n"
        "DCGM_FI_DEV_SM_CLOCK,  gauge, clock\n"
        "# DCGM_FI_DEV_X, gauge, off\n"
        "DCGM_FI_DEV_GPU_TEMP , gauge, temp\n"
        "DCGM_FI_DEV_POWER_USAGE, gauge, power\n"
    )
    found = read(tmp_path, {"metrics.csv": text})
    assert plain(found.words["observability"]) == {"gpu_metrics": ["clocks", "temperature", "power"]}
    assert [one.value.text for one in found.facts] == ["3"]


@pytest.mark.parametrize(
    ("prose", "adapters"),
    [
        ("Management: 1x DPU 100Gb/Sec, Compute: 8x ConnectX-7 InfiniBand NDR 400Gb/Sec", "8 x 400 Gbit/s"),
        ("4x ConnectX-7 IB NDR 400Gb/Sec", "4 x 400 Gbit/s"),
        ("1x Intel X710 10GbE, 2x ConnectX-6 Dx 100GbE, 8x ConnectX-7 400GbE/NDR", "8 x 400 Gbit/s"),
        ("6 x NetXtreme-E 10Gb/25Gb/100Gb Ethernet", None),  # which of the rates, nobody says
        ("2x Mellanox ConnectX-6, 100Gb/s Ethernet", "2 x 100 Gbit/s"),
        ("8x ConnectX-7 400Gb/s, 100Gb/s Ethernet", "8 x 400 Gbit/s"),
        ("Storage: 2x ConnectX-7 400Gb/s", None),
        ("4x Mellanox HDR200 InfiniBand ConnectX 6", "4 x 200 Gbit/s"),
        ("4 x 10Gbit/s", None),
        ("InfiniBand; Data bandwidth for GPU-PCIe: 504 GB/s", None),
    ],
)
def test_mlperf_counts_adapters_in_prose_by_purpose_or_rate(prose: str, adapters: str | None, tmp_path: Path) -> None:
    text = json.dumps({"accelerators_per_node": "8", "number_of_nodes": "2", "host_network_card_count": prose})
    found = read(tmp_path, {"system.json": text})
    told = {one.name: one.value.text for one in found.facts}
    assert told.get("adapters") == adapters


ROWS = """DCGM_FI_DEV_SM_CLOCK, gauge, SM clock
# DCGM_FI_DEV_ECC_DBE_VOL_TOTAL, counter, off
DCGM_FI_DEV_XID_ERRORS, gauge, Xid
DCGM_FI_DEV_THERMAL_VIOLATION, counter, us
"""


def test_dcgm_collects_what_its_fields_measure(tmp_path: Path) -> None:
    found = read(tmp_path, {"metrics.csv": ROWS})
    assert plain(found.words["observability"]) == {"gpu_metrics": ["clocks", "xid-errors", "throttling"]}
    inside = "data:\n  metrics.csv: |\n" + "".join(f"    {line}\n" for line in ROWS.splitlines())
    held = read(tmp_path, {"map.yaml": inside})
    assert plain(held.words) == plain(found.words)
    assert not held.accounts()[0].partial
