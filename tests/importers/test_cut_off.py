"""Files that end too early, and two outputs in one file: what they leave open is not stated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

MATRIX = """\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tCPU Affinity\tNUMA Affinity
GPU0\t X \tNV12\tNV12\tNV12\tPXB\t0-31\t0
GPU1\tNV12\t X \tNV12\tNV12\tPXB\t0-31\t0
GPU2\tNV12\tNV12\t X \tNV12\tPXB\t32-63\t1
GPU3\tNV12\tNV12\tNV12\t X \tPXB\t32-63\t1
NIC0\tPXB\tPXB\tPXB\tPXB\t X
"""
PERMISSIONS = """ \tGPU0\tGPU1\tGPU2\tGPU3
 GPU0\tX\tOK\tOK\tOK
 GPU1\tOK\tX\tOK\tOK
 GPU2\tOK\tOK\tX\tOK
 GPU3\tOK\tOK\tOK\tX
"""
WHOLE = {"gpus": "4", "scale_up_domain": "4", "gpu_nic_same_switch": "true"}


def server(tmp_path: Path, text: str) -> dict[str, Any]:
    [pool] = plain(read(tmp_path, {"topo.txt": text}).words["nodes"])
    return {word: value for word, value in pool.items() if word != "name"}


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_a_matrix_without_all_of_its_rows_counts_gpus_by_its_head(tmp_path: Path, rows: int) -> None:
    lines = MATRIX.splitlines(keepends=True)
    assert server(tmp_path, MATRIX) == WHOLE
    assert server(tmp_path, "".join(lines[: 1 + rows])) == {"gpus": "4"}
    assert server(tmp_path, "".join(lines[:4]) + lines[4][:12]) == {"gpus": "4"}


def test_permissions_beside_links_do_not_hide_them(tmp_path: Path) -> None:
    assert server(tmp_path, MATRIX + PERMISSIONS) == server(tmp_path, PERMISSIONS + MATRIX) == WHOLE


def test_matrices_of_unlike_servers_are_not_mixed(tmp_path: Path) -> None:
    other = "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV4\t0-31\nGPU1\tNV4\t X \t0-31\n"
    found = read(tmp_path, {"topo.txt": MATRIX + other})
    assert server(tmp_path, MATRIX + other) == {}
    assert [(one.word, one.why) for one in found.unknowns] == [
        ("nodes/topo/gpus", "the file holds matrices of servers with different numbers of GPUs")
    ]


def test_a_slurm_conf_that_ends_before_its_partitions_leaves_the_defaults_open(tmp_path: Path) -> None:
    text = "ClusterName=x\nSlurmctldHost=c\nNodeName=n[1-2] CPUs=8\n"
    cut = plain(read(tmp_path, {"slurm.conf": text}).words["scheduler"])
    assert cut == {"kind": "slurm", "controllers": "1"}
    whole = plain(read(tmp_path, {"slurm.conf": text + "PartitionName=p Nodes=n[1-2]\n"}).words["scheduler"])
    assert (whole["accounting"], whole["preemption"]) == ("false", "none")


def block(name: str, number: int, ports: dict[int, tuple[str, int, int]]) -> str:
    lines = [f'Switch\t40 "S-{number:016x}"\t\t# "{name}" enhanced port 0 lid {number} lmc 0']
    for at, (label, other, port) in ports.items():
        kind = "H" if "mlx" in label else "S"
        lines.append(f'[{at}]\t"{kind}-{other:016x}"[{port}]\t\t# "{label}" lid {other} 4xHDR')
    return "\n".join(lines) + "\n\n"


def roles(tmp_path: Path, text: str) -> dict[str, str | None]:
    [fabric] = plain(read(tmp_path, {"fabric.out": text}).words["fabrics"])
    return {one["name"]: one.get("role") for one in fabric["topology"]["switches"]}


def test_roles_of_a_dump_that_ends_early_are_those_that_its_blocks_show(tmp_path: Path) -> None:
    leaf = block("leaf", 1, {1: ("n1 mlx5_0", 100, 1), 21: ("spine", 2, 1)})
    spine = block("spine", 2, {1: ("leaf", 1, 21), 2: ("far", 3, 21)})
    far = block("far", 3, {1: ("n2 mlx5_0", 200, 1), 21: ("spine", 2, 2)})
    assert roles(tmp_path, leaf + spine + far) == {"leaf": "leaf", "spine": "spine", "far": "leaf"}
    assert roles(tmp_path, leaf + spine) == {"leaf": "leaf", "spine": "spine", "far": None}
    assert roles(tmp_path, leaf) == {"leaf": "leaf", "spine": None}


def test_a_dump_that_is_indented_or_stands_twice_says_the_same(tmp_path: Path) -> None:
    leaf = block("leaf", 1, {1: ("n1 mlx5_0", 100, 1), 21: ("spine", 2, 1)})
    text = leaf + block("spine", 2, {1: ("leaf", 1, 21)})
    indented = "".join(f"        {line}\n" for line in text.splitlines())
    once = plain(read(tmp_path, {"fabric.out": text}).words)
    assert plain(read(tmp_path, {"fabric.out": indented}).words) == once
    assert plain(read(tmp_path, {"fabric.out": text * 2}).words) == once


def test_lines_of_slurm_that_stand_twice_count_once(tmp_path: Path) -> None:
    text = "ClusterName=x\nSlurmctldHost=c\nNodeName=n[1-4] CPUs=8\nPartitionName=p Nodes=ALL\n"
    words = plain(read(tmp_path, {"slurm.conf": text * 2}).words)
    assert [(one["count"], one["servers"]) for one in words["nodes"]] == [("4", "n[1-4]")]
    assert words["scheduler"]["controllers"] == "1"


def test_times_before_the_lines_of_nccl_tests_do_not_matter(tmp_path: Path) -> None:
    lines = [
        "# Collective test starting: all_reduce_perf",
        "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong",
        "  8589934592    2147483648     float     sum      -1    35000   245.0   460.0      0    35100   245.0   459.0      0",
        "# Avg bus bandwidth    : 300.0",
    ]
    stamped = "".join(f"2025-05-21T09:40:05.123456Z {line}\n" for line in lines)
    [result] = plain(read(tmp_path, {"out.log": stamped}).words["acceptance"])["results"]
    assert (result["test"], result["bus_bandwidth"]) == ("all_reduce", "460 GB/s")


SHOWN_CONFIG = """\
Configuration data as of 2023-08-02T15:34:19
AccountingStorageType   = accounting_storage/slurmdbd
BatchStartTimeout       = 300 sec
ClusterName             = c1
MaxNodeCount            = 3140
SlurmctldHost[0]        = h4slurm
SlurmctldHost[1]        = h4slurmdb

Cgroup Support Configuration:
ConstrainCores          = yes
"""


def test_scontrol_show_config_numbers_its_controllers_and_gives_units(tmp_path: Path) -> None:
    found = read(tmp_path, {"config.txt": SHOWN_CONFIG})
    assert plain(found.words)["scheduler"]["controllers"] == "2"
    assert [SHOWN_CONFIG.splitlines()[number - 1] for number in found.accounts()[0].unclear] == [
        "ConstrainCores          = yes"
    ]


def test_partitions_shown_on_one_line_each(tmp_path: Path) -> None:
    text = (
        "PartitionName=p1 AllowGroups=ALL Default=YES MaxTime=3-00:00:00 Nodes=n[1-4] State=UP JobDefaults=(null) x\n"
    )
    found = read(tmp_path, {"partitions.txt": text})
    [partition] = plain(found.words)["scheduler"]["partitions"]
    assert (partition["servers"], partition["walltime_limit"]) == ("n[1-4]", "72 h")
    assert not found.accounts()[0].unclear
