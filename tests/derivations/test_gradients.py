"""When gradients are in memory beside activations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("words", "stay"),
    [
        ({}, False),
        ({"framework": "fsdp", "micro_batches": 1}, False),
        ({"micro_batches": 2}, True),
        ({"pipeline": 2}, True),
        ({"framework": "megatron", "micro_batches": 1}, True),
    ],
)
def test_a_single_backward_pass_makes_gradients_while_it_frees_activations(
    facts: Callable[..., Any], words: dict[str, Any], stay: bool
) -> None:
    """torchtune's 3B on one A100 took 24.9 GiB: less than 16-bit weights, gradients, moments and inputs of layers together."""
    tuned = {
        "weight_bytes": 2, "gradient_bytes": 2, "optimizer_bytes": 4, "optimizer_state_bytes": 4, "state_bytes": 8,
        "layers": 28, "hidden": 3072, "kv_heads": 8, "heads": 24, "feed_forward": 8192, "gated": True, "vocabulary": 128256,
        "tied_embeddings": True, "norm": "rmsnorm", "sequence": 4096, "micro_batch": 2, "activation_bytes": 2, "data": 1,
        "tensor": 1, "context": 1, "pipeline": 1, "expert": 1, "gpus": 1, "zero_stage": 0, "recompute": "full",
        "kind": "fine-tuning",
    }  # fmt: skip
    job = facts(tuned, words)
    assert job["gradients_stay"] is stay
    inputs = 28 * 4096 * 2 * 3072 * 2 / words.get("pipeline", 1)
    counted = 0 if stay else inputs
    assert job["memory_floor"] == pytest.approx(job["state_memory_floor"] + inputs - counted)
