"""Hugging Face's config.json of models that are unlike Llama: experts, layers listed one by one, models that also see."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

SHAPE = {
    "num_hidden_layers": 48,
    "hidden_size": 5120,
    "num_attention_heads": 40,
    "num_key_value_heads": 8,
    "vocab_size": 202048,
}


def model(tmp_path: Path, **keys: Any) -> dict[str, str]:
    (found,) = plain(read(tmp_path, {"config.json": json.dumps(keys, indent=1)}).words["workloads"])
    words: dict[str, str] = found["model"]
    return words


def test_the_part_that_reads_text_is_the_model(tmp_path: Path) -> None:
    text = {**SHAPE, "model_type": "qwen3", "intermediate_size": 12288}
    words = model(
        tmp_path, model_type="qwen3_vl", text_config=text, vision_config={"hidden_size": 1152}, tie_word_embeddings=True
    )
    assert (words["hidden"], words["layers"], words["tied_embeddings"], words["gated"]) == (
        "5120",
        "48",
        "true",
        "true",
    )


def test_dense_layers_have_a_width_of_their_own(tmp_path: Path) -> None:
    experts = {
        "num_local_experts": 128,
        "num_experts_per_tok": 1,
        "intermediate_size": 8192,
        "intermediate_size_mlp": 16384,
    }
    words = model(tmp_path, **SHAPE, **experts, model_type="llama4_text", interleave_moe_layer_step=2)
    assert (words["feed_forward"], words["expert_feed_forward"]) == ("16384", "8192")
    assert (words["shared_expert_feed_forward"], words["expert_layers"]) == ("8192", "24")
    every = model(tmp_path, **SHAPE, **experts, model_type="llama4_text", interleave_moe_layer_step=1)
    assert every["dense_layers"] == "0"
    assert "feed_forward" not in every


def test_the_only_width_beside_experts_is_theirs_unless_some_layers_are_dense(tmp_path: Path) -> None:
    experts = {"num_local_experts": 256, "num_experts_per_tok": 8, "intermediate_size": 1536}
    assert model(tmp_path, **SHAPE, **experts, model_type="unheard")["expert_feed_forward"] == "1536"
    assert "expert_feed_forward" not in model(
        tmp_path, **SHAPE, **experts, model_type="unheard", first_k_dense_replace=1
    )


def test_a_stated_width_of_shared_experts_wins_over_that_of_the_others(tmp_path: Path) -> None:
    keys = {"n_routed_experts": 128, "moe_intermediate_size": 1856, "n_shared_experts": 1}
    assert model(tmp_path, **SHAPE, **keys)["shared_expert_feed_forward"] == "1856"
    assert (
        model(tmp_path, **SHAPE, **keys, moe_shared_expert_intermediate_size=3712)["shared_expert_feed_forward"]
        == "3712"
    )


def test_layers_that_are_listed_one_by_one_are_counted(tmp_path: Path) -> None:
    keys = {
        "hidden_size": 8192,
        "layers_block_type": ["mamba", "moe", "mamba", "attention", "moe"],
        "n_routed_experts": 8,
    }
    words = model(tmp_path, model_type="nemotron_h", **keys)
    assert (words["layers"], words["mamba_layers"], words["attention_layers"]) == ("5", "2", "1")
    assert words["expert_layers"] == "2"
    dense = model(tmp_path, **SHAPE, n_routed_experts=8, moe_layer_freq=[0, 0, 1, 1])
    assert dense["dense_layers"] == "2"


def test_a_model_type_that_is_new_goes_by_its_architecture_or_activation(tmp_path: Path) -> None:
    assert model(tmp_path, **SHAPE, model_type="kimi_k2", architectures=["DeepseekV3ForCausalLM"])["gated"] == "true"
    assert model(tmp_path, **SHAPE, model_type="unheard", hidden_act="swigluoai")["gated"] == "true"
    assert "gated" not in model(tmp_path, **SHAPE, model_type="unheard", hidden_act="silu")


def test_mixtral_calls_the_width_of_an_expert_intermediate_size(tmp_path: Path) -> None:
    keys = {"num_local_experts": 8, "num_experts_per_tok": 2, "intermediate_size": 14336}
    words = model(tmp_path, **SHAPE, **keys, model_type="mixtral")
    assert (words["experts"], words["expert_feed_forward"]) == ("8", "14336")


def test_families_that_are_newer_are_known_by_their_layers(tmp_path: Path) -> None:
    latent = {
        "kv_lora_rank": 512,
        "q_lora_rank": 2048,
        "qk_nope_head_dim": 192,
        "qk_rope_head_dim": 64,
        "v_head_dim": 256,
    }
    assert model(tmp_path, **SHAPE, **latent, model_type="glm_moe_dsa", hidden_act="silu")["gated"] == "true"
    assert model(tmp_path, **SHAPE, **latent, model_type="deepseek_v32", hidden_act="silu")["gated"] == "true"
    text = {**SHAPE, "model_type": "qwen3_vl_moe_text", "intermediate_size": 12288}
    assert model(tmp_path, model_type="qwen3_vl_moe", text_config=text)["gated"] == "true"
    mixed = model(tmp_path, **SHAPE, model_type="nemotron_h", hybrid_override_pattern="M-M*-", layer_norm_epsilon=1e-5)
    assert (mixed["gated"], mixed["norm"]) == ("false", "rmsnorm")


def test_layers_without_softmax_are_counted_where_they_are_listed(tmp_path: Path) -> None:
    kimi = {
        "kda_layers": [1, 2, 3, 5],
        "full_attn_layers": [4],
        "num_heads": 32,
        "head_dim": 128,
        "short_conv_kernel_size": 4,
    }
    words = model(tmp_path, **SHAPE, model_type="kimi_linear", kv_lora_rank=512, linear_attn_config=kimi)
    assert (words["linear_layers"], words["linear_attention"], words["attention"]) == ("4", "kimi-delta", "mla")
    assert (words["linear_value_heads"], words["linear_key_dimension"], words["convolution"]) == ("32", "128", "4")
    switches = model(tmp_path, **SHAPE, model_type="minimax_m1", attn_type_list=[0, 0, 0, 1])
    assert (switches["linear_layers"], switches["linear_attention"]) == ("3", "lightning")
    assert "linear_layers" not in model(tmp_path, **SHAPE, model_type="minimax_m2", attn_type_list=[1, 1])
    mixed = model(tmp_path, **SHAPE, model_type="granitemoehybrid", layer_types=["mamba", "mamba", "attention"])
    assert (mixed["mamba_layers"], mixed["attention_layers"]) == ("2", "1")
    windows = model(tmp_path, **SHAPE, model_type="gpt_oss", layer_types=["sliding_attention", "full_attention"])
    assert not {"linear_layers", "mamba_layers", "attention_layers"} & set(windows)


def test_layers_of_flash_linear_attention_are_gated_and_as_wide_as_their_ratio_says(tmp_path: Path) -> None:
    def layer(**keys: object) -> tuple[str | None, str | None]:
        text = json.dumps({"model_type": "gla", "num_hidden_layers": 2, "hidden_size": 2048, "hidden_ratio": 4, **keys})
        (found,) = plain(read(tmp_path, {"config.json": text}).words["workloads"])
        return found["model"].get("gated"), found["model"].get("feed_forward")

    assert layer(intermediate_size=None) == ("true", "5632")
    assert layer(intermediate_size=8192) == ("true", "8192")
    assert layer(model_type="rwkv7") == (None, None)


@pytest.mark.parametrize(
    ("keys", "stated"),
    [
        ('"model_type": "gemma3_text", "sliding_window": 1024', ("1024", "10")),
        ('"model_type": "cohere2", "sliding_window": 4096, "sliding_window_pattern": 4', ("4096", "9")),
        ('"model_type": "mistral", "sliding_window": 4096', ("4096", "12")),
        ('"model_type": "mistral", "sliding_window": null', (None, None)),
        ('"model_type": "own", "sliding_window": 4096', ("4096", None)),
        (
            '"model_type": "qwen2", "sliding_window": 4096, "use_sliding_window": false, "max_window_layers": 4',
            (None, None),
        ),
        (
            '"model_type": "qwen2", "sliding_window": 4096, "use_sliding_window": true, "max_window_layers": 4',
            ("4096", "8"),
        ),
        (
            '"model_type": "own", "sliding_window": 64, "layer_types": ["sliding_attention", "full_attention"]',
            ("64", "1"),
        ),
    ],
)
def test_windows_are_read_with_the_layers_that_have_them(
    tmp_path: Path, keys: str, stated: tuple[str | None, str | None]
) -> None:
    text = f'{{{keys}, "num_hidden_layers": 12, "hidden_size": 512, "num_attention_heads": 8}}'
    words = model(tmp_path, **json.loads(text))
    assert (words.get("window"), words.get("windowed_layers")) == stated
