"""Checkpoint size, write time and stall, against BLOOM and by hand."""

from __future__ import annotations

import pytest

from designlint.derivations import checkpoint, storage


def test_bloom_weighs_2_3_tb() -> None:
    """BLOOM chronicles: 2.3 TB for 176e9 parameters; 2 B of weights and 12 B of optimizer give 2.46 TB."""
    size = checkpoint.trained_state_size("pretraining", 176_000_000_000, 2, 12)
    assert size == 2.464e12
    assert size == pytest.approx(2.3e12, rel=0.08)


def test_a_stated_size_wins() -> None:
    assert checkpoint.checkpoint_size(2.3e12, 2.464e12) == 2.3e12
    assert checkpoint.checkpoint_size(None, 2.464e12) == 2.464e12
    assert checkpoint.checkpoint_size(None, None) is None


@pytest.mark.parametrize("kind", ["lora", "inference", "reinforcement-learning"])
def test_jobs_that_train_a_part_have_no_such_size(kind: str) -> None:
    assert checkpoint.trained_state_size(kind, 1_000_000_000, 2, 12) is None


def test_the_slowest_tier_sets_the_write_time() -> None:
    """BLOOM: 2.3 TB at 57.5 GB/s in 40 s."""
    assert checkpoint.checkpoint_write_time(2.3e12, (500e9, 57.5e9), True) == pytest.approx(40)


def test_a_single_writer_has_no_data_sheet() -> None:
    assert checkpoint.checkpoint_write_time(2.3e12, (57.5e9,), False) is None
    assert checkpoint.checkpoint_write_time(2.3e12, (57.5e9,), None) is not None
    assert checkpoint.checkpoint_write_time(2.3e12, (), True) is None
    assert checkpoint.checkpoint_write_time(2.3e12, (0.0,), True) is None


@pytest.mark.parametrize(
    ("stated", "mode", "write", "stall"),
    [
        (5.0, "synchronous", 40.0, 5.0),
        (5.0, "asynchronous", 40.0, 5.0),
        (0.0, None, None, 0.0),
        (None, "synchronous", 40.0, 40.0),
        (None, "asynchronous", 40.0, None),
        (None, None, 40.0, None),
    ],
)
def test_stall(stated: float | None, mode: str | None, write: float | None, stall: float | None) -> None:
    assert checkpoint.checkpoint_stall(stated, mode, write) == stall


def test_overhead_of_bloom() -> None:
    """40 s every 3 h: 0.37 %."""
    assert checkpoint.checkpoint_overhead(40, 3 * 3600) == pytest.approx(0.0037, abs=1e-5)
    assert checkpoint.checkpoint_overhead(40, 0) is None


def test_usable_capacity() -> None:
    assert storage.usable_capacity(20e15, 0.8) == 16e15
