"""FLOPs per token against the published rates of Megatron-Bridge, step times against Korthikanti 2022."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from designlint.derivations.workload import compute

if TYPE_CHECKING:
    from collections.abc import Callable

Given = dict[str, Any]

MODERN: Given = {"gated": True, "tied_embeddings": False, "norm": "rmsnorm", "kind": "pretraining"}
LLAMA_3_8B: Given = MODERN | {
    "layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "feed_forward": 14336, "vocabulary": 128256,
}  # fmt: skip
LLAMA_3_70B: Given = MODERN | {
    "layers": 80, "hidden": 8192, "heads": 64, "kv_heads": 8, "feed_forward": 28672, "vocabulary": 128256,
}  # fmt: skip
DEEPSEEK_V3: Given = MODERN | {
    "layers": 61, "hidden": 7168, "heads": 128, "attention": "mla", "head_dimension": 128,
    "value_dimension": 128, "rope_dimension": 64, "query_rank": 1536, "kv_rank": 512, "feed_forward": 18432, "dense_layers": 3,
    "experts": 256, "experts_per_token": 8, "expert_feed_forward": 2048, "shared_expert_feed_forward": 2048,
    "vocabulary": 129280,
}  # fmt: skip
KIMI_K2: Given = DEEPSEEK_V3 | {"heads": 64, "experts": 384, "dense_layers": 1, "vocabulary": 163840}
QWEN3_30B_A3B: Given = MODERN | {
    "layers": 48, "hidden": 2048, "heads": 32, "kv_heads": 4, "head_dimension": 128, "vocabulary": 151936,
    "experts": 128, "experts_per_token": 8, "expert_feed_forward": 768,
}  # fmt: skip
GPT_OSS_120B: Given = MODERN | {
    "layers": 36, "hidden": 2880, "heads": 64, "kv_heads": 8, "head_dimension": 64, "vocabulary": 201088,
    "experts": 128, "experts_per_token": 4, "expert_feed_forward": 2880,
}  # fmt: skip


# Median of TFLOP/s/GPU over tokens/s/GPU in docs/performance-summary{,-archive}.md of Megatron-Bridge
@pytest.mark.parametrize(
    ("shape", "sequence", "gflop"),
    [
        (LLAMA_3_8B, 8192, 51.5),
        (LLAMA_3_70B, 8192, 449.2),
        (LLAMA_3_70B | {"kind": "fine-tuning"}, 4096, 432.5),
        (DEEPSEEK_V3, 4096, 249.6),
        (QWEN3_30B_A3B, 4096, 23.0),
        (KIMI_K2, 4096, 204.4),
        # the published rate counts two of the three matrices of a gated expert
        (GPT_OSS_120B | {"gated": False}, 4096, 27.2),
        (GPT_OSS_120B | {"gated": False}, 8192, 30.8),
    ],
)
def test_published_flops_per_token(facts: Callable[..., Any], shape: Given, sequence: int, gflop: float) -> None:
    assert facts(shape, sequence=sequence)["flops_per_token"] == pytest.approx(gflop * 1e9, rel=0.006)


NEMOTRON_3_NANO: Given = MODERN | {
    "layers": 52, "hidden": 2688, "heads": 32, "kv_heads": 2, "head_dimension": 128, "attention_layers": 6,
    "mamba_layers": 23, "feed_forward_layers": 23, "dense_layers": 0, "experts": 128, "experts_per_token": 6,
    "expert_feed_forward": 1856, "shared_expert_feed_forward": 3712, "gated": False, "vocabulary": 131072,
    "mamba_heads": 84, "mamba_head_dimension": 64, "mamba_state": 128, "mamba_groups": 8, "convolution": 4,
}  # fmt: skip


def test_published_flops_of_a_hybrid_model(facts: Callable[..., Any]) -> None:
    """22.3 GFLOP as Megatron-Bridge counts: with Mamba layers twice as wide as the model (84 heads), not the 64 they have."""
    assert facts(NEMOTRON_3_NANO, sequence=8192)["flops_per_token"] == pytest.approx(22.3e9, rel=0.006)
    scans = facts(NEMOTRON_3_NANO, sequence=8192, mamba_heads=64)["recurrent_flops_per_token"]
    assert scans == 3 * 23 * 7 * 64 * 64 * 128


def test_states_of_linear_attention(facts: Callable[..., Any]) -> None:
    shape = {
        "linear_layers": 36,
        "linear_attention": "gated-deltanet",
        "linear_key_heads": 16,
        "linear_key_dimension": 128,
    }
    heads = {"linear_value_heads": 32, "linear_value_dimension": 128}
    assert facts(shape, heads, kind="inference")["recurrent_flops_per_token"] == 36 * 8 * 32 * 128 * 128
    lightning = facts(shape, heads, linear_attention="lightning", kind="inference")
    assert lightning["recurrent_flops_per_token"] == 36 * 5 * 32 * 128 * 128
    assert facts(shape, heads, linear_attention="kimi-delta", kind="pretraining")["recurrent_flops_per_token"] is None


def test_adapters_spare_the_gradient_of_frozen_weights(facts: Callable[..., Any]) -> None:
    """278.8 GFLOP published: the matrices, and attention over 206 tokens, as packed short samples have."""
    job = facts(LLAMA_3_70B, kind="lora", sequence=206)
    assert job["flops_per_token"] == pytest.approx(278.8e9, rel=0.001)
    assert job["matmul_flops_per_token"] == 4 * (70_553_706_496 - 128256 * 8192)


def test_inference_goes_forward_only(facts: Callable[..., Any]) -> None:
    train, serve = facts(LLAMA_3_8B, sequence=8192), facts(LLAMA_3_8B, sequence=8192, kind="inference")
    assert serve["flops_per_token"] * 3 == train["flops_per_token"]


def test_reinforcement_learning_has_no_closed_form(facts: Callable[..., Any]) -> None:
    assert facts(LLAMA_3_8B, sequence=8192, kind="reinforcement-learning")["flops_per_token"] is None


@pytest.mark.parametrize(("tied", "looked_up"), [(False, 10), (True, 0), (None, 0)])
def test_an_embedding_of_its_own_is_looked_up(tied: bool | None, looked_up: int) -> None:
    assert compute.matmul_flops_per_token("pretraining", None, 100, None, 10, tied, 0) == 6 * (100 - looked_up)
    assert compute.matmul_flops_per_token("pretraining", None, 100, None, None, tied, None) == 600
    assert compute.least_matmul_flops_per_token("pretraining", None, None, 100, None, 10, tied, 0) == 6 * (
        100 if tied else 90
    )


def test_parameters_alone_make_6_n_d(facts: Callable[..., Any]) -> None:
    assert facts(kind="pretraining", parameters=70_000_000_000)["matmul_flops_per_token"] == 6 * 70e9
    assert facts(kind="pretraining", parameters=70_000_000_000)["least_flops_per_token"] == 6 * 70e9
    spoken = facts(kind="pretraining", parameters=70_000_000_000, experts_per_token=8)
    assert spoken["matmul_flops_per_token"] is None
    learning = facts(kind="reinforcement-learning", parameters=70_000_000_000)
    assert learning["least_flops_per_token"] == 6 * 70e9
    generating = facts(kind="reinforcement-learning", rollouts="same-gpus", parameters=70_000_000_000)
    assert generating["least_flops_per_token"] == 8 * 70e9


def test_windows_and_linear_layers_by_hand(facts: Callable[..., Any]) -> None:
    """Gemma 3 27B: 10 of 62 layers see all 131072 tokens, 52 a window of 1024. Qwen3-Next: 12 of 48 attend at all."""
    gemma = {
        "kind": "pretraining",
        "layers": 62,
        "hidden": 5376,
        "heads": 32,
        "head_dimension": 128,
        "sequence": 131072,
    }
    full, cut = facts(gemma), facts(gemma, windowed_layers=52, window=1024)
    width = 2 * 32 * 128
    assert full["attention_flops_per_token"] == 3 * 62 * 131072 * width
    seen = 10 * 131072 + 52 * (2 * 1024 - 1024**2 / 131072)
    assert cut["attention_flops_per_token"] == pytest.approx(3 * seen * width)
    assert facts(gemma, windowed_layers=52)["attention_flops_per_token"] is None
    assert facts(gemma, window=1024)["attention_flops_per_token"] is None
    assert (
        facts(gemma, windowed_layers=62, window=10**6)["attention_flops_per_token"] == full["attention_flops_per_token"]
    )
    qwen = facts(
        kind="pretraining", layers=48, linear_layers=36, heads=16, head_dimension=256, hidden=2048, sequence=262144
    )
    assert qwen["attention_flops_per_token"] == 3 * 12 * 262144 * 2 * 16 * 256


def test_attention_is_certain_only_where_the_pattern_of_layers_is(facts: Callable[..., Any]) -> None:
    open_, said = facts(LLAMA_3_8B, sequence=8192), facts(LLAMA_3_8B, sequence=8192, windowed_layers=0)
    assert open_["least_flops_per_token"] == open_["least_matmul_flops_per_token"]
    assert said["least_flops_per_token"] == said["flops_per_token"] == open_["flops_per_token"]


def test_layers_that_predict_further_tokens_cost_compute(facts: Callable[..., Any]) -> None:
    """One more layer of Llama 3 8B, a matrix of 2 h x h, and the output layer once more."""
    plain, more = facts(LLAMA_3_8B, sequence=8192), facts(LLAMA_3_8B, sequence=8192, multi_token_prediction_layers=1)
    layer = (plain["attention_parameters"] + plain["feed_forward_parameters"]) // 32
    assert more["prediction_parameters"] == layer + 2 * 4096**2
    extra = more["matmul_flops_per_token"] - plain["matmul_flops_per_token"]
    assert extra == 6 * (layer + 2 * 4096**2 + 128256 * 4096)
    assert more["attention_flops_per_token"] == plain["attention_flops_per_token"] * 33 / 32


@pytest.mark.parametrize("missing", ["sequence", "heads", "layers"])
def test_attention_is_not_left_out_in_silence(facts: Callable[..., Any], missing: str) -> None:
    stated = LLAMA_3_8B | {"sequence": 8192, "parameters": 8e9} | {missing: None}
    assert facts(stated)["flops_per_token"] is None


# Table 5: hidden, layers, heads, GPUs, batch; seconds and MFU with selective recomputation
TABLE_5 = [
    (6144, 48, 64, 8, 4, 1.10, 0.417),
    (12288, 96, 96, 64, 64, 13.75, 0.514),
    (20480, 105, 128, 280, 280, 37.83, 0.560),
    (25600, 128, 160, 512, 512, 71.49, 0.563),
]


@pytest.mark.parametrize(("hidden", "layers", "heads", "gpus", "batch", "seconds", "mfu"), TABLE_5)
def test_korthikanti_counts_the_whole_square_of_scores(
    facts: Callable[..., Any],
    hidden: int,
    layers: int,
    heads: int,
    gpus: int,
    batch: int,
    seconds: float,
    mfu: float,
) -> None:
    """72 B L s h^2 (1 + s / 6h + V / 12hL) per step; A100, 312 TFLOP/s."""
    tokens, sequence, vocabulary = batch * 2048, 2048, 51200
    shape = {"active_parameters": 12 * layers * hidden**2 + vocabulary * hidden, "tied_embeddings": True}
    job = facts(shape, layers=layers, heads=heads, hidden=hidden, sequence=sequence, kind="pretraining")
    step = tokens * (job["matmul_flops_per_token"] + 2 * job["attention_flops_per_token"])
    formula = 72 * layers * hidden**2 * (1 + sequence / (6 * hidden) + vocabulary / (12 * hidden * layers))
    assert step == pytest.approx(tokens * formula, rel=1e-12)
    assert step / seconds / (gpus * 312e12) == pytest.approx(mfu, abs=0.003)


@pytest.mark.parametrize(
    ("matmul", "peak"),
    [
        ("fp16", 1.0),
        ("bf16", 2.0),
        ("fp8", 3.0),
        ("mxfp8", 3.0),
        ("fp4", 4.0),
        ("nvfp4", 4.0),
        ("mxfp4", 4.0),
        ("tf32", None),
    ],
)
def test_peak_of_each_format(matmul: str, peak: float | None) -> None:
    assert compute.peak_compute(matmul, 1.0, 2.0, 3.0, 4.0) == peak


def test_a_gpu_without_the_format_has_no_peak() -> None:
    assert compute.peak_compute("bf16", 125e12, None, None, None) is None


def test_llama_3_70b_on_15_trillion_tokens(facts: Callable[..., Any]) -> None:
    """449.2 GFLOP x 15e12 tokens over 2048 GPUs x 989 TFLOP/s x 40 %: 96.3 days; 5 % lost makes 101.3."""
    machine = {"gpus": 2048, "matmul": "bf16", "peak_bf16": 989e12, "mfu": 0.40, "tokens": 15_000_000_000_000}
    job = facts(LLAMA_3_70B, machine, sequence=8192, global_batch=2048)
    assert job["training_time"] / 86400 == pytest.approx(96.27, abs=0.05)
    assert facts(LLAMA_3_70B, machine, sequence=8192, targeted_goodput=0.95)["training_time"] / 86400 == pytest.approx(
        101.34, abs=0.05
    )
    assert job["tokens_per_step"] == 2048 * 8192
    assert job["step_time"] == pytest.approx(job["training_time"] * 2048 * 8192 / 15e12)


def test_a_deadline_equal_to_the_time_needs_the_same_utilisation(facts: Callable[..., Any]) -> None:
    machine = {"gpus": 2048, "matmul": "bf16", "peak_bf16": 989e12, "mfu": 0.40, "tokens": 15_000_000_000_000}
    job = facts(LLAMA_3_70B, machine, sequence=8192, targeted_goodput=0.9)
    again = facts(LLAMA_3_70B, machine, sequence=8192, targeted_goodput=0.9, deadline=job["training_time"])
    assert again["mfu_needed"] == pytest.approx(0.40)


def test_nothing_moves_at_zero() -> None:
    assert compute.step_time(1000, 0.0) is None
    assert compute.training_time(1000, 0.0, None, None) is None
    assert compute.training_time(1000, 10.0, 0.0, None) is None
    assert compute.mfu_needed(1000, 1.0, 0.0, 8, 1e12, None, None) is None
    assert compute.mfu_needed(1000, 1.0, 10.0, 8, 1e12, 0.0, None) is None


def test_gpu_time_is_that_of_all_gpus() -> None:
    # Llama 3.1 405B: 30.84 million H100 hours on 16,384 GPUs are 78.4 days of them all.
    assert compute.gpu_time(16384, 78.43 * 86400) / 3600 == pytest.approx(30.84e6, rel=1e-3)
