"""Cores, drives and slots of servers, where a file surely lists all of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path


def pool(tmp_path: Path, name: str, text: str) -> dict[str, Any]:
    (found,) = plain(read(tmp_path, {name: text}).words["nodes"])
    words: dict[str, Any] = found
    return words


@pytest.mark.parametrize(
    ("mask", "threads"),
    [("0x0000000f", "4"), ("0x03000003", None), ("0x000000ff", None), ("", None), ("0xf...f", None)],
)
def test_lstopo_counts_threads_where_all_of_the_machine_are_listed(
    tmp_path: Path, mask: str, threads: str | None
) -> None:
    core = '<object type="Core"><object type="PU"/><object type="PU"/></object>'
    text = f'<topology version="2.0"><object type="Machine" complete_cpuset="{mask}">{core * 2}</object></topology>'
    words = read(tmp_path, {"node.xml": text}).words
    found = plain(words["nodes"])[0] if "nodes" in words else {}
    assert (found.get("cpu_threads"), found.get("cpu_cores")) == (threads, "2" if threads else None)


def test_lstopo_takes_the_largest_group_of_drives_for_data(tmp_path: Path) -> None:
    drive = '<object type="OSDev" name="nvme{}n1" osdev_type="0">{}</object>'
    size = '<info name="Size" value="{}"/>'.format
    drives = [drive.format(at, size(900 if at < 2 else 3000)) for at in range(6)]
    machine = '<topology version="2.0"><object type="Machine"><object type="Package"/>{}</object></topology>'.format
    found = pool(tmp_path, "node.xml", machine("".join(drives)))
    assert found["local_storage"] == {"drives": "4", "capacity": "12000 KiB"}
    assert "local_storage" not in pool(tmp_path, "node.xml", machine("".join(drives) + drive.format(9, "")))


@pytest.mark.parametrize(
    ("prose", "slot"),
    [
        ("PCIe Gen5 x16", ("5", "16")),
        ("PCIe Gen 5 x16", ("5", "16")),
        ("PCIe 5.0x16", ("5", "16")),
        ("PCI Express 4.0", ("4", None)),
        ("NVLink-C2C", (None, None)),
        ("PCIe Gen4 x16 and PCIe Gen5 x8", (None, None)),
        ("PCIe 128 GB/s", (None, None)),
    ],
)
def test_mlperf_names_the_slot_of_a_gpu(tmp_path: Path, prose: str, slot: tuple[str | None, str | None]) -> None:
    text = json.dumps({"accelerators_per_node": "8", "number_of_nodes": "2", "accelerator_host_interconnect": prose})
    found = pool(tmp_path, "system.json", text)
    assert (found.get("pcie_generation"), found.get("pcie_lanes_per_gpu")) == slot


@pytest.mark.parametrize(("threads", "read_as"), [("256", "256"), ("128", None), ("", None)])
def test_mlperf_threads_may_be_those_of_a_socket(tmp_path: Path, threads: str, read_as: str | None) -> None:
    keys = {"host_processors_per_node": "2", "host_processor_core_count": "64", "host_processor_vcpu_count": threads}
    text = json.dumps({"accelerators_per_node": "8", "number_of_nodes": "2", **keys})
    assert pool(tmp_path, "system.json", text).get("cpu_threads") == read_as


@pytest.mark.parametrize(
    ("threads", "each", "read_as"), [("80", "4", "160"), ("160", "4", "160"), ("", "4", "160"), ("81", "4", None)]
)
def test_mlperf_threads_of_a_core_decide(tmp_path: Path, threads: str, each: str, read_as: str | None) -> None:
    """Two sockets of 20 cores with four threads each: 80 is the number of a socket, not two for each core."""
    keys = {"host_processors_per_node": "2", "host_processor_core_count": "20", "host_processor_vcpu_count": threads}
    text = json.dumps(
        {"accelerators_per_node": "4", "number_of_nodes": "64", "host_processor_threads_per_core": each, **keys}
    )
    assert pool(tmp_path, "system.json", text).get("cpu_threads") == read_as


@pytest.mark.parametrize(
    ("kind", "prose", "capacity"),
    [
        ("NVMe SSD", "900GB (/tmp)", "900 GB"),
        ("NVMe SSD", "3.5T", "3.5 TB"),
        ("Local NVMe + Shared File System", "22 TB Local NVMe, Unlimited Shared File System", "22 TB"),
        ("Local NVMe + Shared File System", "22 TB", None),
        ("Weka", "180 TB", None),
        ("NVMe SSD", "2 TB SSD, 5 TB NFS", "2 TB"),
        ("NVMe SSD", "1.7 TB + 27.9 TB SSD", None),
        ("NVMe SSD", "2 x 3.5T data", "7 TB"),
        ("NVMe SSD", "2x 1.92TB NVMe SSD + 30TB U.2 NVMe SSD", "30 TB"),
        ("NVMe SSD", "2x 1.92TB NVMe SSD + 30TB + 15TB", None),
        ("NVMe SSD", "8x 4TB NVMe SSD + 900GB boot", "32 TB"),
        ("NVMe SSD", "8x 4TB NVMe SSD + 900TB NFS", "32 TB"),
    ],
)
def test_mlperf_storage_of_a_server_is_no_shared_file_system(
    tmp_path: Path, kind: str, prose: str, capacity: str | None
) -> None:
    keys = {"host_storage_type": kind, "host_storage_capacity": prose}
    text = json.dumps({"accelerators_per_node": "8", "number_of_nodes": "2", **keys})
    assert pool(tmp_path, "system.json", text).get("local_storage", {}).get("capacity") == capacity


@pytest.mark.parametrize(
    ("host", "between", "generation"),
    [("", "PCIe gen4 x16", "4"), ("PCIe 5.0 x16", "PCIe 4.0", "5"), ("", "NVLINK 4.0, PCIe 4.0", None)],
)
def test_mlperf_gpus_that_exchange_data_over_slots_state_them(
    tmp_path: Path, host: str, between: str, generation: str | None
) -> None:
    keys = {"accelerator_host_interconnect": host, "accelerator_interconnect": between}
    text = json.dumps({"accelerators_per_node": "8", "number_of_nodes": "2", **keys})
    assert pool(tmp_path, "system.json", text).get("pcie_generation") == generation


CARD = '<pci busid="0:{at}" class="0x030200" vendor="0x10de" device="{device}" link_speed="" link_width="0"/>'


@pytest.mark.parametrize(
    ("devices", "gpu"),
    [
        (("0x2330", "0x2330"), "h100-sxm-80gb"),
        (("0x2330", "0x2335"), None),  # unlike GPUs are no model of the pool
        (("0x2336", "0x2336"), None),  # a number of several models
    ],
)
def test_the_numbers_of_a_device_name_its_gpu(tmp_path: Path, devices: tuple[str, str], gpu: str | None) -> None:
    cards = "".join(CARD.format(at=at, device=one) for at, one in enumerate(devices))
    found = pool(tmp_path, "topo.xml", f'<system version="1"><cpu numaid="0">{cards}</cpu></system>')
    assert (found["gpus"], found.get("gpu")) == ("2", gpu)


@pytest.mark.parametrize(
    ("kind", "text", "gpu"),
    [
        ("0302 [10de:2330] [10de:16c1] a1 00", "", "h100-sxm-80gb"),
        ("1200 [1002:74a1] [1002:74a1] 00 00", "", "mi300x"),
        ("0302 [10de:ffff] [10de:0001] a1 00", "NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"),
    ],
)
def test_lstopo_names_gpus_by_their_numbers_then_by_what_a_library_says(
    tmp_path: Path, kind: str, text: str, gpu: str
) -> None:
    info = f'<object type="OSDev"><info name="GPUModel" value="{text}"/></object>' if text else ""
    card = f'<object type="PCIDev" pci_type="{kind}" pci_link_speed="0.0">{info}</object>'
    found = pool(tmp_path, "node.xml", f'<topology version="2.0"><object type="Machine">{card}</object></topology>')
    assert (found["gpus"], found["gpu"]) == ("1", gpu)


@pytest.mark.parametrize("keys", [{"CUDA": "12.2.1", "cuDNN": "8.9.5"}, {"cuda_version": "12.2.1", "cudnn": "8.9.5"}])
def test_mlperf_software_by_any_of_its_names(tmp_path: Path, keys: dict[str, str]) -> None:
    stated = {"accelerators_per_node": "8", "number_of_nodes": "2", "other_software_stack": keys}
    assert plain(read(tmp_path, {"system.json": json.dumps(stated)}).words["software"]) == {
        "cuda": "12.2.1", "cudnn": "8.9.5",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("ends", "cells", "domain"),
    [
        ("OSDev:1 OSDev:2 OSDev:3 OSDev:4", "9 1 0 0 1 9 0 0 0 0 9 1 0 0 1 9", "2"),
        ("OSDev:1 OSDev:2 Package:1", "9 0 1 0 9 1 1 1 9", None),  # what goes over a processor is no scale-up network
        ("OSDev:1 OSDev:2 PCIDev:9", "9 0 1 0 9 1 1 1 9", "2"),
        (
            "OSDev:1 OSDev:2 PCIDev:8 PCIDev:9",
            "9 0 1 0 0 9 0 1 1 0 9 0 0 1 0 9",
            None,
        ),  # links between switches are not shown
    ],
)
def test_lstopo_joins_gpus_by_their_nvlinks(tmp_path: Path, ends: str, cells: str, domain: str | None) -> None:
    matrix = (
        f'<distances2hetero name="NVLinkBandwidth" nbobjs="{len(ends.split())}"><indexes length="9">{ends} </indexes>'
    )
    half = len(cells) // 2 + len(cells) // 2 % 2
    for part in (cells[:half], cells[half:]):
        matrix += f'<u64values length="9">{part.strip()} </u64values>'
    found = pool(
        tmp_path, "node.xml", f'<topology version="2.0"><object type="Machine"/>{matrix}</distances2hetero></topology>'
    )
    assert found.get("scale_up_domain") == domain


def test_mlperf_names_the_driver_in_a_sentence(tmp_path: Path) -> None:
    stated = {"accelerators_per_node": "8", "number_of_nodes": "1", "other_software_stack": "CUDA 12.4, Driver 560.30"}
    software = plain(read(tmp_path, {"system.json": json.dumps(stated)}).words["software"])
    assert software == {"cuda": "12.4", "driver": "560.30"}


@pytest.mark.parametrize(
    ("key", "prose", "expected"),
    [
        ("host_memory_capacity", "24 x 32GB RDIMM, 3200MT/s", {"host_memory": "768 GB"}),
        ("host_memory_capacity", "2 TB (32x 64GB)", {"host_memory": "2 TB"}),
        ("host_storage_capacity", "4 x Dell 1TB NVMe SSD", {"local_storage": {"drives": "4", "capacity": "4 TB"}}),
        ("cooling", "Water-cooled", {"cooling": "liquid"}),
    ],
)
def test_mlperf_counts_modules_and_drives(tmp_path: Path, key: str, prose: str, expected: dict[str, Any]) -> None:
    found = pool(tmp_path, "system.json", json.dumps({"accelerators_per_node": 8, "number_of_nodes": 2, key: prose}))
    assert {word: found.get(word) for word in expected} == expected


@pytest.mark.parametrize(
    ("name", "gpu"),
    [("NVIDIA RTX A5000", {"memory": "24 GB"}), ("NVIDIA A100-SXM4-80GB", {"model": "a100-sxm-80gb"})],
)
def test_mlperf_states_the_memory_of_a_gpu_that_no_catalogue_has(
    tmp_path: Path, name: str, gpu: dict[str, str]
) -> None:
    described = {"accelerators_per_node": 2, "number_of_nodes": 1, "accelerator_memory_capacity": "2x 24 GB"}
    assert pool(tmp_path, "system.json", json.dumps({**described, "accelerator_model_name": name}))["gpu"] == gpu


def test_lstopo_counts_processors_by_either_name(tmp_path: Path) -> None:
    text = '<topology><object type="Machine"><object type="Socket"/><object type="Socket"/></object></topology>'
    assert pool(tmp_path, "node.xml", text)["sockets"] == "2"
