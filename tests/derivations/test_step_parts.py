"""What selective recomputation computes again, and what a stage waits for, worked by hand."""

from __future__ import annotations

import pytest

from designlint.derivations.workload.step_time import waits
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
    assert expert_module_recompute_time(selection("selective", "moe shared_experts"), 10.0, 2.0, 3.0, 4.0) == 19
    assert expert_module_recompute_time(selection("selective", "shared_experts"), 10.0, 2.0, 3.0, 4.0) == 2


def test_waits_add_up_over_layers_and_micro_batches() -> None:
    passes = waits.Passes(12, 4, 5, 3)
    assert waits.tensor_wait_time(passes, 0.1, 1.0, None) == pytest.approx(12 / 4 * 8 * 0.2)
    assert waits.context_wait_time(passes, 0.1, 0.3, 1.0, None) == pytest.approx(12 / 4 * 8 * 0.4)
    assert waits.expert_wait_time(passes, 0.1, 0.5) == pytest.approx(12 / 4 * 3 * 0.1)
