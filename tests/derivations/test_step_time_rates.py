"""Rates at which matrix units work: by generation, number format and power."""

from __future__ import annotations

from typing import Any

import pytest
from tests.corpus import steps
from tools.accuracy import designs

from designlint.derivations.workload.step_time import layer_parts, matrices


def test_the_knee_is_traffic_and_a_wave_of_tiles() -> None:
    assert matrices.matrix_knee(800e12, 3.2e12, 0.0) == pytest.approx(250)
    assert matrices.matrix_knee(800e12, 3.2e12, 2e-13) == pytest.approx(410)


def test_rates_follow_the_generation_and_the_format() -> None:
    assert matrices.matrix_rate("bf16", 1e15, 0.75, 0.7, None, 0.6, 1.0, 0.9) == 0.75e15
    assert matrices.matrix_rate("fp8", 2e15, 0.75, 0.7, None, 0.6, 1.0, 0.9) == 1.4e15
    assert matrices.matrix_rate("mxfp8", 2e15, 0.75, 0.7, None, 0.6, 1.0, 0.9) == pytest.approx(1.26e15)
    assert matrices.matrix_rate("nvfp4", 4e15, 0.75, 0.7, None, 0.6, 1.0, 0.9) == 0.6 * 4e15
    assert matrices.matrix_rate("bf16", 1e15, 0.75, 0.7, None, 0.6, 0.5, 0.9) == 0.375e15
    assert matrices.wide_rate(None, 1e14, None, 0.6, 1.0) == 0.6e14
    assert matrices.wide_rate(None, 1e14, None, 0.6, 0.5) == 0.3e14
    assert matrices.wide_rate(None, None, 0.7, 0.6, 1.0) is None


@pytest.mark.parametrize(("generation", "slowed"), [(250, 0.8), (1000, 0.5), (None, 1 / 3)])
def test_attention_on_short_sequences_loses_more_on_faster_generations(generation: int | None, slowed: float) -> None:
    rate = layer_parts.attention_rate(1e15, None, 0.4, 1000, generation, 2000, False, None, 0.6)
    assert rate == pytest.approx(0.4e15 * slowed)


def test_newer_gpus_multiply_as_fast_as_their_power_lets_them() -> None:
    assert matrices.power_factor(1200, 2.5e15, None, 0.48, 2.0) == pytest.approx(1)
    assert matrices.power_factor(600, None, 2.5e15, 0.48, 2.0) == pytest.approx(0.25)
    assert matrices.power_factor(400, 2.5e15, None, None, 2.0) == 1
    assert matrices.power_factor(None, 2.5e15, None, 0.48, 2.0) == 1


def test_a_part_with_more_power_steps_faster_and_an_older_generation_does_not_care() -> None:
    row = next(row for row in steps.rows() if row["id"] == "gpu-recipes-nemo-01")

    def step(gpu: str, power: str) -> float:
        design = steps.design(row)
        design["nodes"][0]["gpu"] = {"model": gpu, "power": power}
        time: Any = designs.read(design).graph.subjects["workloads/job"].facts["predicted_step_time"]
        return float(time)

    assert step("b200", "800 W") > 1.05 * step("b200", "1000 W")
    assert step("h100", "500 W") == step("h100", "700 W")
