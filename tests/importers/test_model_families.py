"""Hybrid models and mixtures: the parameters that follow from a config.json, against those that their publishers count."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.expected import COMPUTED
from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

MAMBA = {"mamba_d_conv": 4, "mamba_expand": 2, "mamba_n_groups": 1, "rms_norm_eps": 1e-5}
GRANITE = MAMBA | {
    "model_type": "granitemoehybrid", "num_hidden_layers": 40, "layer_types": (["mamba"] * 9 + ["attention"]) * 4,
    "mamba_d_head": 64, "mamba_d_state": 128, "vocab_size": 100352, "tie_word_embeddings": True,
}  # fmt: skip
JAMBA = {
    "model_type": "jamba", "attn_layer_offset": 4, "attn_layer_period": 8, "expert_layer_offset": 1, "expert_layer_period": 2,
    "hidden_act": "silu", "mamba_d_conv": 4, "mamba_d_state": 16, "mamba_dt_rank": 256, "mamba_expand": 2,
    "num_attention_heads": 32, "num_experts": 16, "num_experts_per_tok": 2, "num_key_value_heads": 8, "rms_norm_eps": 1e-6,
    "vocab_size": 65536,
}  # fmt: skip
#: Shapes of published models, and their parameters in 10^9 as their cards state them.
PUBLISHED: dict[str, tuple[dict[str, Any], float]] = {
    "bamba-9b": (
        MAMBA | {
            "model_type": "bamba", "attn_layer_indices": [9, 18, 27], "hidden_size": 4096, "intermediate_size": 14336,
            "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "mamba_n_heads": 128,
            "mamba_d_head": 64, "mamba_d_state": 128, "vocab_size": 128256, "tie_word_embeddings": False,
        },
        9.78,
    ),
    "falcon-h1-7b": (
        MAMBA | {
            "model_type": "falcon_h1", "hidden_size": 3072, "intermediate_size": 12288, "num_hidden_layers": 44,
            "num_attention_heads": 12, "num_key_value_heads": 2, "head_dim": 128, "mamba_n_heads": 24, "mamba_d_head": 128,
            "mamba_d_state": 256, "vocab_size": 130049, "tie_word_embeddings": False,
        },
        7.59,
    ),
    "granite-4.0-h-small": (
        GRANITE | {
            "hidden_size": 4096, "num_local_experts": 72, "num_experts_per_tok": 10, "intermediate_size": 768,
            "shared_intermediate_size": 1536, "num_attention_heads": 32, "num_key_value_heads": 8, "mamba_n_heads": 128,
        },
        32.2,
    ),
    "granite-4.0-h-micro": (
        GRANITE | {
            "hidden_size": 2048, "num_local_experts": 0, "intermediate_size": 4096, "shared_intermediate_size": 8192,
            "num_attention_heads": 32, "num_key_value_heads": 8, "mamba_n_heads": 64,
        },
        3.19,
    ),
    "hunyuan-a13b": (
        {
            "model_type": "hunyuan_v1_moe", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
            "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 3072, "moe_intermediate_size": [3072] * 32,
            "moe_topk": [8] * 32, "num_experts": 64, "num_shared_expert": [1] * 32, "vocab_size": 128167,
            "tie_word_embeddings": True, "rms_norm_eps": 1e-5,
        },
        80.4,
    ),
    "nemotron-3-ultra": (
        {
            "model_type": "nemotron_h", "hidden_size": 8192, "num_attention_heads": 64, "num_key_value_heads": 2,
            "head_dim": 128, "layers_block_type": (["mamba", "moe"] * 4 + ["attention"]) * 12, "mamba_num_heads": 256,
            "mamba_head_dim": 64, "ssm_state_size": 128, "n_groups": 8, "conv_kernel": 4, "intermediate_size": 5120,
            "moe_intermediate_size": 5120, "moe_latent_size": 2048, "moe_shared_expert_intermediate_size": 10240,
            "n_routed_experts": 512, "n_shared_experts": 1, "num_experts_per_tok": 22, "vocab_size": 131072,
            "tie_word_embeddings": False, "layer_norm_epsilon": 1e-5,
        },
        550,
    ),
    "dbrx": (
        {
            "model_type": "dbrx", "d_model": 6144, "n_heads": 48, "n_layers": 40, "attn_config": {"kv_n_heads": 8},
            "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16, "moe_top_k": 4}, "vocab_size": 100352,
            "tie_word_embeddings": False,
        },
        131.6,
    ),
    "qwen3.5-27b": (
        {
            "model_type": "qwen3_5", "tie_word_embeddings": False,
            "text_config": {
                "model_type": "qwen3_5_text", "hidden_size": 5120, "num_hidden_layers": 64, "num_attention_heads": 24,
                "num_key_value_heads": 4, "head_dim": 256, "intermediate_size": 17408, "vocab_size": 248320,
                "layer_types": (["linear_attention"] * 3 + ["full_attention"]) * 16, "full_attention_interval": 4,
                "linear_conv_kernel_dim": 4, "linear_num_key_heads": 16, "linear_num_value_heads": 48,
                "linear_key_head_dim": 128, "linear_value_head_dim": 128, "rms_norm_eps": 1e-6,
            },
        },
        26.9,
    ),
    "Jamba 1.5 Mini": ({**JAMBA, "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32}, 51.6),
    "Jamba 1.5 Large, whose ranks follow from its width": (
        {
            **JAMBA, "hidden_size": 8192, "intermediate_size": 24576, "num_hidden_layers": 72, "num_attention_heads": 64,
            "mamba_dt_rank": "auto", "mamba_expand": None,
        },
        398,
    ),
    "Falcon Mamba 7B, whose `expand` is not its width": (
        {
            "model_type": "falcon_mamba", "conv_kernel": 4, "expand": 16, "hidden_size": 4096, "intermediate_size": 8192,
            "layer_norm_epsilon": 1e-5, "num_hidden_layers": 64, "state_size": 16, "tie_word_embeddings": False,
            "time_step_rank": 256, "vocab_size": 65024,
        },
        7.27,
    ),
    "Codestral Mamba 7B": (
        {
            "model_type": "mamba2", "conv_kernel": 4, "expand": 2, "hidden_size": 4096, "num_heads": 128, "head_dim": 64,
            "n_groups": 8, "layer_norm_epsilon": 1e-5, "num_hidden_layers": 64, "state_size": 128,
            "tie_word_embeddings": False, "vocab_size": 32768,
        },
        7.29,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PUBLISHED)
def test_parameters_are_those_of_the_card(tmp_path: Path, name: str) -> None:
    shape, billions = PUBLISHED[name]
    (counted,) = COMPUTED["parameters_computed"](read(tmp_path, {"config.json": json.dumps(shape)}))
    assert float(counted) == pytest.approx(billions * 1e9, rel=0.01)


#: Words that say what the layers are.
KINDS = (
    "layers", "mamba_layers", "linear_layers", "attention_layers", "feed_forward_layers", "feed_forward", "mamba_heads",
    "mamba_state",
)  # fmt: skip
CYCLE = ["recurrent", "recurrent", "attention"]


@pytest.mark.parametrize(
    ("family", "layers", "shape", "words"),
    [
        (
            "zamba", 76, {"attn_layer_period": 6, "attn_layer_offset": 4, "n_mamba_heads": 2, "mamba_dt_rank": 9},
            {"mamba_layers": "76", "mamba_state": "16"},
        ),
        (
            "zamba2", 3, {"layers_block_type": ["mamba", "hybrid", "mamba"], "n_mamba_heads": 8},
            {"mamba_layers": "3", "mamba_heads": "8"},
        ),
        ("recurrent_gemma", 5, {"block_types": CYCLE, "intermediate_size": 96}, {"linear_layers": "4", "feed_forward": "48"}),
        ("lfm2", 16, {"full_attn_idxs": [2, 5, 8, 10, 12, 14]}, {"attention_layers": "6", "linear_layers": "10"}),
        ("lfm2", 3, {"layer_types": ["conv", "full_attention", "conv"]}, {"attention_layers": "1", "linear_layers": "2"}),
        (
            "mamba", 64, {"intermediate_size": 128, "state_size": 16},
            {"mamba_layers": "64", "mamba_state": "16", "feed_forward_layers": "0", "attention_layers": "0"},
        ),
        ("rwkv", 32, {}, {"linear_layers": "32"}),
        ("qwen", 32, {"intermediate_size": 22016}, {"feed_forward": "11008"}),
    ],
)  # fmt: skip
def test_layers_are_told_by_what_mixes_tokens(
    tmp_path: Path, family: str, layers: int, shape: dict[str, Any], words: dict[str, str]
) -> None:
    whole = {"model_type": family, "hidden_size": 64, "num_hidden_layers": layers} | shape
    (workload,) = plain(read(tmp_path, {"config.json": json.dumps(whole)}).words["workloads"])
    model = workload["model"]
    assert {word: model[word] for word in KINDS if word in model} == {"layers": str(layers)} | words


def described(folder: Path, **shape: Any) -> dict[str, Any]:
    """The model of a config.json."""
    whole = {"hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2} | shape
    (workload,) = plain(read(folder, {"config.json": json.dumps(whole)}).words["workloads"])
    model: dict[str, Any] = workload["model"]
    return model


@pytest.mark.parametrize(
    ("last", "step", "dense"), [(3, 1, "1"), (-1, 1, "1"), (None, None, "1"), (2, 1, None), (3, 2, None)]
)
def test_experts_of_ernie(tmp_path: Path, last: int | None, step: int | None, dense: str | None) -> None:
    stated = {"moe_num_experts": 64, "moe_k": 6, "moe_num_shared_experts": 2, "moe_intermediate_size": 32}
    reach = {"moe_layer_start_index": 1, "moe_layer_end_index": last, "moe_layer_interval": step}
    reach = {key: value for key, value in reach.items() if value is not None}
    model = described(tmp_path, model_type="ernie4_5_moe", intermediate_size=128, **stated, **reach)
    assert (model["experts"], model["experts_per_token"]) == ("64", "6")
    assert (model["expert_feed_forward"], model["shared_expert_feed_forward"]) == ("32", "64")
    assert model.get("dense_layers") == dense


def test_weights_that_olmo_ties_by_its_own_key(tmp_path: Path) -> None:
    for tied in (True, False):
        model = described(tmp_path, model_type="hf_olmo", architectures=["OLMoForCausalLM"], weight_tying=tied)
        assert model["tied_embeddings"] == str(tied).lower()


def test_attention_whose_output_has_a_low_rank_is_left_open(tmp_path: Path) -> None:
    shape = {"model_type": "deepseek_v4", "head_dim": 32, "q_lora_rank": 16}
    assert {"attention", "kv_heads", "head_dimension"} <= described(tmp_path, **shape).keys()
    assert not {"attention", "kv_heads", "head_dimension"} & described(tmp_path, **shape, o_lora_rank=16).keys()
