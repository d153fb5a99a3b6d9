"""What selective recomputation computes again, what experts and low precision add, and what a stage waits for, worked by hand."""

from __future__ import annotations

import pytest

from designlint.derivations.workload.step_time import experts, layer_parts, waits
from designlint.derivations.workload.step_time.recompute import (
    Selection,
    dense_module_recompute_time,
    expert_module_recompute_time,
)


def selection(recompute: str | None, names: str | None, *, blockwise: bool = True) -> Selection:
    """A layer whose scores take 5 s, norms and the like 4 s at 8 passes, output projection 3 s, latent projections 2 s."""
    return Selection(recompute, names, blockwise, 5.0, 4.0, 8.0, 3.0, 2.0)


def test_selective_recomputation_takes_the_time_of_its_modules() -> None:
    assert dense_module_recompute_time(selection("none", "mlp"), True, 30.0, 1.0) == 0
    assert dense_module_recompute_time(selection("selective", None), True, 30.0, 1.0) == 0
    assert dense_module_recompute_time(selection("selective", None, blockwise=False), True, 30.0, 1.0) == 5
    assert dense_module_recompute_time(selection("selective", "core_attn layernorm mlp"), True, 30.0, 1.0) == 5 + 2 + 31
    assert dense_module_recompute_time(selection("selective", "mla_up_proj"), True, 30.0, 1.0) == 2
    assert dense_module_recompute_time(selection("selective", "op"), True, 30.0, 1.0) == 3 + 4 + 10 + 1
    assert dense_module_recompute_time(selection("selective", "op"), False, 30.0, 1.0) == 3 + 4 + 1


def test_recomputed_experts_exchange_tokens_again() -> None:
    assert expert_module_recompute_time(selection("selective", "moe shared_experts"), 10.0, 2.0, 3.0, 4.0, 0.5) == 19.5
    assert expert_module_recompute_time(selection("selective", "shared_experts"), 10.0, 2.0, 3.0, 4.0, 0.5) == 2


def test_waits_add_up_over_layers_and_micro_batches() -> None:
    passes = waits.Passes(12, 4, 5, 3)
    assert waits.tensor_wait_time(passes, 0.1, 0.0, 1.0, None) == pytest.approx(12 / 4 * (5 * 0.2 + 3 * 0.1))
    assert waits.tensor_wait_time(passes, 0.1, 0.4, 1.0, None) == pytest.approx(12 / 4 * (5 * 0.2 + 3 * 0.9))
    assert waits.context_wait_time(passes, 0.1, 0.3, 1.0, None) == pytest.approx(12 / 4 * 8 * 0.4)
    assert waits.expert_wait_time(passes, 0.1, 0.5) == pytest.approx(12 / 4 * 3 * 0.1)


def test_ranks_that_split_experts_gather_the_tokens_of_each_other() -> None:
    """Four copies of 1,000 tokens, of which each of two ranks lacks the other's, there and back over 100 GB/s."""
    split, alone = (experts.Experts(5000, 8, 4, 2048, degree, 2, 2) for degree in (4, 1))
    assert experts.expert_tokens(2000, 2) == 4000
    waited = experts.expert_gather_time(2000, split, 1.0, 8, None, 100e9, None, 1e-5)
    assert waited == pytest.approx(2 * (2000 * 5000 * 2 / 100e9 + 1e-5))
    assert experts.expert_gather_time(2000, alone, 1.0, 8, None, 100e9, None, 1e-5) == 0.5
    whole = experts.Experts(5000, 8, 4, 2048, 4, 1, 2)
    assert experts.expert_gather_time(2000, whole, 1.0, 8, None, 100e9, None, 1e-5) == 0


def test_low_precision_reads_in_16_bit_and_writes_in_8_bit() -> None:
    """Both inputs of a feed-forward part, and those around attention, at 2 passes and 1 TB/s."""
    per_value = layer_parts.conversion_time("mxfp8", 2.0, 1e12)
    assert per_value == 4e-12
    assert layer_parts.conversion_time("bf16", 2.0, 1e12) == 0
    assert layer_parts.cast_time(1000, 4096, 8192, 2, True, per_value) == pytest.approx(1000 * (2048 + 4096) * 4e-12)
    wide, short = (
        layer_parts.activation_function_time(1000, 16384, True, 1.0, 4096, 2, False, 1.0, time, 1e12)
        for time in (0.0, per_value)
    )
    assert short is not None
    assert wide is not None
    assert short - wide == pytest.approx(1000 * (4096 + 8192) * 4e-12)
    shape = experts.Experts(4096, 8, 2, 1024, 8, 1, 1)
    wide, short = (experts.permutation_time(2000, shape, 10, 9, time, 1e12) for time in (0.0, per_value))
    assert short - wide == pytest.approx(2000 * (4096 + 1024) * 4e-12)
