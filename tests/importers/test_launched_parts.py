"""What a script starts on some of its servers, in a second shell, or with text that nobody knows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from designlint.importers.jobs.sizes import MOST_GPUS
from tests.importers.helpers import plain, read

pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")

if TYPE_CHECKING:
    from designlint.importers import Imported

ROOT = Path(__file__).resolve().parents[2]
HEADER = "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --gpus-per-node=8\n"
MODEL = "pretrain_gpt.py --tensor-model-parallel-size 8 --num-layers 32"


def script(tmp_path: Path, body: str) -> tuple[dict[str, Any], Imported]:
    found = read(tmp_path, {"train.sbatch": HEADER + body})
    (words,) = plain(found.words["workloads"])
    return words, found


def test_a_command_in_backticks_does_not_end_the_text_around_it(tmp_path: Path) -> None:
    rates = 'RATES=" --lr $1 --min-lr `bc <<< "scale=3; $1/10"` --save-interval 250 "\n'
    words, _ = script(tmp_path, f'{rates}srun torchrun --nproc_per_node 8 {MODEL} $RATES --save "$ELSEWHERE"\n')
    assert words["checkpoint"]["interval_steps"] == "250"
    assert "mode" not in words["checkpoint"]


def test_an_unknown_word_in_a_second_shell_is_the_value_of_its_flag(tmp_path: Path) -> None:
    words, found = script(tmp_path, f'srun bash -c "torchrun --nproc_per_node 8 --nnodes $ELSEWHERE {MODEL}"\n')
    assert words["job"]["servers"] == "4"
    assert any(one.why.startswith("nnodes: $ELSEWHERE") for one in found.unknowns)


def test_options_of_a_second_shell_are_not_those_of_srun(tmp_path: Path) -> None:
    words, _ = script(tmp_path, f"srun bash -c 'torchrun --nproc_per_node 8 {MODEL}'\n")
    assert "cpus_per_task" not in words["job"]
    words, _ = script(tmp_path, f"srun -c 12 torchrun --nproc_per_node 8 {MODEL}\n")
    assert words["job"]["cpus_per_task"] == "12"


def test_the_end_of_a_line_in_a_variable_ends_no_command_of_a_second_shell(tmp_path: Path) -> None:
    body = f"export CMD=\" {MODEL}\n --seq-length 2048 \"\nsrun bash -c 'torchrun --nproc_per_node 8 $CMD'\n"
    assert script(tmp_path, body)[0]["model"]["sequence"] == "2048"


@pytest.mark.parametrize("where", ["--nodelist=$TRAINERS --nodes=$((SLURM_NNODES - 1))", "-w $FIRST", "-N 3"])
def test_what_runs_on_some_servers_does_not_count_the_job(tmp_path: Path, where: str) -> None:
    start = f"srun {where} --ntasks=3 accelerate launch --num_machines 3 --num_processes 24 {MODEL}\n"
    words, found = script(tmp_path, start)
    assert found.clashes == []
    assert (words["job"]["servers"], words["job"].get("tasks"), words.get("runs_on")) == ("4", None, None)


def test_gpus_beside_nodes_are_those_of_a_server(tmp_path: Path) -> None:
    words, found = script(tmp_path, f"srun python {MODEL} --num-gpus 8 --num-nodes 4\n")
    assert (words["runs_on"]["gpus"], found.clashes) == ("32", [])


@pytest.mark.parametrize(
    ("given", "word"), [("save-interval 0", "interval_steps"), ("exit-duration-in-mins 30000000", "")]
)
def test_numbers_that_switch_something_off(tmp_path: Path, given: str, word: str) -> None:
    words, _ = script(tmp_path, f"srun torchrun --nproc_per_node 8 {MODEL} --save /out --{given}\n")
    assert "exit_after" not in words["job"]
    if word:
        assert words["checkpoint"]["mode"] == "none"
        assert word not in words["checkpoint"]


def test_placeholders_are_no_values(tmp_path: Path) -> None:
    manifest = (
        "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: t}\nspec:\n  pytorchReplicaSpecs:\n    Worker:\n"
        "      replicas: 2\n      template: {spec: {containers: [{name: a, env: [{name: NCCL_DEBUG, value: '${DEBUG}'}]}]}}\n"
    )
    found = read(tmp_path, {"job.yaml": manifest})
    (words,) = plain(found.words["workloads"])
    assert "nccl_debug" not in words.get("environment", {})
    assert any("filled in later" in one.why for one in found.unknowns)


def test_more_processes_than_a_server_has_gpus_work_on_cpus(tmp_path: Path) -> None:
    start = "python -m torch.distributed.launch --nproc_per_node {} --nnodes 4 tools/preprocess_data.py --append-eod\n"
    found = read(tmp_path, {"data.sbatch": "#!/bin/bash\n#SBATCH --nodes=4\n" + start.format(75)})
    job = plain(found.words["workloads"])[0]["job"]
    assert (job.get("gpus_per_server"), job["tasks_per_server"]) == (None, "75")
    found = read(tmp_path, {"data.sbatch": "#!/bin/bash\n#SBATCH --nodes=4\n" + start.format(8)})
    assert plain(found.words["workloads"])[0]["job"]["gpus_per_server"] == "8"


def test_no_server_of_the_catalogue_has_more_gpus() -> None:
    texts = [one.read_text("utf-8") for one in (ROOT / "ontology" / "catalog").glob("servers*.ttl")]
    assert max(int(one) for text in texts for one in re.findall(r":gpus (\d+)", text)) == MOST_GPUS


def test_a_form_that_nobody_has_filled_in_says_nothing(tmp_path: Path) -> None:
    header = "#SBATCH -p { partition }\n#SBATCH -N 2\n#SBATCH -t {LIMIT_TIME}\n#SBATCH --reservation=<yours>\n"
    found = read(tmp_path, {"train.sbatch": f"#!/bin/bash\n{header}srun torchrun --nproc_per_node 8 train.py\n"})
    (workload,) = plain(found.words["workloads"])
    assert workload["job"]["servers"] == "2"
    assert {"partition", "walltime", "reservation"}.isdisjoint(workload["job"])
    assert [one.rule for one in found.clashes] == []
    assert {"workloads/train/job/partition", "workloads/train/job/walltime"} <= {one.word for one in found.unknowns}


@pytest.mark.parametrize(
    ("option", "kind", "count"),
    [
        ("--gres=gpu:2080ti:4", "2080ti", "4"),
        ("--gpus-per-node=3090:2", "3090", "2"),
        ("--gres=gpu:1g.10gb:1", "1g.10gb", "1"),
        ("--gres=nvme:1,gpu:8", None, "8"),
        ("--gres=nvme:1", None, None),
    ],
)
def test_types_of_gpus_may_begin_with_a_digit_and_other_resources_are_no_gpus(
    tmp_path: Path, option: str, kind: str | None, count: str | None
) -> None:
    header = f"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH {option}\n"
    (words,) = plain(read(tmp_path, {"train.sbatch": header + "srun python train.py\n"}).words["workloads"])
    assert (words["job"].get("gpu"), words["job"].get("gpus_per_server")) == (kind, count)


SUBMITTED = """\
#!/bin/bash
#SBATCH --time=1:00:00
CMD="torchrun --nnodes 4 train.py"
sbatch {} <<{}
#!/bin/bash
#SBATCH --nodes=4 --partition=train
srun bash -c "$CMD"
EOF
"""


@pytest.mark.parametrize("mark", ["EOF", "'EOF'", "-EOF"])
def test_a_batch_script_that_a_script_hands_to_sbatch(tmp_path: Path, mark: str) -> None:
    found = read(tmp_path, {"submit.sh": SUBMITTED.replace("#SBATCH --time=1:00:00\n", "").format("--parsable", mark)})
    (words,) = plain(found.words["workloads"])
    assert (words["job"]["servers"], words["job"]["partition"]) == ("4", "train")
    (words,) = plain(read(tmp_path, {"submit.sh": SUBMITTED.format("", mark)}).words["workloads"])
    assert (words["job"].get("partition"), "walltime" in words["job"]) == (
        None,
        True,
    )  # a batch script that submits another


def test_a_form_to_be_filled_in_asks_for_no_number(tmp_path: Path) -> None:
    header = "#!/bin/bash\n#SBATCH --gres=gpu:your_own_gpus --partition=your-partition --time=your_own_time\n"
    found = read(tmp_path, {"train.sbatch": header + "srun torchrun train.py\n"})
    (words,) = plain(found.words["workloads"])
    assert {"gpus_per_server", "gpu", "partition", "walltime"}.isdisjoint(words["job"])
    assert (words["job"]["requests_gpus"], [one.rule for one in found.clashes]) == ("true", [])


@pytest.mark.parametrize(("step", "known"), [("", True), ("--ntasks-per-node=2 ", False)])
def test_variables_of_slurm_are_known_in_a_step_that_states_no_sizes(tmp_path: Path, step: str, known: bool) -> None:
    start = f'srun {step}bash -c "torchrun --nnodes=\\$SLURM_NNODES --nproc_per_node=\\$SLURM_GPUS_ON_NODE {MODEL}"\n'
    _, found = script(tmp_path, start)
    assert (not any("SLURM" in one.why for one in found.unknowns)) is known


@pytest.mark.parametrize(
    "condition", ["if (( STAGES > 1)); then\n  {}\nfi", "(( STAGES > 1 )) && {}", "if ((STAGES==2)); then {}; fi"]
)
def test_conditions_in_arithmetic_are_decided(tmp_path: Path, condition: str) -> None:
    more = condition.format('MORE="--pipeline-model-parallel-size $STAGES"')
    words, _ = script(tmp_path, f"STAGES=2\n{more}\nsrun torchrun --nproc_per_node 8 {MODEL} $MORE\n")
    assert words["parallelism"]["pipeline"] == "2"


@pytest.mark.parametrize(("sourced", "launched"), [(".venv/bin/activate", "false"), ("launch_everywhere", None)])
def test_an_environment_that_is_activated_starts_nothing(tmp_path: Path, sourced: str, launched: str | None) -> None:
    start = "torchrun --nnodes 4 --nproc_per_node 8 --rdzv_backend c10d --rdzv_endpoint node1:29500"
    words, _ = script(tmp_path, f"source {sourced}\n{start} {MODEL}\n")
    assert words["job"].get("launched_on_all") == launched


@pytest.mark.parametrize(
    ("option", "proposed"),
    [
        ("--ntask-per-node=8", ["--ntasks-per-node"]),
        ("--job_name=train", ["--job-name"]),
        ("--partit=gpu", []),  # sbatch takes the start of a name that only one option has
        ("--container-name=nemo", []),  # of a plug-in
    ],
)
def test_options_of_sbatch_that_it_does_not_have(tmp_path: Path, option: str, proposed: list[str]) -> None:
    found = read(tmp_path, {"train.sbatch": f"{HEADER}#SBATCH {option}\nsrun python train.py\n"})
    assert [one.values["proposal"] for one in found.clashes] == proposed


@pytest.mark.parametrize(
    ("signal", "trap", "leaves"),
    [("B:USR1@300", "", "false"), ("B:USR1@300", "trap stop USR1\n", "true"), ("USR1@300", "", "true")],
)
def test_a_signal_for_the_batch_shell_needs_a_trap(tmp_path: Path, signal: str, trap: str, leaves: str) -> None:
    head = f"{HEADER}#SBATCH --time=4:00:00\n#SBATCH --signal={signal}\n"
    words = plain(read(tmp_path, {"train.sbatch": f"{head}{trap}srun python train.py\n"}).words["workloads"])[0]
    assert words["job"]["leaves_in_time"] == leaves
