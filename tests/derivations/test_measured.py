"""What follows from what was measured of a job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Given = dict[str, Any]
#: GPT 175B on 64 A100 with selective recomputation: 13.75 s and 51.4 % (Korthikanti et al., table 5).
KORTHIKANTI: Given = {
    "kind": "pretraining", "layers": 96, "hidden": 12288, "heads": 96, "feed_forward": 49152, "gated": False, "norm": "layernorm",
    "vocabulary": 51200, "tied_embeddings": True, "sequence": 2048, "global_batch": 64, "gpus": 64, "peak_compute": 312e12,
    "best_peak": 312e12, "measured_step_time": 13.75, "phase_tokens": (),
}  # fmt: skip


def test_utilisation_of_a_published_step(facts: Callable[..., Any]) -> None:
    """The paper counts all scores of attention, masked ones too: 1.4 % more here."""
    job = facts(KORTHIKANTI)
    assert job["measured_tokens_per_second"] == 64 * 2048 / 13.75
    assert job["measured_mfu"] == pytest.approx(0.514, rel=0.02)
    assert job["least_measured_share"] <= job["measured_mfu"]


def test_what_is_stated_wins(facts: Callable[..., Any]) -> None:
    job = facts(KORTHIKANTI, measured_mfu=0.4, measured_tokens_per_second=5e3)
    assert job["measured_mfu"] == 0.4
    assert job["mfu_of_measured_tokens"] == pytest.approx(0.514 * 5e3 / 9532.5, rel=0.02)


def test_tokens_and_steps_of_the_run_say_what_a_step_has(facts: Callable[..., Any]) -> None:
    """2.1e9 tokens in 1000 steps of 10 s are 210,000 a second; phases with batches of their own leave it open."""
    run = {"tokens": 2_100_000_000, "steps": 1000, "measured_step_time": 10.0, "phase_tokens": ()}
    assert facts(run)["measured_tokens_per_second"] == 210_000
    assert facts(run, phase_tokens=(1000, None))["measured_tokens_per_second"] is None
    assert facts(run, tokens_per_step=4_000_000)["measured_tokens_per_second"] == 400_000
    assert facts(run, measured_step_time=0.0)["measured_tokens_per_second"] is None


def test_printed_flops_do_not_say_the_utilisation_of_the_model(facts: Callable[..., Any]) -> None:
    job = facts(KORTHIKANTI, measured_step_time=None, measured_flops=150e12)
    assert job["mfu_of_measured_flops"] == pytest.approx(150 / 312)
    assert job["measured_mfu"] is None


def test_time_to_train_at_the_measured_rate(facts: Callable[..., Any]) -> None:
    run = {"tokens": 3_000_000, "measured_tokens_per_second": 100.0, "targeted_goodput": 0.5}
    assert facts(run)["measured_training_time"] == 60_000
    assert facts(run, measured_goodput=0.75)["measured_training_time"] == 40_000
    assert facts(run, measured_tokens_per_second=0.0)["measured_training_time"] is None
