"""MLPerf Storage's descriptions of systems: the drives that hold data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

DATA = {"purpose": ["Hold the metadata and data"], "drive_type": "SSD", "capacity_GiB": 7864, "interface": "NVMe"}
SYSTEM = {
    "purpose": ["Hold the OS"],
    "drive_type": "SSD",
    "capacity_GiB": 480,
    "interface": "SATA",
    "count_of_this_type": 2,
}


def tier(folder: Path, *drives: dict[str, Any]) -> dict[str, Any]:
    own = {**DATA, "count_of_this_type": 4}
    nodes = [{"node_type_name": "Client", "drives": [own]}, {"node_type_name": "Server", "drives": [*drives]}]
    system = {"solution_name": "own", "usable_capacity_GiB": 172032}
    hosts = [{"node_name": "client1", "node_type_name": "Client"}]
    text = json.dumps({"nodes": nodes, "benchmark_hosts": hosts, "storage_system": system}, indent=1)
    (found,) = plain(read(folder, {"system.json": text}).words["storage"])
    return dict(found)


def test_drives_that_hold_data_are_the_tiers(tmp_path: Path) -> None:
    found = tier(tmp_path, SYSTEM, {**DATA, "count_of_this_type": 16})
    assert (found["drives"], found["drive_capacity"], found["media"]) == ("16", "7864 GiB", "nvme")


@pytest.mark.parametrize(
    ("other", "known"),
    [({"capacity_GiB": 100}, False), ({"purpose": ["Metadata"]}, True), ({"purpose": ["Boot"]}, True)],
)
def test_of_several_kinds_of_data_drives_none_is_chosen(tmp_path: Path, other: dict[str, Any], known: bool) -> None:
    found = tier(tmp_path, SYSTEM, {**DATA, "count_of_this_type": 16}, {**DATA, **other, "count_of_this_type": 8})
    assert ("drives" in found) == known


def test_storage_servers_that_run_the_benchmark_too_are_no_clients(tmp_path: Path) -> None:
    disk = {"drive_type": "SSD", "capacity_GiB": 7152, "count_of_this_type": 32}
    gpu = {"vendor_and_model": "NVIDIA H100", "count_of_this_type": 5}
    described = {
        "networks": [{"network_name": "n", "protocols": ["NFSv4.2", "NFSv3"]}],
        "nodes": [
            {"node_type_name": "Client", "accelerators": [gpu], "drives": [{**DATA, "count_of_this_type": 4}]},
            {"node_type_name": "A", "accelerators": [], "drives": [disk]},
            {"node_type_name": "B", "accelerators": [], "drives": [disk]},
        ],
        "benchmark_hosts": [{"node_name": one, "node_type_name": one} for one in ("Client", "A", "B")],
        "storage_system": {"vendor_name": "v", "solution_name": "own", "raw_capacity_GiB": 9},
    }
    (found,) = plain(read(tmp_path, {"system.json": json.dumps(described)}).words["storage"])
    assert found == {"name": "own", "kind": "nfs", "drives": "32", "drive_capacity": "7152 GiB", "media": "ssd"}
