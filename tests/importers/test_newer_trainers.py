"""torchtune, Megatron Bridge, NeMo Automodel, NeMo RL and verl: what their own configurations state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

TUNE = """
tokenizer: {_component_: torchtune.models.llama3.llama3_tokenizer, max_seq_len: 8192}
model: {_component_: torchtune.models.llama3_1.BUILDER}
optimizer: {_component_: OPTIMIZER, lr: 2e-5}
batch_size: 2
gradient_accumulation_steps: 4
tensor_parallel_dim: 2
fsdp_cpu_offload: False
enable_activation_checkpointing: True
enable_activation_offloading: False
dtype: bf16
"""
BRIDGE = """
train: {train_iters: 40, global_batch_size: 256, micro_batch_size: 1}
model: {seq_length: 4096, tensor_model_parallel_size: 2, pipeline_model_parallel_size: 4, recompute_granularity: selective}
optimizer: {bf16: true, use_distributed_optimizer: true}
ddp: {overlap_grad_reduce: true}
checkpoint: {save_interval: 100}
dist: {distributed_timeout_minutes: 45}
"""
AUTOMODEL = """
step_scheduler: {global_batch_size: 64, local_batch_size: 8, ckpt_every_steps: 50, max_steps: 100}
model: {_target_: nemo_automodel.NeMoAutoModelForCausalLM.from_pretrained, pretrained_model_name_or_path: Qwen/Qwen3-8B}
distributed: {strategy: fsdp2, tp_size: 2, pp_size: STAGES, activation_checkpointing: true, pipeline: {pp_microbatch_size: 1}}
optimizer: {_target_: torch.optim.AdamW}
"""
NEMO_RL = """
grpo: {max_num_steps: 20}
checkpointing: {enabled: true, save_period: 10}
policy:
  train_global_batch_size: 512
  train_micro_batch_size: 1
  max_total_sequence_length: 4096
  precision: bfloat16
  dtensor_cfg: {enabled: DTENSOR, tensor_parallel_size: 8, activation_checkpointing: true}
  megatron_cfg: {enabled: MEGATRON, tensor_model_parallel_size: 4, pipeline_model_parallel_size: 2}
  generation: {vllm_cfg: {tensor_parallel_size: 2}, colocated: {enabled: true}}
cluster: {gpus_per_node: 8, num_nodes: 16}
"""
VERL = """
actor_rollout_ref:
  model: {enable_gradient_checkpointing: true}
  actor: {strategy: STRATEGY, ppo_micro_batch_size_per_gpu: 2, megatron: {tensor_model_parallel_size: 4}}
  rollout: {tensor_model_parallel_size: 2}
trainer: {nnodes: 2, n_gpus_per_node: 8, save_freq: 20}
"""


def one(tmp_path: Path, text: str, **replaced: str) -> dict[str, Any]:
    for name, value in replaced.items():
        text = text.replace(name, value)
    found = read(tmp_path, {"x.yaml": text})
    (words,) = plain(found.words["workloads"])
    return dict(words)


def test_torchtune(tmp_path: Path) -> None:
    found = one(tmp_path, TUNE, BUILDER="llama3_1_8b", OPTIMIZER="torch.optim.AdamW")
    assert found["parallelism"] == {
        "micro_batch": "2", "gradient_accumulation": "4", "tensor": "2", "recompute": "full", "zero_stage": "3",
    }  # fmt: skip
    assert found["model"] == {"sequence": "8192", "model": "llama-3-8b"}
    assert (found["kind"], found["optimizer"]) == ("fine-tuning", "adam")
    assert (found["precision"]["weight_bytes"], found["precision"]["optimizer_bytes"]) == ("2 B", "4 B")


def test_torchtune_s_adapters_and_optimizers(tmp_path: Path) -> None:
    found = one(tmp_path, TUNE, BUILDER="lora_llama3_1_8b", OPTIMIZER="bitsandbytes.optim.PagedAdamW8bit")
    assert (found["kind"], found["optimizer"], found["parallelism"]["offload"]) == ("lora", "adam-8bit", "optimizer")
    assert found["precision"] == {"matmul": "bf16"}
    found = one(tmp_path, TUNE, BUILDER="qlora_llama3_1_8b", OPTIMIZER="torch.optim.AdamW")
    assert found["kind"] == "lora"
    assert "model" not in found["model"]  # its weights have four bits


def test_megatron_bridge(tmp_path: Path) -> None:
    found = one(tmp_path, BRIDGE)
    assert found["parallelism"] == {
        "tensor": "2", "pipeline": "4", "micro_batch": "1", "global_batch": "256", "zero_stage": "1", "overlap": "true",
        "recompute": "selective",
    }  # fmt: skip
    assert (found["targets"]["steps"], found["checkpoint"]["interval_steps"]) == ("40", "100")
    assert found["recovery"]["communication_timeout"] == "45 min"
    assert "heads" not in found["model"]  # of the recipe behind it, as are Megatron's defaults


@pytest.mark.parametrize(("stages", "micro"), [("1", "8"), ("4", "1")])
def test_automodel_s_micro_batch_is_the_pipeline_s_where_it_has_one(tmp_path: Path, stages: str, micro: str) -> None:
    found = one(tmp_path, AUTOMODEL, STAGES=stages)
    assert (found["parallelism"]["micro_batch"], found["parallelism"]["global_batch"]) == (micro, "64")
    assert (found["model"]["model"], found["kind"], found["optimizer"]) == ("qwen3-8b", "fine-tuning", "adam")


def test_a_model_of_automodel_that_starts_from_its_shape_alone_is_not_fine_tuned(tmp_path: Path) -> None:
    shape = "{_target_: transformers.AutoConfig.from_pretrained, pretrained_model_name_or_path: Qwen/Qwen3-8B}"
    scratch = AUTOMODEL.replace("pretrained_model_name_or_path: Qwen/Qwen3-8B", f"config: {shape}")
    found = one(tmp_path, scratch.replace("NeMoAutoModelForCausalLM.from_pretrained", "F.from_config"), STAGES="1")
    assert found["model"]["model"] == "qwen3-8b"
    assert "kind" not in found


@pytest.mark.parametrize(
    ("trainer", "degrees"),
    [("DTENSOR", {"tensor": "8", "recompute": "full"}), ("MEGATRON", {"tensor": "4", "pipeline": "2"})],
)
def test_nemo_rl_trains_with_what_is_on(tmp_path: Path, trainer: str, degrees: dict[str, str]) -> None:
    found = one(tmp_path, NEMO_RL, **{name: str(name == trainer).lower() for name in ("DTENSOR", "MEGATRON")})
    own = {word: value for word, value in found["parallelism"].items() if not word.endswith("_batch")}
    assert own == degrees
    assert found["reinforcement"] == {"rollout_tensor": "2", "rollouts": "same-gpus"}
    assert (found["runs_on"]["gpus"], found["kind"]) == ("128", "reinforcement-learning")


@pytest.mark.parametrize(("strategy", "tensor"), [("megatron", "4"), ("fsdp", None)])
def test_verl_splits_by_megatron_where_it_trains_with_it(tmp_path: Path, strategy: str, tensor: str | None) -> None:
    found = one(tmp_path, VERL, STRATEGY=strategy)
    assert found["parallelism"].get("tensor") == tensor
    assert (found["parallelism"]["micro_batch"], found["parallelism"]["recompute"]) == ("2", "full")
    assert (found["reinforcement"]["rollout_tensor"], found["runs_on"]["gpus"]) == ("2", "16")


def test_a_model_of_nemo_whose_degrees_stand_in_its_checkpoint(tmp_path: Path) -> None:
    text = (
        "trainer: {num_nodes: 2, devices: 8, precision: bf16}\n"
        "exp_manager: {create_checkpoint_callback: true, checkpoint_callback_params: {save_top_k: 0}}\n"
        "model: {micro_batch_size: 1, global_batch_size: 64, encoder_seq_length: 4096}\n"
    )
    found = one(tmp_path, text)
    assert (found["runs_on"]["gpus"], found["parallelism"]["global_batch"]) == ("16", "64")
    assert "keep" not in found.get("checkpoint", {})


TUNED = "tune run --nnodes 2 --nproc_per_node 8 full_finetune_distributed --config x.yaml batch_size=1 tokenizer.max_seq_len=512"


@pytest.mark.parametrize(("beside", "accumulation"), [(True, "4"), (False, None)])
def test_tune_runs_a_recipe_with_a_configuration_and_what_changes_it(
    tmp_path: Path, beside: bool, accumulation: str | None
) -> None:
    pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")
    text = TUNE.replace("BUILDER", "llama3_1_8b").replace("OPTIMIZER", "torch.optim.AdamW")
    files = {"run.sh": f"#!/bin/bash\n{TUNED}\n"} | ({"+x.yaml": text} if beside else {})
    (found,) = plain(read(tmp_path, files).words["workloads"])
    assert (found["runs_on"]["gpus"], found["model"]["sequence"], found["parallelism"]["micro_batch"]) == (
        "16",
        "512",
        "1",
    )
    assert found["parallelism"].get("gradient_accumulation") == accumulation


def test_layers_of_a_stage_are_not_those_of_the_model(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")
    command = "python dist_clm_train.py --num-layers 6 --embedding-dim 64 --pipeline-group-size 8 --micro-batch-size 1"
    (found,) = plain(read(tmp_path, {"run.sh": f"#!/bin/bash\n{command}\n"}).words["workloads"])
    assert (found["model"], found["parallelism"]["pipeline"]) == ({"hidden": "64"}, "8")
