"""Model sizes against the totals that their makers publish."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from designlint.derivations.workload import attention, layers, model

if TYPE_CHECKING:
    from collections.abc import Callable

Given = dict[str, Any]

# Shapes: config.json of each model on Hugging Face.
LLAMA: Given = {"gated": True, "tied_embeddings": False, "norm": "rmsnorm"}
LLAMA_2_7B: Given = LLAMA | {
    "layers": 32,
    "hidden": 4096,
    "heads": 32,
    "feed_forward": 11008,
    "vocabulary": 32000,
}
LLAMA_2_13B: Given = LLAMA | {
    "layers": 40,
    "hidden": 5120,
    "heads": 40,
    "feed_forward": 13824,
    "vocabulary": 32000,
}
LLAMA_3: Given = LLAMA | {"kv_heads": 8, "vocabulary": 128256, "attention": "gqa"}
LLAMA_3_8B: Given = LLAMA_3 | {"layers": 32, "hidden": 4096, "heads": 32, "feed_forward": 14336}
LLAMA_3_70B: Given = LLAMA_3 | {"layers": 80, "hidden": 8192, "heads": 64, "feed_forward": 28672}
LLAMA_3_405B: Given = LLAMA_3 | {"layers": 126, "hidden": 16384, "heads": 128, "feed_forward": 53248}
GPT_2_SMALL: Given = {
    "layers": 12, "hidden": 768, "heads": 12, "feed_forward": 3072, "vocabulary": 50257,
    "gated": False, "tied_embeddings": True, "norm": "layernorm",
}  # fmt: skip
MIXTRAL_8X7B: Given = LLAMA | {
    "layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "vocabulary": 32000,
    "experts": 8, "experts_per_token": 2, "expert_feed_forward": 14336,
}  # fmt: skip
QWEN3_30B_A3B: Given = LLAMA | {
    "layers": 48, "hidden": 2048, "heads": 32, "kv_heads": 4, "head_dimension": 128, "vocabulary": 151936,
    "experts": 128, "experts_per_token": 8, "expert_feed_forward": 768,
}  # fmt: skip
DEEPSEEK_V3: Given = LLAMA | {
    "layers": 61, "hidden": 7168, "heads": 128, "attention": "mla", "head_dimension": 128,
    "value_dimension": 128, "rope_dimension": 64, "query_rank": 1536, "kv_rank": 512, "feed_forward": 18432, "dense_layers": 3,
    "experts": 256, "experts_per_token": 8, "expert_feed_forward": 2048, "shared_expert_feed_forward": 2048,
    "vocabulary": 129280,
}  # fmt: skip
LINGUA_MAMBA: Given = {
    "layers": 64, "hidden": 4096, "mamba_layers": 64, "attention_layers": 0, "heads": 64, "feed_forward_layers": 0,
    "mamba_heads": 64, "mamba_head_dimension": 128, "mamba_state": 128, "mamba_groups": 1, "convolution": 4, "vocabulary": 128256,
    "norm": "rmsnorm", "tied_embeddings": False,
}  # fmt: skip
MINIMAX_01: Given = LLAMA | {
    "layers": 80, "hidden": 6144, "heads": 64, "kv_heads": 8, "head_dimension": 128, "attention_layers": 10,
    "linear_layers": 70, "linear_attention": "lightning", "linear_key_heads": 64, "linear_value_heads": 64,
    "linear_key_dimension": 128, "linear_value_dimension": 128, "vocabulary": 200064,
    "experts": 32, "experts_per_token": 2, "expert_feed_forward": 9216,
}  # fmt: skip
ARCTIC: Given = LLAMA | {
    "layers": 35, "hidden": 7168, "heads": 56, "kv_heads": 8, "vocabulary": 32000, "shared_expert_feed_forward": 7168,
    "experts": 128, "experts_per_token": 2, "expert_feed_forward": 4864,
}  # fmt: skip


@pytest.mark.parametrize(
    ("shape", "published"),
    [
        (
            LLAMA_3_8B,
            8_030_261_248,
        ),  # number of parameters on the model card's safetensors panel, all below too
        (LLAMA_3_70B, 70_553_706_496),
        (LLAMA_3_405B, 405_853_388_800),
        (LLAMA_2_7B, 6_738_415_616),  # 6,738,417,664 with the rotary frequencies, which are buffers: 32 x 64
        (LLAMA_2_13B, 13_015_864_320),  # 13,015,866,880 with them: 40 x 64 more
        (MIXTRAL_8X7B, 46_702_792_704),
    ],
)
def test_architecture_gives_the_published_total_exactly(
    facts: Callable[..., Any], shape: Given, published: int
) -> None:
    assert facts(shape)["parameters"] == published


@pytest.mark.parametrize(
    ("shape", "total", "active", "tolerance"),
    [
        (DEEPSEEK_V3, 671e9, 37e9, 0.02),  # arXiv 2412.19437: 671B, 37B active
        (QWEN3_30B_A3B, 30.5e9, 3.3e9, 0.02),  # model card: 30.5B, 3.3B active
        (MIXTRAL_8X7B, 46.7e9, 12.9e9, 0.005),  # arXiv 2401.04088: 47B, 13B active
    ],
)
def test_mixtures_of_experts(
    facts: Callable[..., Any], shape: Given, total: float, active: float, tolerance: float
) -> None:
    assert facts(shape)["parameters"] == pytest.approx(total, rel=tolerance)
    assert facts(shape)["active_parameters"] == pytest.approx(active, rel=tolerance)


def test_gpt_2_lacks_only_biases_and_positions(facts: Callable[..., Any]) -> None:
    """124,439,808 published. Biases of a layer: 3 h + h in attention, f + h in the feed-forward layer."""
    positions, biases = 1024 * 768, 12 * (4 * 768 + 3072 + 768)
    assert facts(GPT_2_SMALL)["parameters"] == 124_439_808 - positions - biases
    learned = facts(GPT_2_SMALL, learned_positions=True, positions=1024, kind="pretraining")
    assert learned["parameters"] == 124_439_808 - biases
    assert learned["matmul_flops_per_token"] == 6 * (124_439_808 - positions - biases)


def test_a_model_without_attention(facts: Callable[..., Any]) -> None:
    """Lingua's Mamba 7B: 64 layers, 4096 wide, 64 heads of 128 with a state of 128, one group; its heads do not count."""
    shape = LINGUA_MAMBA | {"kind": "pretraining", "sequence": 4096}
    each = 4096 * (3 * 8192 + 2 * 128 + 64) + (8192 + 256) * 5 + 3 * 64 + 8192 + 4096
    assert facts(shape)["parameters"] == 64 * each + 2 * 128256 * 4096 + 4096
    assert facts(shape)["attention_flops_per_token"] == 0
    assert facts(shape)["flops_per_token"] == 6 * (64 * each + 128256 * 4096 + 4096) + 3 * 64 * 7 * 8192 * 128


def test_models_of_mamba_need_no_heads_of_attention(facts: Callable[..., Any]) -> None:
    """Mamba 130M: 129,135,360 parameters published; its states cost as many FLOPs a value as those of Mamba-2."""
    shape = {
        "layers": 24, "hidden": 768, "mamba_layers": 24, "attention_layers": 0, "feed_forward_layers": 0, "mamba_inner": 1536,
        "mamba_step_rank": 48, "mamba_state": 16, "convolution": 4, "vocabulary": 50280, "norm": "rmsnorm",
        "tied_embeddings": True, "kind": "pretraining", "sequence": 2048,
    }  # fmt: skip
    found = facts(shape)
    assert found["parameters"] == 129_135_360
    assert found["flops_per_token"] == 6 * 129_135_360 + 3 * 24 * 7 * 1536 * 16
    assert facts(shape, mamba_inner=None)["parameters"] is None
    assert facts(shape, mamba_step_rank=None)["parameters"] is None
    assert facts(LINGUA_MAMBA, heads=None)["parameters"] == facts(LINGUA_MAMBA)["parameters"]
    assert facts(LINGUA_MAMBA, heads=None, attention_layers=1)["parameters"] is None


def test_lightning_attention_and_dense_residuals(facts: Callable[..., Any]) -> None:
    """456 B with 45.9 B active outside embeddings, arXiv 2501.08313; Arctic: 480 B, 17 B active, a dense part of full width."""
    minimax = facts(MINIMAX_01)
    assert minimax["parameters"] == pytest.approx(456e9, rel=0.001)
    assert minimax["active_parameters"] - 2 * 200064 * 6144 == pytest.approx(45.9e9, rel=0.002)
    assert facts(ARCTIC)["parameters"] == pytest.approx(480e9, rel=0.005)
    assert facts(ARCTIC)["active_parameters"] == pytest.approx(17e9, rel=0.02)


def test_deepseek_attention_by_hand(facts: Callable[..., Any]) -> None:
    query = 1536 * (7168 + 128 * (128 + 64) + 1)
    keys_and_values = 512 * (7168 + 128 * (128 + 128) + 1) + 7168 * 64
    assert facts(DEEPSEEK_V3)["attention_parameters"] == 61 * (query + keys_and_values + 128 * 128 * 7168)


def test_latent_attention_without_query_rank(facts: Callable[..., Any]) -> None:
    """Moonlight 16B: 2048 wide, 16 heads of 128 + 64, no query compression."""
    shape = {"hidden": 2048, "heads": 16, "head_dimension": 128, "rope_dimension": 64, "attention": "mla"}
    assert facts(shape)["query_parameters"] == 2048 * 16 * 192


@pytest.mark.parametrize(
    "missing", ["layers", "hidden", "heads", "feed_forward", "vocabulary", "gated", "tied_embeddings"]
)
def test_a_part_that_is_not_stated_leaves_the_total_unknown(facts: Callable[..., Any], missing: str) -> None:
    assert facts(LLAMA_2_7B, **{missing: None})["parameters"] is None


def test_a_norm_that_is_not_named_counts_as_scales_alone(facts: Callable[..., Any]) -> None:
    """65 norms of 4096 scales in Llama 2 7B; shifts would be as many, 0.004 % of the model."""
    named = facts(LLAMA_2_7B)["parameters"]
    assert facts(LLAMA_2_7B, norm=None)["parameters"] == named
    assert facts(LLAMA_2_7B, norm="layernorm")["parameters"] - named == 65 * 4096


@pytest.mark.parametrize("missing", ["expert_feed_forward", "gated"])
def test_experts_that_are_not_described_leave_the_total_unknown(facts: Callable[..., Any], missing: str) -> None:
    assert facts(MIXTRAL_8X7B, **{missing: None})["parameters"] is None


def test_a_stated_total_stays(facts: Callable[..., Any]) -> None:
    assert facts(LLAMA_3_8B, parameters=8_000_000_000)["body_parameters"] == 8_000_000_000 - 2 * 128256 * 4096


def test_a_total_smaller_than_its_parts_is_no_body() -> None:
    assert model.body_parameters(1000, 600, 200, 2) is None
    assert model.body_parameters(1001, 600, 200, 2) == 1


@pytest.mark.parametrize(("kind", "heads"), [(None, 64), ("mha", 64), ("mqa", 1), ("gqa", None), ("mla", None)])
def test_key_and_value_heads(kind: str | None, heads: int | None) -> None:
    assert attention.kv_heads(64, kind) == heads


def test_head_dimension_needs_an_even_share() -> None:
    assert attention.head_dimension(8192, 64, "gqa") == 128
    assert attention.head_dimension(8192, 60, None) is None
    assert attention.head_dimension(7168, 128, "mla") is None


def test_latent_words_only_for_latent_attention() -> None:
    assert attention.value_dimension(128, "mla") is None
    assert attention.query_width(128, 128, None, "mla") is None
    assert attention.latent_parameters(64, 2, 8, 16, 4, 8, "rmsnorm", "gqa") is None
    assert attention.key_value_parameters(64, 2, 8, "mla") is None
    assert attention.query_parameters(64, 16, 4, None, "mla", None) == 4 * (64 + 16 + 1)


def test_leading_layers_without_experts() -> None:
    assert layers.dense_layers(61, None, None, False) == 61
    assert layers.dense_layers(61, 256, None, False) == 0
    assert layers.dense_layers(61, None, None, True) is None
    assert layers.undescribed_experts(None, 8, None, None, None) is True
    assert layers.undescribed_experts(None, None, None, None, 0) is False
    assert layers.undescribed_experts(256, 8, 2048, None, None) is False
    assert layers.layers_with_experts(3, 4, 8, None) is None
    assert layers.layers_with_experts(61, 3, 256, None) == 58
    assert model.routed_parameters(None, 8, False, 16, 64, True) is None
    assert model.routed_parameters(0, 8, False, 16, 64, True) == 0
    assert model.routed_parameters(None, None, False, None, None, None) == 0
    assert model.shared_expert_parameters(6, 64, 16, True) == 6 * 3 * 64 * 16
    assert model.shared_expert_parameters(6, 64, 16, None) is None
    assert model.router_parameters(6, 64, 8, 64) == 6 * 64 * 8
    assert model.router_parameters(6, 64, 8, 16) == 6 * 64 * (8 + 2 * 16)
    assert model.routed_parameters(2, 8, False, 16, 32, True) == 2 * 8 * 32 * 16 * 3
    assert model.replicated_parameters(100, 20) == 120


def test_experts_in_every_second_layer(facts: Callable[..., Any]) -> None:
    """Llama 4 Maverick, config.json: 24 of 48 layers with 128 experts and a shared one, the rest dense; 400 B, 17 B active."""
    job = facts(
        LLAMA | {"kv_heads": 8, "attention": "gqa"}, layers=48, hidden=5120, heads=40, head_dimension=128, feed_forward=16384,
        vocabulary=202048, experts=128, experts_per_token=1, expert_feed_forward=8192, shared_expert_feed_forward=8192,
        expert_layers=24,
    )  # fmt: skip
    assert job["parameters"] == pytest.approx(400e9, rel=0.01)
    assert job["active_parameters"] == pytest.approx(17e9, rel=0.02)


def test_models_with_linear_or_mamba_layers_are_not_added_up(facts: Callable[..., Any]) -> None:
    assert facts(LLAMA_3_8B, linear_layers=8)["architecture_parameters"] is None
    hybrid = facts(LLAMA_3_8B, layers=118, mamba_layers=54, attention_layers=10, feed_forward_layers=54)
    assert hybrid["architecture_parameters"] is None
    assert hybrid["feed_forward_parameters"] == 54 * 4096 * 14336 * 3
    assert facts(LLAMA_3_8B, mamba_layers=8)["attention_parameters"] is None


def test_more_experts_per_token_than_experts_is_nonsense() -> None:
    assert model.active_parameters(100, 80, 8, 8) == 100
    assert model.active_parameters(100, 80, 8, 2) == 40
    assert model.active_parameters(100, 80, 8, 9) is None
    assert model.active_parameters(100, 80, 8, None) is None


def test_the_least_number_of_parameters_where_a_third_matrix_and_the_tying_are_open(facts: Callable[..., Any]) -> None:
    """Llama 3 70B without its gate: two matrices a layer, one embedding matrix."""
    shape = {"layers": 80, "hidden": 8192, "heads": 64, "kv_heads": 8, "feed_forward": 28672, "vocabulary": 128256}
    found = facts(shape)
    layers = 80 * (2 * 8192 * 8192 + 2 * 8192 * 1024 + 2 * 8192 * 28672)
    assert found["parameters"] is None
    assert found["least_parameters"] == layers + 128256 * 8192
    assert facts(shape, parameters=70_600_000_000)["least_parameters"] == 70_600_000_000
    spared = 80 * 2 * 8192 * 7 * 128
    assert facts(shape, kv_heads=None)["least_parameters"] == found["least_parameters"] - spared
    assert facts(shape, kv_heads=64, attention="mha")["least_parameters"] == (
        found["least_parameters"] + 80 * 2 * 8192 * 56 * 128
    )
