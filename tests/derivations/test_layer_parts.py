"""Mixtures of experts and latent attention against published memory: Megatron-Bridge and the Megatron-Core MoE report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.derivations.published import DEEPSEEK_V3, SHARED_OPTIMIZER, Given

from designlint.derivations.workload import layer_parts

if TYPE_CHECKING:
    from collections.abc import Callable

GIB = 2**30

QWEN3_30B_A3B: Given = SHARED_OPTIMIZER | {
    "layers": 48, "hidden": 2048, "heads": 32, "kv_heads": 4, "head_dimension": 128, "vocabulary": 151936,
    "experts": 128, "experts_per_token": 8, "expert_feed_forward": 768,
    "gpus": 16, "expert": 16, "global_batch": 1024, "recompute": "none",
}  # fmt: skip
MOONLIGHT_16B_A3B: Given = SHARED_OPTIMIZER | {
    "layers": 27, "hidden": 2048, "heads": 16, "attention": "mla", "head_dimension": 128, "rope_dimension": 64,
    "kv_rank": 512, "value_dimension": 128, "vocabulary": 163840, "feed_forward": 11264, "dense_layers": 1,
    "experts": 64, "experts_per_token": 6, "expert_feed_forward": 1408, "shared_expert_feed_forward": 2816,
    "gpus": 8, "tensor": 2, "expert": 8, "expert_tensor": 1, "global_batch": 4, "sequence_parallel": True,
    "recompute": "selective",
}  # fmt: skip


def test_qwen3_30b_on_16_h100(facts: Callable[..., Any]) -> None:
    """Measured peak 62.166 GiB, with 16-way experts and micro-batch 1 (Megatron-Bridge documentation)."""
    assert facts(QWEN3_30B_A3B)["memory_per_gpu"] == pytest.approx(62.166 * GIB, rel=0.02)


@pytest.mark.parametrize(("module", "peak"), [("moe_act", 35.941e9), ("mla_up_proj", 35.902e9)])
def test_moonlight_on_8_h100(facts: Callable[..., Any], module: str, peak: float) -> None:
    """Megatron-Bridge documentation; the recipe keeps gradients and moments in BF16: 2, 2 and 4 + 2 + 2 bytes."""
    job = facts(MOONLIGHT_16B_A3B, recompute_modules=(module,), gradient_bytes=2, optimizer_bytes=8)
    assert job["memory_per_gpu"] == pytest.approx(peak, rel=0.06)


NEMOTRON_3_NANO: Given = SHARED_OPTIMIZER | {
    "layers": 52, "hidden": 2688, "heads": 32, "kv_heads": 2, "head_dimension": 128, "attention_layers": 6,
    "mamba_layers": 23, "feed_forward_layers": 23, "dense_layers": 0, "experts": 128, "experts_per_token": 6,
    "expert_feed_forward": 1856, "shared_expert_feed_forward": 3712, "gated": False, "vocabulary": 131072,
    "mamba_heads": 64, "mamba_head_dimension": 64, "mamba_state": 128, "mamba_groups": 8, "convolution": 4,
    "sequence": 8192, "gpus": 16, "expert": 8, "global_batch": 16, "recompute": "selective",
}  # fmt: skip


def test_nemotron_3_nano_on_16_h100(facts: Callable[..., Any]) -> None:
    """
    Megatron-Bridge documentation: 64.653 GB with experts recomputed, out of memory with their activation function alone.

    On 8 GPUs the optimizer did not start.
    """
    recipe = {"gradient_bytes": 2, "optimizer_bytes": 16}
    some, whole = (
        facts(NEMOTRON_3_NANO, recipe, recompute_modules=(one,))["memory_per_gpu"] for one in ("moe_act", "moe")
    )
    assert whole == pytest.approx(64.653e9, rel=0.09)
    assert some > 79.6e9
    assert facts(NEMOTRON_3_NANO, recipe, gpus=8)["state_memory"] > 79.6e9


def test_deepseek_v3_on_256_gpus(facts: Callable[..., Any]) -> None:
    """The report's table prints 131.0 GB of activations; as GB 3 % less, as GiB 4 % more than computed."""
    job = facts(DEEPSEEK_V3)
    assert job["activation_memory"] == pytest.approx(131.0 * GIB, rel=0.04)
    assert job["activation_memory"] == pytest.approx(131.0e9, rel=0.04)
    assert job["optimizer_memory"] == pytest.approx(32.1 * GIB, rel=0.02)


def test_a_layer_of_deepseek_v3_by_hand(facts: Callable[..., Any]) -> None:
    """Bytes per token: q and k of 128 x 192, v and output of 128 x 128; eight visits of 7168 + 3 x 2048."""
    job = facts(DEEPSEEK_V3)
    assert job["attention_activation_memory"] == 4096 * 2 * (2 * 128 * 192 + 2 * 128 * 128)
    assert job["latent_activation_memory"] == 4096 * 2 * (2 * (1536 + 512) + 64)
    assert job["routed_activation_memory"] == 4096 * (8 * 2 * (7168 + 3 * 2048) + 8 * 256)
    assert job["shared_activation_memory"] == 4096 * 2 * 3 * 2048
    assert job["feed_forward_activation_memory"] == 4096 * 2 * 3 * 18432
    assert job["dense_share"] == 3 / 16


def test_layers_with_and_without_experts_are_averaged(facts: Callable[..., Any]) -> None:
    """One dense layer of 27, 2048 tokens per rank: inner values of 11264, or six visits and the shared experts."""
    job = facts(MOONLIGHT_16B_A3B)
    dense = 4096 / 2 * 2 * 3 * 11264
    mixed = 2048 * (6 * 2 * (2048 + 3 * 1408) + 8 * 64) + 4096 / 2 * 2 * 3 * 2816
    outside = job["attention_activation_memory"] + job["latent_activation_memory"]
    assert job["split_activation_memory"] == pytest.approx(outside + dense / 27 + mixed * 26 / 27)


@pytest.mark.parametrize(
    "change",
    [{"expert_tensor": None}, {"sequence_parallel": False}, {"sequence_parallel": None}, {"experts_per_token": None}],
)
def test_tokens_of_experts_must_be_known(facts: Callable[..., Any], change: Given) -> None:
    assert facts(MOONLIGHT_16B_A3B, change)["activation_memory"] is None


def test_ranks_that_share_an_expert_keep_the_tokens_of_all(facts: Callable[..., Any]) -> None:
    """Tensor 2: half of the tokens with an expert each, or all of them with half of an expert's inner values."""
    one, two = (facts(MOONLIGHT_16B_A3B, expert_tensor=n)["routed_activation_memory"] for n in (1, 2))
    assert two - one == 2048 * 6 * 2 * 2048


def test_full_recomputation_keeps_inputs_and_runs_one_layer(facts: Callable[..., Any]) -> None:
    job = facts(QWEN3_30B_A3B, recompute="full")
    assert job["activation_memory"] == 48 * 4096 * 2048 * 2
    assert job["recompute_memory"] == job["residual_activation_memory"] + job["split_activation_memory"]


def test_low_precision_keeps_inputs_in_its_own_format(facts: Callable[..., Any]) -> None:
    """Two norm outputs of 2048, attention's output of 4096, eight visits of 2048 + 768: a byte less for each."""
    plain, fp8 = (facts(QWEN3_30B_A3B, short_bytes=m)["layer_activation_memory"] for m in (None, 1))
    assert plain - fp8 == 4096 * (2 * 2048 + 4096 + 8 * (2048 + 768))
    assert layer_parts.operand_bytes(2, 33 / 32) == 33 / 32
    assert layer_parts.operand_bytes(2, None) == 2


def test_parts_of_a_hybrid_model_count_by_their_layers(facts: Callable[..., Any]) -> None:
    job = facts(NEMOTRON_3_NANO)
    assert job["part_share"] == 0.5
    mixers = 6 * job["attention_activation_memory"] + 23 * job["mamba_activation_memory"]
    assert job["mixer_activation_memory"] == pytest.approx(mixers / 52)
    assert facts(NEMOTRON_3_NANO, mamba_state=None)["memory_per_gpu"] is None
    assert facts(QWEN3_30B_A3B)["mixer_activation_memory"] == facts(QWEN3_30B_A3B)["attention_activation_memory"]


def test_closed_forms() -> None:
    assert layer_parts.closed_form(None, "gqa", None, None)
    assert not layer_parts.closed_form(8, None, None, None)
    assert not layer_parts.closed_form(None, "mla", None, None)
    assert not layer_parts.closed_form(None, None, 36, None)
    assert not layer_parts.closed_form(None, None, None, 24)


def test_a_capacity_bounds_what_experts_keep_and_padding_fills_it(facts: Callable[..., Any]) -> None:
    """Half of six visits of 2048 + 3 x 1408 values, or twice as many; the router scores every token as before."""
    visits, scores = 2048 * 6 * 2 * (2048 + 3 * 1408), 2048 * 8 * 64
    held = {
        (factor, padded): facts(MOONLIGHT_16B_A3B, capacity_factor=factor, capacity_padded=padded)
        for factor, padded in ((0.5, False), (0.5, True), (2.0, False), (2.0, True))
    }
    shares = {key: (job["routed_activation_memory"] - scores) / visits for key, job in held.items()}
    assert shares == {(0.5, False): 0.5, (0.5, True): 0.5, (2.0, False): 1.0, (2.0, True): 2.0}
    assert {key: job["least_dropped_share"] for key, job in held.items()} == {
        (0.5, False): 0.5,
        (0.5, True): 0.5,
        (2.0, False): 0.0,
        (2.0, True): 0.0,
    }
