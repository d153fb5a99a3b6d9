"""Configurations of trainers in forms that few files have: sections alone, older versions, arguments of a kindred trainer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """
language_model: {num_layers: 24, hidden_size: 1024, num_attention_heads: 16, ffn_hidden_size: null, gated_linear_unit: False,
  activation_func: ACTIVATION, recompute_granularity: null, num_moe_experts: null, moe_router_topk: 2}
model_parallel: {tensor_model_parallel_size: 2, pipeline_model_parallel_size: 4, bf16: True}
micro_batch_size: 2
global_batch_size: 128
seq_length: 4096
swiglu: True
save: null
save_interval: 20000
"""
CHECKPOINT = """
micro_batch_size: 4
tensor_model_parallel_size: 2
encoder_seq_length: 8192
num_layers: 80
activation: fast-swiglu
activations_checkpoint_granularity: null
data: {num_workers: 2}
optim: {name: distributed_fused_adam}
nemo_version: 2.0.0
"""
NANOTRON = """
general: {run: one}
model: {dtype: bfloat16, model_config: {num_hidden_layers: 2, hidden_size: 64, num_attention_heads: 4}}
parallelism: {dp: 8, tp: 1, pp: 1, recompute_granularity: SELECTIVE}
tokens: {micro_batch_size: 4, sequence_length: 2048}
optimizer: {torch_adam_is_fused: true, zero_stage: 0}
"""
FOUNDRY = (
    "model: {name: mpt}\nglobal_train_batch_size: 8\nmax_duration: 50ba\nsave_interval: 10ba\nsave_folder: FOLDER\n"
)
TRAINER: dict[str, Any] = {
    "output_dir": "out", "model_name_or_path": "Qwen/Qwen3-8B", "per_device_train_batch_size": 1, "fp16": True,
    "gradient_accumulation_steps": 16,
}  # fmt: skip


def one(folder: Path, name: str, text: str) -> Any:
    """The words of the only workload of a file."""
    (words,) = plain(read(folder, {name: text}).words["workloads"])
    return words


@pytest.mark.parametrize(("activation", "gated", "width"), [("swiglu", "true", "2688"), ("gelu", "false", "4096")])
def test_sections_of_megatron_hold_all_arguments(tmp_path: Path, activation: str, gated: str, width: str) -> None:
    words = one(tmp_path, "gpt.yaml", WHOLE.replace("ACTIVATION", activation))
    model = words["model"]
    assert (model["layers"], model["gated"], model["feed_forward"], model["sequence"]) == ("24", gated, width, "4096")
    assert {"tensor": "2", "pipeline": "4", "micro_batch": "2", "recompute": "none"}.items() <= words[
        "parallelism"
    ].items()
    assert words["checkpoint"] == {"mode": "none"}
    assert "experts_per_token" not in model


def test_a_checkpoint_of_nemo_holds_the_model_alone(tmp_path: Path) -> None:
    words = one(tmp_path, "model_config.yaml", CHECKPOINT)
    assert {"tensor": "2", "micro_batch": "4", "recompute": "none", "zero_stage": "1"}.items() <= words[
        "parallelism"
    ].items()
    assert (words["model"]["layers"], words["model"]["gated"], words["model"]["sequence"]) == ("80", "true", "8192")
    assert words["job"] == {"data_loader_workers": "2"}


def test_the_first_nanotron_describes_its_model_by_itself(tmp_path: Path) -> None:
    whole = NANOTRON.replace(
        "model_config: {num_hidden_layers: 2, hidden_size: 64, num_attention_heads: 4}",
        "n_layer: 3, n_inner: 256, hidden_size: 64, attn_pdrop: 0.1",
    )
    words = one(tmp_path, "config.yaml", whole)
    assert (words["model"]["layers"], words["model"]["feed_forward"], words["dropout"]) == ("3", "256", "true")


def test_older_nanotron_names_what_it_recomputes(tmp_path: Path) -> None:
    words = one(tmp_path, "config.yaml", NANOTRON)
    assert (words["parallelism"]["recompute"], words["optimizer"]) == ("selective", "adam")


@pytest.mark.parametrize(
    ("folder", "checkpoint"), [("null", {"mode": "none"}), ("s3://bucket/run", {"interval_steps": "10"})]
)
def test_foundry_saves_nothing_without_a_folder(tmp_path: Path, folder: str, checkpoint: dict[str, str]) -> None:
    assert one(tmp_path, "mpt.yaml", FOUNDRY.replace("FOLDER", folder))["checkpoint"] == checkpoint


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ({}, "fine-tuning"),
        ({"train_mode": "qlora", "lora_rank": 64}, None),
        ({"use_peft": True, "lora_r": 8}, "lora"),
        ({"use_peft": False, "lora_r": 8}, "fine-tuning"),
    ],
)
def test_silence_on_adapters_says_nothing_beside_their_shape(
    tmp_path: Path, more: dict[str, Any], kind: str | None
) -> None:
    """Arguments that DeepSpeed calls alike make the file no configuration of DeepSpeed's."""
    words = one(tmp_path, "sft.json", json.dumps(TRAINER | more))
    assert (words["parallelism"]["micro_batch"], words.get("kind")) == ("1", kind)


def test_the_first_mpi_job_has_workers_alone(tmp_path: Path) -> None:
    text = (
        "apiVersion: kubeflow.org/v1alpha1\nkind: MPIJob\nmetadata: {name: old}\nspec:\n  replicas: 2\n  template:\n    spec:\n"
        "      containers:\n      - {name: a, resources: {limits: {nvidia.com/gpu: 4}}}\n"
    )
    words = one(tmp_path, "job.yaml", text)
    assert (words["job"]["workers"], words["job"]["gpus_per_worker"], words["runs_on"]["gpus"]) == ("2", "4", "8")


def test_verl_is_known_without_its_servers(tmp_path: Path) -> None:
    text = "actor_rollout_ref: {rollout: {tensor_model_parallel_size: 2}}\ntrainer: {save_freq: 50}\n"
    words = one(tmp_path, "grpo.yaml", text)
    assert (words["checkpoint"]["interval_steps"], words["reinforcement"]["rollout_tensor"]) == ("50", "2")


def test_neox_learns_from_preferences(tmp_path: Path) -> None:
    text = (
        '{"pipe_parallel_size": 0, "model_parallel_size": 4, "num_layers": 32, "train_impl": "DPO", "finetune": true}'
    )
    assert one(tmp_path, "dpo.yml", text)["kind"] == "fine-tuning"


@pytest.mark.parametrize(("section", "ranks"), [("training", "8"), ("parallelism", "8")])
def test_torchtitan_counts_copies_where_either_version_states_them(tmp_path: Path, section: str, ranks: str) -> None:
    text = (
        '[model]\nname = "llama2"\nflavor = "70B"\n[training]\nseq_len = 4096\nsteps = 10\n[metrics]\nlog_freq = 1\n'
        "[job]\ndump_folder = 'out'\n"
    )
    degrees = "data_parallel_replicate_degree = 2\ndata_parallel_shard_degree = 4\n"
    whole = (
        text.replace("steps = 10\n", f"steps = 10\n{degrees}")
        if section == "training"
        else f"{text}[parallelism]\n{degrees}"
    )
    words = one(tmp_path, "llama.toml", whole)
    assert (words["model"]["model"], words["parallelism"]["data"]) == ("llama-2-70b", ranks)


@pytest.mark.parametrize(
    ("more", "model"), [("", "llama-3-8b"), ("  config_overrides: {num_hidden_layers: 2}\n", None)]
)
def test_foundry_names_a_published_model(tmp_path: Path, more: str, model: str | None) -> None:
    text = (
        "global_train_batch_size: 8\nmodel:\n  name: hf\n  pretrained_model_name_or_path: meta-llama/Meta-Llama-3-8B\n"
    )
    assert one(tmp_path, "llama.yaml", text + more).get("model", {}).get("model") == model


@pytest.mark.parametrize(
    ("actor", "split"),
    [
        ("strategy: fsdp, fsdp_config: {param_offload: true}", {"zero_stage": "3"}),
        ("strategy: fsdp2, fsdp_config: {reshard_after_forward: False}", {"zero_stage": "2"}),
        ("strategy: fsdp, ulysses_sequence_parallel_size: 4", {"zero_stage": "3", "context": "4"}),
        ("strategy: megatron", {}),
    ],
)
def test_verl_shards_by_its_strategy(tmp_path: Path, actor: str, split: dict[str, str]) -> None:
    text = f"defaults: [ppo_trainer]\nactor_rollout_ref: {{actor: {{{actor}}}, rollout: {{name: vllm}}}}\n"
    assert one(tmp_path, "grpo.yaml", text).get("parallelism", {}) == split


@pytest.mark.parametrize(
    ("strategy", "checkpoint"),
    [("no", {"mode": "none"}), ("epoch", None), ("steps", {"interval_steps": "5", "at_end": "true"})],
)
def test_a_strategy_saves_nothing(tmp_path: Path, strategy: str, checkpoint: dict[str, str] | None) -> None:
    text = json.dumps(TRAINER | {"save_strategy": strategy, "save_steps": 5})
    assert one(tmp_path, "sft.json", text).get("checkpoint") == checkpoint
