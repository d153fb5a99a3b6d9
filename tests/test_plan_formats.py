"""What eight bits would do to a run whose brief leaves the number format open."""

from __future__ import annotations

import pytest

from tests.test_plan import plan


@pytest.mark.parametrize(("gpu", "told"), [("h100", True), ("a100-sxm-80gb", False)])
def test_the_run_in_eight_bits_is_told_where_the_gpu_has_them(gpu: str, told: bool) -> None:
    answer = plan(model="llama-3-70b", tokens="2T", gpu=gpu, gpus="512")
    found = [one for one in answer.changes if one.what.startswith("FP8")]
    assert bool(found) is told
    if found:
        assert -0.5 < found[0].longer < -0.1
        assert answer.changes[-1].what == "failures twice as often"
