"""What a brief states against what the rules allow, and names that would break a plan's text or its document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.findings.model import Severity
from designlint.planning import architecture, cluster
from designlint.planning import plan as plans
from designlint.planning.answer import lines
from designlint.planning.brief import Brief, of_file, of_options, places
from designlint.planning.choices import choices
from designlint.planning.plan import plan_cluster
from tests.running import designlint

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.planning.result import PlanAnswer

NONE = dict.fromkeys(("model", "tokens", "gpu", "gpus", "deadline", "power", "budget"), "")


def plan(job: dict[str, Any] | None = None, **given: Any) -> PlanAnswer:
    options = {name: given.pop(name) for name in NONE if name in given}
    design = of_options(**NONE | options) | given
    design["workloads"][0] |= job or {}
    return plan_cluster(design, engine.shipped_engine())


def facts(answer: PlanAnswer, path: str) -> dict[str, Any]:
    return dict(answer.job_design.graph.subjects[path].facts)


def test_a_statement_that_no_server_can_follow_is_refused_with_what_would_do(tmp_path: Path) -> None:
    file = tmp_path / "brief.yaml"
    file.write_text(
        "designlint: 1\nnodes: [{name: t, gpu: mi300x}]\nworkloads: [{name: j, model: llama-3-8b, runs_on: {gpus: 64}}]\n"
        "fabrics:\n  - name: compute\n    speed: 800 Gbit/s\n",
        "utf-8",
    )
    answer = plan_cluster(of_file(str(file), engine.shipped_engine()), engine.shipped_engine())
    assert answer.settled.conflict == ("fabrics/compute/speed",)
    assert answer.settled.ways == ("`speed: 400 Gbit/s`",)
    assert "network/nic-slower-than-port" in answer.refusal[0]
    told = "\n".join(lines(answer, 3, places(str(file), NONE)))
    assert f"This requirement cannot be met: `fabrics/compute/speed` ({file}:6)" in told


def test_a_target_that_the_bubble_of_the_only_size_rules_out_is_refused() -> None:
    job = {"targets": {"deadline": "3 days", "mfu": "60 %"}}
    answer = plan(job, model="qwen3-8b", tokens="15.6T", gpu="gh200-96gb")
    assert answer.settled.conflict == ("workloads/pretrain/targets/mfu",)
    assert "kernels would have to reach" in answer.refusal[0]


def test_tensors_are_shared_over_pcie_where_nothing_else_fits() -> None:
    """Without it, each of these GPUs would have to gather a layer of 16 GB."""
    answer = plan(model="1e12", gpu="v100-pcie-16gb", gpus="8192")
    assert not answer.error
    assert answer.layouts[0].words["tensor"] > 1
    assert "parallelism/tensor-over-pcie" in {one.rule for one in answer.findings}
    refused = plan(model="1e12", gpu="v100-pcie-16gb", gpus="8")
    assert refused.error == "Hardware constraints insufficient for model parameters"
    gpus = refused.settled.ways[0].split()[0]
    assert int(gpus) < 8192
    assert not plan(model="1e12", gpu="v100-pcie-16gb", gpus=gpus).error


def test_tensors_are_shared_over_pcie_where_all_else_is_far_slower() -> None:
    """Beyond 100 B parameters, nothing but sharded weights fits an L40S alone, and gathering them takes most of each step."""
    answer = plan(model="120e9", tokens="1T", gpu="l40s", deadline="400 days")
    assert not answer.error
    assert (answer.layouts[0].cost.mfu or 0) > 0.2
    shared = plan(model="120e9", gpu="l40s", gpus="2048")
    assert shared.layouts[0].words["tensor"] > 1
    assert "parallelism/tensor-over-pcie" in {one.rule for one in shared.findings}
    assert plan(model="llama-3-8b", gpu="l40s", gpus="256").layouts[0].words["tensor"] == 1


def test_a_deadline_that_only_the_fast_end_meets_sets_the_utilisation_that_it_needs() -> None:
    size = plan(model="70e9", tokens="2T", gpu="h100", gpus="640").settled.size
    assert size is not None
    took, fast = (size.days(sure=False) or 0) / 86400, size.quickest
    answer = plan(model="70e9", tokens="2T", gpu="h100", gpus="640", deadline=f"{took * (1 + fast) / 2:.2f} days")
    assert not answer.settled.likely
    assert [one.rule for one in answer.findings if one.severity is Severity.ERROR] == []
    aim = float(facts(answer, "workloads/pretrain/targets")["mfu"])
    assert aim > (answer.layouts[0].cost.mfu or 0) * 1.01


def test_more_gpus_are_taken_where_their_number_is_open_and_experts_leave_no_room() -> None:
    answer = plan(model="qwen3-480b-a35b", tokens="20B", gpu="v100-sxm3-32gb", deadline="7 days")
    assert not answer.error
    assert [one.rule for one in answer.findings if one.severity is not Severity.INFO] == []


def test_experts_stay_on_each_rank_where_the_framework_shares_none_out_in_the_format_that_is_left() -> None:
    answer = plan(model="mixtral-8x7b", tokens="20B", gpu="v100-sxm3-32gb", gpus="64")
    assert facts(answer, "workloads/pretrain/parallelism")["expert"] == 1
    assert not [one for one in answer.findings if one.severity is Severity.ERROR]


def test_long_steps_are_saved_as_seldom_as_published_runs_save_theirs() -> None:
    """By the failure rate of 96 GPUs alone, a step of an hour would be saved after every second one."""
    answer = plan(model="llama-3-405b", tokens="200B", gpu="h20", gpus="96")
    step, saved = answer.layouts[0].cost.step, facts(answer, "workloads/pretrain")["checkpoint"].facts["interval"]
    assert 5 * step <= saved < 5.1 * step
    assert [one.rule for one in answer.findings if one.severity is not Severity.INFO] == []


def test_a_deadline_is_certain_only_at_a_utilisation_that_published_runs_reach() -> None:
    """71 % is predicted, at least 63 % in nine of ten cases; published runs on A100 stay below 60 %."""
    job = {"targets": {"deadline": "81 days"}}
    answer = plan(job, model="llama-3-405b", tokens="550B", gpu="a100-sxm-80gb")
    assert [one.rule for one in answer.findings if one.severity is not Severity.INFO] == []
    fewer = plan(job, model="llama-3-405b", tokens="550B", gpu="a100-sxm-80gb", gpus="1152")
    assert not fewer.settled.sure
    assert facts(fewer, "workloads/pretrain/targets")["mfu"] == pytest.approx(0.614, abs=0.005)


@pytest.mark.parametrize(("limit", "most"), [("130 kW", 5), ("44 kW", 4), ("20 kW", 1)])
def test_a_rack_holds_what_its_power_air_and_room_allow(limit: str, most: int) -> None:
    facility = {"racks": {"power_limit": limit}}
    answer = plan(model="llama-3-8b", gpu="h100", gpus="512", facility=facility)
    assert facts(answer, "facility/racks")["nodes_per_rack"] == most
    assert [one.rule for one in answer.findings if one.severity is not Severity.INFO] == []


def test_air_carries_in_plans_what_the_rule_allows() -> None:
    brief = Brief(of_options(**NONE | {"gpu": "h100"}), engine.shipped_engine().vocabulary)
    limit = engine.shipped_engine().rules["cooling/air-too-dense"].texts.limits["air"].value
    assert brief.number(choices()["racks"]["air_limit"], "Power") == limit


@pytest.mark.parametrize(
    ("pool", "power", "like"),
    [
        ({"gpu": "mi355x"}, 16e3, "gb300-nvl72-tray"),  # cooled by liquid
        ({"gpu": "mi300x"}, 11e3, "dgx-h100"),
        ({"model": "hgx-b300"}, 14e3, "dgx-b300"),  # the same GPU
        ({"gpu": "a100-pcie-80gb"}, 4.9e3, "dgx-a100"),  # one of its generation
    ],
)
def test_servers_without_a_data_sheet_draw_as_the_most_alike_one(pool: dict[str, str], power: float, like: str) -> None:
    design = of_options(**NONE | {"model": "llama-3-8b", "gpus": "64"})
    design["nodes"][0] |= pool
    brief = Brief(design, engine.shipped_engine().vocabulary)
    drawn = cluster.nodes(brief, 8)["power"]
    assert brief.number(drawn.text, "Power") == power
    assert f"as {like}" in drawn.why


EVIL = "po\n## Injected|**b** `c` <script> \u202e\U0001f600"


def test_names_of_a_brief_survive_the_plan_and_open_no_section(tmp_path: Path) -> None:
    design = of_options(**NONE | {"model": "llama-3-8b", "tokens": "1T", "gpus": "64"})
    own = {"memory": "80 GB", "memory_bandwidth": "3 TB/s", "peak_bf16": "900 TFLOP/s", "power": "700 W"}
    design["nodes"][0] |= {"name": EVIL, "gpu": {"name": EVIL, **own}, "spares": "0"}
    design["storage"] = [{"name": EVIL, "kind": "lustre"}]
    design["workloads"][0]["name"] = EVIL
    answer = plan_cluster(design, engine.shipped_engine())
    assert {answer.job.facts["name"], answer.job_design.graph.by_class["NodePool"][0].facts["name"]} == {EVIL}
    assert re.findall("^## Inj.*$", architecture.write_document(answer, []), re.MULTILINE) == []
    file = tmp_path / "plan.yaml"
    file.write_text(answer.text, "utf-8")
    run = designlint("plan", file, "--document", tmp_path / "plan.html")
    assert "\n## Inj" not in run.out
    assert "Injected" not in "".join(re.findall("<h2.*?</h2>", (tmp_path / "plan.html").read_text("utf-8")))


def test_a_list_where_a_switch_belongs_is_a_finding(tmp_path: Path) -> None:
    file = tmp_path / "brief.yaml"
    file.write_text(
        "designlint: 1\nnodes: [{name: t, gpu: h100}]\nfabrics: [{name: c, topology: {switch: [a]}}]\n", "utf-8"
    )
    assert designlint("check", file).code == 1
    run = designlint("plan", file, "--model", "8b", "--gpus", "64")
    assert run.code == 2
    assert "Traceback" not in run.err


def test_a_fabric_that_exists_is_not_refused_for_a_spare_that_only_the_plan_wants() -> None:
    """Eight leaves have ports for 20 servers and no more."""
    fabric: dict[str, Any] = {"name": "compute", "purpose": "compute", "technology": "infiniband-hdr"}
    fabric["topology"] = {"kind": "fat-tree", "tiers": "2", "switch": "qm8700", "leaves": "8", "spines": "4"}
    fabric["topology"] |= {"host_ports_per_leaf": "20", "uplinks_per_leaf": "20"}
    pool = {"name": "old", "model": "dgx-a100", "count": "20", "networks": [{"fabric": "compute", "ports": "8"}]}
    answer = plan(model="llama-2-13b", tokens="300e9", nodes=[pool], fabrics=[fabric])
    assert not answer.error
    assert facts(answer, "nodes/old")["spares"] == 0
    assert [one.rule for one in answer.findings if one.severity is not Severity.INFO] == [
        "reliability/spares-below-repairs"
    ]
    refused = plan(model="llama-2-13b", tokens="300e9", nodes=[pool | {"spares": "1"}], fabrics=[fabric])
    assert "network/host-ports-beyond-leaves" in refused.settled.why


def test_two_statements_that_each_leave_an_error_are_refused_together() -> None:
    fabric = {"name": "compute", "speed": "800 Gbit/s"}
    facility = {"racks": {"power_limit": "5 kW"}, "power_metering": ["outlet"]}
    answer = plan(model="llama-3-8b", gpu="h100", gpus="64", fabrics=[fabric], facility=facility)
    assert answer.settled.conflict == ("fabrics/compute/speed", "facility/racks/power_limit")
    assert answer.settled.ways == ("`speed: 400 Gbit/s` and `power_limit: 44 kW`",)


def test_a_statement_that_no_error_names_is_found_in_few_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    original = plans._plan_brief

    def counted(*given: Any) -> PlanAnswer:
        made.append(given)
        return original(*given)

    monkeypatch.setattr(plans, "_plan_brief", counted)
    racks = {"racks": {"feeds": "2"}, "power_metering": ["outlet", "rack"]}
    cooling = {"capacity": "10 kW", "pue": "1.4", "redundancy": "N+1"}
    answer = plan(model="llama-3-8b", gpu="h100", gpus="64", facility={**racks, "cooling": cooling})
    assert answer.settled.conflict == ("facility/cooling/capacity",)
    assert len(made) <= 10
