"""Storage benchmarks: every form in which the tools print, the fastest of several tests, and what is no result."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import at, plain, read

if TYPE_CHECKING:
    from pathlib import Path

ROWS = """IOR-4.0.0: MPI Coordinated Test of Parallel I/O
Options:
ordering in a file  : sequential
nodes               : 4
tasks               : 32
clients per node    : 8

Results:

access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
------    ---------  ----       ----------  ---------- ---------  --------   --------   --------   --------   ----
write     1000       1000       0.1         1024       1024       0.1        1.0        0.1        1.0        0
write     2000       2000       0.1         1024       1024       0.1        1.0        0.1        1.0        1
read      4000       4000       0.1         1024       1024       0.1        1.0        0.1        1.0        0
"""
FIO = """seq: (g=0): rw=read, bs=(R) 1024KiB-1024KiB, ioengine=libaio, iodepth=32
rnd: (g=1): rw=randread, bs=(R) 4096B-4096B, ioengine=libaio, iodepth=32
small: (g=2): rw=read, bs=(R) 4096B-4096B, ioengine=libaio, iodepth=32
fio-3.36
Run status group 0 (all jobs):
   READ: bw=18.6GiB/s (20.0GB/s), 18.6GiB/s-18.6GiB/s (20.0GB/s-20.0GB/s), io=1GiB (1GB), run=1-1msec

Run status group 1 (all jobs):
   READ: bw=28.6GiB/s (30.7GB/s), 28.6GiB/s-28.6GiB/s (30.7GB/s-30.7GB/s), io=1GiB (1GB), run=1-1msec

Run status group 2 (all jobs):
   READ: bw=93.1GiB/s (5.0GB/s), 5.0GiB/s-5.0GiB/s (5.0GB/s-5.0GB/s), io=1GiB (1GB), run=1-1msec
"""


def result(tmp_path: Path, text: str, name: str = "out.txt") -> dict[str, Any]:
    """The only result of an output without its name; nothing where there is none."""
    found = read(tmp_path, {name: text})
    assert not found.refused
    assert all(one.lines == one.understood + one.immaterial + len(one.unclear) for one in found.accounts())
    words = plain(found.words).get("acceptance", {"results": [{"name": ""}]})["results"]
    return {word: value for word, value in words[0].items() if word != "name"}


def test_the_rows_of_ior_are_enough_and_the_fastest_repetition_counts(tmp_path: Path) -> None:
    assert result(tmp_path, ROWS) == {"write": "2.097 GB/s", "read": "4.194 GB/s", "servers": "4"}


@pytest.mark.parametrize(
    "size",
    ["tasks               : 32\nclients per node    : 8", "\tclients            = 32 (8 per node)"],
)
def test_servers_follow_from_the_tasks_of_ior(tmp_path: Path, size: str) -> None:
    text = f"IOR-3.1.0: MPI Coordinated Test of Parallel I/O\n{size}\nMax Read:  4000.00 MiB/sec (4194.30 MB/sec)\n"
    assert result(tmp_path, text) == {"read": "4.194 GB/s", "servers": "4"}
    odd = result(tmp_path, text.replace("32", "33"))
    assert odd == {"read": "4.194 GB/s"}


def test_random_order_of_ior_is_no_result(tmp_path: Path) -> None:
    assert result(tmp_path, ROWS.replace("sequential", "random")) == {}


def test_of_several_runs_of_ior_the_fastest_counts(tmp_path: Path) -> None:
    other = ROWS.replace("4000 ", "8000 ").replace("nodes               : 4", "nodes               : 8")
    assert result(tmp_path, ROWS + other) == {"write": "2.097 GB/s", "read": "8.389 GB/s"}


def test_ior_as_json_with_its_summary_or_without(tmp_path: Path) -> None:
    run: dict[str, Any] = {
        "Version": "4.0.0",
        "Command line": "ior -F",
        "tests": [
            {
                "Parameters": {"nodes": 4},
                "Options": {"ordering in a file": "sequential"},
                "Results": [[{"access": "write", "bwMiB": 1000}, {"access": "write", "bwMiB": 2000}]],
            }
        ],
    }
    assert result(tmp_path, json.dumps(run), "out.json") == {"write": "2.097 GB/s", "servers": "4"}
    run["summary"] = [{"operation": "read", "bwMaxMIB": 4000}]
    assert result(tmp_path, json.dumps(run), "out.json") == {"read": "4.194 GB/s", "servers": "4"}


def test_groups_of_fio_wait_for_one_another(tmp_path: Path) -> None:
    assert result(tmp_path, FIO) == {"read": "20 GB/s"}
    jobs = [
        {"groupid": group, "job options": {"rw": order}, "read": {"bw_bytes": rate}}
        for group, order, rate in ((0, "read", 8e9), (0, "read", 8e9), (1, "read", 9e9), (2, "randread", 30e9))
    ]
    assert result(tmp_path, json.dumps({"fio version": "fio-3.36", "jobs": jobs}), "fio.json") == {"read": "16 GB/s"}


def test_version_2_of_fio_counts_in_1024(tmp_path: Path) -> None:
    line = "  WRITE: io=6377.3MB, aggrb=1953125KB/s, minb=1953125KB/s, maxb=1953125KB/s, mint=1msec, maxt=1msec"
    job = "seq: (g=0): rw=write, bs=1M-1M/1M-1M/1M-1M, ioengine=libaio, iodepth=32"
    assert result(tmp_path, f"{job}\nfio-2.1.10\nRun status group 0 (all jobs):\n{line}\n") == {"write": "2 GB/s"}


def test_the_end_of_fio_alone_does_not_say_in_which_order_it_read(tmp_path: Path) -> None:
    end = "Run status group 0 (all jobs):\n   READ: bw=227MiB/s (239MB/s), 227MiB/s-227MiB/s, io=29.0GiB, run=134968msec\n"
    found = read(tmp_path, {"out.txt": end})
    assert "acceptance" not in found.words
    assert [(one.name, one.value.text) for one in found.facts] == [
        ("read in an order that is not stated", "0.239 GB/s")
    ]
    assert result(tmp_path, f"$ fio --name=a --rw=read --bs=1M\n{end}") == {"read": "0.239 GB/s"}
    assert result(tmp_path, f"$ fio --name=a --rw=randread --bs=4k\n{end}") == {}


def test_old_summaries_of_io500_and_its_result_file(tmp_path: Path) -> None:
    old = "[RESULT] BW   phase 1            ior_easy_write               10.000 GB/s : time 355.60 seconds\n"
    assert result(tmp_path, old) == {"write": "10.74 GB/s"}
    assert result(tmp_path, old.replace("[RESULT]", "[RESULT-invalid]")) == {}
    file = "[run]\nprocs = 64\n\n[ior-easy-read]\nexe = ./ior -F\nscore = 10.0\nt_delta = 310.1\n\n[ior-hard-read]\nscore = 1.0\n"
    assert result(tmp_path, file) == {"read": "10.74 GB/s"}
    assert result(tmp_path, file.replace("t_delta", "; ERROR INVALID (src/main.c:1) too short\nt_delta")) == {}


def test_numbers_that_are_none_are_left_alone(tmp_path: Path) -> None:
    text = f"{ROWS}\nMax Write: 1.2.3 MiB/sec\nMax Read:  {'9' * 60} MiB/sec\n"
    assert result(tmp_path, text)["read"] == "4.194 GB/s"


def test_version_2_of_fio_does_not_show_its_order(tmp_path: Path) -> None:
    job = {"jobname": "a", "groupid": 0, "read": {"bw": 1000, "iops": 2}, "write": {"bw": 0, "iops": 0}}
    text = json.dumps({"fio version": "fio-2.1.4", "jobs": [job]})
    found = read(tmp_path, {"fio.json": text})
    assert "acceptance" not in found.words
    assert [one.value.text for one in found.facts if "not stated" in one.name] == ["0.001024 GB/s"]
    shown = json.dumps({"fio version": "fio-2.99", "jobs": [job | {"job options": {"rw": "read"}}]})
    assert at(read(tmp_path, {"fio.json": shown}), "acceptance/results/0/read").text == "0.001024 GB/s"


def test_the_first_version_of_io500_in_c_prints_each_result_twice(tmp_path: Path) -> None:
    line = "[Result] IOR ior_easy_{} bw: {} GiB/s time: 300.3s size: 128.0 GiB (perf at stonewall min: 26.3 GiB/s)\n"
    text = line.format("write", "2.000") + line.format("read", "4.000") + line.format("write", "2.000")
    text += "[Result] IOR ior_hard_read bw: 9.000 GiB/s time: 300.3s size: 12.0 GiB\n"
    found = read(tmp_path, {"io500.txt": text})
    rates = at(found, "acceptance/results/0/write"), at(found, "acceptance/results/0/read")
    assert [(one.text, one.note) for one in rates] == [
        ("2.147 GB/s", "ior-easy-write 2.000 GiB/s"),
        ("4.295 GB/s", "ior-easy-read 4.000 GiB/s"),
    ]
