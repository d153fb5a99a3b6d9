"""What stages, roles and caches need, worked by hand and against Llama 3 405B."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.derivations.published import LLAMA_3_70B, MEGATRON_BF16, ONE_GPU_EACH

from designlint.derivations.workload import least_memory, roles

if TYPE_CHECKING:
    from collections.abc import Callable


def test_reinforcement_learning_trains_its_actor_whole(facts: Callable[..., Any]) -> None:
    job = facts(ONE_GPU_EACH, MEGATRON_BF16, kind="reinforcement-learning", parameters=671_000_000_000, gpus=64)
    assert job["state_memory_total"] == 671e9 * 18
    assert facts(job.known, adapters=True, kind="reinforcement-learning")["trains_all_parameters"] is not None


def test_the_first_stage_of_llama_3_405b_holds_seven_layers(facts: Callable[..., Any]) -> None:
    """8 s b h + attention 4.25 + feed-forward 19.5, of 16384 x 8192 over 8 ranks: 0.533 GB a layer, by hand."""
    shape = LLAMA_3_70B | MEGATRON_BF16 | {
        "layers": 126, "hidden": 16384, "heads": 128, "feed_forward": 53248, "tensor": 8, "pipeline": 16,
        "virtual_stages": 8, "gpus": 8192, "zero_stage": 2, "micro_batch": 1, "global_batch": 2048, "recompute": "none",
        "sequence_parallel": True, "flash_attention": True, "dropout": False, "uneven_stages": True,
    }  # fmt: skip
    job = facts(shape, first_stage_layers=7, last_stage_layers=7)
    assert job["layers_per_stage"] == 8
    layer = 8192 * 16384 * (8 + 4 + 4 * 1024 / 16384 * 2 * 0.5 + 6 * 53248 / 16384) / 8
    assert job["layer_activation_memory"] == pytest.approx(layer, rel=0.01)
    assert job["activation_memory"] == pytest.approx(7 * (16 + 15 / 8) * job["layer_activation_memory"])
    assert job["first_stage_memory"] == pytest.approx(74e9, rel=0.01)
    assert job["second_stage_memory"] == pytest.approx(82e9, rel=0.01)
    assert job["memory_per_gpu"] == job["second_stage_memory"]
    assert facts(shape)["least_stage_memory"] is None


def test_only_what_the_schedule_surely_keeps_counts_as_the_least(facts: Callable[..., Any]) -> None:
    stated = {"pipeline": 4, "gpus": 64, "zero_stage": 1, "micro_batch": 1, "global_batch": 512, "recompute": "none",
        "flash_attention": True, "micro_batches": 32, "uneven_stages": False}  # fmt: skip
    shape = LLAMA_3_70B | MEGATRON_BF16 | stated
    megatron, open_ = facts(shape, framework="megatron"), facts(shape)
    assert megatron["least_stage_memory"] == megatron["state_memory"] + 20 * 4 * megatron["layer_activation_memory"]
    assert open_["least_stage_memory"] < open_["state_memory"] + 20 * open_["layer_activation_memory"]


def test_interleaving_only_adds_to_the_floor_of_a_stage(facts: Callable[..., Any]) -> None:
    stated = {"pipeline": 4, "gpus": 64, "zero_stage": 1, "micro_batch": 1, "global_batch": 512, "recompute": "none",
        "flash_attention": True, "micro_batches": 32, "uneven_stages": False, "framework": "megatron"}  # fmt: skip
    shape = LLAMA_3_70B | MEGATRON_BF16 | stated
    whole, interleaved = facts(shape), facts(shape, virtual_stages=5)
    assert whole["stage_memory_floor"] == interleaved["stage_memory_floor"]
    assert whole["stage_memory_floor"] == whole["state_memory_floor"] + 20 * 4 * whole["layer_activation_memory"]
    assert interleaved["least_stage_memory"] > interleaved["stage_memory_floor"]
    other = facts(shape, schedule="zero-bubble-v", pipeline_schedule="zero-bubble-v")
    assert other["stage_memory_floor"] == other["state_memory_floor"] + 20 * other["least_kept_memory"]
    for schedule in ("gpipe", "dualpipe"):
        assert facts(shape, schedule=schedule)["stage_memory_floor"] == whole["stage_memory_floor"]


def test_no_spread_of_layers_needs_less_than_the_floor(facts: Callable[..., Any]) -> None:
    """Every split of 12 layers over 3 stages, whose first keeps three micro-batches, fills one GPU at least that much."""
    stated = {
        "layers": 12, "pipeline": 3, "gpus": 48, "zero_stage": 1, "micro_batch": 1, "global_batch": 512, "recompute": "none",
        "flash_attention": True, "micro_batches": 32, "uneven_stages": True, "framework": "megatron",
    }  # fmt: skip
    job = facts(LLAMA_3_70B | MEGATRON_BF16 | stated)
    kept, copied = job["least_kept_memory"], job["copied_bytes"]
    state = (job["attention_parameters"] + job["feed_forward_parameters"]) / 12 / job["tensor"] * copied
    fullest = [
        max(first * (state + 3 * kept), second * (state + 2 * kept), (12 - first - second) * (state + kept))
        for first in range(13)
        for second in range(13 - first)
    ]
    assert 0.85 * min(fullest) < job["uneven_stage_memory_floor"] <= min(fullest)
    assert job["least_stage_memory"] is None
    none_stays = facts(LLAMA_3_70B | MEGATRON_BF16 | stated, offload="optimizer")["uneven_stage_memory_floor"]
    assert none_stays == pytest.approx(12 * kept / (1 / 3 + 1 / 2 + 1))


def test_open_attention_kernels_and_sequence_parallelism_count_as_the_thriftier(facts: Callable[..., Any]) -> None:
    shape = LLAMA_3_70B | MEGATRON_BF16 | {"pipeline": 4, "gpus": 64, "zero_stage": 1, "micro_batch": 1, "global_batch": 512,
        "recompute": "none", "micro_batches": 32, "uneven_stages": False, "framework": "megatron"}  # fmt: skip
    flash, open_ = facts(shape, flash_attention=True), facts(shape)
    assert open_["least_stage_memory"] == flash["least_stage_memory"] > 2 * flash["state_memory"]
    assert facts(shape, flash_attention=False)["least_stage_memory"] > open_["least_stage_memory"]
    split = {"tensor": 4, "sequence_parallel": True}
    unsaid = facts(shape | split, sequence_parallel=None)["least_stage_memory"]
    assert (
        facts(shape | split)["state_memory"] < unsaid < facts(shape | split, flash_attention=True)["least_stage_memory"]
    )
    assert facts(shape, recompute="selective", framework=None)["least_stage_memory"] is None
    unsaid_and_selective = shape | split | {"sequence_parallel": None, "recompute": "selective"}
    assert facts(unsaid_and_selective)["least_stage_memory"] is None


def test_any_layer_keeps_inputs_queries_outputs_and_what_enters_its_activation_function(
    facts: Callable[..., Any],
) -> None:
    """131072 x (2 x 8192 + 2 x 8192 + 28672) x 2 B over 8 ranks, 2.01 GB in each of 80 layers; a gate keeps as much again."""
    stated = {"tensor": 8, "pipeline": 1, "gpus": 512, "sequence": 131072, "recompute": "none", "gated": None,
        "parameters": 70e9, "tied_embeddings": None, "vocabulary": None, "kv_heads": None, "attention": "gqa"}  # fmt: skip
    open_ = facts(LLAMA_3_70B, MEGATRON_BF16, stated, head_dimension=128)
    layer = 131072 * (4 * 8192 + 28672) * 2 / 8
    assert open_["least_kept_memory"] == layer
    assert open_["stage_memory_floor"] == pytest.approx(70e9 * (18 - 4) / 512 + 80 * layer)  # gradients come later
    whole = facts(LLAMA_3_70B, MEGATRON_BF16, stated | {"gated": True, "kv_heads": 8, "sequence_parallel": True,
        "flash_attention": True, "micro_batch": 1})  # fmt: skip
    assert whole["bare_layer_memory"] < whole["layer_activation_memory"] - whole["spared_memory"]
    scored = facts(LLAMA_3_70B, MEGATRON_BF16, stated, head_dimension=128, flash_attention=False)
    assert scored["least_kept_memory"] == layer + 131072**2 * 64 * 2 / 8
    experts = facts(LLAMA_3_70B, MEGATRON_BF16, stated, head_dimension=128, experts=8)
    assert experts["least_kept_memory"] == 131072 * 4 * 8192 * 2 / 8
    assert facts(LLAMA_3_70B, MEGATRON_BF16, stated, attention="mla", experts=8)["least_kept_memory"] == (
        131072 * 2 * 8192 * 2 / 8
    )
    assert facts(LLAMA_3_70B, MEGATRON_BF16, stated, recompute="full")["bare_layer_memory"] > 0
    staged = facts(LLAMA_3_70B, MEGATRON_BF16, stated | {"pipeline": 4, "gpus": 64}, head_dimension=128)
    assert staged["stage_memory_floor"] == pytest.approx(70e9 * 18 / 64 + 20 * layer)


def test_what_inference_caches(facts: Callable[..., Any]) -> None:
    """Llama 3 8B: 2 x 8 heads x 128 x 2 B in 32 layers, 128 KiB a token; three sequences of 131072 and the weights, 68 GB."""
    shape = {
        "layers": 32,
        "hidden": 4096,
        "heads": 32,
        "kv_heads": 8,
        "head_dimension": 128,
        "parameters": 8_030_000_000,
    }
    job = facts(ONE_GPU_EACH, MEGATRON_BF16, shape, kind="inference", gpus=1, sequences=3, cached_tokens=131072)
    assert job["cached_token_bytes"] == 128 * 1024
    assert job["cached_values"] == 3 * 131072 * 65536
    assert job["serving_memory"] == pytest.approx(8.03e9 * 2 + 3 * 131072 * 131072)
    assert job["serving_memory"] == pytest.approx(68e9, rel=0.01)
    split = facts(
        ONE_GPU_EACH,
        MEGATRON_BF16,
        shape,
        kind="inference",
        gpus=16,
        tensor=16,
        sequences=3,
        cached_tokens=131072,
        attention_copies=1,
    )
    assert split["cache_memory"] == job["cache_memory"] / 8
    assert (
        roles.cache_memory("inference", 3, roles.CachedSequence(131072, 32, 16, 16, 1024), 131072.0, 1, 1, None)
        == 3 * (16 * 131072 + 16 * 1024) * 4096
    )


def test_latent_attention_caches_its_compressed_vector() -> None:
    """DeepSeek-V3: 512 + 64 values in each of 61 layers, which tensor ranks do not split."""
    token = roles.cached_token_values("mla", 61, None, None, None, 512, 64)
    assert token == 61 * 576
    cached = roles.CachedSequence(1000, 61, 61, None, None)
    assert (roles.cache_shares(8, None, 1), roles.cache_shares(8, None, None), roles.cache_shares(8, None, 8)) == (
        1,
        None,
        8,
    )
    assert (roles.cache_shares(8, 8, None), roles.cache_shares(16, 8, None), roles.cache_shares(16, 8, 1)) == (
        8,
        None,
        8,
    )
    assert roles.cache_memory("inference", 1, cached, token, 1, 1, None) == 1000 * token
    assert roles.cache_memory("inference", 1, cached, token, 1, 1, 4) == 1000 * token / 4
    assert roles.cache_memory("inference", 8, cached, token, 8, 1, None) == 1000 * token
    assert roles.CachedSequence(1000, 61, 61, None, 128).kept_tokens() is None


def test_models_beside_the_actor() -> None:
    assert roles.further_state_total("reinforcement-learning", True, 10, 5, 100, 2, 4, 12) == 10 * 18 + 5 * 2 + 100 * 2
    assert roles.further_state_total("reinforcement-learning", None, None, None, 100, 2, 4, 12) == 0
    assert roles.further_state_total("pretraining", True, 10, 5, 100, 2, 4, 12) == 0


def test_one_sequence_has_to_stand_somewhere() -> None:
    """80 layers of 8192 x 4194304 x 2 B, 5.5 TB, beside the state."""
    total = least_memory.least_memory_total(1.0e12, "pretraining", 80, 8192, 4194304, 2, None)
    assert total == 1.0e12 + 80 * 8192 * 4194304 * 2
    assert least_memory.least_memory_total(1.0e12, "inference", 80, 8192, 4194304, 2, None) == 1.0e12
    assert least_memory.least_memory_total(1.0e12, "pretraining", 80, 8192, 4194304, 2, "activations") == 1.0e12


def test_least_cache_is_split_over_all_gpus_of_a_copy() -> None:
    """How latent attention is copied decides its cache; at best, each of 16 GPUs keeps a sixteenth."""
    cached = roles.CachedSequence(1000, 61, 61, None, None)
    assert roles.least_cache_memory("inference", 8, cached, 61 * 576, 16, 1, None) == 8 * 1000 * 61 * 576 / 16
    assert roles.least_cache_memory("inference", 8, cached, 61 * 576, 8, 2, 2) == 8 * 1000 * 61 * 576 / 32
    assert roles.least_cache_memory("pretraining", 8, cached, 61 * 576, 8, 2, 2) is None


def test_latent_attention_keeps_the_queries_and_outputs_of_all_heads(facts: Callable[..., Any]) -> None:
    """DeepSeek-V3: two block inputs of 7168, queries of 128 x (128 + 64), outputs of 128 x 128 values."""
    latent = facts(hidden=7168, layers=61, heads=128, attention="mla", head_dimension=128, rope_dimension=64, value_dimension=128,
        experts=256, experts_per_token=8, expert_feed_forward=2048)  # fmt: skip
    assert latent["bare_layer_width"] == 2 * 7168 + 128 * (128 + 64) + 128 * 128
