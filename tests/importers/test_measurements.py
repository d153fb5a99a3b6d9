"""Measurements in the forms that people keep: tables without the lines around them, text before JSON, runs that do not count."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """\
nodes               : 16
tasks               : 128

Summary of all tests:
Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev
write       2000.00    1000.00    1500.00       0.00
read        4000.00    3000.00    3500.00       0.00
Finished            : Tue May 14 09:14:02 2024
"""
PHASES = """\
IO500 version io500-isc23 (standard)
[RESULT]       ior-easy-write       10.0 GiB/s : time 35.013 seconds [INVALID]
[RESULT]        ior-easy-read       20.0 GiB/s : time 301.2 seconds
"""
GROUPS = """\
seq: (g=0): rw=ORDER, bs=(R) 1024KiB-1024KiB, ioengine=libaio, iodepth=64
fio-3.28
Run status group 0 (all jobs):
   READ: bw=40.2GiB/s (43.2GB/s), 40.2GiB/s-40.2GiB/s (43.2GB/s-43.2GB/s), io=2413GiB (2591GB), run=60010-60010msec
"""


SIZES = """\
#       size         count      type   redop    root     time   algbw   busbw%s
#        (B)    (elements)                             (us)  (GB/s)  (GB/s)
     524288        131072     float     sum      -1    256.8    2.04    3.83%s
 8589934592      %s     float     sum      -1   458955   18.72   35.10%s
# Out of bounds values : %s
"""


def result(tmp_path: Path, text: str) -> dict[str, Any]:
    words = plain(read(tmp_path, {"out.txt": text}).words)
    return {
        key: value for key, value in words.get("acceptance", {"results": [{}]})["results"][0].items() if key != "name"
    }


@pytest.mark.parametrize(("count", "wrong"), [("2147483648", ""), ("2.15e+9", "      0"), ("2147483648", "    N/A")])
def test_the_largest_message_counts_in_every_layout_of_nccl_tests(tmp_path: Path, count: str, wrong: str) -> None:
    text = SIZES % (wrong and "  #wrong", wrong, count, wrong, "0 OK")
    assert result(tmp_path, text)["bus_bandwidth"] == "35.1 GB/s"
    assert result(tmp_path, text)["message"] == "8589934592 B"


def test_columns_of_nccl_tests_may_be_cut(tmp_path: Path) -> None:
    text = "all_gather_perf -b 16G\n#       size      time   algbw   busbw\n 17179869184   387603   44.32   22.16\n"
    assert result(tmp_path, text) == {"test": "all_gather", "message": "17179869184 B", "bus_bandwidth": "22.16 GB/s"}


def _ranks(hosts: dict[int, str]) -> str:
    return "".join(
        f"#  Rank {rank:2} Group  0 Pid  9{rank} on {host} device  0 [0x0f] H100\n" for rank, host in hosts.items()
    )


def test_ranks_that_a_list_leaves_out_count(tmp_path: Path) -> None:
    table = SIZES % ("", "", "2147483648", "", "0 OK")
    short = result(tmp_path, _ranks({0: "a", 7: "a", 8: "b", 15: "b"}) + table)
    assert (short["gpus"], short["servers"]) == ("16", "2")
    unsure = result(tmp_path, _ranks({0: "a", 15: "b"}) + table)
    assert unsure["gpus"] == "16"
    assert "servers" not in unsure


def test_each_test_of_a_log_is_a_result(tmp_path: Path) -> None:
    rows = SIZES.replace("35.10", "17.55") % ("", "", "2147483648", "", "0 OK")
    ends = "# Collective test concluded: %s_perf\n"
    log = f"+ all_reduce_perf -b 8\n{SIZES % ('', '', '2147483648', '', '0 OK')}{ends % 'all_reduce'}+ all_gather_perf\n{rows}"
    results = plain(read(tmp_path, {"log.txt": log + ends % "all_gather"}).words)["acceptance"]["results"]
    assert [(one["test"], one["bus_bandwidth"]) for one in results] == [
        ("all_reduce", "35.1 GB/s"),
        ("all_gather", "17.55 GB/s"),
    ]
    assert results[0]["name"] != results[1]["name"]


def test_a_test_with_wrong_values_has_no_result(tmp_path: Path) -> None:
    found = read(tmp_path, {"out.txt": SIZES % ("", "", "2147483648", "", "3 FAILED")})
    assert "acceptance" not in found.words
    assert [one.word for one in found.unknowns] == ["acceptance/results/bus_bandwidth"]


def test_the_table_of_ior_is_enough(tmp_path: Path) -> None:
    assert result(tmp_path, TABLE) == {"write": "2.097 GB/s", "read": "4.194 GB/s", "servers": "16"}


def test_a_phase_that_io500_calls_invalid_is_no_result(tmp_path: Path) -> None:
    assert result(tmp_path, PHASES) == {"read": "21.47 GB/s"}


def test_fio_for_people_and_fio_with_text_before_its_json(tmp_path: Path) -> None:
    assert result(tmp_path, GROUPS.replace("ORDER", "read")) == {"read": "43.2 GB/s"}
    keys = {"fio version": "fio-3.42", "jobs": [{"jobname": "a", "read": {"bw_bytes": 5e9}, "write": {"bw_bytes": 0}}]}
    assert result(tmp_path, f"fio-3.42\nStarting 1 process\n{json.dumps(keys, indent=2)}\n") == {"read": "5 GB/s"}


def test_fio_that_was_stopped_says_so_before_its_json(tmp_path: Path) -> None:
    keys = {"fio version": "fio-3.33", "jobs": [{"jobname": "a", "read": {"bw_bytes": 5e9}}]}
    text = f"\nfio: terminating on signal 2\n{json.dumps(keys, indent=2)}\n"
    assert result(tmp_path, text) == {"read": "5 GB/s"}


def test_random_order_says_nothing_of_rates_in_order(tmp_path: Path) -> None:
    assert result(tmp_path, GROUPS.replace("ORDER", "randread")) == {}
    keys = {"fio version": "fio-3.42", "global options": {"rw": "randread"}, "jobs": [{"read": {"bw_bytes": 5e9}}]}
    assert result(tmp_path, json.dumps(keys)) == {}


def test_clients_are_counted_once(tmp_path: Path) -> None:
    clients = [
        {"jobname": name, "read": {"bw_bytes": rate}} for name, rate in (("a", 5e9), ("b", 6e9), ("All clients", 11e9))
    ]
    assert result(tmp_path, json.dumps({"fio version": "fio-3.43", "client_stats": clients})) == {"read": "11 GB/s"}


def test_lldp_where_everything_is_a_list(tmp_path: Path) -> None:
    port = {"id": [{"type": "ifname", "value": "swp3"}], "descr": [{"value": "to node"}]}
    seen = {"name": "enp225s0", "chassis": [{"name": [{"value": "leaf-21"}]}], "port": [port]}
    words = plain(read(tmp_path, {"node1.json": json.dumps({"lldp": [{"interface": [seen]}]})}).words)
    assert words["fabrics"][0]["topology"]["host_links"] == [
        {"server": "node1", "adapter": "enp225s0", "to": "leaf-21", "port": "swp3"}
    ]


@pytest.mark.parametrize(("second", "told"), [("NVIDIA GH200 120GB", ["NVIDIA GH200 120GB"]), ("NVIDIA H100", [])])
def test_ranks_on_gpus_of_one_model_tell_it(tmp_path: Path, second: str, told: list[str]) -> None:
    ranks = "".join(
        f"#  Rank  {at} Group  0 Pid 7 on  n1 device  {at} [0009:01:00] {name}\n"
        for at, name in enumerate(("NVIDIA GH200 120GB", second))
    )
    found = read(tmp_path, {"out.txt": ranks + SIZES % ("", "", "2147483648", "", "0 OK")})
    assert [one.value.text for one in found.facts if one.name == "GPU"] == told
