"""Variables of scripts that `read` fills, that Slurm sets, and that MLPerf's machines share with other files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

LAUNCH = (
    "torchrun --nproc-per-node 8 pretrain_gpt.py --tensor-model-parallel-size $TP --pipeline-model-parallel-size $PP"
    " --num-layers 24 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 --micro-batch-size 1\n"
)


def one(folder: Path, text: str) -> Any:
    """The words of the only workload of a script."""
    (words,) = plain(read(folder, {"run.sh": text}).words["workloads"])
    return words


@pytest.mark.parametrize(
    ("lines", "degrees"),
    [
        ('IFS="," read -r TP PP REST <<< "2,4,8,1"', ("2", "4")),
        ('SIZES="2 4"\nread TP PP <<< $SIZES', ("2", "4")),
        ('read -ra ALL <<< "2 4 8"\nTP=${ALL[0]}\nPP=${ALL[1]}', ("2", "4")),
        ('IFS=":"\nread -r TP PP <<< "2:4"', ("2", "4")),
        ('read -r TP PP <<< "$(nvidia-smi -L | wc -l) 4"', (None, None)),
        ("TP=1\nread -r TP PP < sizes.txt", (None, None)),
        ('read -d, TP PP <<< "2,4"', (None, None)),
    ],
)
def test_read_takes_what_the_script_gives_it(
    tmp_path: Path, lines: str, degrees: tuple[str | None, str | None]
) -> None:
    split = one(tmp_path, f"#!/bin/bash\n{lines}\n{LAUNCH}").get("parallelism", {})
    assert (split.get("tensor"), split.get("pipeline")) == degrees


@pytest.mark.parametrize(("header", "started"), [("#SBATCH --nodes=2\n", True), ("", False)])
def test_a_batch_job_has_a_number(tmp_path: Path, header: str, started: bool) -> None:
    """What submits itself where there is none starts its program all the same."""
    text = f'#!/bin/bash\n{header}if [ -z $SLURM_JOB_ID ]; then\n  sbatch "$0"\n  exit\nfi\nTP=2\nPP=4\n{LAUNCH}'
    assert ("parallelism" in one(tmp_path, text)) is started


def test_a_program_may_stand_by_itself(tmp_path: Path) -> None:
    text = "#!/bin/bash\n/opt/megatron/pretrain_gpt.py --tensor-model-parallel-size 2 --micro-batch-size 4\n"
    assert one(tmp_path, text)["parallelism"]["micro_batch"] == "4"


@pytest.mark.parametrize(
    ("lines", "sequence_parallel"),
    [
        ("export DGXNNODES=2\nexport SP=1", "true"),
        ("export DGXNNODES=2\nexport SP=0", "false"),
        ("export NNODES=2\nexport SP=4", None),
    ],
)
def test_sp_is_a_switch_on_machines_of_mlperf_alone(tmp_path: Path, lines: str, sequence_parallel: str | None) -> None:
    words = one(tmp_path, f"#!/bin/bash\nexport TP=2\n{lines}\nexport WALLTIME=00:70:00\nexport SEGMENT=$((TP * 8))\n")
    assert words["parallelism"].get("sequence_parallel") == sequence_parallel
    assert (words["job"]["walltime"], words["job"]["segment"]) == ("70 min", "16")


@pytest.mark.parametrize(
    ("lines", "servers"),
    [
        ("torchrun --nproc-per-node 8 train.py --micro-batch-size 4", "1"),
        ("torchrun --nproc-per-node 8 --nnodes 2 train.py --micro-batch-size 4", "2"),
        ("export PET_NNODES=4\ntorchrun --nproc-per-node 8 train.py --micro-batch-size 4", None),
        ("torchrun $MORE --nproc-per-node 8 train.py --micro-batch-size 4", None),
        ("srun torchrun --nproc-per-node 8 train.py --micro-batch-size 4", None),
        ("#SBATCH --gpus-per-node=8\ntorchrun --nproc-per-node 8 train.py --micro-batch-size 4", None),
    ],
)
def test_torchrun_by_itself_works_on_one_server(tmp_path: Path, lines: str, servers: str | None) -> None:
    assert one(tmp_path, f"#!/bin/bash\n{lines}\n")["job"].get("servers") == servers


def test_mlperf_states_what_a_gpu_takes_in_all_parts_of_a_step(tmp_path: Path) -> None:
    text = "#!/bin/bash\nexport BATCHSIZE=112\nexport GRADIENT_STEPS=2\nexport DGXNNODES=1\nexport WALLTIME=75\n"
    words = one(tmp_path, text)
    assert (words["parallelism"]["micro_batch"], words["job"]["walltime"]) == ("56", "75 min")
