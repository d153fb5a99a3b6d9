"""Configurations of training frameworks: exact values, defaults that name their tool, unknowns that say why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.importers.helpers import at, place, plain, read

if TYPE_CHECKING:
    from pathlib import Path


def model(tmp_path: Path, **keys: Any) -> dict[str, str]:
    (found,) = plain(read(tmp_path, {"config.json": json.dumps(keys, indent=1)}).words["workloads"])
    words: dict[str, str] = found["model"]
    return words


LLAMA = {
    "model_type": "llama",
    "num_hidden_layers": 32,
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "vocab_size": 128256,
    "hidden_act": "silu",
}


def test_gated_follows_from_the_model_type_not_from_silu(tmp_path: Path) -> None:
    assert model(tmp_path, **LLAMA, intermediate_size=14336)["gated"] == "true"
    assert "gated" not in model(tmp_path, **{**LLAMA, "model_type": "mystery"})


def test_layers_without_softmax(tmp_path: Path) -> None:
    hybrid = model(
        tmp_path, **{**LLAMA, "model_type": "nemotron_h"}, hybrid_override_pattern="M-M*-ME", mamba_num_heads=128
    )
    assert (hybrid["mamba_layers"], hybrid["attention_layers"], hybrid["feed_forward_layers"]) == ("3", "1", "3")
    assert (hybrid["expert_layers"], hybrid["mamba_heads"]) == ("1", "128")
    linear = model(
        tmp_path, **{**LLAMA, "model_type": "qwen3_next"}, full_attention_interval=4, linear_num_value_heads=32
    )
    assert (linear["linear_layers"], linear["linear_attention"], linear["linear_value_heads"]) == (
        "24",
        "gated-deltanet",
        "32",
    )
    assert "linear_layers" not in model(tmp_path, **LLAMA, full_attention_interval=1)


def test_head_dim_wins_and_the_training_sequence_is_not_the_longest_one(tmp_path: Path) -> None:
    words = model(tmp_path, **LLAMA, head_dim=256, max_position_embeddings=131072)
    assert words["head_dimension"] == "256"
    assert "sequence" not in words
    assert words["positions"] == "131072"
    scaled = model(tmp_path, **LLAMA, max_position_embeddings=131072, rope_scaling={"factor": 8.0})
    assert "positions" not in scaled


def test_width_of_dense_layers_that_do_not_exist_is_left_out(tmp_path: Path) -> None:
    keys = {
        "model_type": "qwen3_moe",
        "num_experts": 128,
        "moe_intermediate_size": 1536,
        "intermediate_size": 12288,
        "decoder_sparse_step": 1,
    }
    words = model(tmp_path, **{**LLAMA, **keys})
    assert words["dense_layers"] == "0"
    assert "feed_forward" not in words


def test_latent_attention_counts_a_head_without_its_rotary_part(tmp_path: Path) -> None:
    keys = {
        "kv_lora_rank": 512,
        "q_lora_rank": 1536,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "v_head_dim": 128,
        "num_key_value_heads": 32,
    }
    words = model(tmp_path, **{**LLAMA, "model_type": "deepseek_v3", **keys})
    assert (words["attention"], words["head_dimension"], words["rope_dimension"]) == ("mla", "128", "64")
    assert "kv_heads" not in words


def test_deepspeed_auto_is_unknown_and_old_keys_are_understood(tmp_path: Path) -> None:
    text = (
        "{\n"
        "  // tuned by hand\n"
        '  "train_batch_size": "auto",\n'
        '  "zero_optimization": {"stage": 2, "cpu_offload": true, "stage3_param_persitence_threshold": 1},\n'
        '  "bf16": {"enabled": true}\n'
        "}\n"
    )
    found = read(tmp_path, {"ds.json": text})
    (words,) = plain(found.words["workloads"])
    assert words["parallelism"] == {"zero_stage": "2", "offload": "optimizer", "offload_to": "cpu"}
    assert [one.word for one in found.unknowns] == ["workloads/ds/parallelism/global_batch"]
    assert place(at(found, "workloads/0/parallelism/zero_stage")) == ("ds.json", 4, "2")


def test_torchtitan_an_interval_means_nothing_where_checkpoints_are_off(tmp_path: Path) -> None:
    text = (
        "[model]\n"
        'name = "llama3"\n'
        "[training]\n"
        "steps = 10_000\n"
        "local_batch_size = 2\n"
        "[parallelism]\n"
        "tensor_parallel_degree = 8\n"
        "[checkpoint]\n"
        "enable = false\n"
        "interval = 500\n"
    )
    found = read(tmp_path, {"job.toml": text})
    (words,) = plain(found.words["workloads"])
    assert words["checkpoint"] == {"mode": "none"}
    assert words["targets"] == {"steps": "10000"}
    assert (words["parallelism"]["tensor"], words["parallelism"]["zero_stage"]) == ("8", "3")
    assert place(at(found, "workloads/0/parallelism/tensor")) == ("job.toml", 7, "8")
    assert at(found, "workloads/0/parallelism/pipeline").note == "TorchTitan 0.2"


def test_neox_pipe_parallel_size_0_is_no_pipeline(tmp_path: Path) -> None:
    text = (
        "{\n"
        ' "pipe-parallel-size": 0,\n'
        ' "model-parallel-size": 2,\n'
        ' "num-layers": 44, # deep\n'
        ' "hidden-size": 6144,\n'
        ' "checkpoint-factor": 500,\n'
        ' "fp16": {"enabled": true},\n'
        "}\n"
    )
    (words,) = plain(read(tmp_path, {"20B.yml": text}).words["workloads"])
    assert (words["parallelism"]["pipeline"], words["parallelism"]["tensor"]) == ("1", "2")
    assert words["checkpoint"] == {"interval_steps": "500"}
    assert words["model"]["feed_forward"] == "24576"


def test_llm_foundry_follows_references_and_reads_durations(tmp_path: Path) -> None:
    text = (
        "variables: {max_seq_len: 2048}\n"
        "model:\n"
        "  name: mpt_causal_lm\n"
        "  d_model: 4096\n"
        "  n_layers: 32\n"
        "  max_seq_len: ${variables.max_seq_len}\n"
        "global_train_batch_size: 1024\n"
        "device_train_microbatch_size: auto\n"
        "max_duration: 63900ba\n"
        "fsdp_config: {sharding_strategy: SHARD_GRAD_OP}\n"
    )
    (words,) = plain(read(tmp_path, {"mpt.yaml": text}).words["workloads"])
    assert (words["model"]["sequence"], words["model"]["feed_forward"]) == ("2048", "16384")
    assert words["targets"] == {"steps": "63900"}
    assert words["parallelism"]["zero_stage"] == "2"
    assert "micro_batch" not in words["parallelism"]


def test_maxtext_leaves_unknown_what_it_inherits(tmp_path: Path) -> None:
    text = (
        "base_config: base.yml\n"
        "model_name: own-405b\n"
        "per_device_batch_size: 1.0\n"
        "max_target_length: 4096\n"
        "ici_tensor_parallelism: 4\n"
        "dcn_tensor_parallelism: -1\n"
        "enable_checkpointing: false\n"
    )
    found = read(tmp_path, {"run.yml": text})
    (words,) = plain(found.words["workloads"])
    assert words["parallelism"] == {"tensor": "4"}
    assert {one.word for one in found.unknowns} == {"workloads/model", "workloads/parallelism"}


def test_megatron_yaml_names_are_flags(tmp_path: Path) -> None:
    text = (
        "ENV_VARS: {NCCL_ALGO: Ring, NCCL_NVLS_ENABLE: 0}\n"
        "MODEL_ARGS:\n"
        "  --num-layers: 12\n"
        "  --hidden-size: 512\n"
        "  --tensor-model-parallel-size: 2\n"
        "  --swiglu: true\n"
        "  --bf16: true\n"
        "  --lr: 1e-4\n"
    )
    found = read(tmp_path, {"model_config.yaml": text})
    (words,) = plain(found.words["workloads"])
    assert (words["model"]["gated"], words["model"]["feed_forward"]) == ("true", "1344"), (
        "8/3 x 512 down to a multiple of 64"
    )
    assert at(found, "workloads/0/model/norm").note == "Megatron-LM core 0.14"
    assert words["environment"] == {"nccl_algo": "Ring"}
    assert [one.partial for one in found.accounts()] == [False]


NEMO = """\
run: {name: mixtral, time_limit: "01:00:00"}
trainer: {devices: 8, num_nodes: 4, precision: bf16, max_steps: 30}
exp_manager: {create_checkpoint_callback: false, checkpoint_callback_params: {every_n_train_steps: 100}}
model:
  tensor_model_parallel_size: 2
  pipeline_model_parallel_size: 1
  virtual_pipeline_model_parallel_size: 4
  micro_batch_size: 1
  global_batch_size: ${multiply:${trainer.num_nodes}, 64}
  encoder_seq_length: 4096
  num_layers: 32
  hidden_size: 4096
  ffn_hidden_size: 14336
  num_attention_heads: 32
  num_query_groups: null
  num_moe_experts: 8
  activation: fast-swiglu
  share_embeddings_and_output_weights: false
  fp8: true
  optim: {name: distributed_fused_adam}
"""


def test_nemo_states_megatrons_words_in_sections(tmp_path: Path) -> None:
    found = read(tmp_path, {"mixtral.yaml": NEMO})
    assert found.formats == {"mixtral.yaml": "nemo"}
    (words,) = plain(found.words["workloads"])
    split = {"tensor": "2", "pipeline": "1", "micro_batch": "1", "zero_stage": "1"}
    assert words["parallelism"] == {**split, "global_batch": "256"}
    assert words["model"] == {
        "sequence": "4096", "layers": "32", "hidden": "4096", "heads": "32", "kv_heads": "32", "feed_forward": "14336",
        "experts": "8", "expert_feed_forward": "14336", "gated": "true", "tied_embeddings": "false",
    }  # fmt: skip
    assert (words["precision"], words["checkpoint"]) == ({"matmul": "fp8"}, {"mode": "none"})
    assert (words["job"]["walltime"], words["runs_on"]["gpus"], words["targets"]["steps"]) == ("1 h", "32", "30")
    assert place(at(found, "workloads/0/model/layers")) == ("mixtral.yaml", 11, "32")


def test_a_comment_in_the_file_is_no_misspelt_key(tmp_path: Path) -> None:
    text = '{"_comment": "ours", "comms_config": {"a": 1}, "zero_optimization": {"stage": 2}, "gradient_cliping": 1.0}'
    found = read(tmp_path, {"ds.json": text})
    assert [(one.rule, one.values["name"]) for one in found.clashes] == [("import/misspelt-key", "gradient_cliping")]


def test_keys_that_deepspeed_documents_are_not_misspelt(tmp_path: Path) -> None:
    zero = {"stage": 3, "stage3_model_persistence_threshold": 0, "stage3_param_persitence_threshold": 1}
    found = read(
        tmp_path, {"ds.json": json.dumps({"train_batch_size": 8, "bf16": {"enabled": True}, "zero_optimization": zero})}
    )
    assert [one.values["name"] for one in found.clashes] == ["stage3_param_persitence_threshold"]


def test_maxtext_counts_a_pair_of_layers_as_one_and_zero_as_none(tmp_path: Path) -> None:
    text = "base_emb_dim: 4608\nbase_num_decoder_layers: 23\ndecoder_block: gemma2\nq_lora_rank: 0\n"
    found = read(tmp_path, {"model.yml": text})
    model = plain(found.words["workloads"])[0]["model"]
    assert (model["layers"], model.get("query_rank")) == ("46", None)


def test_a_recipe_for_inference_is_no_training(tmp_path: Path) -> None:
    found = read(tmp_path, {"model_config.yaml": "MODE: inference\nMODEL_ARGS: {--num-layers: 24}\n"})
    assert plain(found.words["workloads"])[0]["kind"] == "inference"


def test_nemo_files_that_convert_a_checkpoint_train_nothing(tmp_path: Path) -> None:
    text = "run: {name: c, convert_name: hf_to_nemo}\ntrainer: {devices: 1, num_nodes: 1}\nmodel:\n"
    text += (
        "  tensor_model_parallel_size: 1\n  pipeline_model_parallel_size: 16\n  num_layers: 32\n  micro_batch_size: 4\n"
    )
    text += "exp_manager: {create_checkpoint_callback: true}\n"
    (refused,) = read(tmp_path, {"convert.yaml": text}).refused
    assert (refused.line, refused.why) == (1, "it converts a checkpoint, and trains nothing")


def test_mpt_layers_state_heads_windows_positions_and_dropout(tmp_path: Path) -> None:
    text = (
        "max_seq_len: 2048\nglobal_train_batch_size: 8\nfsdp_config: {sharding_strategy: FULL_SHARD}\ncompile_config: {}\n"
        "model:\n  name: mpt_causal_lm\n  d_model: 512\n  n_layers: 12\n  n_heads: 8\n  resid_pdrop: 0.0\n"
        "  learned_pos_emb: true\n  ffn_config: {ffn_type: mptglu, ffn_hidden_size: 1792}\n"
        "  attn_config: {attn_type: multiquery_attention, sliding_window_size: 256, alibi: true}\n"
    )
    (words,) = plain(read(tmp_path, {"train.yaml": text}).words["workloads"])
    shape = words["model"]
    assert (shape["kv_heads"], shape["window"], shape["windowed_layers"]) == ("1", "256", "12")
    assert (shape["feed_forward"], shape["gated"], shape["learned_positions"]) == ("1792", "true", "false")
    assert (words["dropout"], words["compiled"]) == ("false", "true")


def test_a_deepspeed_file_without_zero_is_one_by_what_it_sets(tmp_path: Path) -> None:
    text = '{"train_batch_size": 400, "steps_per_print": 2000, "optimizer": {"type": "Adam"}}'
    found = read(tmp_path, {"ds_config.json": text})
    assert found.formats == {"ds_config.json": "deepspeed"}
    assert at(found, "workloads/0/parallelism/global_batch").text == "400"
