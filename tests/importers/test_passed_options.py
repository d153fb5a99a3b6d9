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
    ("command", "conflicts"),
    [
        ("srun axolotl train t.yaml --launcher torchrun -- --nnodes=4 --nproc_per_node=8", []),
        ("srun axolotl train t.yaml --launcher torchrun -- --nnodes=2 --nproc_per_node=8", [("servers", "4", "2")]),
        ("srun axolotl train t.yaml -- --nnodes=2", []),
        ("srun bash -c 'python -u -m accelerate.commands.launch --num_processes 8 t.py'", [("gpus", "8", "32")]),
        ("srun bash -c 'python -u -m accelerate.commands.launch --num_processes 32 t.py'", []),
    ],
)
def test_a_launcher_is_read_wherever_it_starts(
    command: str, conflicts: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    found = read(tmp_path, {"t.sbatch": f"{HEAD}{command}\n"})
    assert [(one.values["word"], one.values["one"], one.values["other"]) for one in found.clashes] == conflicts


@pytest.mark.parametrize(("rank", "known"), [("RANK=$SLURM_PROCID", "true"), ("LOCAL_RANK=$SLURM_LOCALID", None)])
def test_a_rank_for_each_task_makes_tasks_ranks(rank: str, known: str | None, tmp_path: Path) -> None:
    found = read(tmp_path, {"t.sbatch": f"{HEAD}srun bash -c '{rank} python train.py'\n"})
    assert plain(found.words["workloads"])[0]["job"].get("tasks_are_ranks") == known
