"""Degrees, micro-batches and the pipeline's bubble, worked by hand on published runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designlint.derivations import parallelism


def test_llama_3_405b() -> None:
    """The Llama 3 Herd of Models, table 4: 16,384 GPUs, TP 8, CP 1, PP 16, DP 128, 16M tokens of 8,192."""
    model_parallel = parallelism.model_parallel(8, 16, 1)
    data_parallel = parallelism.data_parallel(16384, model_parallel)
    assert (model_parallel, data_parallel) == (128, 128)
    assert parallelism.micro_batches(2048, 1, 128) == 16
    assert parallelism.layers_per_stage(126, 16) == 8
    assert parallelism.servers(16384, 8) == 2048


def test_llama_3_405b_on_long_sequences() -> None:
    """The same table: 131,072 tokens, TP 8, CP 16, PP 16, DP 8."""
    assert parallelism.model_parallel(8, 16, 16) == 2048
    assert parallelism.data_parallel(16384, 2048) == 8


def test_degrees_that_do_not_divide_give_nothing() -> None:
    assert parallelism.data_parallel(1000, 128) is None
    assert parallelism.micro_batches(1538, 4, 96) is None
    assert parallelism.expert_data_parallel(96, 1, 64, 1, 1) is None
    assert parallelism.expert_data_parallel(16, 1, 8, 4, 4) is None


def test_experts_reuse_the_other_ranks() -> None:
    """DeepSeek-V3, arXiv 2412.19437: 2,048 GPUs, PP 16, EP 64, no tensor parallelism."""
    assert parallelism.expert_data_parallel(2048, 16, 64, None, 1) == 2
    assert parallelism.expert_data_parallel(2048, 16, 16, 2, 8) == 4


def test_whether_tensor_ranks_split_experts_is_not_guessed() -> None:
    assert parallelism.expert_data_parallel(2048, 16, 16, None, 8) is None


def test_a_part_filled_server_counts() -> None:
    assert parallelism.servers(9, 8) == 2
    assert parallelism.servers(9, 1) == 9
    assert parallelism.servers(9, 0) is None
    assert parallelism.gpus(64) == 64


@pytest.mark.parametrize(
    ("stages", "micro_batches", "chunks", "bubble"),
    [(1, 8, 1, 0), (4, 8, 1, 0.375), (4, 8, 3, 0.125), (16, 16, 1, 0.9375)],
)
def test_bubble_of_narayanan_2021(stages: int, micro_batches: int, chunks: int, bubble: float) -> None:
    """(p - 1) / (v m), sections 2.2.1 and 2.2.2."""
    assert parallelism.pipeline_bubble(stages, micro_batches, chunks) == bubble


@pytest.mark.parametrize(
    ("stages", "chunks", "micro_batches", "in_flight"),
    [
        (1, 1, None, 1),
        (8, 1, None, None),
        (8, 1, 64, 8),
        (8, 1, 3, 3),
        (8, 3, 64, 8 * (1 + 7 / 24)),  # Korthikanti 2022, section 4.2.3: 1 + (p - 1) / (p v)
        (8, 3, 9, 9),
    ],
)
def test_micro_batches_in_flight(stages: int, chunks: int, micro_batches: int | None, in_flight: float | None) -> None:
    expected = None if in_flight is None else pytest.approx(in_flight)
    assert parallelism.micro_batches_in_flight(stages, chunks, micro_batches) == expected


@given(st.integers(1, 64), st.integers(1, 8), st.integers(1, 512))
def test_no_more_in_flight_than_there_are(stages: int, chunks: int, micro_batches: int) -> None:
    in_flight = parallelism.micro_batches_in_flight(stages, chunks, micro_batches)
    assert in_flight is not None
    assert 1 <= in_flight <= micro_batches


@given(st.integers(1, 200), st.integers(1, 64))
def test_stages_hold_every_layer(layers: int, pipeline: int) -> None:
    assert parallelism.layers_per_stage(layers, pipeline) * pipeline >= layers
