"""Servers that files describe against the pools of a design: counts, what is in one of them, and what is not compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint.comparing.asbuilt.files import against
from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.reading import read_bytes
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.comparing.asbuilt.comparison import AsBuiltComparison

DESIGN = """\
designlint: 1
nodes:
  - {name: train, model: dgx-h100, count: 4, spares: 1, networks: [{fabric: compute, ports: 2}]}
  - {name: login, gpus: 0, count: 2, host_memory: 512 GB}
fabrics: [{name: compute, technology: infiniband-ndr}]
"""
NODE = "NodeName=gpu[1-4] Sockets=2 CoresPerSocket=56 ThreadsPerCore=2 RealMemory=1900000 Gres=gpu:h100:8\n"
LOGIN = "NodeName=login[1-2] CPUs=64 RealMemory=480000\n"
MATRIX = "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV18\tPIX\t0-9\t0\nGPU1\tNV18\t X \tPIX\t0-9\t0\n"


def compared(folder: Path, text: str, *, design: str = DESIGN, file: str = "slurm.conf") -> AsBuiltComparison:
    (folder / file).write_text(text, "utf-8")
    document = read_bytes(design.encode(), str(folder / "design.yaml"))
    return against(read_design(document, engine.shipped_engine()), [folder / file])


def said(found: AsBuiltComparison) -> list[tuple[str, str]]:
    return [(one.finding.rule.partition("/")[2], one.finding.message) for one in found.differences]


def test_servers_as_designed(tmp_path: Path) -> None:
    found = compared(tmp_path, NODE + LOGIN)
    assert said(found) == []
    assert found.counts["train: servers"] == (4, 4)
    assert found.counts["train: CPU cores"] == (112, 112)
    assert found.counts["login: servers"] == (2, 2)
    assert "no fabric is compared: the files describe no switch" in found.notes


@pytest.mark.parametrize(
    ("old", "new", "rule", "message"),
    [
        (":8", ":7", "server-differs", "a server of train has 7 GPUs; the design has 8 GPUs"),
        ("h100", "h200", "server-differs", "a server of train has h200-sxm; the design has h100-sxm-80gb"),
        ("=56", "=48", "server-differs", "a server of train has 96 CPU cores; the design has 112 CPU cores"),
        (
            "=1900000",
            "=900000",
            "server-differs",
            "a server of train has 943.7 GB of memory; the design has 2 TB of memory",
        ),
        (
            "=1900000",
            "=4000000",
            "server-differs",
            "a server of train has 4.194 TB of memory; the design has 2 TB of memory",
        ),
        ("[1-4]", "[1-3]", "server-not-seen", "1 of 4 servers of train is not seen in the dump"),
        ("[1-4]", "[1-7]", "server-not-designed", "2 of 7 servers of train are in the dump, but not in the design"),
    ],
)
def test_each_difference_is_named_once(tmp_path: Path, old: str, new: str, rule: str, message: str) -> None:
    found = compared(tmp_path, NODE.replace(old, new) + LOGIN)
    assert said(found) == [(rule, message)]
    assert found.differences[0].seen is not None
    assert found.differences[0].designed is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[1-4]", "[1-5]"),  # the spare is there, too
        ("RealMemory=1900000", "RealMemory=2063000"),  # TiB, not TB
        ("Sockets=2 CoresPerSocket=56", "Sockets=8 CoresPerSocket=14"),  # NUMA nodes as sockets
        ("Gres=gpu:h100:8", "Gres=gpu:8"),
    ],
)
def test_what_is_no_difference(tmp_path: Path, old: str, new: str) -> None:
    assert said(compared(tmp_path, NODE.replace(old, new) + LOGIN)) == []


def test_threads_are_a_multiple_of_cores(tmp_path: Path) -> None:
    bare = "NodeName=gpu[1-4] CPUs={} Gres=gpu:8\n"
    assert said(compared(tmp_path, bare.format(224))) == []
    assert said(compared(tmp_path, bare.format(192))) == [
        ("server-differs", "a server of train has 192 CPU threads; the design has 112 CPU cores")
    ]


def test_servers_that_both_sides_name_are_compared_by_name(tmp_path: Path) -> None:
    named = DESIGN.replace("count: 4, spares: 1", 'count: 4, servers: "gpu[1-4]"')
    assert said(compared(tmp_path, NODE.replace("[1-4]", "[2-5]"), design=named)) == [
        ("server-not-designed", "gpu5 is in the dump, but not in the design"),
        ("server-not-seen", "gpu1 is not seen in the dump"),
    ]


def test_one_server_tells_nothing_of_their_number(tmp_path: Path) -> None:
    found = compared(tmp_path, MATRIX, file="topo.txt")
    assert said(found) == [
        ("server-differs", "a server of train has 1 network port; the design has 2 network ports"),
        ("server-differs", "a server of train has 2 GPUs; the design has 8 GPUs"),
    ]
    assert "train: servers" not in found.counts


def test_a_rack_as_scale_up_domain_is_seen_as_one_server(tmp_path: Path) -> None:
    rack = "designlint: 1\nnodes: [{name: t, gpu: gb200, gpus: 2, count: 36, scale_up_domain: 72}]\n"
    assert said(compared(tmp_path, MATRIX, design=rack, file="topo.txt")) == []
    apart = MATRIX.replace("NV18", "SYS")
    assert said(compared(tmp_path, apart, design=rack, file="topo.txt")) == []


def test_pools_that_are_not_the_designs_are_named(tmp_path: Path) -> None:
    two = DESIGN.replace("fabrics:", "  - {name: other, model: dgx-a100, count: 2}\nfabrics:")
    with pytest.raises(UsageError, match="match no pool of the design are not compared: gpu, cpu"):
        compared(tmp_path, NODE + "NodeName=cpu[1-2] CPUs=64\n", design=two)
    found = compared(tmp_path, NODE + LOGIN, design=two)
    assert [one for one in found.counts if one.startswith("train")] == []
    assert any(one.startswith("servers that match no pool of the design are not compared: gpu;") for one in found.notes)


def test_a_tree_beside_servers_of_a_design_without_a_fabric(tmp_path: Path) -> None:
    design = DESIGN.split("fabrics:")[0].replace(", networks: [{fabric: compute, ports: 2}]", "")
    found = compared(tmp_path, f"{NODE}SwitchName=leaf Nodes=gpu[1-4]\n", design=design)
    assert found.counts["train: servers"] == (4, 4)
    assert "no fabric is compared: the design states none" in found.notes


def shown(gpus: list[int]) -> str:
    """What `scontrol show node` prints."""
    return "\n\n".join(
        f"NodeName=gpu{number} Arch=x86_64 CoresPerSocket=56\n   CPUAlloc=0 CPUTot=224 CPULoad=0.1\n"
        f"   AvailableFeatures=(null)\n   Gres=gpu:h100:{count}(S:0-1)\n"
        "   OS=Linux 5.15.0 #91-Ubuntu SMP\n   RealMemory=1900000 Sockets=2 Boards=1\n   State=IDLE ThreadsPerCore=2\n"
        for number, count in enumerate(gpus, 1)
    )


def test_what_scontrol_shows_of_nodes(tmp_path: Path) -> None:
    design = DESIGN.replace("count: 4, spares: 1", 'count: 4, servers: "gpu[1-4]"')
    assert said(compared(tmp_path, shown([8, 8, 8, 8]), design=design)) == []
    assert said(compared(tmp_path, shown([8, 8, 7, 7]), design=design)) == [
        ("server-differs", "a server of train (gpu[3-4]) has 7 GPUs; the design has 8 GPUs")
    ]
    assert sorted(said(compared(tmp_path, shown([8, 7, 8]), design=design))) == [
        ("server-differs", "a server of train (gpu2) has 7 GPUs; the design has 8 GPUs"),
        ("server-not-seen", "gpu4 is not seen in the dump"),
    ]


def test_gpus_of_a_name_that_the_catalogue_does_not_have(tmp_path: Path) -> None:
    assert said(compared(tmp_path, NODE.replace("h100", "a100"))) == [
        ("server-differs", "a server of train has a100; the design has h100-sxm-80gb")
    ]
    assert said(compared(tmp_path, NODE.replace("h100", "tesla"))) == []


def test_gpus_that_nothing_joins(tmp_path: Path) -> None:
    design = DESIGN.replace("model: dgx-h100", "gpus: 2, scale_up_domain: 2").replace("ports: 2", "ports: 1")
    assert said(compared(tmp_path, MATRIX, design=design, file="topo.txt")) == []
    assert said(compared(tmp_path, MATRIX.replace("NV18", "SYS"), design=design, file="topo.txt")) == [
        (
            "server-differs",
            "a server of train has 1 GPU on the scale-up network; the design has 2 GPUs on the scale-up network",
        )
    ]


def test_a_gpu_that_links_do_not_join(tmp_path: Path) -> None:
    links = {frozenset((1, 2)): "NV18", frozenset((0, 1)): "SYS", frozenset((0, 2)): "SYS"}
    rows = [f"GPU{one}\t" + "\t".join(links.get(frozenset((one, two)), "X") for two in range(3)) for one in range(3)]
    text = "\tGPU0\tGPU1\tGPU2\tCPU Affinity\n" + "".join(f"{one}\t0-9\n" for one in rows)
    design = "designlint: 1\nnodes: [{name: train, gpus: 3, scale_up_domain: 3}]\n"
    told = [
        "a server of train has 2 GPUs on the scale-up network; the design has 3 GPUs on the scale-up network",
    ]
    assert [one for _, one in said(compared(tmp_path, text, design=design, file="topo.txt"))] == told


GPU = '<pci busid="{}" class="0x030200" link_speed="{} GT/s PCIe" link_width="{}"><gpu dev="{}" gdr="1"/></pci>'
NIC = '<pci busid="9" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16"><nic><net name="a" gdr="{}"/></nic></pci>'


@pytest.mark.parametrize(
    ("speed", "width", "direct", "message"),
    [
        ("32.0", "16", "1", None),
        ("16.0", "16", "1", "a server of train has PCIe generation 4 (1 of 2 GPUs); the design has PCIe generation 5"),
        (
            "32.0",
            "8",
            "1",
            "a server of train has 8 PCIe lanes per GPU (1 of 2 GPUs); the design has 16 PCIe lanes per GPU",
        ),
        ("32.0", "16", "0", "a server of train has no GPUDirect RDMA; the design has GPUDirect RDMA"),
    ],
)
def test_one_slow_slot_among_others(tmp_path: Path, speed: str, width: str, direct: str, message: str | None) -> None:
    inside = GPU.format(1, "32.0", 16, 0) + GPU.format(2, speed, width, 1) + NIC.format(direct)
    text = f'<system version="1"><cpu numaid="0">{inside}</cpu></system>'
    pool = "{name: train, gpus: 2, pcie_generation: 5, pcie_lanes_per_gpu: 16, gpu_direct_rdma: true}"
    design = f"designlint: 1\nnodes: [{pool}]\n"
    assert [one for _, one in said(compared(tmp_path, text, design=design, file="topo.xml"))] == [message] * bool(
        message
    )
