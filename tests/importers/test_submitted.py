"""Batch scripts that a script writes and submits, and commands that start their launcher themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import at, place, plain, read

if TYPE_CHECKING:
    from pathlib import Path

WRITTEN = """#!/bin/bash
NODES=4
PARTITION=${PARTITION:-gpu}
%s
#!/bin/bash
#SBATCH --nodes=$NODES --partition=${PARTITION}
#SBATCH --gpus-per-node=8
#SBATCH --time=$LIMIT
srun torchrun --nnodes \\$SLURM_NNODES --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 4
EOF
%s
"""
FORMS = {
    "handed": ("sbatch <<EOF", ""),
    "written": ("cat > job.sbatch <<EOF", "sbatch job.sbatch"),
    "elsewhere": ("cat > $ROOT/job.slurm <<EOF", "sbatch --parsable $ROOT/job.slurm"),
}


@pytest.fixture(autouse=True)
def _shell() -> None:
    pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")


def workload(tmp_path: Path, name: str, text: str) -> dict[str, Any]:
    return dict(plain(read(tmp_path, {name: text}).words["workloads"])[0])


@pytest.mark.parametrize("form", FORMS)
def test_the_header_that_a_script_writes_takes_its_variables(tmp_path: Path, form: str) -> None:
    found = read(tmp_path, {"submit.sh": WRITTEN % FORMS[form]})
    job, split = at(found, "workloads/0/job/servers"), at(found, "workloads/0/parallelism/tensor")
    assert (job.text, place(job)[1]) == ("4", 2)
    assert (split.text, place(split)[:2]) == ("4", ("submit.sh", 9))
    words = plain(found.words["workloads"])[0]
    assert (words["job"]["partition"], words["job"]["gpus_per_server"]) == ("gpu", "8")
    assert words["runs_on"]["gpus"] == "32"
    assert "walltime" not in words["job"]  # nobody sets LIMIT


def test_a_batch_script_that_is_written_and_not_submitted_is_no_header(tmp_path: Path) -> None:
    assert "servers" not in workload(tmp_path, "s.sh", WRITTEN % ("cat > job.sbatch <<EOF", "ls"))["job"]


def test_the_header_of_a_batch_script_stays_its_own(tmp_path: Path) -> None:
    text = WRITTEN.replace("#!/bin/bash\n", "#!/bin/bash\n#SBATCH --nodes=1\n", 1) % FORMS["written"]
    assert workload(tmp_path, "outer.sbatch", text)["job"]["servers"] == "1"


SFT = "swift sft --model m --per_device_train_batch_size 1 --torch_dtype bfloat16 --max_length 4096 "
TUNE = "llamafactory-cli train --stage sft --per_device_train_batch_size 2 "


@pytest.mark.parametrize(
    "text",
    [
        f"NPROC_PER_NODE=8 {SFT}",
        f"export NPROC_PER_NODE=8\n{SFT}",
        f"env NPROC_PER_NODE=8 {SFT}",
        f"docker exec box bash -lc 'NPROC_PER_NODE=8 {SFT}'",
    ],
)
def test_trainers_start_as_many_processes_as_a_variable_says(tmp_path: Path, text: str) -> None:
    words = workload(tmp_path, "run.sh", f"#!/bin/bash\n{text}\n")
    assert (words["job"]["servers"], words["job"]["gpus_per_server"]) == ("1", "8")
    assert words["precision"]["matmul"] == "bf16"


def test_trainers_take_their_servers_from_a_variable(tmp_path: Path) -> None:
    words = workload(
        tmp_path, "run.sh", f"#!/bin/bash\nFORCE_TORCHRUN=1 NNODES=2 NODE_RANK=0 NPROC_PER_NODE=4 {TUNE}\n"
    )
    assert (words["job"]["servers"], words["runs_on"]["gpus"]) == ("2", "8")


def test_swift_shares_sequences_and_keeps_a_stated_format(tmp_path: Path) -> None:
    words = workload(tmp_path, "run.sh", f"#!/bin/bash\n{SFT} --fp16 true --sequence_parallel_size 4\n")
    assert (words["precision"]["matmul"], words["parallelism"]["context"]) == ("fp16", "4")


def test_ranks_that_mpi_places_drive_a_gpu_each_where_the_program_is_megatrons(tmp_path: Path) -> None:
    text = "#!/bin/bash\nmpirun -np $((4 * $NHOSTS)) -npernode 4 python {} --num-layers 4\n"
    assert workload(tmp_path, "a.sh", text.format("pretrain_gpt.py"))["job"]["gpus_per_server"] == "4"
    assert "gpus_per_server" not in workload(tmp_path, "b.sh", text.format("solve.py")).get("job", {})


def test_llamafactory_takes_the_gpus_that_it_may_see(tmp_path: Path) -> None:
    words = workload(tmp_path, "run.sh", f"#!/bin/bash\nexport CUDA_VISIBLE_DEVICES=5,6\n{TUNE} --cutoff_len 2048\n")
    assert (words["runs_on"]["gpus"], words["model"]["sequence"]) == ("2", "2048")
    open_ended = workload(tmp_path, "open.sh", f"#!/bin/bash\nexport CUDA_VISIBLE_DEVICES=$GPUS\n{TUNE}\n")
    assert "runs_on" not in open_ended


def test_ray_hands_variables_over_in_a_text(tmp_path: Path) -> None:
    text = """#!/bin/bash
ray job submit --runtime-env-json='{"env_vars": {
  "NCCL_IB_TC": "160",
}}' -- python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.tensor_model_parallel_size=1 trainer.nnodes=2
"""
    value = at(read(tmp_path, {"run.sh": text}), "workloads/0/environment/nccl_ib_tc")
    assert place(value) == ("run.sh", 3, "160")
    quoted = text.replace('"', '\\"').replace("'{", '"{').replace("}'", '}"')
    assert at(read(tmp_path, {"quoted.sh": quoted}), "workloads/0/environment/nccl_ib_tc").text == "160"


CHOICE = """#!/bin/bash
if [ "$FLASH" = 1 ]; then
  ARGS="--num-layers 8 --use-distributed-optimizer --micro-batch-size 1 --bf16"
else
  ARGS="--micro-batch-size 2 --num-layers 8 --use-distributed-optimizer"
fi
torchrun --nproc_per_node 8 pretrain_gpt.py $ARGS
"""


def test_what_all_branches_state_alike_holds(tmp_path: Path) -> None:
    words = workload(tmp_path, "run.sh", CHOICE)
    assert (words["model"]["layers"], words["parallelism"]["zero_stage"]) == ("8", "1")
    assert "micro_batch" not in words["parallelism"]
    assert "precision" not in words


@pytest.mark.parametrize(("test", "stage"), [('"$STAGE" == ""', "3"), ('"$STAGE" != ""', None), ('"" = "$STAGE"', "3")])
def test_what_nobody_sets_is_empty(tmp_path: Path, test: str, stage: str | None) -> None:
    text = (
        f"#!/bin/bash\nSTAGE=$2\nif [ {test} ]; then STAGE=3; fi\ndeepspeed main.py --deepspeed --zero_stage $STAGE\n"
    )
    assert workload(tmp_path, "run.sh", text).get("parallelism", {}).get("zero_stage") == stage
