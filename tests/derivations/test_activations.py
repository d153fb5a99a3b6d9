"""Activation memory against Korthikanti and others 2022, arXiv 2205.05198: Table 2, Figure 1 and Figure 7."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designlint.derivations.workload import activations, layer_parts, working

if TYPE_CHECKING:
    from collections.abc import Callable

Given = dict[str, Any]
GIB = 2**30

GPT: Given = {
    "gated": False, "sequence": 2048, "vocabulary": 51200, "tied_embeddings": True, "context": 1, "expert": 1,
    "kind": "pretraining", "weight_bytes": 2, "gradient_bytes": 4, "optimizer_bytes": 12,
    "activation_bytes": 2,
    "zero_stage": 0, "tensor": 8, "flash_attention": False, "norm": "layernorm", "dropout": True,
}  # fmt: skip


def gpt(hidden: int, layers: int, heads: int, **more: Any) -> Given:
    """A model of the paper: feed-forward width 4 h, and as many micro-batches as fill the pipeline."""
    shape = {
        "hidden": hidden,
        "layers": layers,
        "heads": heads,
        "feed_forward": 4 * hidden,
        "micro_batches": 512,
    }
    return GPT | shape | more


GPT_22B = gpt(6144, 48, 64, pipeline=1, virtual_stages=1, micro_batch=4, gpus=8)
GPT_175B = gpt(12288, 96, 96, pipeline=8, virtual_stages=3, micro_batch=1, gpus=64)
GPT_530B = gpt(20480, 105, 128, pipeline=35, virtual_stages=3, micro_batch=1, gpus=280)
GPT_1T = gpt(25600, 128, 160, pipeline=64, virtual_stages=1, micro_batch=1, gpus=512)

# GiB on the first stage; Figure 1 prints columns one and four, the others are the closed forms of Table 2.
COLUMNS = [("none", False), ("selective", False), ("none", True), ("selective", True), ("full", False)]
TABLE = [
    (GPT_22B, (59.25, 29.25, 39.5625, 9.5625, 4.5)),
    (GPT_175B, (66.84375, 37.78125, 41.4140625, 12.3515625, 5.8125)),
    (GPT_530B, (114.0234375, 70.5859375, 66.513671875, 23.076171875, 10.859375)),
    (GPT_1T, (131.25, 81.25, 76.5625, 26.5625, 12.5)),
]
CASES = [(m, mode, gib) for m, row in TABLE for mode, gib in zip(COLUMNS, row, strict=True)]


@pytest.mark.parametrize(("shape", "mode", "gib"), CASES)
def test_korthikanti_to_the_last_digit(
    facts: Callable[..., Any], shape: Given, mode: tuple[str, bool], gib: float
) -> None:
    job = facts(shape, recompute=mode[0], sequence_parallel=mode[1])
    assert job["activation_memory"] == gib * GIB


# Figure 7: per cent of "none" with sequence parallelism, selective recomputation, both, full recomputation.
FIGURE_7 = [
    (GPT_22B, (66.84, 49.42, 16.18, 7.64)),
    (GPT_175B, (62.04, 56.53, 18.49, 8.71)),
    (GPT_530B, (58.31, 62.04, 20.27, 9.42)),
    (GPT_1T, (58.31, 62.04, 20.27, 9.42)),
]


@pytest.mark.parametrize(("shape", "published"), FIGURE_7)
def test_figure_7_within_its_reading_error(
    facts: Callable[..., Any], shape: Given, published: tuple[float, ...]
) -> None:
    whole = facts(shape, recompute="none", sequence_parallel=False)["activation_memory"]
    modes = [("none", True), ("selective", False), ("selective", True), ("full", False)]
    parts = [facts(shape, recompute=r, sequence_parallel=s)["activation_memory"] for r, s in modes]
    assert [100 * part / whole for part in parts] == pytest.approx(published, abs=0.15)


def test_one_layer_of_a_gpt_without_parallelism(facts: Callable[..., Any]) -> None:
    """s b h (34 + 5 a s / h): the paper's equation 1."""
    job = facts(GPT_22B, tensor=1, recompute="none", sequence_parallel=False)
    assert job["layer_activation_memory"] == pytest.approx(2048 * 4 * 6144 * (34 + 5 * 64 * 2048 / 6144))


def test_without_dropout_no_masks_are_kept(facts: Callable[..., Any]) -> None:
    """8 s b h and 2 a s^2 b instead of 10 and 5; a design that does not say counts as without."""
    plain = {"tensor": 1, "recompute": "none", "sequence_parallel": False}
    without = facts(GPT_22B, plain, dropout=False)
    assert without["layer_activation_memory"] == pytest.approx(2048 * 4 * 6144 * (32 + 2 * 64 * 2048 / 6144))
    open_ = facts(GPT_22B, plain, dropout=None)
    assert open_["layer_activation_memory"] == without["layer_activation_memory"]


def test_flash_attention_stores_no_scores(facts: Callable[..., Any]) -> None:
    flash = facts(GPT_22B, recompute="none", sequence_parallel=True, flash_attention=True)
    selective = facts(GPT_22B, recompute="selective", sequence_parallel=True)
    assert flash["layer_activation_memory"] == selective["layer_activation_memory"]


def test_grouped_queries_and_gates_by_hand(facts: Callable[..., Any]) -> None:
    """Llama 3 8B, 8192 tokens: 10 h outside, then 2 B for q, attention, k, v (1024 wide) and 3 x 14336."""
    shape = GPT_22B | {
        "hidden": 4096,
        "layers": 32,
        "heads": 32,
        "kv_heads": 8,
        "feed_forward": 14336,
        "gated": True,
    }
    job = facts(shape, tensor=1, micro_batch=1, sequence=8192, recompute="selective", sequence_parallel=False)
    assert job["layer_activation_memory"] == 8192 * (10 * 4096 + 2 * (4096 + 4096 + 2 * 1024 + 3 * 14336))


def test_each_rank_keeps_a_key_and_value_head() -> None:
    one = layer_parts.attention_activation_memory(1, 64, 64, 1, 16, "mqa", 2, 2, 1)
    four = layer_parts.attention_activation_memory(1, 64, 64, 1, 16, "mqa", 2, 2, 4)
    assert (one, four) == (2 * (128 + 2 * 16), 2 * (128 / 4 + 2 * 16))


def test_context_parallel_ranks_share_the_sequence(facts: Callable[..., Any]) -> None:
    one = facts(GPT_22B, recompute="none", sequence_parallel=True)["activation_memory"]
    two = facts(GPT_22B, recompute="none", sequence_parallel=True, context=2)["activation_memory"]
    assert two == one / 2


def test_full_recomputation_needs_one_whole_layer_for_a_moment(facts: Callable[..., Any]) -> None:
    job = facts(GPT_175B, recompute="full", sequence_parallel=False)
    tokens, hidden = 2048, 12288
    layer = tokens * hidden * (10 + 24 / 8 + 5 * 96 * 2048 / (hidden * 8))
    assert job["working_memory"] == pytest.approx(layer)


def test_selective_recomputation_needs_one_layers_scores_for_a_moment(facts: Callable[..., Any]) -> None:
    job = facts(GPT_175B, recompute="selective", sequence_parallel=True)
    assert job["working_memory"] == 5 * 96 * 2048**2 / 8
    assert facts(GPT_175B, recompute="none", sequence_parallel=True)["working_memory"] == 0


def test_logits_where_the_first_stage_is_the_last(facts: Callable[..., Any]) -> None:
    """4 s b (h + V) / t, as Megatron-LM's estimator has it; gone before the layers are recomputed."""
    assert facts(GPT_22B)["logit_memory"] == 4 * 2048 * 4 * (6144 + 51200) / 8
    assert facts(GPT_175B)["logit_memory"] == 0
    assert working.working_memory(5.0, 7.0, 2.0) == 9.0


@pytest.mark.parametrize(
    ("fused", "framework", "size"), [(None, None, 4), (True, None, 0), (False, None, 14), (False, "megatron", 6)]
)
def test_copies_of_a_logit(facts: Callable[..., Any], fused: bool | None, framework: str | None, size: int) -> None:
    job = facts(GPT_22B, fused_loss=fused, framework=framework)
    assert job["logit_memory"] == 2048 * 4 * (4 * 6144 + size * 51200) / 8


def test_a_gathered_layer_under_zero_3(facts: Callable[..., Any]) -> None:
    """175B without tensor parallelism: 12 h^2 weights and gradients of 2 B, norms aside."""
    shape = GPT_175B | {"tensor": 1, "pipeline": 1, "parameters": 12 * 96 * 12288**2 + 51200 * 12288}
    assert facts(shape, zero_stage=3)["gathered_memory"] == 12 * 12288**2 * 4
    assert facts(shape, zero_stage=2)["gathered_memory"] == 0
    assert working.gathered_memory(3, 100, 8, 4, 1, 2, 4, 2) is None
    assert working.gathered_memory(3, 100, None, 5, 2, 2, 4, 8) == 100 / 5 / 2 * 6


@pytest.mark.parametrize("missing", ["recompute", "sequence_parallel", "gated", "micro_batch", "micro_batches"])
def test_what_is_not_said_is_unknown(facts: Callable[..., Any], missing: str) -> None:
    stated = {"recompute": "selective", "sequence_parallel": True} | {missing: None}
    assert facts(GPT_175B, stated)["activation_memory"] is None


def test_sequence_parallelism_matters_only_with_tensor_parallelism(facts: Callable[..., Any]) -> None:
    assert facts(GPT_22B, tensor=1, recompute="selective")["activation_memory"] is not None


def test_scores_must_be_known_unless_they_are_recomputed(facts: Callable[..., Any]) -> None:
    job = facts(GPT_22B, flash_attention=None, sequence_parallel=True, recompute="none")
    assert job["activation_memory"] is None
    job = facts(GPT_22B, flash_attention=None, sequence_parallel=True, recompute="selective")
    assert job["activation_memory"] is not None
    assert job["memory_per_gpu"] is None


@pytest.mark.parametrize("kind", [{"experts": 8}, {"attention": "mla"}, {"offload": "activations"}])
def test_no_closed_form_no_number(facts: Callable[..., Any], kind: Given) -> None:
    assert facts(GPT_22B, kind, recompute="selective", sequence_parallel=True)["activation_memory"] is None


@given(
    st.sampled_from(["none", "selective", "full"]),
    st.booleans(),
    st.integers(1, 8),
    st.sampled_from([1, 2, 4, 8]),
)
def test_a_larger_micro_batch_never_needs_less(
    facts: Callable[..., Any], recompute: str, sequence_parallel: bool, micro_batch: int, tensor: int
) -> None:
    stated = {"recompute": recompute, "sequence_parallel": sequence_parallel, "tensor": tensor}
    small = facts(GPT_22B, stated, micro_batch=micro_batch)["memory_per_gpu"]
    large = facts(GPT_22B, stated, micro_batch=micro_batch + 1)["memory_per_gpu"]
    assert small < large


@given(st.sampled_from([1, 2, 4, 8]), st.booleans())
def test_more_recomputation_never_keeps_more(facts: Callable[..., Any], tensor: int, sequence_parallel: bool) -> None:
    stated = {"sequence_parallel": sequence_parallel, "tensor": tensor}
    kept = [facts(GPT_175B, stated, recompute=mode)["activation_memory"] for mode in ("none", "selective", "full")]
    assert kept == sorted(kept, reverse=True)


def test_the_least_input_of_a_layer() -> None:
    """2048 tokens x 4 sequences x 100 wide x 2 B, over 8 tensor and 2 context ranks."""
    assert activations.layer_input_floor(2048, 100, 4, 2, 8, 2) == 2048 * 4 * 100 * 2 / 16
    assert activations.layer_input_floor(2048, 100, None, 2, 8, 2) == 2048 * 100 * 2 / 16


def test_the_output_layer_gathers_its_input_along_the_sequence() -> None:
    """Four tokens, hidden 8, 16 entries in 14 B: two values of 2 B per token and width on every GPU."""
    assert working.output_memory(4, 8, 16, 2, 14, False, 2) == 4 * (32 + 14 * 16) / 2
    assert working.output_memory(4, 8, 16, 2, 14, True, 2) == 4 * (32 + 14 * 16) / 2 + 4 * 32
    assert working.output_memory(4, 8, 16, 1, 14, True, 2) == 4 * (32 + 14 * 16)
