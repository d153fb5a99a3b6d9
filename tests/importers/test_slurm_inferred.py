"""Slurm: what follows from several parameters, and names that partitions need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "ClusterName=c\nSlurmctldHost=ctl1\nNodeName=gpu[001-002] CPUs=4\n"


@pytest.mark.parametrize(
    ("select", "shared", "exclusive"),
    [
        ("SelectType=select/linear", "", "true"),
        ("SelectType=select/linear", " OverSubscribe=NO", "true"),
        ("SelectType=select/linear", " OverSubscribe=FORCE:2", "false"),
        ("SelectType=select/cons_tres", "", None),
        ("", "", None),
    ],
)
def test_linear_selection_hands_out_whole_servers(
    tmp_path: Path, select: str, shared: str, exclusive: str | None
) -> None:
    text = f"ClusterName=c\n{select}\nNodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=n[1-2]{shared}\n"
    (partition,) = plain(read(tmp_path, {"slurm.conf": text}).words["scheduler"])["partitions"]
    assert partition.get("exclusive") == exclusive


@pytest.mark.parametrize(
    ("more", "strangers"),
    [
        ("PartitionName=p Nodes=n[1-4]", ["n[3-4]"]),
        ("PartitionName=p Nodes=ALL", []),
        ("NodeSet=s Nodes=n1\nPartitionName=p Nodes=s,n2", []),
        ("MaxNodeCount=9\nPartitionName=p Nodes=n[1-4]", []),  # servers may register themselves
        ("Include other.conf\nPartitionName=p Nodes=n[1-4]", []),
    ],
)
def test_a_partition_names_servers_that_are_defined(tmp_path: Path, more: str, strangers: list[str]) -> None:
    found = read(tmp_path, {"slurm.conf": f"ClusterName=c\nNodeName=n[1-2] CPUs=4\n{more}\n"})
    assert [one.values["name"] for one in found.clashes if one.rule == "import/unknown-name"] == strangers


@pytest.mark.parametrize(
    ("line", "sockets"),
    [
        ("CPUs=16 CoresPerSocket=4 ThreadsPerCore=2", "2"),
        ("CPUs=1 CoresPerSocket=2 ThreadsPerCore=1", None),
        ("CPUs=16 CoresPerSocket=4", None),
    ],
)
def test_sockets_follow_from_cpus_and_cores(tmp_path: Path, line: str, sockets: str | None) -> None:
    (pool,) = plain(read(tmp_path, {"slurm.conf": f"NodeName=n1 {line}\n"}).words["nodes"])
    assert pool.get("sockets") == sockets


@pytest.mark.parametrize(("second", "grace"), [("60", "1 min"), ("30", None), ("", None)])
def test_the_grace_of_all_partitions_is_that_of_the_scheduler(tmp_path: Path, second: str, grace: str | None) -> None:
    more = f" GraceTime={second}" if second else ""
    text = f"ClusterName=c\nNodeName=n1\nPartitionName=a Nodes=n1 GraceTime=60\nPartitionName=b Nodes=n1{more}\n"
    assert plain(read(tmp_path, {"slurm.conf": text}).words["scheduler"]).get("preemption_grace") == grace


def test_scontrol_shows_larger_blocks_as_aggregated_ones(tmp_path: Path) -> None:
    text = (
        "BlockName=b1 BlockIndex=0 Nodes=n[1-4] BlockSize=4\nBlockName=b2 BlockIndex=1 Nodes=n[5-8] BlockSize=4\n"
        "AggregatedBlock=b[1-2] BlockIndex=2 Nodes=n[1-8] BlockSize=8\n"
    )
    found = read(tmp_path, {"shown.txt": text})
    scheduler = plain(found.words["scheduler"])
    assert (scheduler["block_sizes"], len(scheduler["blocks"])) == (["4", "8"], 2)
    assert not any(one.unclear for one in found.accounts())


def test_pools_of_a_gres_conf_have_names_and_types_of_their_own(tmp_path: Path) -> None:
    text = (
        "NodeName=gpu[1-2] Name=gpu Type=h100-sxm-80gb File=/dev/nvidia[0-7]\n"
        "NodeName=gpu3 Name=gpu Type=titan File=/dev/nvidia[0-3]\nNodeName=gpu3 Name=gpu Type=a40 File=/dev/nvidia4\n"
    )
    first, second = plain(read(tmp_path, {"gres.conf": text}).words["nodes"])
    assert (first["name"], first["gpu"], first["gpus"]) == ("gpu", "h100-sxm-80gb", "8")
    assert (second["name"], second.get("gpu"), second["gpus"]) == ("gpu-2", None, "5")


def test_levels_that_scontrol_prints_are_the_roles(tmp_path: Path) -> None:
    text = (
        "SwitchName=l1 Level=0 LinkSpeed=1 Nodes=n1\n"
        "SwitchName=parked Level=0 LinkSpeed=1 Nodes=n2\n"
        "SwitchName=s1 Level=1 LinkSpeed=1 Nodes=n1 Switches=l1\n"
        "SwitchName=root Level=2 LinkSpeed=1 Nodes=n[1-2] Switches=s1,parked\n"
    )
    [fabric] = plain(read(tmp_path, {"topology.txt": text}).words["fabrics"])
    roles = {one["name"]: one["role"] for one in fabric["topology"]["switches"]}
    assert roles == {"l1": "leaf", "parked": "leaf", "s1": "spine", "root": "core"}


def test_a_partition_names_the_jobs_that_it_admits(tmp_path: Path) -> None:
    lines = "PartitionName=long Nodes=gpu[001-002] MaxNodes=2 AllowAccounts=llm,vision AllowQos=long\n"
    lines += "PartitionName=open Nodes=gpu[001-002] MaxNodes=UNLIMITED AllowAccounts=ALL AllowQos=all\n"
    found = read(tmp_path, {"slurm.conf": HEAD + lines})
    long, free = plain(found.words["scheduler"])["partitions"][-2:]
    assert (long["largest_job"], long["accounts"], long["qualities"]) == ("2", ["llm", "vision"], ["long"])
    assert not {"largest_job", "accounts", "qualities"} & set(free)
