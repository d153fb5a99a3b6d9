"""What a plan states of the cluster before its job starts: software, data, and the tests that it must pass."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from designlint.findings.model import Verdict
from tests.test_plan import plan

if TYPE_CHECKING:
    from designlint.planning.result import PlanAnswer


def words(answer: PlanAnswer, *path: str) -> dict[str, Any]:
    """The facts of one part of a planned design."""
    found: Any = answer.job_design.graph.root
    for one in path:
        found = found.facts[one]
        found = found[0] if isinstance(found, list) else found
    return dict(found.facts)


def test_tests_ask_for_what_is_bought() -> None:
    answer = plan(model="llama-3-70b", tokens="2T", gpu="h100", gpus="1024")
    accepted = words(answer, "acceptance")
    scratch = next(
        one.facts for one in answer.job_design.graph.by_class["StorageTier"] if one.facts["name"] == "scratch"
    )
    assert (accepted["storage_read"], accepted["storage_write"]) == (scratch["read"], scratch["write"])
    assert accepted["training_scales"] == [1024]
    assert accepted["mfu"] == words(answer, "workloads", "targets")["mfu"]
    for name in ("all_reduce", "all_gather"):
        asked = words(answer, "acceptance", name)
        assert asked["nodes"] == 4
        assert asked["bus_bandwidth"] == pytest.approx(0.9 * 8 * 400e9 / 8)


@pytest.mark.parametrize(("gpu", "gpus"), [("h100", "8"), ("gb200", "144"), ("v100-sxm2-32gb", "256")])
def test_collectives_that_nobody_measured_have_no_target(gpu: str, gpus: str) -> None:
    """One server, racks whose servers share one scale-up network, and ports of a slower class."""
    answer = plan(model="llama-3-8b", tokens="100B", gpu=gpu, gpus=gpus)
    for name in ("all_reduce", "all_gather"):
        assert "bus_bandwidth" not in words(answer, "acceptance", name)


def test_versions_are_those_of_the_gpus_make() -> None:
    def software(gpu: str) -> dict[str, Any]:
        return words(plan(model="llama-3-8b", tokens="100B", gpu=gpu, gpus="64"), "software")

    assert software("h100")["cuda"] == "13.0"
    assert not {"cuda", "nccl", "driver"} & software("mi300x").keys()
    assert not {"cuda", "nccl", "driver"} & software("v100-sxm2-32gb").keys()


def test_the_data_have_a_place_and_a_size() -> None:
    answer = plan(model="llama-3-8b", tokens="2T", gpu="h100", gpus="256")
    data = words(answer, "workloads", "data")
    assert data["storage"].facts["name"] == "scratch"
    assert data["size"] == pytest.approx(8e12)


def test_a_plan_leaves_a_sixth_of_its_judgements_open_at_most() -> None:
    answer = plan(model="llama-3-70b", tokens="2T", gpu="h100", gpus="1024", deadline="60 days")
    assert answer.result is not None
    verdicts = [one.verdict for one in answer.result.outcomes]
    assert verdicts.count(Verdict.UNKNOWN) <= len(verdicts) / 6


def test_acceptance_asks_for_the_utilisation_that_the_job_aims_at() -> None:
    """GB300 is predicted beyond every published run on GPUs of its class: the aim is the most that a rule allows."""
    answer = plan(model="llama-3-70b", gpu="gb300", gpus="144")
    assert (answer.layouts[0].cost.mfu or 0) > 0.56
    aims = re.findall(r"^ *mfu: (.+?)  #", answer.text, re.MULTILINE)
    assert aims == ["55 %", "55 %"]


def test_metrics_are_kept_for_a_run_of_a_year() -> None:
    answer = plan(model="llama-3-8b", tokens="15T", gpu="h100", gpus="64", deadline="1 year")
    assert "metrics_retention: 1 year  # the whole run" in answer.text
    assert "observability/metrics-expire-during-run" not in {one.rule for one in answer.findings}
