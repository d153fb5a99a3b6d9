"""What named optimizers keep of each parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from designlint.derivations.workload import optimizer as named
from designlint.derivations.workload import stages

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("optimizer", "moments", "own", "size"),
    [
        (None, None, None, 12.0),  # the recipe: FP32 master weights and Adam's two moments
        ("adam", 2, None, 12.0),
        ("adam-8bit", 2, 1.0, 6.0),
        ("ademamix", 3, None, 16.0),
        ("lion", 1, None, 8.0),
        ("sgd", 0, None, 4.0),
        ("shampoo", None, None, None),
    ],
)
def test_bytes_of_a_parameter(
    optimizer: str | None, moments: int | None, own: float | None, size: float | None
) -> None:
    assert named.optimizer_state_bytes(optimizer, 12.0, 4.0, moments, own, 0.0) == size


def test_recipes_that_do_not_say_what_a_moment_takes() -> None:
    assert named.optimizer_state_bytes("adam", 12.0, None, 2, None, 0.0) == 12.0
    assert named.optimizer_state_bytes("muon", 12.0, None, 1, None, 0.0) is None


def test_muon_leaves_embeddings_to_adam(facts: Callable[..., Any]) -> None:
    shape = {"parameters": 1000, "embedding_parameters": 100, "embedding_matrices": 2}
    recipe = {"optimizer_bytes": 12.0, "moment_bytes": 4.0, "optimizer_moments": 1}
    job = facts(shape, recipe, optimizer="muon")
    assert job["plain_share"] == 0.2
    assert job["optimizer_state_bytes"] == pytest.approx(4 + 0.8 * 4 + 0.2 * 8)
    assert facts(recipe, optimizer="muon")["optimizer_state_bytes"] == 8.0


def test_some_layers_are_computed_again(facts: Callable[..., Any]) -> None:
    """Llama 3 8B, 8 of 32 layers: the others keep what they keep without recomputation."""
    shape = {
        "layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "feed_forward": 14336, "gated": True, "sequence": 8192,
        "vocabulary": 128256, "tensor": 1, "pipeline": 1, "context": 1, "micro_batch": 1, "activation_bytes": 2,
        "flash_attention": True,
    }  # fmt: skip
    none, full = (facts(shape, recompute=one)["layer_activation_memory"] for one in ("none", "full"))
    some = facts(shape, recompute="full", recompute_layers=8)
    assert some["recomputed_share"] == 0.25
    assert some["layer_activation_memory"] == pytest.approx(0.25 * full + 0.75 * none)
    assert stages.recomputed_share("full", 4, None) is None
    assert stages.recomputed_share("full", 64, 32) == 1.0


def test_what_the_policy_of_operators_keeps() -> None:
    """Of Llama 3 8B per token: the input, queries, values, attention's output, one wide value and the result."""
    kept = stages.operator_memory(1, 4096, 4096, 8, 128, 14336, True, None, "gqa", 2, 1)
    assert kept == 2 * (4096 + 4096 + 1024 + 4096 + 14336 + 4096)
    assert stages.operator_memory(1, 4096, 4096, 8, 128, 14336, True, 8, "gqa", 2, 1) is None


@pytest.mark.parametrize(
    ("moments", "own", "state", "share"),
    [
        (None, None, 12.0, 6 / 18),
        (2, 1.0, 6.0, 4 / 12),
        (0, None, 4.0, 2 / 10),
        (3, None, 16.0, 2 / 6),  # no more than of what ranks may share out least
    ],
)
def test_state_without_master_weights(moments: int | None, own: float | None, state: float, share: float) -> None:
    def kept(recipes: str | None, pure: float | None, trains: bool = True) -> float:
        return named.least_state_share(trains, "bf16", recipes, 2.0, 4.0, state, pure, moments, own)

    assert kept(None, 2.0) == kept("bf16, fp16", 2.0) == pytest.approx(share)
    assert kept("bf16-fsdp", 2.0) == kept(None, None) == kept(None, 2.0, trains=False) == 1.0
