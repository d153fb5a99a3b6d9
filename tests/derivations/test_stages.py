"""Modules that are recomputed, and the last pipeline stage, by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.derivations.published import DEEPSEEK_V3

from designlint.derivations.workload import schedule, stages

if TYPE_CHECKING:
    from collections.abc import Callable

GPT: dict[str, Any] = {
    "kind": "pretraining", "gated": False, "sequence": 2048, "vocabulary": 51200, "tied_embeddings": True,
    "context": 1, "expert": 1, "weight_bytes": 2, "gradient_bytes": 4, "optimizer_bytes": 12, "activation_bytes": 2,
    "zero_stage": 0, "tensor": 1, "flash_attention": True, "norm": "layernorm", "layers": 8, "hidden": 1024,
    "heads": 8, "feed_forward": 4096, "pipeline": 4, "virtual_stages": 1, "micro_batch": 1, "micro_batches": 64,
    "recompute": "none", "gpus": 4,
}  # fmt: skip


@pytest.mark.parametrize(
    ("modules", "saved"),
    [
        (("core_attn",), 0),
        (("layernorm",), 2 * 7168 * 2),
        (("mla_up_proj",), (2 * 128 * 192 + 128 * 128) * 2),
        (("moe_act",), 13 / 16 * 8 * 2048 * 2),
        (("mlp",), 3 / 16 * 3 * 18432 * 2),
        (("shared_experts",), 13 / 16 * 3 * 2048 * 2),
        (("moe", "moe_act", "shared_experts"), 13 / 16 * (8 * 2 * (7168 + 3 * 2048) + 8 * 256 + 3 * 2048 * 2)),
        (("layernorm", "layernorm", "core_attn"), 2 * 7168 * 2),
    ],
)
def test_modules_of_deepseek_v3(facts: Callable[..., Any], modules: tuple[str, ...], saved: float) -> None:
    """Bytes per token, 3 of the first stage's 16 layers without experts."""
    job = facts(DEEPSEEK_V3, recompute="selective", recompute_modules=modules)
    assert job["module_memory"] == pytest.approx(4096 * saved)
    plain = facts(DEEPSEEK_V3, recompute="selective")
    assert job["layer_activation_memory"] == pytest.approx(plain["layer_activation_memory"] - 4096 * saved)


@pytest.mark.parametrize("modules", [("gdn_norm_out",), ("mla_up_proj",), ("layernorm", "moe")])
def test_modules_that_are_not_covered_make_it_unknown(facts: Callable[..., Any], modules: tuple[str, ...]) -> None:
    job = facts(GPT, recompute="selective", recompute_modules=modules)
    known = modules == ("layernorm", "moe")
    assert (job["activation_memory"] is not None) == known


def test_nothing_is_named() -> None:
    assert stages.names_modules(()) is False
    assert stages.names_modules(("moe",)) is True


@pytest.mark.parametrize(
    ("pipeline", "virtual", "micro", "kept"), [(4, 1, 64, 1), (1, 1, None, 1), (4, 4, 64, 13 / 4), (4, 4, 2, 2)]
)
def test_micro_batches_on_the_last_stage(pipeline: int, virtual: int, micro: int | None, kept: float) -> None:
    """Interleaved: 4 x 3 chunks ahead and one at work, each a quarter of a stage."""
    assert schedule.last_micro_batches_in_flight(pipeline, virtual, micro, None) == kept
    assert schedule.last_micro_batches_in_flight(4, 4, None, None) is None


def test_the_last_stage_has_the_logits(facts: Callable[..., Any]) -> None:
    """Two layers of 32 s b h, four micro-batches on the first stage; 4 s (h + V) on the last."""
    job = facts(GPT)
    layers = 2 * 32 * 2048 * 1024
    assert job["first_stage_memory"] == job["state_memory"] + 4 * layers
    assert job["last_stage_memory"] == job["state_memory"] + layers + 4 * 2048 * (1024 + 51200)
    assert job["memory_per_gpu"] == job["last_stage_memory"] > job["first_stage_memory"] - 2 * layers


def test_the_worst_stage_counts(facts: Callable[..., Any]) -> None:
    first, last = facts(GPT, vocabulary=1024), facts(GPT, vocabulary=512_000)
    assert first["memory_per_gpu"] == first["first_stage_memory"] > first["last_stage_memory"]
    assert last["memory_per_gpu"] == last["last_stage_memory"] > last["first_stage_memory"]


@pytest.mark.parametrize("change", [{"uneven_stages": True}, {"layers": 9}, {"offload": "activations"}])
def test_an_uneven_last_stage_is_unknown(facts: Callable[..., Any], change: dict[str, Any]) -> None:
    assert facts(GPT, change)["last_stage_memory"] is None
