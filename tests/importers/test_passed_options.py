"""Launchers that other commands start: behind `--`, as a Python module, or with a rank for each task."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")

HEAD = "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --gpus-per-node=8\n"


@pytest.mark.parametrize(
    ("command", "conflicts", "awaited"),
    [
        ("srun axolotl train t.yaml --launcher torchrun -- --nnodes=4 --nproc_per_node=8", [], "4"),
        ("srun axolotl train t.yaml --launcher torchrun -- --nnodes=2 --nproc_per_node=8", [], "2"),
        ("srun axolotl train t.yaml -- --nnodes=2", [], None),
        ("srun bash -c 'python -u -m accelerate.commands.launch --num_processes 8 t.py'", [("gpus", "8", "32")], None),
        ("srun bash -c 'python -u -m accelerate.commands.launch --num_processes 32 t.py'", [], None),
    ],
)
def test_a_launcher_is_read_wherever_it_starts(
    command: str, conflicts: list[tuple[str, str, str]], awaited: str | None, tmp_path: Path
) -> None:
    found = read(tmp_path, {"t.sbatch": f"{HEAD}{command}\n"})
    assert [(one.values["word"], one.values["one"], one.values["other"]) for one in found.clashes] == conflicts
    assert plain(found.words["workloads"])[0]["job"].get("launcher_servers") == awaited


@pytest.mark.parametrize(
    ("options", "tasks"),
    [
        ("--nodes=2\n#SBATCH --gpus=16\n#SBATCH --ntasks-per-gpu=1", "8"),
        ("--nodes=2\n#SBATCH --gpus-per-node=4\n#SBATCH --ntasks-per-gpu=2", "8"),
        ("--nodes=3\n#SBATCH --gpus=16\n#SBATCH --ntasks-per-gpu=1", None),
        ("--gpus=16\n#SBATCH --ntasks-per-gpu=1", None),
    ],
)
def test_tasks_are_counted_by_gpus(options: str, tasks: str | None, tmp_path: Path) -> None:
    found = read(tmp_path, {"t.sbatch": f"#!/bin/bash\n#SBATCH {options}\nsrun python train.py\n"})
    assert plain(found.words["workloads"])[0]["job"].get("tasks_per_server") == tasks


@pytest.mark.parametrize(("rank", "known"), [("RANK=$SLURM_PROCID", "true"), ("LOCAL_RANK=$SLURM_LOCALID", None)])
def test_a_rank_for_each_task_makes_tasks_ranks(rank: str, known: str | None, tmp_path: Path) -> None:
    found = read(tmp_path, {"t.sbatch": f"{HEAD}srun bash -c '{rank} python train.py'\n"})
    assert plain(found.words["workloads"])[0]["job"].get("tasks_are_ranks") == known


@pytest.mark.parametrize(
    ("script", "servers"),
    [
        ("sbatch -N 2 --time 1:00:00 <<EOF\n#!/bin/bash\nsrun train.sh\nEOF\n", "2"),
        ("sbatch --job-name a \\\n  -N 2 <<EOF\n#!/bin/bash\n#SBATCH --nodes=8\nsrun train.sh\nEOF\n", "2"),
        ("#SBATCH --nodes=8\nsrun train.sh\nsbatch -N 2 next.sbatch\n", "8"),
        ("sbatch -N 2 a.sbatch\nsbatch -N 4 b.sbatch\n", None),
    ],
)
def test_options_of_the_submit_command_are_those_of_the_job(script: str, servers: str | None, tmp_path: Path) -> None:
    found = read(tmp_path, {"t.sh": f"#!/bin/bash\n{script}"})
    assert plain(found.words["workloads"])[0].get("job", {}).get("servers") == servers
