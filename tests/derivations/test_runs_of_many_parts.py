"""Phases of a run, several pools, elastic jobs, checkpoints in memory, rollouts and serving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from designlint.derivations.operations import elastic, reliability
from designlint.derivations.workload import rollouts, serving

if TYPE_CHECKING:
    from collections.abc import Callable

Given = dict[str, Any]
#: Llama 3 405B: 252 million tokens at 4096, nearly all at 8192, then longer ones up to 131072 (Llama 3 report, section 3.4).
LLAMA_3_405B: Given = {
    "kind": "pretraining", "layers": 126, "hidden": 16384, "heads": 128, "kv_heads": 8, "feed_forward": 53248, "gated": True,
    "vocabulary": 128256, "tied_embeddings": False, "norm": "rmsnorm", "attention": "gqa", "sequence": 8192,
    "tokens": 15_600_000_000_000,
}  # fmt: skip


def test_flops_of_a_run_in_phases(facts: Callable[..., Any]) -> None:
    """800 billion tokens at 131,072 take 16 times the attention of 8192: 5 % of the tokens, 3 % more FLOPs."""
    job = facts(LLAMA_3_405B, phase_tokens=(252_000_000, 800_000_000_000), phase_sequences=(4096, 131072))
    attention = job["attention_flops_per_token"]
    more = 0.252e9 * attention * (0.5 - 1) + 800e9 * attention * (16 - 1)
    assert job["phase_factor"] == pytest.approx(1 + more / (15.6e12 * job["flops_per_token"]))
    assert job["phase_factor"] == pytest.approx(1.03, abs=0.01)


@pytest.mark.parametrize(("tokens", "sequences"), [((), ()), ((10, None), (8192, 8192)), ((16 * 10**12,), (8192,))])
def test_phases_that_say_too_little(
    facts: Callable[..., Any], tokens: tuple[Any, ...], sequences: tuple[Any, ...]
) -> None:
    job = facts(LLAMA_3_405B, phase_tokens=tokens, phase_sequences=sequences)
    assert job["phase_factor"] is None


def test_a_phase_without_a_length_has_that_of_the_model(facts: Callable[..., Any]) -> None:
    own = {"phase_tokens": (800_000_000_000, 10), "phase_sequences": (131072, None)}
    stated = own | {"phase_sequences": (131072, 8192)}
    assert facts(LLAMA_3_405B, own)["phase_factor"] == facts(LLAMA_3_405B, stated)["phase_factor"] > 1


def test_phases_lengthen_a_run(facts: Callable[..., Any]) -> None:
    rate = {"tokens_per_second": 1e6, "phase_tokens": (800_000_000_000,), "phase_sequences": (131072,)}
    long, plain = (
        facts(LLAMA_3_405B, rate),
        facts(LLAMA_3_405B, tokens_per_second=1e6, phase_tokens=(), phase_sequences=()),
    )
    assert long["training_time"] == pytest.approx(plain["training_time"] * long["phase_factor"])
    assert long["longest_sequence"] == 131072
    assert plain["longest_sequence"] == 8192


def test_copies_in_memory_lose_less() -> None:
    assert elastic.resume_interval(3600.0, 60.0, 1) == 60
    assert elastic.resume_interval(3600.0, 60.0, 0) == 3600
    assert elastic.resume_interval(3600.0, 60.0, None) == 3600
    assert elastic.resume_interval(None, 60.0, 1) == 60
    assert reliability.least_lost_per_failure(60.0, 30.0, None) == 60
    assert elastic.checkpoint_in_memory(700e9, 60.0, 2) == 2100e9
    assert elastic.checkpoint_copy_time(400e9, 1, 50e9, 8) == 1


def test_passes_of_a_served_model() -> None:
    """Llama 2 70B in 16 bit on 8 H100 of 3.35 TB/s: 140 GB over 26.8 TB/s are 5.2 ms."""
    assert serving.least_pass_time("inference", 70 * 10**9, None, 2, 16, 8, 1, None, 3.35e12) == pytest.approx(
        5.22e-3, rel=0.001
    )
    assert serving.least_pass_time("inference", 70 * 10**9, None, 2, 16, 8, 16, None, 3.35e12) == pytest.approx(
        2.61e-3, rel=0.001
    )
    assert serving.least_pass_time("pretraining", 70 * 10**9, None, 2, 16, 8, 1, None, 3.35e12) is None


def test_each_copy_of_attention_reads_all_of_it() -> None:
    """37 GB of active weights in 8 bit, 11 GB of them attention, on 32 H200 of 4.8 TB/s, each with a copy of attention."""
    copied = serving.least_pass_time("inference", 37 * 10**9, 11 * 10**9, 1, 32, 32, 32, 32, 4.8e12)
    assert copied == pytest.approx((11 + 26 / 32) / 4800)
    assert serving.least_pass_time("inference", 37 * 10**9, 11 * 10**9, 1, 32, 32, 32, None, 4.8e12) == pytest.approx(
        37 / 32 / 4800
    )


def test_tokens_of_a_served_model() -> None:
    """By memory 2 copies of 8 sequences every 5 ms; by multiplications 16 PFLOP/s over 140 GFLOP."""
    computed = serving.most_computed_tokens_per_second("inference", 16, 70 * 10**9, 1e15)
    assert computed == pytest.approx(16e15 / 140e9)
    assert serving.most_computed_tokens_per_second("pretraining", 16, 70 * 10**9, 1e15) is None
    assert serving.most_output_tokens_per_second(5e-3, 8, 1.0, 2, computed) == pytest.approx(3200)
    assert serving.most_output_tokens_per_second(5e-3, 8, 2.5, 2, None) == pytest.approx(8000)
    assert serving.most_output_tokens_per_second(5e-3, 8000, 1.0, 2, computed) == computed


def test_weights_for_rollouts() -> None:
    assert rollouts.rollout_weight_memory(70 * 10**9, 2, 4, None, None) == 35e9
    assert rollouts.least_weight_sync(35e9, (400e9, 0.0)) == pytest.approx(0.7)
    assert rollouts.least_weight_sync(35e9, (0.0,)) is None
