"""The headers of PBS and Torque, and of schedulers whose headers are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

LAUNCH = "mpiexec --ppn 4 python pretrain_gpt.py --tensor-model-parallel-size 4 --micro-batch-size 1\n"
SCATTER = "#PBS -l place=scatter\n"


def job(folder: Path, header: str) -> tuple[Any, list[str]]:
    """The words of a batch script with a header, and why it leaves others open."""
    found = read(folder, {"run.sh": f"#!/bin/bash\n{header}\n{LAUNCH}"})
    (words,) = plain(found.words["workloads"])
    return words, [one.why for one in found.unknowns if one.word.endswith("/job/servers")]


@pytest.mark.parametrize(
    ("header", "servers", "each", "total"),
    [
        (f"{SCATTER}#PBS -l select=4:ncpus=64:ngpus=4:mem=400gb", "4", "4", "16"),
        ("#PBS -l select=1:ngpus=8", "1", "8", "8"),
        ("#PBS -l select=ngpus=8", "1", "8", "8"),
        ("#PBS -l select=4:ngpus=4", None, None, "16"),
        (f"{SCATTER}#PBS -l select=4:ngpus=4+1:ncpus=8", None, None, None),
        ("#PBS -l nodes=2:ppn=8:gpus=8", "2", "8", "16"),
        ("#PBS -l nodes=gpu01:gpus=8", None, None, None),
        (f"{SCATTER}##PBS -l select=4:ngpus=4", None, None, None),
    ],
)
def test_chunks_are_servers_where_each_has_its_own(
    tmp_path: Path, header: str, servers: str | None, each: str | None, total: str | None
) -> None:
    words, _ = job(tmp_path, header)
    asked = (words["job"].get("servers"), words["job"].get("gpus_per_server"), words.get("runs_on", {}).get("gpus"))
    assert asked == (servers, each, total)


def test_chunks_that_may_share_a_server_are_told(tmp_path: Path) -> None:
    assert job(tmp_path, "#PBS -l select=4:ngpus=4")[1] == [
        "the chunks of its header may share a server: `place=scatter` is not stated"
    ]


@pytest.mark.parametrize(
    ("stated", "walltime"),
    [("06:00:00", "6 h"), ("30:00", "30 min"), ("3600", "1 h"), ("1:00:00:00", None), ("soon", None)],
)
def test_numbers_alone_are_seconds(tmp_path: Path, stated: str, walltime: str | None) -> None:
    words, _ = job(tmp_path, f'#PBS -l walltime={stated}\n#PBS -N "llama"\n#PBS -q prod')
    assert (words["name"], words["job"]["queue"], words["job"].get("walltime")) == ("llama", "prod", walltime)


def test_memory_is_of_a_server(tmp_path: Path) -> None:
    words, _ = job(tmp_path, f"{SCATTER}#PBS -l select=2:mem=400gb:mpiprocs=4,walltime=1:00:00")
    assert (words["job"]["host_memory"], words["job"]["walltime"]) == ("400 GiB", "1 h")


def test_options_after_the_first_command_count_for_nothing(tmp_path: Path) -> None:
    words, _ = job(tmp_path, "cd work\n#PBS -l nodes=2")
    assert "servers" not in words["job"]


@pytest.mark.parametrize(
    ("header", "tool"),
    [("#BSUB -nnodes 4", "LSF"), ("#$ -l rt_F=2", "Grid Engine"), ("#PJM -L node=4", "Fujitsu's job manager")],
)
def test_other_headers_are_told(tmp_path: Path, header: str, tool: str) -> None:
    assert job(tmp_path, header)[1] == [f"its header is {tool}'s, which is not read"]
