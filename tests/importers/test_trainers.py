"""Arguments of Hugging Face's trainer and of Megatron-LM's first versions, and what NeMo's null says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

TRAINER = "accelerate launch finetune.py --model_name_or_path org/model --per_device_train_batch_size 2"
OLD = "python -m torch.distributed.launch --nproc_per_node 8 pretrain_gpt2.py --num-layers 42 --batch-size 16"


def job(tmp_path: Path, command: str) -> dict[str, Any]:
    pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")
    (words,) = plain(read(tmp_path, {"run.sh": f"#!/bin/bash\n{command}\n"}).words["workloads"])
    found: dict[str, Any] = words
    return found


@pytest.mark.parametrize(
    ("flag", "kind"),
    [
        ("--gradient_checkpointing", "full"),
        ("--gradient_checkpointing True", "full"),
        ("--gradient_checkpointing 0", "none"),
        ("", None),
    ],
)
def test_the_trainer_recomputes_where_it_is_told_to(tmp_path: Path, flag: str, kind: str | None) -> None:
    assert job(tmp_path, f"{TRAINER} {flag}")["parallelism"].get("recompute") == kind


@pytest.mark.parametrize(
    ("flags", "kind"),
    [
        ("--use_lora 1", "lora"),
        ("--use_peft true --lora_r 8", "lora"),
        ("--use_lora 0 --lora_r 8", None),
        ("--lora_r 8", None),
        ("--lora_dim 128", None),
        ("--lora_dim 128 --only_optimize_lora", "lora"),
        ("--lora_dim 0 --only_optimize_lora", None),
    ],
)
def test_adapters_are_trained_where_a_switch_says_so(tmp_path: Path, flags: str, kind: str | None) -> None:
    assert job(tmp_path, f"{TRAINER} {flags}").get("kind") == kind


def test_a_block_is_a_sequence_of_the_trainer_alone(tmp_path: Path) -> None:
    assert job(tmp_path, f"{TRAINER} --block_size 512")["model"] == {"sequence": "512"}
    assert "model" not in job(tmp_path, "torchrun serve.py --block_size 16")


def test_the_first_batch_of_megatron_is_that_of_a_gpu(tmp_path: Path) -> None:
    assert job(tmp_path, OLD)["parallelism"]["micro_batch"] == "16"
    assert job(tmp_path, f"{OLD} --micro-batch-size 4")["parallelism"]["micro_batch"] == "4"
    assert "parallelism" not in job(tmp_path, OLD.replace("pretrain_gpt2", "train"))


@pytest.mark.parametrize(("granularity", "kind"), [("null", "none"), ("selective", "selective"), (None, None)])
def test_nemo_recomputes_nothing_under_null(tmp_path: Path, granularity: str | None, kind: str | None) -> None:
    line = f"  activations_checkpoint_granularity: {granularity}\n" if granularity else ""
    text = f"trainer: {{num_nodes: 2, devices: 8}}\nmodel:\n  tensor_model_parallel_size: 4\n{line}"
    (words,) = plain(read(tmp_path, {"nemo.yaml": text}).words["workloads"])
    assert words["parallelism"].get("recompute") == kind


@pytest.mark.parametrize(
    ("flags", "learned"),
    [
        ("", "true"),
        ("--position-embedding-type rope", "false"),
        ("--position-embedding-type learned_absolute", "true"),
        ("--use-rotary-position-embeddings", "false"),
        ("--position-embedding-type $KIND", None),
    ],
)
def test_megatron_learns_positions_unless_it_is_told_otherwise(tmp_path: Path, flags: str, learned: str | None) -> None:
    command = f"torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 2 --hidden-size 64 {flags}"
    assert job(tmp_path, command)["model"].get("learned_positions") == learned


def test_a_stage_of_nemos_launcher_states_servers_and_time(tmp_path: Path) -> None:
    keys = "peft.run.time_limit=0:20:00 peft.trainer.devices=8 peft.trainer.num_nodes=2"
    words = job(tmp_path, f"python3 main.py peft=llama/sft {keys} peft.model.tensor_model_parallel_size=4")
    assert (words["job"]["servers"], words["job"]["gpus_per_server"], words["job"]["walltime"]) == ("2", "8", "20 min")
    assert words["runs_on"] == {"gpus": "16"}


def test_openlm_names_its_arguments_as_openclip_does(tmp_path: Path) -> None:
    words = job(
        tmp_path, "srun python -m open_lm.main --batch-size 10 --grad-checkpointing --workers 2 --model m1b_neox"
    )
    assert words["parallelism"] == {"micro_batch": "10", "recompute": "full"}
    assert words["job"]["data_loader_workers"] == "2"


def test_megatron_deepspeed_may_switch_its_pipeline_off(tmp_path: Path) -> None:
    words = job(
        tmp_path, "deepspeed pretrain_gpt.py --num-layers 4 --tensor-model-parallel-size 2 --no-pipeline-parallel"
    )
    assert words["parallelism"]["pipeline"] == "1"


def test_nemo_exchanges_gradients_and_ends_its_runs(tmp_path: Path) -> None:
    optim = "optim: {name: mcore_distributed_optim, overlap_grad_sync: true, grad_sync_dtype: bf16}"
    text = "trainer: {devices: 8}\nexp_manager: {max_time_per_run: '00:03:50:00'}\n"
    text += f"model: {{tensor_model_parallel_size: 4, {optim}}}\n"
    (words,) = plain(read(tmp_path, {"nemo.yaml": text}).words["workloads"])
    assert (words["parallelism"]["overlap"], words["job"]["exit_after"]) == ("true", "230 min")
    assert words["precision"] == {"exchanged_gradient_bytes": "2 B"}
    (words,) = plain(
        read(tmp_path, {"nemo.yaml": text.replace("true", "false").replace("bf16", "int8")}).words["workloads"]
    )
    assert "overlap" not in words["parallelism"]
    assert "precision" not in words


def test_what_sends_the_output_elsewhere_is_no_argument(tmp_path: Path) -> None:
    command = 'cmd="torchrun train_llm.py --num-layers 4 --checkpoint-activations &> $LOGS/run.log"\neval $cmd'
    assert job(tmp_path, command)["parallelism"]["recompute"] == "full"
    command = 'cmd="torchrun train_llm.py --num-layers 4 --micro-batch-size 2 | tee run.log"\neval $cmd'
    assert job(tmp_path, command)["parallelism"]["micro_batch"] == "2"


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ('--fsdp="full_shard auto_wrap"', {"zero_stage": "3"}),
        ("--fsdp 'shard_grad_op offload'", {"zero_stage": "2", "offload": "weights"}),
        ("--optim paged_adamw_32bit", {"offload": "optimizer"}),
        ("--fsdp ''", {}),
    ],
)
def test_the_trainer_s_sharding_and_optimizer(tmp_path: Path, flags: str, words: dict[str, str]) -> None:
    found = job(tmp_path, f"{TRAINER} {flags}")
    assert {word: one for word, one in found["parallelism"].items() if word != "micro_batch"} == words
    assert found.get("optimizer") == ("adam" if "optim" in flags else None)
    assert ("framework" in found) is ("zero_stage" in words)


LIGHTNING = """config=/x/ds.$SLURM_JOBID.json
cat <<EOT > $config
{"train_micro_batch_size_per_gpu": 64, "zero_optimization": {"stage": 1, "overlap_comm": true}, "fp16": {"enabled": true}}
EOT
export PL_DEEPSPEED_CONFIG_PATH=$config
python3 pretrain_t5.py --max_epochs 1 --strategy STRATEGY --every_n_train_steps 50000 --save_top_k 3 --max_seq_length 512
"""


def test_lightning_finds_deepspeed_s_configuration_by_a_variable(tmp_path: Path) -> None:
    found = job(tmp_path, LIGHTNING.replace("STRATEGY", "deepspeed_stage_1"))
    assert found["parallelism"] == {"zero_stage": "1", "micro_batch": "64", "overlap": "true"}
    assert (found["framework"], found["precision"]["matmul"]) == ("deepspeed", "fp16")
    assert found["checkpoint"] == {"interval_steps": "50000", "keep": "3"}


def test_a_script_of_lightning_s_is_not_megatron_s_whatever_its_name(tmp_path: Path) -> None:
    found = job(tmp_path, "python3 pretrain_t5.py --max_epochs 1 --strategy ddp --save_top_k -1")
    assert "framework" not in found
    assert "checkpoint" not in found


def test_the_longest_text_of_a_tokenizer_is_a_sequence_of_the_trainer_alone(tmp_path: Path) -> None:
    assert job(tmp_path, f"{TRAINER} --model_max_length 2048")["model"] == {"sequence": "2048"}
    found = job(tmp_path, "accelerate launch train_t2v.py --model_max_length 512 --train_batch_size 4")
    assert "model" not in found
