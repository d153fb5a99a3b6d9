"""Plans: from a brief to a design without faults, or a refusal with a true reason."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.derivations.workload.divisors import divisors
from designlint.findings.model import Severity
from designlint.layouts.search import of_degrees
from designlint.layouts.space import Space
from designlint.planning.brief import Brief, of_options
from designlint.planning.candidates import Candidates
from designlint.planning.models import with_model
from designlint.planning.plan import plan_cluster
from designlint.planning.skeleton import derive_facts, skeleton
from tests.briefs import brief
from tests.running import designlint

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.planning.result import PlanAnswer

NONE = dict.fromkeys(("model", "tokens", "gpu", "gpus", "deadline", "power", "budget"), "")
#: The words of a layout that a small job varies.
GRID = ("tensor", "pipeline", "micro_batch", "zero_stage", "recompute")
#: Warnings on plans whose brief leaves no way around them: GPUs beyond what a batch feeds, or hardly enough memory.
UNAVOIDABLE = {
    "compute/mfu-below-published", "communication/tensor-slower-than-compute", "memory/need-near-limit",
    "numbers/out-of-proportion",  # budgets and power far beyond the need, and a leaf for each rail of a few servers
    "memory/experts-without-slack", "network/experts-on-thin-network", "parallelism/batch-beyond-published",
    "compute/tokens-far-below-parameters",  # the tokens are the brief's
}  # fmt: skip
IMPOSSIBLE = """\
designlint: 1
nodes: [{name: old, gpu: v100-sxm2-16gb}]
workloads: [{name: train, model: {parameters: 1e12}, runs_on: {gpus: 8}}]
"""


@lru_cache(8)
def plan(**options: str) -> PlanAnswer:
    """A plan that several tests read, and none changes."""
    return plan_cluster(of_options(**NONE | options), engine.shipped_engine())


def faults(answer: PlanAnswer) -> list[str]:
    return [f"{one.rule}: {one.message}" for one in answer.findings if one.severity is not Severity.INFO]


def within(answer: PlanAnswer) -> float:
    """Time of the run at the slow end of its interval. [s]"""
    assert answer.settled.size is not None
    return answer.settled.size.days(sure=True) or 0.0


def test_the_published_layout_of_a_published_run_is_near_the_front() -> None:
    answer = plan(model="llama-3-405b", tokens="15.6T", gpu="h100", gpus="16384")
    assert faults(answer) == []
    words = [(one.words["tensor"], one.words["pipeline"], one.words["data"]) for one in of_degrees(answer.layouts, 10)]
    assert (8, 16, 128) in words
    assert 0.35 < (answer.layouts[0].cost.mfu or 0) < 0.5


def test_a_target_beyond_the_prediction_is_named(tmp_path: Path) -> None:
    file = tmp_path / "brief.yaml"
    file.write_text(
        "designlint: 1\nnodes: [{name: train, gpu: h100}]\n"
        "workloads: [{name: a, model: {parameters: 500e9}, runs_on: {gpus: 4096}, targets: {mfu: 56 %}}]\n",
        "utf-8",
    )
    run = designlint("plan", file, "-o", tmp_path / "plan.yaml", "--document", tmp_path / "plan.md")
    assert run.code == 0, run.err
    assert "The brief targets 56 % MFU; 5" in run.out
    assert "plan for 5" in run.out
    document = (tmp_path / "plan.md").read_text("utf-8")
    assert "**512 x dgx-h100**" in document
    assert "NCCL" in document
    assert "not known" not in document.replace("Days are not known: the brief states no tokens.", "")
    check = designlint("check", tmp_path / "plan.yaml", "--format", "json").data
    assert {one["rule"] for one in check["findings"] if one["severity"] != "info"} <= {
        "compute/mfu-beyond-newer-gpus", "compute/mfu-beyond-prediction",
    }  # fmt: skip
    assert designlint("plan", file, "-o", tmp_path / "plan.yaml").code == 2, "an existing file is left alone"


def test_an_impossible_request_is_refused_with_what_would_do(tmp_path: Path) -> None:
    file = tmp_path / "brief.yaml"
    file.write_text(IMPOSSIBLE, "utf-8")
    run = designlint("plan", file)
    assert run.code == 1
    assert json.loads(run.out.splitlines()[-1]) == {"error": "Hardware constraints insufficient for model parameters"}
    assert "of these GPUs are needed" in run.out
    data = designlint("plan", file, "--format", "json").data
    assert data["error"] == "Hardware constraints insufficient for model parameters"


def test_a_missed_deadline_is_said_in_words_and_where_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "brief.yaml"
    file.write_text(
        "designlint: 1\nnodes: [{name: train, gpu: h100}]\nworkloads:\n  - name: a\n    model: {parameters: 70e9}\n"
        "    data: {tokens: 2T}\n    targets: {deadline: 30 days}\n",
        "utf-8",
    )
    run = designlint("plan", file, "--gpus", "64")
    assert run.code == 1
    assert run.out.startswith("No plan: 64 GPUs need ")
    assert f"the number of GPUs (--gpus), the deadline ({file}:7)" in run.out
    assert "Possible with: " in run.out
    assert "memory" not in run.out
    assert "{" not in run.out, "what programs read is printed by --format json"
    data = designlint("plan", file, "--gpus", "64", "--format", "json").data
    assert data["error"] == "Conflicting requirements"
    assert data["conflict"] == ["gpus", "deadline"]


def test_goodput_is_predicted_and_twice_the_failures_cost_time() -> None:
    answer = plan(model="llama-3-70b", tokens="2T", gpu="h100", gpus="512")
    size = answer.settled.size
    assert size is not None
    assert size.recovery.reached is not None
    assert size.recovery.goodput < size.recovery.reached < 1
    twice = answer.changes[-1]
    assert twice.what == "failures twice as often"
    assert 0.001 < twice.longer < 0.1
    assert "covered by the planned goodput" in twice.sentence


def test_a_deadline_finds_the_fewest_servers_that_meet_it() -> None:
    answer = plan(model="llama-3-70b", tokens="2T", gpu="h200", deadline="30 days")
    assert not answer.refusal
    assert faults(answer) == []
    pool = answer.job_design.graph.by_class["NodePool"][0]
    servers = int(pool.facts["count"])  # type: ignore[arg-type]
    fewer = plan(model="llama-3-70b", tokens="2T", gpu="h200", gpus=str(servers * 8 * 3 // 4))
    assert within(answer) <= 30 * 86400
    assert within(fewer) > 30 * 86400


@pytest.mark.parametrize("seed", range(0, 200, 9))
def test_plans_of_random_briefs_hold_or_are_refused_with_a_reason(seed: int) -> None:
    asked = brief(seed)
    answer = plan_cluster(asked, engine.shipped_engine())
    if answer.refusal:
        assert answer.settled.why
        no_aim = answer.settled.unpredicted or "no number of these GPUs" in answer.settled.why
        assert answer.settled.conflict or no_aim, asked
        return
    assert [one for one in answer.findings if one.severity is Severity.ERROR] == [], asked
    assert {one.split(":")[0] for one in faults(answer)} <= UNAVOIDABLE, (asked, faults(answer))
    stated = asked["workloads"][0].get("parallelism") or {}
    assert all(str(answer.layouts[0].words[name]) == value for name, value in stated.items())
    assert [one.what for one in answer.changes if "slower" in one.what and one.longer < -1e-9] == [], asked
    wired(answer)


def wired(answer: PlanAnswer) -> None:
    """Every leaf of the compute network reaches every spine above it by as many cables, and no switch has too many."""
    topology = answer.job_design.graph.subjects["fabrics/compute"].facts["topology"].facts  # type: ignore[union-attr]
    planes, tiers = int(topology["planes"]), int(topology["tiers"])  # type: ignore[arg-type]
    leaves, spines = (int(topology[one]) for one in ("leaves", "spines"))  # type: ignore[arg-type]
    assert leaves % planes == spines % planes == 0
    if tiers == 1:
        assert (leaves, spines) == (planes, 0)
        return
    up = int(topology["uplinks_per_leaf"])  # type: ignore[arg-type]
    if tiers == 2:
        assert up % (spines // planes) == 0


@pytest.mark.parametrize("gpu", ["h100", "mi300x"])
def test_a_hundred_thousand_gpus_are_planned(gpu: str) -> None:
    answer = plan(model="llama-3-405b", tokens="15.6T", gpu=gpu, gpus="131072")
    assert not answer.refusal
    assert {one.split(":")[0] for one in faults(answer)} <= {"parallelism/batch-beyond-published"}
    wired(answer)


@pytest.mark.parametrize(
    ("options", "conflict", "way"),
    [
        ({"gpus": "16384", "power": "10 MW"}, {"gpus", "power"}, "utility power"),
        ({"gpus": "512", "deadline": "20 days"}, {"gpus", "deadline"}, "GPUs"),
        ({"deadline": "60 days", "budget": "1e6 h"}, {"budget"}, "a budget of"),
        ({"deadline": "60 days", "power": "2 MW"}, {"deadline", "power"}, "a deadline of"),
        ({"gpus": "16384", "deadline": "2000 days", "power": "5 MW", "budget": "1e9 h"}, {"gpus", "power"}, "GPUs"),
    ],
)
def test_the_fewest_aims_that_cannot_hold_together_are_named(
    options: dict[str, str], conflict: set[str], way: str
) -> None:
    answer = plan(model="llama-3-405b", tokens="15.6T", gpu="h100", **options)
    assert set(answer.settled.conflict) == conflict
    assert any(way in one for one in answer.settled.ways)


def test_what_a_refusal_calls_possible_is_possible() -> None:
    refused = plan(model="70e9", tokens="2T", gpu="h100", gpus="128", deadline="30 days")
    gpus = next(one.split()[0] for one in refused.settled.ways if one.endswith("GPUs") and one[0].isdigit())
    assert not plan(model="70e9", tokens="2T", gpu="h100", gpus=gpus, deadline="30 days").refusal


def test_a_budget_alone_buys_no_gpus_that_hardly_help() -> None:
    wide, narrow = (
        plan(model="llama-3-8b", tokens="1T", gpu="h100", budget=one).settled.size for one in ("1e6 h", "1.5e5 h")
    )
    assert wide is not None
    assert narrow is not None
    assert wide.gpus == narrow.gpus < 2048
    thriftiest = plan(model="llama-3-8b", tokens="1T", gpu="h100", gpus="64").settled.size
    assert thriftiest is not None
    assert (wide.gpu_time(sure=False) or 0) <= 1.15 * (thriftiest.gpu_time(sure=False) or 0)


def test_the_power_of_a_plan_is_what_its_design_draws() -> None:
    answer = plan(model="llama-3-70b", tokens="2T", gpu="mi300x", gpus="1024")
    assert answer.settled.size is not None
    facility = answer.job_design.graph.root.facts["facility"].facts  # type: ignore[union-attr]
    assert float(facility["utility_power"]) == pytest.approx(answer.settled.size.power, rel=0.06)  # type: ignore[arg-type]
    assert 1024 * 750 < float(facility["utility_power"]) < 1024 * 4000  # type: ignore[arg-type]


def test_every_sound_layout_of_a_small_job_is_looked_at() -> None:
    space = Space(16, 32, 8, 8, 8, 8, 1, 4096, {"recompute": "none", "zero_stage": 1})
    found = {(one["tensor"], one["pipeline"], one["data"], one["micro_batch"]) for one in space.layouts()}
    wanted: set[tuple[Any, ...]] = set()
    for tensor in range(1, 9):
        for pipeline in range(1, 9):
            for micro in range(1, 9):
                group = tensor * pipeline
                if 8 % tensor or 16 % group or 32 % (16 // group):
                    continue
                each = 32 // (16 // group)
                if each % micro == 0 and each // micro >= pipeline:
                    wanted.add((tensor, pipeline, 16 // group, micro))
    assert found == wanted
    assert divisors(12) == [1, 2, 3, 4, 6, 12]


def test_the_search_agrees_with_the_design_itself_on_every_layout_of_a_small_job() -> None:
    """All layouts in a grid wider than the search's own, each as a whole design: the same fit, and take the same time."""
    asked = Brief({"designlint": "1", "nodes": [{"name": "pool", "gpu": "h100"}], "workloads": [
        {"name": "job", "model": "llama-3-8b", "runs_on": {"gpus": "4"}, "parallelism": {"global_batch": "16"}}]},
        engine.shipped_engine().vocabulary)  # fmt: skip
    asked = with_model(asked)
    found = Candidates(asked, 1, engine.shipped_engine()).layouts
    searched = {
        tuple(one.words[word] for word in GRID): one.cost.step
        for one in found
        if (one.words["virtual_stages"], one.words["context"]) == (1, 1)
    }
    degrees, kept = (1, 2, 4), ("none", "selective", "full")
    for tensor, pipeline, micro, zero, recompute in product(degrees, degrees, (1, 2, 4), (0, 1, 3), kept):
        group = tensor * pipeline
        if (
            4 % group
            or 16 * group // 4 // micro < pipeline
            or (zero == 3 and pipeline > 1)
            or (zero == 0) != (group == 4)
        ):
            continue
        split = {
            "tensor": tensor,
            "pipeline": pipeline,
            "micro_batch": micro,
            "zero_stage": zero,
            "recompute": recompute,
        }
        words = {name: str(value) for name, value in split.items()} | {"sequence_parallel": str(tensor > 1).lower()}
        job = derive_facts(skeleton(asked, 1, words), engine.shipped_engine()).graph.by_class["Workload"][0].facts
        key = tuple(split[word] for word in GRID)
        fits = max(job["memory_per_gpu"], job["memory_floor"]) <= job["usable_gpu_memory"]  # type: ignore[type-var, operator]
        if key in searched:
            assert fits, split
            assert searched[key] == pytest.approx(job["predicted_step_time"])
        else:
            near = max(job["memory_per_gpu"], job["memory_floor"]) > job["usable_gpu_memory"] * 0.9  # type: ignore[type-var, operator]
            assert not fits or near, split
