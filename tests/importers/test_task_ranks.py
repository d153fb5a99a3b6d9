"""What becomes of the tasks that srun starts: launchers, ranks; how many servers a script counts; ports and backends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")

HEADER = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n#SBATCH --ntasks-per-node=%s\n"
RUN = "torchrun --nnodes 2 --nproc_per_node %s --rdzv_backend c10d --rdzv_endpoint $HEAD:29500 train.py"


def job(folder: Path, text: str) -> dict[str, str]:
    found: dict[str, str] = plain(read(folder, {"a.sbatch": text}).words["workloads"])[0]["job"]
    return found


def clashes(folder: Path, text: str) -> list[tuple[str, str]]:
    found = read(folder, {"a.sbatch": text}).clashes
    return [(one.rule.partition("/")[2], one.at.text) for one in found]


@pytest.mark.parametrize(
    ("tasks", "start", "launchers", "processes"),
    [
        ("8", f"srun {RUN % '8'}", "8", "8"),
        ("8", f"srun {RUN % 'gpu'}", "8", "8"),
        ("8", f"srun {RUN % '1'}", "8", "1"),
        ("1", f"srun {RUN % '8'}", None, None),
        ("8", f"srun --ntasks-per-node=1 {RUN % '8'}", None, None),
        ("8", f"srun --ntasks=2 {RUN % '8'}", None, None),
        ("8", RUN % "8", None, None),
        ("8", "srun accelerate launch --num_machines 2 --num_processes 16 train.py", "8", "8"),
        ("8", "srun python train.py", None, None),
        (
            "8",
            'srun bash -c "torchrun --nnodes 2 --nproc_per_node \\${SLURM_GPUS_PER_NODE:-8} train.py"',
            "8",
            "8",
        ),
    ],
)
def test_a_launcher_in_each_task(
    tasks: str, start: str, launchers: str | None, processes: str | None, tmp_path: Path
) -> None:
    found = job(tmp_path, f"{HEADER % tasks}{start}\n")
    assert (found.get("launchers_per_server"), found.get("launcher_processes")) == (launchers, processes)


@pytest.mark.parametrize(
    ("tasks", "lines", "found"),
    [
        ("8", "export WORLD_SIZE=16\nsrun python train.py", []),
        ("8", "export WORLD_SIZE=$SLURM_NTASKS\nsrun python train.py", []),
        ("8", "export WORLD_SIZE=8\nsrun python train.py", [("conflict", "16")]),
        ("8", "export WORLD_SIZE=${WORLD_SIZE:-8}\nsrun python train.py", []),
        ("1", "export WORLD_SIZE=16\nsrun python train.py", []),  # it may start a process for each GPU
        ("8", "export WORLD_SIZE=8\nsrun bash start.sh", []),
        ("8", f"export WORLD_SIZE=8\nsrun --ntasks-per-node=1 {RUN % '8'}", []),
        ("8", "srun bash -c 'LOCAL_RANK=$SLURM_LOCALID RANK=$SLURM_PROCID python train.py'", []),
        (
            "8",
            "srun bash -c 'export LOCAL_RANK=$SLURM_PROCID; python train.py'",
            [("rank-of-another-kind", "SLURM_PROCID")],
        ),
        (
            "8",
            "srun bash -c 'WORLD_SIZE=$SLURM_NNODES python train.py'",
            [("rank-of-another-kind", "SLURM_NNODES")],
        ),
        ("1", "srun bash -c 'WORLD_SIZE=$SLURM_NNODES python train.py'", []),
        ("8", "srun bash -c 'LOCAL_RANK=$((SLURM_PROCID % 8)) python train.py'", []),
    ],
)
def test_ranks_are_the_tasks(tasks: str, lines: str, found: list[tuple[str, str]], tmp_path: Path) -> None:
    assert clashes(tmp_path, f"{HEADER % tasks}{lines}\n") == found


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        (("c10d", "c10"), ["c10"]),
        (("c10d", "our_own"), []),
        (("--rdzv_backend c10d", "--master_port 295000"), ["295000"]),
        (("torchrun", "MASTER_PORT=66001 torchrun"), ["66001"]),
        (("$HEAD:29500", "$(hostname):295000"), ["295000"]),
    ],
)
def test_backends_and_ports_that_do_not_exist(change: tuple[str, str], refused: list[str], tmp_path: Path) -> None:
    text = f"{HEADER % '1'}srun {RUN % '8'}\n".replace(*change).replace(
        "srun MASTER_PORT=66001", "MASTER_PORT=66001 srun"
    )
    assert [at for rule, at in clashes(tmp_path, text) if rule == "not-a-value"] == refused


def test_more_processes_of_accelerate_than_gpus(tmp_path: Path) -> None:
    start = "srun accelerate launch --num_machines 2 --num_processes %s train.py\n"
    assert clashes(tmp_path, HEADER % "1" + start % "15") == []
    assert clashes(tmp_path, HEADER % "1" + start % "32") == [("conflict", "32")]


@pytest.mark.parametrize(
    ("lines", "counted"),
    [
        ('N=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | wc -l)', "2"),
        ("N=`scontrol show hostnames | wc -l`", "2"),
        ("nodes=( $(scontrol show hostnames $SLURM_JOB_NODELIST) )\nN=${#nodes[@]}", "2"),
        ("nodes=(a b c)\nN=${#nodes[@]}", "3"),
        ("nodes=( $(cat hosts) )\nN=${#nodes[@]}", None),
        ("N=$(scontrol show hostnames $OTHERS | wc -l)", None),
    ],
)
def test_servers_that_a_script_counts(lines: str, counted: str | None, tmp_path: Path) -> None:
    text = f"{HEADER % '1'}{lines}\nsrun python pretrain_gpt.py --num-layers 8 --micro-batch-size $N\n"
    words = plain(read(tmp_path, {"a.sbatch": text}).words["workloads"])[0]
    assert words.get("parallelism", {}).get("micro_batch") == counted


@pytest.mark.parametrize(
    ("start", "near"),
    [
        (f"srun {RUN % '8'}", []),
        (f"srun {RUN % '8'}".replace("--nproc_per_node", "--nproc-per-nodes"), ["--nproc_per_node"]),
        (f"srun {RUN % '8'}".replace("--rdzv_endpoint", "--rdzv_endpiont"), ["--rdzv_endpoint"]),
        (f"srun {RUN % '8'}".replace("--nproc_per_node", "--nproc-per"), []),  # the start of a name stands for it
        ("srun accelerate launch --num_machines 2 --num_proceses 16 train.py", ["--num_processes"]),
        ("srun accelerate launch --num_machines 2 --our_own_thing 16 train.py", []),
    ],
)
def test_misspelt_options_of_launchers(start: str, near: list[str], tmp_path: Path) -> None:
    found = read(tmp_path, {"a.sbatch": f"{HEADER % '1'}{start}\n"}).clashes
    assert [one.values["proposal"] for one in found if one.rule == "import/misspelt-key"] == near


@pytest.mark.parametrize(
    ("tasks", "options", "ranks"),
    [("4", "", "true"), ("4", "-g 1", "true"), ("4", "-g 2", None), ("${TASKS:-4}", "", None)],
)
def test_tasks_of_a_benchmark_are_ranks(tasks: str, options: str, ranks: str | None, tmp_path: Path) -> None:
    header = HEADER.replace("#SBATCH --ntasks-per-node=%s\n", "")
    found = job(tmp_path, f"{header}srun --ntasks-per-node={tasks} ./build/all_reduce_perf -b 8 {options}\n")
    assert found.get("tasks_are_ranks") == ranks
