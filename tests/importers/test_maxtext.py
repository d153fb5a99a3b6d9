"""MaxText: what its mesh says of GPUs and batch, models by name, and kinds of attention."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

RUN = """\
base_config: base.yml
model_name: llama3.1-70b
hardware: gpu
dcn_data_parallelism: 2
dcn_fsdp_parallelism: 4
ici_fsdp_parallelism: 8
per_device_batch_size: 2
gradient_accumulation_steps: 3
max_target_length: 8192
attention: cudnn_flash_te
opt_type: adamw
"""
MODEL = """\
base_emb_dim: 2048
base_num_query_heads: 16
base_num_kv_heads: 2
base_num_decoder_layers: 48
base_mlp_dim: 512
vocab_size: 1000
decoder_block: qwen3_next
"""


def workload(tmp_path: Path, text: str) -> dict[str, Any]:
    """The only workload of a file."""
    found = read(tmp_path, {"run.yml": text})
    [words] = plain(found.words["workloads"])
    assert all(one.lines == one.understood + one.immaterial + len(one.unclear) for one in found.accounts())
    return dict(words)


def test_the_mesh_multiplies_to_gpus_and_the_batch_follows(tmp_path: Path) -> None:
    words = workload(tmp_path, RUN)
    assert words["runs_on"] == {"gpus": "64"}
    assert words["parallelism"] == {
        "data": "64",
        "sharding_group": "32",
        "zero_stage": "3",
        "gradient_accumulation": "3",
        "micro_batch": "2",
        "global_batch": "384",
    }
    assert words["model"] == {"model": "llama-3-70b", "sequence": "8192"}
    assert (words["flash_attention"], words["optimizer"]) == ("true", "adam")


def test_an_axis_that_takes_the_rest_leaves_the_gpus_unknown(tmp_path: Path) -> None:
    for text in (RUN.replace("parallelism: 2", "parallelism: -1"), RUN.replace("dcn_data_parallelism: 2\n", "")):
        words = workload(tmp_path, text)
        assert "runs_on" not in words
        assert "data" not in words["parallelism"]


def test_what_splits_a_sequence_splits_no_batch(tmp_path: Path) -> None:
    words = workload(tmp_path, RUN + "ici_tensor_parallelism: 2\n")
    assert words["runs_on"] == {"gpus": "128"}
    assert "micro_batch" not in words["parallelism"]
    assert words["parallelism"]["tensor"] == "2"


def test_models_have_the_defaults_of_the_base(tmp_path: Path) -> None:
    model = workload(tmp_path, MODEL)["model"]
    assert (model["head_dimension"], model["gated"], model["tied_embeddings"]) == ("128", "true", "false")


def test_layers_with_experts_and_linear_layers_are_counted(tmp_path: Path) -> None:
    experts = workload(tmp_path, MODEL + "num_experts: 8\ninterleave_moe_layer_step: 2\nmtp_num_layers: 1\n")["model"]
    assert (experts["expert_layers"], experts["multi_token_prediction_layers"]) == ("24", "1")
    linear = workload(tmp_path, MODEL + "gdn_num_value_heads: 32\ninhomogeneous_layer_cycle_interval: 4\n")["model"]
    assert (linear["linear_layers"], linear["linear_attention"]) == ("36", "gated-deltanet")


def test_attention_without_words_leaves_its_heads_out(tmp_path: Path) -> None:
    found = read(tmp_path, {"model.yml": MODEL + "attention_type: compressed\nq_lora_rank: 1024\n"})
    [words] = plain(found.words["workloads"])
    assert not {"heads", "kv_heads", "query_rank", "head_dimension"} & words["model"].keys()
    assert [one.word for one in found.unknowns] == ["workloads/model/attention"]


def test_what_changes_memory_is_not_called_irrelevant(tmp_path: Path) -> None:
    text = RUN + "weight_dtype: float32\ngrad_dtype: bfloat16\nuse_iota_embed: true\n"
    [account] = read(tmp_path, {"run.yml": text}).accounts()
    assert [text.splitlines()[number - 1].partition(":")[0] for number in account.unclear] == [
        "weight_dtype",
        "grad_dtype",
    ]


def test_what_stages_and_memory_cost_is_read(tmp_path: Path) -> None:
    more = (
        "ici_pipeline_parallelism: 4\nnum_layers_per_pipeline_stage: 2\noptimizer_memory_host_offload: true\n"
        "num_vocab_tiling: 4\nmax_num_checkpoints_to_keep: 3\ndropout_rate: 0.0\n"
    )
    words = workload(tmp_path, RUN + more)
    split = words["parallelism"]
    assert (split["layers_per_virtual_stage"], split["offload"]) == ("2", "optimizer")
    assert (words["fused_loss"], words["checkpoint"]["keep"], words["dropout"]) == ("true", "3", "false")
    assert workload(tmp_path, RUN + more + "num_pipeline_repeats: 6\n")["parallelism"]["virtual_stages"] == "6"


def test_the_optimizer_alone_may_be_split_over_the_data_axis(tmp_path: Path) -> None:
    text = "base_config: base.yml\nmodel_name: own\nici_fsdp_parallelism: 1\nper_device_batch_size: 2\nici_data_parallelism: 8\n"
    assert workload(tmp_path, text + "shard_optimizer_over_data: true\n")["parallelism"]["zero_stage"] == "1"


def test_windows_stand_in_cycles(tmp_path: Path) -> None:
    for family, windowed in (("gpt_oss", "24"), ("olmo3", "36")):
        model = workload(tmp_path, MODEL.replace("qwen3_next", family) + "sliding_window_size: 128\n")["model"]
        assert (model["window"], model["windowed_layers"]) == ("128", windowed)
    model = workload(
        tmp_path, MODEL.replace("qwen3_next", "llama4") + "chunk_attn_window_size: 8192\nnope_layer_interval: 4\n"
    )
    assert (model["model"]["window"], model["model"]["windowed_layers"]) == ("8192", "36")


def test_the_batch_of_a_device_is_known_where_the_mesh_takes_what_is_left(tmp_path: Path) -> None:
    text = "base_config: base.yml\nmodel_name: own\nremat_policy: full\nper_device_batch_size: 2\n"
    assert workload(tmp_path, text)["parallelism"]["micro_batch"] == "2"
    assert "micro_batch" not in workload(tmp_path, text + "ici_context_parallelism: 2\n")["parallelism"]
    assert "micro_batch" not in workload(tmp_path, text.replace("base.yml", "own.yml"))["parallelism"]


BASE = (
    "model_name: default\nbase_emb_dim: 2048\nbase_num_decoder_layers: 16\nbase_num_query_heads: 16\nbase_num_kv_heads: 16\n"
    "base_mlp_dim: 7168\nbase_moe_mlp_dim: 7168\nnum_experts: 1\nnum_experts_per_tok: 1\nshared_experts: 1\n"
    "first_num_dense_layers: 0\nattention_type: global\nkv_lora_rank: 512\nqk_rope_head_dim: 64\nv_head_dim: 128\n"
    "per_device_batch_size: 12\nmax_target_length: 2048\nsteps: 100\n"
)
WIDE = "base_emb_dim: 8192\nbase_num_decoder_layers: 80\nbase_num_query_heads: 64\nbase_num_kv_heads: 8\nbase_mlp_dim: 28672\n"


def test_defaults_of_every_model_make_no_experts_and_no_ranks(tmp_path: Path) -> None:
    (words,) = plain(read(tmp_path, {"base.yml": BASE}).words["workloads"])
    told = {"hidden", "layers", "heads", "kv_heads", "feed_forward", "sequence"}
    assert told <= words["model"].keys()
    assert not {
        one for one in words["model"] if "expert" in one or "rank" in one or one in ("value_dimension", "dense_layers")
    }


@pytest.mark.parametrize(
    ("named", "layers", "hidden"),
    [
        ("model_name=wide", "80", "8192"),
        ("model_name=gone", None, None),
        ("model_name=$MODEL", None, None),
        ("model_name=default", "16", "2048"),
        ("steps=30", "16", "2048"),
    ],
)
def test_a_named_model_replaces_the_shape_of_the_base(
    tmp_path: Path, named: str, layers: str | None, hidden: str | None
) -> None:
    launch = f"#!/bin/bash\npython3 -m MaxText.train configs/base.yml {named} max_target_length=4096\n"
    files = {"run.sh": launch, "+configs/base.yml": BASE, "+configs/models/wide.yml": WIDE}
    found = read(tmp_path, files)
    (words,) = plain(found.words["workloads"])
    model = words["model"]
    assert (model.get("layers"), model.get("hidden"), model["sequence"]) == (layers, hidden, "4096")
    assert any("gone is described in a file that is not read" in one.why for one in found.unknowns) is named.endswith(
        "gone"
    )
