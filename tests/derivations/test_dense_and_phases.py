"""Models that surely have no experts, the steps of runs in phases, and what hardware and rollouts surely come to."""

from __future__ import annotations

import pytest

from designlint.derivations.operations import jobs
from designlint.derivations.workload import bounds, layers, model, phases, roles, transport


def test_a_model_is_dense_where_its_layers_have_all_its_parameters() -> None:
    assert layers.dense(None, False, 70_000_000_000, 70_553_706_496)
    assert layers.dense(None, False, 46_700_000_000, 7_241_732_096) is None  # what is missing may be experts
    assert layers.dense(None, True, 70_553_706_496, 70_553_706_496) is None
    assert layers.dense(8, False, 46_702_792_704, 46_702_792_704) is False


def test_active_parameters_are_absent_where_experts_have_more_than_all() -> None:
    assert model.active_parameters(37_000_000_000, 654_000_000_000, 256, 8) is None


def test_steps_of_a_run_in_phases_are_those_of_each_and_of_what_is_left() -> None:
    # 4.9e12 tokens in steps of 2048 x 4096, 100e9 in steps of 1024 x 8192, which has as many tokens
    assert (
        phases.steps_of_tokens(
            5_000_000_000_000, 4096, 2048, (4_900_000_000_000, 100_000_000_000), (4096, 8192), (2048, 1024)
        )
        == 584125 + 11920
    )
    assert phases.steps_of_tokens(1000, 10, 5, (500,), (10,), (10,)) == 5 + 10
    assert phases.steps_of_tokens(1000, 10, 5, (500,), (None,), (10,)) == 5 + 10  # as long as those of the model
    assert phases.steps_of_tokens(1000, 10, 5, (500,), (10,), (None,)) is None
    assert phases.steps_of_tokens(1000, 10, 5, (1500,), (10,), (10,)) is None
    assert phases.samples_of_tokens(1000, 10, (500,), (25,)) == 50 + 20
    assert phases.samples_of_tokens(1000, 10, (500,), (None,)) == 50 + 50
    assert phases.samples_of_tokens(1000, 10, (), ()) == 100


def test_a_run_has_the_steps_of_its_tokens_where_none_are_stated() -> None:
    assert jobs.run_steps(None, None, None, 900) == 900
    assert jobs.run_steps(None, 1000, 10, 900) == 100
    assert jobs.run_steps(500, 1000, 10, 900) == 500


def test_hardware_repeats_the_layers_but_not_the_output() -> None:
    assert bounds.measured_hardware_share(0.54, None, 1.0, True, 0, 100) == pytest.approx(0.72)
    assert bounds.measured_hardware_share(0.54, None, 1.0, True, 25, 100) == pytest.approx(0.675)
    assert bounds.measured_hardware_share(0.54, None, 0.0, True, 0, 100) == pytest.approx(0.54)
    assert bounds.measured_hardware_share(0.54, 0.8, 0.0, True, 0, 100) == pytest.approx(0.8)


def test_one_rollout_is_split_by_groups_of_heads_at_most() -> None:
    token = 64 * 8 * (128 + 128) * 2
    assert roles.rollout_sequence_memory(16384, token, 64, 64, None, None, 8, 4) == 16384 * token / 4
    assert roles.rollout_sequence_memory(16384, token, 64, 64, None, None, 8, 16) == 16384 * token / 8


def test_no_transfer_is_retried_more_than_seven_times() -> None:
    assert transport.link_patience_at_most_retries(14) == pytest.approx(transport.link_patience(14, 7))


def test_gpus_in_one_domain_of_a_topology_level() -> None:
    assert jobs.level_gpus("kubernetes.io/hostname", (4,), (72,)) == 4
    assert jobs.level_gpus("nvidia.com/gpu.clique", (4,), (72, 36)) == 72
    assert jobs.level_gpus("nvidia.com/gpu.clique", (4,), (72, None)) is None
    assert jobs.level_gpus("cloud/block", (4,), (72,)) is None
    assert jobs.gpus_together("nvidia.com/gpu.clique", True, 32, 4, 18) == 72
    assert jobs.gpus_together("cloud/block", True, 32, 4, None) is None
