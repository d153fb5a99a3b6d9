"""What a brief fixes, leaves open or lacks, and what the plan makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint.configuration import engine
from designlint.findings.model import Severity
from designlint.planning.answer import lines
from designlint.planning.brief import of_options
from designlint.planning.plan import planned
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from designlint.planning.result import PlanAnswer

NONE = dict.fromkeys(("model", "tokens", "gpu", "gpus", "deadline", "power", "budget"), "")


def plan(**options: str) -> PlanAnswer:
    return planned(of_options(**NONE | options), engine.shipped())


def test_the_optimizer_goes_to_cpu_memory_where_no_layout_fits_otherwise() -> None:
    answer = plan(model="llama-3-70b", tokens="100B", gpu="h100", gpus="8")
    assert not answer.refusal
    assert answer.job.facts["parallelism"].facts["offload"] == "optimizer"  # type: ignore[union-attr]
    assert answer.layouts[0].cost.offload > 0
    assert [one for one in answer.findings if one.severity is Severity.ERROR] == []
    assert "Optimizer in CPU memory" in "\n".join(lines(answer, 3))
    assert plan(model="llama-3-70b", tokens="100B", gpu="h100", gpus="64").layouts[0].cost.offload == 0


def test_it_goes_there_where_layouts_that_fit_leave_no_room() -> None:
    """70 billion parameters on 16 GPUs need 99 % of their memory, by an estimate that may be 12 % too low."""
    answer = plan(model="llama-3-70b", tokens="1T", gpu="h100", gpus="16")
    assert answer.layouts[0].cost.offload > 0
    assert "memory/need-near-limit" not in [one.rule for one in answer.findings]
    assert "uses 99% of what a GPU can use" in "\n".join(lines(answer, 3))


@pytest.mark.parametrize(("model", "stated"), [("llama-3-405b", None), ("llama-3-70b", "none")])
def test_it_does_not_where_cpu_memory_is_too_small_or_the_brief_forbids_it(model: str, stated: str | None) -> None:
    options = of_options(**NONE | {"model": model, "tokens": "100B", "gpu": "h100", "gpus": "8"})
    if stated is not None:
        options["workloads"][0]["parallelism"] = {"offload": stated}
    assert "of this kind are the least that hold them" in planned(options, engine.shipped()).refusal[0]


def test_sizes_are_multiples_of_what_the_stated_degrees_fill() -> None:
    options = of_options(**NONE | {"model": "llama-3-70b", "tokens": "1T", "gpu": "h100", "deadline": "60 days"})
    options["workloads"][0]["parallelism"] = {"tensor": "4", "pipeline": "5"}
    answer = planned(options, engine.shipped())
    assert not answer.refusal
    assert answer.settled.size is not None
    assert answer.settled.size.gpus % 20 == 0


def test_fsdp_shares_gradients_with_the_optimizer_state() -> None:
    options = of_options(**NONE | {"model": "llama-3-8b", "tokens": "1T", "gpu": "h100", "gpus": "64"})
    options["workloads"][0]["framework"] = "fsdp"
    found = planned(options, engine.shipped()).layouts
    assert {one.words["zero_stage"] for one in found if one.words["data"] > 1} == {2, 3}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model": "lama-3-70b", "gpu": "h100", "gpus": "64"}, "did you mean llama-3-70b?"),
        ({"model": "70B", "gpu": "h100", "deadline": "30d"}, "states a deadline and no tokens"),
        ({"model": "70B", "gpu": "h100"}, "neither GPUs, nor tokens and a deadline"),
    ],
)
def test_what_a_brief_lacks_is_named(options: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said.replace("?", r"\?")):
        plan(**options)


def test_a_gpu_outside_the_catalogue_is_told_the_way() -> None:
    options = of_options(**NONE | {"model": "llama-3-70b", "gpus": "64"})
    options["nodes"][0]["gpu"] = {"name": "own", "memory": "128 GB"}
    with pytest.raises(UsageError, match="name the nearest in"):
        planned(options, engine.shipped())
