"""State per GPU against published bytes per parameter; the floor against runs that ran and that did not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.derivations.published import LLAMA_3_70B, MEGATRON_BF16, ONE_GPU_EACH, Given

from designlint.derivations.workload import least_memory, memory

if TYPE_CHECKING:
    from collections.abc import Callable

GIB = 2**30

ZERO_FP16: Given = {"weight_bytes": 2, "gradient_bytes": 2, "optimizer_bytes": 12, "activation_bytes": 2}

QWEN3_30B_A3B: Given = ONE_GPU_EACH | {
    "layers": 48, "hidden": 2048, "heads": 32, "kv_heads": 4, "head_dimension": 128, "vocabulary": 151936,
    "experts": 128, "experts_per_token": 8, "expert_feed_forward": 768,
    "gated": True, "tied_embeddings": False, "norm": "rmsnorm",
}  # fmt: skip
GPT_530B: Given = ONE_GPU_EACH | ZERO_FP16 | {
    "parameters": 529_600_000_000, "layers": 105, "hidden": 20480, "heads": 128, "feed_forward": 81920,
    "gated": False, "vocabulary": 51200, "tied_embeddings": True, "sequence": 2048, "zero_stage": 3, "micro_batch": 4,
    "recompute": "full", "flash_attention": False, "norm": "layernorm", "dropout": True,
}  # fmt: skip


@pytest.mark.parametrize(
    ("precision", "stage", "expected"),
    [
        # Megatron Core guide, distributed optimizer: 18 without, 6 + 12 / d with it
        (MEGATRON_BF16, 0, 18),
        (MEGATRON_BF16, 1, 6 + 12 / 8),
        # Rajbhandari 2020, figure 1: 16; 4 + 12 / N; 2 + 14 / N; 16 / N
        (ZERO_FP16, 0, 16),
        (ZERO_FP16, 1, 4 + 12 / 8),
        (ZERO_FP16, 2, 2 + 14 / 8),
        (ZERO_FP16, 3, 16 / 8),
    ],
)
def test_bytes_per_parameter(facts: Callable[..., Any], precision: Given, stage: int, expected: float) -> None:
    job = facts(LLAMA_3_70B, precision, gpus=8, zero_stage=stage)
    assert job["state_memory"] / job["parameters"] == pytest.approx(expected)
    assert job["state_memory_floor"] / job["parameters"] == pytest.approx(expected)


# Korthikanti 2022, figure 1: 18 B x 12 L h^2 / (t p), embeddings not counted
@pytest.mark.parametrize(
    ("layers", "hidden", "pipeline", "gib"),
    [
        (48, 6144, 1, 45.5625),
        (96, 12288, 8, 45.5625),
        (105, 20480, 35, 31.640625),
        (128, 25600, 64, 32.958984375),
    ],
)
def test_state_of_korthikanti(facts: Callable[..., Any], layers: int, hidden: int, pipeline: int, gib: float) -> None:
    shape = {"body_parameters": 12 * layers * hidden**2, "embedding_parameters": 0, "routed_parameters": 0}
    degrees = {"layers": layers, "tensor": 8, "pipeline": pipeline, "gpus": 8 * pipeline, "zero_stage": 0}
    job = facts(ONE_GPU_EACH, MEGATRON_BF16, shape, degrees, parameters=12 * layers * hidden**2)
    assert job["state_memory"] == gib * GIB


def test_uneven_stages_load_the_fullest(facts: Callable[..., Any]) -> None:
    """Seven layers on four stages: two on the fullest, not the 1.75 of an average stage."""
    body = {"body_parameters": 700, "embedding_parameters": 0, "routed_parameters": 0, "parameters": 700}
    assert facts(ONE_GPU_EACH, body, layers=7, pipeline=4)["dense_shard_parameters"] == 200


def test_norms_are_copied_and_one_embedding_stands_on_the_first_stage() -> None:
    whole = memory.dense_shard_parameters(1000, 64, 2, 200, 10, 10, 1, 1)
    assert whole == 1000 + 2 * 64
    assert memory.dense_shard_parameters(1000, 64, 2, 200, 10, 5, 4, 2) == (800 / 4 + 200) / 2 + 64 / 4
    assert memory.dense_shard_parameters(1000, 64, 2, None, 10, 5, 4, 2) == 1000 / 8 + 64 / 4


def test_experts_are_split_and_copied_on_their_own(facts: Callable[..., Any]) -> None:
    """Qwen3 30B, 16 GPUs: 48 x 128 experts of 3 x 2048 x 768 over 8, their optimizer over 2 copies."""
    job = facts(QWEN3_30B_A3B, MEGATRON_BF16, gpus=16, expert=8, zero_stage=1)
    experts = 48 * 128 * 3 * 2048 * 768
    assert job["expert_shard_parameters"] == experts // 8
    assert job["expert_data_parallel"] == 2
    dense = job["parameters"] - experts
    assert job["state_memory"] == pytest.approx(dense * (6 + 12 / 16) + experts / 8 * (6 + 12 / 2), rel=1e-9)


def test_leading_dense_layers_crowd_the_experts_on_fewer_stages() -> None:
    assert memory.expert_shard_parameters(5800, 61, 58, None, 16, 1, None, 1) == 1600
    assert memory.expert_shard_parameters(5800, 61, 58, None, 61, 1, None, 1) == 5800


def test_experts_in_every_second_layer_are_spread_over_all_stages() -> None:
    assert memory.expert_shard_parameters(2400, 48, 24, 24, 12, 1, None, 1) == 2400 * 12 // 48


def test_the_split_of_experts_is_not_guessed(facts: Callable[..., Any]) -> None:
    degrees = {"gpus": 16, "tensor": 2, "expert": 8, "zero_stage": 1}
    assert facts(QWEN3_30B_A3B, MEGATRON_BF16, degrees)["state_memory"] is None
    assert facts(QWEN3_30B_A3B, MEGATRON_BF16, degrees)["memory_floor"] is not None
    assert facts(QWEN3_30B_A3B, MEGATRON_BF16, degrees, expert_tensor=1)["state_memory"] is not None


@pytest.mark.parametrize(
    "change",
    [
        {"offload": "weights"},
        {"offload": "optimizer", "framework": "fsdp"},
        {"kind": "lora"},
        {"adapters": True},
        {"zero_stage": None},
    ],
)
def test_state_that_no_formula_covers_is_unknown(facts: Callable[..., Any], change: Given) -> None:
    assert facts(LLAMA_3_70B, MEGATRON_BF16, {"gpus": 64, "zero_stage": 1} | change)["state_memory"] is None


def test_an_optimizer_in_cpu_memory_leaves_weights_and_what_the_framework_keeps(facts: Callable[..., Any]) -> None:
    def state(**words: Any) -> dict[str, Any]:
        found = facts(LLAMA_3_70B, MEGATRON_BF16, gpus=64, zero_stage=1, **words)
        return {part: found[f"{part}_memory"] for part in ("weight", "gradient", "optimizer", "state")}

    on_gpu, megatron = state(framework="megatron"), state(framework="megatron", offload="optimizer")
    assert megatron == on_gpu | {"optimizer": 0.0, "state": on_gpu["weight"] + on_gpu["gradient"]}
    assert state(framework="deepspeed", offload="optimizer")["state"] == on_gpu["weight"]
    half = state(framework="megatron", offload="optimizer", offload_share=0.5)
    assert half["optimizer"] == on_gpu["optimizer"] / 2


def test_a_total_above_the_active_parameters_means_experts(facts: Callable[..., Any]) -> None:
    job = facts(LLAMA_3_70B, MEGATRON_BF16, gpus=64, zero_stage=1, parameters=141e9, active_parameters=39e9)
    assert job["state_memory"] is None
    assert job["memory_floor"] > 0


def test_the_floor_needs_little(facts: Callable[..., Any]) -> None:
    """405e9 parameters of 18 B on 64 GPUs, ZeRO stage and shape not stated: shared by all."""
    job = facts(ONE_GPU_EACH, MEGATRON_BF16, parameters=405_000_000_000, gpus=64)
    assert job["memory_floor"] == 405e9 * 18 / 64
    assert facts(ONE_GPU_EACH, MEGATRON_BF16, parameters=1e9, gpus=8, offload="weights")["memory_floor"] is None


def test_adapters_need_their_frozen_weights(facts: Callable[..., Any]) -> None:
    job = facts(ONE_GPU_EACH, MEGATRON_BF16, kind="lora", parameters=70_000_000_000, gpus=8, tensor=4, zero_stage=1)
    assert job["memory_floor"] == 70e9 * 2 / 4


# Narayanan 2021, table 2: ZeRO-3 with micro-batch 4 did not fit 560 A100 of 80 GB; 640 ran.
def test_zero_3_on_560_gpus_did_not_fit(facts: Callable[..., Any]) -> None:
    fails, runs = facts(GPT_530B, gpus=560), facts(GPT_530B, gpus=640)
    assert fails["memory_per_gpu"] / GIB == pytest.approx(80.97, abs=0.01)
    assert runs["memory_per_gpu"] / GIB == pytest.approx(79.21, abs=0.01)
    assert runs["memory_floor"] < fails["memory_floor"] < 80e9


def test_a_misprinted_row_cannot_have_run(facts: Callable[..., Any]) -> None:
    """Megatron-Bridge 26.02.01 prints Llama 3 70B on GB300 (288 GB) with TP 1, PP 1 and no FSDP."""
    job = facts(LLAMA_3_70B, MEGATRON_BF16, gpus=64, zero_stage=1, micro_batch=2)
    assert job["memory_floor"] > 288e9


# Published runs that ran, floor against the memory of their GPU: Megatron-Bridge 25.09 and 25.11.
@pytest.mark.parametrize(
    ("degrees", "memory_limit"),
    [
        ({"gpus": 128, "tensor": 4, "pipeline": 8, "context": 2, "micro_batch": 1, "zero_stage": 1}, 180e9),
        ({"gpus": 256, "tensor": 2, "pipeline": 8, "context": 2, "micro_batch": 1, "zero_stage": 1}, 288e9),
        ({"gpus": 1024, "tensor": 8, "pipeline": 8, "context": 2, "micro_batch": 1, "zero_stage": 1}, 80e9),
    ],
)
def test_llama_3_405b_ran(facts: Callable[..., Any], degrees: Given, memory_limit: float) -> None:
    shape = LLAMA_3_70B | {"layers": 126, "hidden": 16384, "heads": 128, "feed_forward": 53248}
    assert 0.5 * memory_limit < facts(shape, MEGATRON_BF16, degrees)["memory_floor"] < 0.65 * memory_limit


@given(
    stage=st.sampled_from([None, 0, 1, 2, 3]),
    tensor=st.sampled_from([1, 2, 4, 8]),
    pipeline=st.sampled_from([1, 2, 5, 16]),
    replicas=st.integers(1, 64),
    micro_batch=st.integers(1, 4),
    recompute=st.sampled_from(["none", "selective", "full"]),
    sequence_parallel=st.booleans(),
)
def test_the_floor_lies_below_the_estimate(facts: Callable[..., Any], replicas: int, **stated: Any) -> None:
    stated["zero_stage"] = stated.pop("stage")
    gpus = stated["tensor"] * stated["pipeline"] * replicas
    more = {"gpus": gpus, "global_batch": 64 * replicas * stated["micro_batch"], "flash_attention": True}
    job = facts(LLAMA_3_70B, MEGATRON_BF16, stated, more)
    estimate = facts(LLAMA_3_70B, MEGATRON_BF16, stated, more, zero_stage=stated["zero_stage"] or 0)["memory_per_gpu"]
    assert job["memory_floor"] <= estimate
    certain = facts(LLAMA_3_70B, MEGATRON_BF16, stated, more, framework="megatron", uneven_stages=False)[
        "least_stage_memory"
    ]
    assert certain is None or certain <= estimate


@given(st.integers(0, 2), st.integers(1, 64), st.sampled_from([1, 2, 4]), st.booleans())
def test_more_sharing_never_needs_more(
    facts: Callable[..., Any], stage: int, replicas: int, expert: int, dense: bool
) -> None:
    shape = LLAMA_3_70B if dense else QWEN3_30B_A3B | {"expert": expert}
    jobs = [facts(shape, MEGATRON_BF16, gpus=4 * replicas, zero_stage=one) for one in (stage, stage + 1)]
    assert jobs[1]["state_memory"] <= jobs[0]["state_memory"]
    assert jobs[1]["memory_floor"] <= jobs[0]["memory_floor"]
    assert facts(shape, MEGATRON_BF16, gpus=8 * replicas, zero_stage=stage)["state_memory"] <= jobs[0]["state_memory"]


def test_totals(facts: Callable[..., Any]) -> None:
    job = facts(LLAMA_3_70B, MEGATRON_BF16, gpus=64, gpu_memory=80e9)
    assert job["state_memory_total"] == 70_553_706_496 * 18
    assert memory.first_stage_memory(1.0, 2.0, 4.0) == 7.0
    assert (memory.memory_per_gpu(7.0, None, None), memory.memory_per_gpu(7.0, 5.0, 8.0)) == (7.0, 8.0)


def test_least_held_by_hand() -> None:
    """1000 parameters, 800 of them in experts; tensor 2, pipeline 5, experts 4-way and each split in 2."""
    assert least_memory.least_held_parameters(1000, 800, 2, 5, 4, 2, None) == (200 / 2 + 800 / 8) / 5
    assert least_memory.least_held_parameters(1000, 800, 2, 5, 4, None, None) == (200 / 2 + 800 / 8) / 5
    assert least_memory.least_held_parameters(1000, None, 2, 5, 4, 1, None) == 1000 / (5 * 4)
    assert least_memory.least_held_parameters(1000, None, 10, 5, 4, 1, None) == 1000 / (5 * 10)


def test_experts_spread_over_no_more_gpus_than_a_stage_has() -> None:
    """4 expert ranks split in 4 would be 16 shards on 8 GPUs; a stated split stays, however wrong."""
    assert least_memory.least_held_parameters(1000, 800, 4, 1, 4, None, 8) == 200 / 4 + 800 / 8
    assert least_memory.least_held_parameters(1000, 800, 4, 1, 4, None, 2) == 200 / 4 + 800 / 4
    assert least_memory.least_held_parameters(1000, 800, 4, 1, 4, 4, 8) == 200 / 4 + 800 / 16


def test_owned_by_hand() -> None:
    """A dense shard over 4 data and 2 context ranks, an expert shard over its 10 copies."""
    assert memory.expert_shard_parameters(800, 10, 10, None, 5, 4, 2, 8) == 800 / 2 / 8
    assert memory.owned_parameters(130, 80, 50, 10, 8, None) == 10 + 5
    assert memory.owned_parameters(130, 80, 50, 10, 4, 4) == 20 + 13
    assert memory.owned_parameters(260, 80, 50, 10, 8, None) == 2 * (10 + 5)
    assert memory.owned_parameters(80, 80, 0, None, 8, None) == 10
    assert memory.owned_parameters(130, 80, 50, None, 8, None) is None


def test_the_floor_counts_one_input_of_each_layer_of_a_stage() -> None:
    assert least_memory.kept_inputs_floor(10.0, 8, 2, "pretraining", None) == 10 * 8 / 2
    assert least_memory.kept_inputs_floor(None, 8, 2, "pretraining", None) == 0
    assert least_memory.kept_inputs_floor(10.0, None, 2, "pretraining", None) == 0
    assert least_memory.kept_inputs_floor(10.0, 8, 2, "inference", None) == 0
    assert least_memory.kept_inputs_floor(10.0, 8, 2, "pretraining", "activations") == 0
    assert least_memory.memory_floor(100.0, 40.0, None) == 140
    assert least_memory.memory_floor(100.0, 40.0, 30.0) == 110
    assert least_memory.memory_floor(100.0, 40.0, 50.0) == 100


def test_a_sharding_group_holds_a_copy_of_its_own(facts: Callable[..., Any]) -> None:
    """34e9 parameters of 16 B in groups of eight GPUs: 68 GB each, however many groups there are."""
    job = facts(ONE_GPU_EACH, ZERO_FP16, parameters=34_000_000_000, gpus=512, zero_stage=3, sharding_group=8)
    assert job["memory_floor"] == pytest.approx(68e9)
    assert facts(LLAMA_3_70B, ZERO_FP16, gpus=512, zero_stage=3, sharding_group=8)["state_memory"] == pytest.approx(
        70_553_706_496 * 16 / 8, rel=1e-9
    )


def test_served_weights_need_no_word_of_training(facts: Callable[..., Any]) -> None:
    """DeepSeek-V3 in 8 bits on 16 GPUs: 41.9 GB of weights on each, whatever a gradient or an optimizer would take."""
    serve = facts(kind="inference", parameters=671 * 10**9, gpus=16, weight_bytes=1.0, tensor=16, pipeline=1, context=1)
    assert serve["state_bytes"] == 1.0
    assert serve["state_memory_total"] == 671e9
    train = facts(
        kind="pretraining", parameters=671 * 10**9, gpus=16, weight_bytes=1.0, tensor=16, pipeline=1, context=1
    )
    assert train["state_bytes"] is None
