"""Programs by what they do: one model that trains among several, converters that take no step, layers of one kind each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import at, plain, read

pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")

if TYPE_CHECKING:
    from pathlib import Path

RUN = "srun torchrun --nproc_per_node 8 pretrain_gpt.py "
VERL = """\
#!/bin/bash
python3 -m verl.trainer.main_ppo --config-name='ppo_megatron_trainer.yaml' \\
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 \\
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2 \\
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=2 \\
    actor_rollout_ref.rollout.tensor_model_parallel_size=8 \\
    trainer.n_gpus_per_node=8 \\
    trainer.nnodes=3
"""
OPENRLHF = """\
#!/bin/bash
python3 -m openrlhf.cli.train_ppo_ray --actor.num_nodes 2 --actor.num_gpus_per_node 8 --vllm.tensor_parallel_size 4 \\
    --train.micro_batch_size 8 --train.batch_size 128 --ds.zero_stage 3 --train.colocate_all
"""


def job(tmp_path: Path, text: str) -> dict[str, Any]:
    """What a script says of its workload."""
    text = text if text.startswith("#!") else f"#!/bin/bash\n{text}"
    (words,) = plain(read(tmp_path, {"train.sh": text}).words["workloads"])
    return dict(words)


def test_verls_actor_counts_and_not_the_model_that_generates(tmp_path: Path) -> None:
    words = job(tmp_path, VERL)
    assert words["parallelism"] == {"tensor": "2", "pipeline": "2", "micro_batch": "4"}
    assert (words["job"], words["runs_on"]) == ({"servers": "3", "gpus_per_server": "8"}, {"gpus": "24"})


def test_an_actor_without_megatron_has_no_tensor_parallelism(tmp_path: Path) -> None:
    lines = [one for one in VERL.splitlines(keepends=True) if ".megatron." not in one]
    words = job(tmp_path, "".join(lines))
    assert words["parallelism"] == {"micro_batch": "4"}
    assert "framework" not in words


def test_micro_batches_that_depend_on_tokens_have_no_size(tmp_path: Path) -> None:
    more = "    actor_rollout_ref.actor.use_dynamic_bsz=True \\\n    trainer.nnodes"
    assert "micro_batch" not in job(tmp_path, VERL.replace("    trainer.nnodes", more))["parallelism"]


def test_servers_that_generate_apart_leave_the_size_of_the_job_open(tmp_path: Path) -> None:
    assert "runs_on" not in job(tmp_path, VERL.replace("trainer.nnodes=3", "trainer.nnodes=3 rollout.nnodes=1"))
    assert "runs_on" not in job(tmp_path, OPENRLHF.replace("colocate_all", "colocate_actor_ref"))


def test_openrlhfs_names_mean_what_others_mean(tmp_path: Path) -> None:
    words = job(tmp_path, OPENRLHF)
    assert words["parallelism"] == {"micro_batch": "8", "global_batch": "128", "zero_stage": "3"}
    assert words["runs_on"] == {"gpus": "16"}


@pytest.mark.parametrize("modules", ["mlp core_attn", "[mlp,core_attn]", "\"['mlp', 'core_attn']\""])
def test_recomputed_modules_are_a_list_however_it_is_written(tmp_path: Path, modules: str) -> None:
    chosen = f"--recompute-granularity selective --recompute-modules {modules}\n"
    words = job(tmp_path, RUN + f"--tensor-model-parallel-size 4 {chosen}")
    assert words["parallelism"]["recompute_modules"] == ["mlp", "core_attn"]
    words = job(tmp_path, RUN + f"--tensor-model-parallel-size 4 --recompute-modules {modules}\n")
    assert "recompute_modules" not in words["parallelism"]  # without its granularity, Megatron recomputes nothing


@pytest.mark.parametrize(
    "program", ["impl/convert.py", "tools/preprocess_data.py", "hf2mcore_qwen.py", "-m tools.checkpoint.convert"]
)
def test_a_program_that_takes_no_step_says_nothing_of_training(tmp_path: Path, program: str) -> None:
    body = (
        f"torchrun --nproc_per_node 8 {program} --tensor-model-parallel-size 4 --seq-length 1 --save-interval 10000\n"
    )
    words = job(tmp_path, body)
    assert not {"parallelism", "model", "checkpoint"} & words.keys()
    words = job(tmp_path, body.replace(program, "finetune_converse.py"))
    assert words["parallelism"]["tensor"] == "4"


def test_layers_of_one_kind_each_are_not_counted_as_whole_layers(tmp_path: Path) -> None:
    run = RUN + "--num-layers 96 --hidden-size 2048 --hybrid-override-pattern "
    assert "layers" not in job(tmp_path, run + "M-M-M-*-\n")["model"]
    assert job(tmp_path, run + "null\n")["model"]["layers"] == "96"


def test_a_program_with_a_loader_for_each_rank_states_the_micro_batch(tmp_path: Path) -> None:
    body = "torchrun --nproc_per_node 8 train.py --sharding_strategy=full --train_batch_size=2 --max_steps=30"
    assert job(tmp_path, f"{body} --val_batch_size=2\n")["parallelism"]["micro_batch"] == "2"
    assert "micro_batch" not in job(tmp_path, f"{body}\n")["parallelism"]


def test_brackets_inside_arithmetic_close_before_it_does(tmp_path: Path) -> None:
    text = (
        "export DGXNNODES=4\nexport WALLTIME=$((5 + ${NEXP:-1} * (50 + 5)))\n"
        "export MICRO_BATCH_SIZE=$(((2 + 2) / 4))\nexport TENSOR_MODEL_PARALLEL=4\n"
    )
    (words,) = plain(read(tmp_path, {"config.sh": text}).words["workloads"])
    assert (words["job"]["walltime"], words["parallelism"]["micro_batch"]) == ("1 h", "1")


def test_a_pattern_of_all_layers_counts_each_kind(tmp_path: Path) -> None:
    run = (
        RUN
        + "--num-layers 6 --hidden-size 2048 --hybrid-override-pattern M-M-M* --moe-layer-freq \"'([0]*3+[1]*3)'\"\n"
    )
    model = job(tmp_path, run)["model"]
    assert (model["layers"], model["mamba_layers"], model["attention_layers"], model["feed_forward_layers"]) == (
        "6", "3", "1", "2"
    )  # fmt: skip
    assert model["dense_layers"] == "3"


def test_deepspeed_takes_the_keys_of_stage_3_without_their_prefix(tmp_path: Path) -> None:
    zero = {"stage": 3, "max_live_parameters": 0, "stage3_max_reuse_distance": 0, "max_reuse_distanse": 0}
    text = json.dumps({"train_batch_size": 8, "zero_optimization": zero})
    found = read(tmp_path, {"ds.json": text})
    assert [one.values["name"] for one in found.clashes] == ["max_reuse_distanse"]


TITAN = """\
[model]
name = "llama3"
converters = ["float8"]
[training]
steps = 3000
seq_len = 8192
local_batch_size = 2
[parallelism]
tensor_parallel_degree = 8
"""


def test_options_of_torchtitan_override_its_file(tmp_path: Path) -> None:
    """What an option says that is not known stays unknown: the file's value does not hold."""
    options = (
        "--training.steps=60 --parallelism.tensor_parallel_degree 4 --training.seq_len=$LENGTH --model.converters=mx"
    )
    script = f"#!/bin/bash\nsrun torchrun --nproc_per_node 8 -m torchtitan.train --job.config_file=x.toml {options}\n"
    found = read(tmp_path, {"x.toml": TITAN, "job.sh": script})
    [job] = [one for one in plain(found.words["workloads"]) if one["name"] == "job"]
    assert (job["targets"]["steps"], job["parallelism"]["tensor"]) == ("60", "4")
    assert "sequence" not in job.get("model", {})
    assert job["precision"]["matmul"] == "mxfp8"
    assert job["parallelism"]["micro_batch"] == "2"
    assert all(not one.unclear for one in found.accounts())
    alone = read(tmp_path / "alone", {"job.sh": script})
    [job] = plain(alone.words["workloads"])
    assert (job["targets"], job["parallelism"]) == ({"steps": "60"}, {"tensor": "4"})


@pytest.mark.parametrize(
    "command",
    [
        "llamafactory-cli train",
        "NPROC_PER_NODE=8 swift sft",
        "colossalai run --nproc_per_node 8 --hostfile hosts train.py",
    ],
)
def test_commands_that_train_by_themselves(command: str, tmp_path: Path) -> None:
    script = f"#!/bin/bash\n{command} --save_steps 500 --gradient_accumulation_steps 4\nllamafactory-cli version\n"
    [job] = plain(read(tmp_path, {"job.sh": script}).words["workloads"])
    assert job["checkpoint"]["interval_steps"] == "500"
    assert job["parallelism"] == {"gradient_accumulation": "4"}
    assert job.get("job", {}).get("gpus_per_server") == (None if "llama" in command else "8")


def test_one_server_unless_a_variable_says_otherwise_is_no_size(tmp_path: Path) -> None:
    script = (
        "#!/bin/bash\nNODES=${NODES:-1}\nGPUS=${GPUS:-8}\n"
        "torchrun --nnodes $NODES --nproc_per_node $GPUS pretrain_gpt.py --tensor-model-parallel-size 8"
        " --pipeline-model-parallel-size 16\n"
    )
    found = read(tmp_path, {"train.sh": script})
    workload = plain(found.words["workloads"])[0]
    assert (workload["job"]["gpus_per_server"], "servers" in workload["job"], "runs_on" in workload) == (
        "8",
        False,
        False,
    )
    (unknown,) = [one for one in found.unknowns if one.word.endswith("/servers")]
    assert unknown.why == "NODES is 1 unless whoever starts the script sets it"
    given = read(tmp_path, {"train.sh": script}, settings={"NODES": "16"})
    assert at(given, "workloads/0/runs_on/gpus").text == "128"
    several = read(tmp_path, {"train.sh": script.replace("NODES:-1", "NODES:-2")})
    assert at(several, "workloads/0/job/servers").text == "2"  # a number that somebody chose


@pytest.mark.parametrize(
    ("options", "ranks"),
    [
        ("-np 16 ./run.sh --n 4", "16"),
        ("--hostfile /etc/hosts -np 16 /opt/run", None),  # servers that the file names need not be those of the header
        ("--mca orte_tmpdir_base /tmp -np 16 run.sh", "16"),
    ],
)
def test_a_program_by_its_path_ends_the_options_of_mpirun(tmp_path: Path, options: str, ranks: str | None) -> None:
    pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")
    found = read(tmp_path, {"run.sh": f"#!/bin/bash\n#SBATCH --nodes=2\nmpirun {options}\n"})
    assert plain(found.words["workloads"])[0]["job"].get("tasks") == ranks


@pytest.mark.parametrize(
    ("script", "arguments", "model"),
    [
        ("-m vllm.entrypoints.openai.api_server", "--model Qwen/Qwen2.5-14B-Instruct", "qwen2.5-14b"),
        ("-m vllm.entrypoints.openai.api_server", "--model /models/ours", None),
        ("-m vllm.entrypoints.openai.api_server", "--model Qwen/Qwen2.5-14B --hf-overrides '{}'", None),
        ("serve.py", "--model Qwen/Qwen2.5-14B-Instruct", None),
    ],
)
def test_vllm_serves_the_model_that_it_is_given(script: str, arguments: str, model: str | None, tmp_path: Path) -> None:
    text = f"#!/bin/bash\n#SBATCH --nodes=1\npython {script} {arguments} --tensor-parallel-size 6\n"
    job = plain(read(tmp_path, {"a.sbatch": text}).words["workloads"])[0]
    assert (job["kind"], job.get("model", {}).get("model")) == ("inference", model)
