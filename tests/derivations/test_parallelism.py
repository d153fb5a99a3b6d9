"""Degrees, micro-batches and the pipeline's bubble, worked by hand on published runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designlint.derivations.workload import parallelism, rollouts, schedule, serving


def test_groups_that_a_gpu_exchanges_with() -> None:
    assert parallelism.communicators(1, 1, 1, 1, 1, None) == 0
    assert parallelism.communicators(8, 16, 1, 128, 1, None) == 3
    assert parallelism.communicators(1, 1, 8, 1, 1, None) == 2  # context ranks add up gradients, too
    assert parallelism.communicators(1, 16, 1, 128, 64, 2) == 4
    assert parallelism.communicators(1, 16, 1, 128, 128, 1) == 3


def test_llama_3_405b() -> None:
    """The Llama 3 Herd of Models, table 4: 16,384 GPUs, TP 8, CP 1, PP 16, DP 128, 16M tokens of 8,192."""
    model_parallel = parallelism.model_parallel(8, 16, 1)
    data_parallel = parallelism.data_parallel(16384, model_parallel, None)
    assert (model_parallel, data_parallel) == (128, 128)
    assert parallelism.micro_batches(2048, 1, 128) == 16
    assert schedule.layers_per_stage(126, 16, None, None) == 8
    assert schedule.layers_per_stage(126, 16, 7, 7) == 8
    assert schedule.layers_per_stage(126, 2, 7, 7) is None
    assert schedule.layers_on_first_stage(8, 7, 16) == 7
    assert parallelism.servers(16384, 8) == 2048


def test_llama_3_405b_on_long_sequences() -> None:
    """The same table: 131,072 tokens, TP 8, CP 16, PP 16, DP 8."""
    assert parallelism.model_parallel(8, 16, 16) == 2048
    assert parallelism.data_parallel(16384, 2048, None) == 8


def test_degrees_that_do_not_divide_give_nothing() -> None:
    assert parallelism.data_parallel(1000, 128, None) is None
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
    assert parallelism.gpus(64, (), (), None) == 64
    assert parallelism.gpus(64, (32, 8), (), None) == 104
    assert parallelism.gpus(64, (32, None), (), None) is None
    assert parallelism.own_gpus(104, (32, 8)) == 64
    assert parallelism.own_gpus(104, ()) == 104
    assert parallelism.own_gpus(8, (32,)) is None


def test_a_job_takes_what_it_asks_for_and_a_script_that_does_not_say_takes_no_whole_pool() -> None:
    assert parallelism.gpus(64, (), (16,), True) == 16
    assert parallelism.gpus(64, (), (None,), True) is None
    assert parallelism.gpus(64, (), (None,), None) == 64


@pytest.mark.parametrize(
    ("stages", "micro_batches", "chunks", "bubble"),
    [(1, 8, 1, 0), (4, 8, 1, 0.375), (4, 8, 3, 0.125), (16, 16, 1, 0.9375)],
)
def test_bubble_of_narayanan_2021(stages: int, micro_batches: int, chunks: int, bubble: float) -> None:
    """(p - 1) / (v m), sections 2.2.1 and 2.2.2."""
    assert schedule.pipeline_bubble(stages, micro_batches, chunks, None) == bubble


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
    assert schedule.micro_batches_in_flight(stages, chunks, micro_batches, None) == expected


@given(st.integers(1, 64), st.integers(1, 8), st.integers(1, 512))
def test_no_more_in_flight_than_there_are(stages: int, chunks: int, micro_batches: int) -> None:
    in_flight = schedule.micro_batches_in_flight(stages, chunks, micro_batches, None)
    assert in_flight is not None
    assert 1 <= in_flight <= micro_batches


@given(st.integers(1, 200), st.integers(1, 64))
def test_stages_hold_every_layer(layers: int, pipeline: int) -> None:
    assert (schedule.layers_per_stage(layers, pipeline, None, None) or 0) * pipeline >= layers


@pytest.mark.parametrize(
    ("order", "bubble", "kept"),
    [
        ("gpipe", 7 / 32, 32),
        ("1f1b", 7 / 32, 8),
        ("zero-bubble", 7 / 96, 8),
        ("zero-bubble-v", 0, 8),
        ("dualpipe", 2 / 32, 9),
    ],
)
def test_schedules(order: str, bubble: float, kept: int) -> None:
    """Eight stages, 32 micro-batches: Qi 2023 (a third of 1F1B with F = B = W), DualPipe's own table (PP / 2 - 1, PP + 1)."""
    assert schedule.pipeline_bubble(8, 32, 1, order) == pytest.approx(bubble)
    assert schedule.micro_batches_in_flight(8, 1, 32, order) == kept


def test_stages_without_chunks() -> None:
    assert schedule.whole_stages("1f1b", None)
    assert schedule.whole_stages(None, "deepspeed")
    assert not schedule.whole_stages(None, "megatron")
    assert not schedule.whole_stages("zero-bubble", None)


def test_what_is_known_of_a_schedule() -> None:
    assert schedule.pipeline_schedule(None, "megatron", 8, 2) == "interleaved"
    assert schedule.pipeline_schedule(None, "deepspeed", 8, 1) == "1f1b"
    assert schedule.pipeline_schedule(None, "torchtitan", 8, 1) is None
    assert schedule.least_micro_batches_in_flight(8, 8, 32, None, None) == 1
    assert schedule.least_micro_batches_in_flight(8, 9.75, 32, "interleaved", None) == 9.75
    assert schedule.least_micro_batches_in_flight(8, 9.75, 32, "interleaved", 3) == 8
    assert schedule.least_pipeline_bubble(8, 0.2, None) == 0
    assert schedule.least_pipeline_bubble(8, 0.2, "1f1b") == 0.2


def test_gradients_are_added_up_once_for_each_micro_batch_without_a_pipeline() -> None:
    assert parallelism.accumulated_micro_batches(16, 1, "pretraining") == 16
    assert parallelism.accumulated_micro_batches(16, 4, "pretraining") is None
    assert parallelism.accumulated_micro_batches(16, 1, "reinforcement-learning") is None


def test_chunks_hold_what_virtual_stages_leave_of_the_layers() -> None:
    assert schedule.chunk_layers(96, 12, 8, even_layers=True) == 1
    assert schedule.chunk_layers(96, 12, 4, even_layers=True) == 2
    assert schedule.chunk_layers(96, 12, 1, even_layers=True) is None
    assert schedule.chunk_layers(96, 12, 5, even_layers=True) is None
    assert schedule.chunk_layers(126, 16, 8, even_layers=False) is None


def test_copies_of_attention_share_the_tensor_degree() -> None:
    """DeepSeek-V3's decoding: each GPU of 144 serves its own sequences, so no head is split."""
    assert serving.attention_tensor(144, 144) == 1
    assert serving.attention_tensor(16, 4) == 4
    assert serving.attention_tensor(16, None) == 16
    assert serving.attention_tensor(16, 3) is None


def test_rollouts_on_the_rest_of_the_own_pool() -> None:
    assert rollouts.rollouts_beside("other-gpus", 4, None, "train") == 4
    assert rollouts.rollouts_beside("other-gpus", 4, "train", "train") == 4
    assert rollouts.rollouts_beside("other-gpus", 16, "rollout", "train") == 0
    assert rollouts.rollouts_beside("same-gpus", 128, None, "train") == 0


def test_experts_may_be_shared_out_over_all_rollout_gpus() -> None:
    """Weights of two bytes: DeepSeek-V3 on 96 GPUs, one for each copy of attention, and a dense model of 70 B."""
    assert rollouts.least_rollout_weights(671_000_000_000, 2, 1, 256, None, 96) == pytest.approx(13.98e9, rel=1e-3)
    assert rollouts.least_rollout_weights(671_000_000_000, 2, 1, 256, None, None) is None
    assert rollouts.least_rollout_weights(70_000_000_000, 2, 1, None, None, 96) == 140e9
    assert rollouts.rollout_room(None, 80e9, "same-gpus", None) == pytest.approx(85.9e9, rel=1e-3)
    assert rollouts.rollout_room(None, 80e9, "other-gpus", None) is None


def test_a_degree_that_is_left_out_is_one_where_the_others_take_all_gpus() -> None:
    assert parallelism.degrees_fill_gpus(None, 8, 8) is True
    assert parallelism.degrees_fill_gpus(None, 8, 64) is None
    assert parallelism.degrees_fill_gpus(8, 8, 64) is True
    assert parallelism.degrees_fill_gpus(4, 8, 64) is False


def test_engines_share_experts_out_over_more_gpus_than_one_copy() -> None:
    """100 parameters of 2 B, 80 of them routed, on copies of two GPUs."""
    assert rollouts.rollout_weight_memory(100, 2, 2, 80, None) == 100
    assert rollouts.rollout_weight_memory(100, 2, 2, 80, 8) == 20 + 20
    assert rollouts.rollout_sharers(None, None, "same-gpus", 8, None) == 8
    assert rollouts.rollout_sharers(None, None, "other-gpus", 8, 4) == 4
    assert rollouts.rollout_sharers(2, 16, "same-gpus", 8, None) == 2
    assert rollouts.least_rollout_weights(100, 2, 2, 16, 80, 8) == 20 + 20
    assert rollouts.least_rollout_weights(100, 2, 2, 16, None, 8) == 25
    assert rollouts.least_rollout_weights(100, 2, 2, None, None, 8) == 100
    assert rollouts.least_rollout_weights(100, 2, 2, 16, 80, None) is None
