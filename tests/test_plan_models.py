"""The model of a brief: by name, from a file, as a number of parameters, or in part; and networks that a brief names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.planning.brief import of_options
from designlint.planning.plan import plan_cluster
from designlint.reading.errors import UsageError
from tests.running import designlint
from tests.test_plan import NONE, faults, plan

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.planning.result import PlanAnswer

CONFIG = {
    "model_type": "llama", "hidden_size": 5120, "intermediate_size": 25600, "num_attention_heads": 64,
    "num_hidden_layers": 64, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936,
    "tie_word_embeddings": False, "rms_norm_eps": 1e-6, "hidden_act": "silu",
}  # fmt: skip


def of(model: dict[str, Any], **more: Any) -> PlanAnswer:
    job = {"name": "job", "model": model, "runs_on": {"gpus": "256"}}
    return plan_cluster(
        {"designlint": "1", "nodes": [{"name": "a", "gpu": "h100"}], "workloads": [job], **more},
        engine.shipped_engine(),
    )


def pretraining(model: dict[str, str], folder: str) -> PlanAnswer:
    job = {"name": "pretrain", "model": model, "runs_on": {"gpus": "64"}}
    design = {"designlint": "1", "nodes": [{"name": "a", "gpu": "h100"}], "workloads": [job]}
    return plan_cluster(design, engine.shipped_engine(), folder=folder)


def parameters(answer: PlanAnswer) -> float:
    found = answer.job.facts["model"].facts.get("parameters")  # type: ignore[union-attr]
    return float(found or 0)  # type: ignore[arg-type]


def test_a_configuration_file_is_a_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG), "utf-8")
    run = designlint("plan", "--model", "config.json", "--gpu", "h100", "--gpus", "64", "-o", "plan.yaml", cwd=tmp_path)
    assert run.code == 0, run.err
    assert "head_dimension: 128" in (tmp_path / "plan.yaml").read_text("utf-8")
    (tmp_path / "brief.yaml").write_text(
        "designlint: 1\nnodes: [{name: a, gpu: h100}]\nworkloads: [{name: b, model: {from: config.json}, runs_on: {gpus: 64}}]\n",
        "utf-8",
    )
    assert designlint("plan", "brief.yaml", cwd=tmp_path).out == run.out
    assert designlint("plan", "--model", "none.json", "--gpu", "h100", "--gpus", "64", cwd=tmp_path).code == 2


def test_sequences_stay_within_the_positions_of_a_model_unless_the_brief_states_longer_ones(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({**CONFIG, "max_position_embeddings": 4096}), "utf-8")
    for stated, positions, sequence in (({}, 4096, 4096), ({"sequence": "16384"}, 16384, 16384)):
        answer = pretraining({"from": "config.json", **stated}, str(tmp_path))
        found = answer.job.facts["model"].facts  # type: ignore[union-attr]
        assert (found["positions"], found["sequence"]) == (positions, sequence)
        assert faults(answer) == []
    both = pretraining({"model": "llama-3-8b", "positions": "4096", "sequence": "8192"}, "")
    assert "its model has positions for 4096" in both.refusal[0]


@pytest.mark.parametrize(("model", "wanted"), [("7b", 7e9), ("70e9", 70e9), ("1T", 1e12), ("500e9", 500e9)])
def test_a_number_of_parameters_becomes_a_shape_of_that_size(model: str, wanted: float) -> None:
    answer = plan(model=model, gpu="h100", gpus="4096")
    assert parameters(answer) == pytest.approx(wanted, rel=0.06)


def test_what_a_brief_states_of_a_mixture_is_kept_and_the_rest_chosen() -> None:
    answer = of({"parameters": "175e9", "layers": "96", "experts": "16"})
    assert faults(answer) == []
    facts = answer.job.facts["model"].facts  # type: ignore[union-attr]
    assert (facts["layers"], facts["experts"], facts["experts_per_token"]) == (96, 16, 2)
    assert parameters(answer) == pytest.approx(175e9, rel=0.06)
    assert "as in mixtral-2024" in answer.text


@pytest.mark.parametrize(
    ("total", "active", "experts"), [(671e9, 37e9, 256), (1.04e12, 32e9, 384), (355e9, 32e9, 160), (30.5e9, 3.3e9, 128)]
)
def test_a_mixture_has_as_many_active_parameters_as_a_brief_states(total: float, active: float, experts: int) -> None:
    """Its active experts are together 2 to 4 times as wide as the model, as in the published models of these sizes."""
    answer = of({"parameters": str(total), "active_parameters": str(active), "experts": str(experts)})
    model: Any = answer.job.facts["model"]
    assert parameters(answer) == pytest.approx(total, rel=0.05)
    assert float(model.facts["active_parameters"]) == pytest.approx(active, rel=0.05)
    visited, width, hidden = (model.facts[one] for one in ("experts_per_token", "expert_feed_forward", "hidden"))
    assert 1.5 < visited * width / hidden < 4.5
    assert [one.message for one in answer.findings if one.rule.startswith("model/")] == []


def test_active_parameters_that_no_shape_has_are_refused_and_without_experts_only_those_are_asked_for() -> None:
    with pytest.raises(UsageError, match=r"no shape was found .* with 8 experts of which 1\.2e\+11 are active"):
        of({"parameters": "100e9", "active_parameters": "120e9", "experts": "8"})
    alone = of({"parameters": "400e9", "active_parameters": "20e9"}).settled
    assert alone.why.endswith("state workloads/job/model/experts")


@pytest.mark.parametrize("wanted", ["70", "0", "100e6"])
def test_parameters_that_no_usual_shape_has_are_refused(wanted: str) -> None:
    with pytest.raises(UsageError, match=r"no usual shape has .* parameters: write 70 billion as 70e9 or 70B"):
        plan(model=wanted, gpu="h100", gpus="64")


@pytest.mark.parametrize("budget", ["3e5", "3e5h", "3e5 hours"])
def test_a_budget_of_hours_may_state_its_unit_and_a_document_its_format(tmp_path: Path, budget: str) -> None:
    job = ("--model", "llama-3-8b", "--gpu", "h100", "--gpus", "64", "--tokens", "1T")
    options = ("plan", *job, "--budget-gpu-hours", budget)
    assert "the budget is 300000 GPU hours" in designlint(*options, cwd=tmp_path).out
    run = designlint(*options, "--document", "plan.pdf", cwd=tmp_path)
    assert (run.code, list(tmp_path.glob("plan.pdf"))) == (2, [])
    assert "name the file .md or .html" in run.err


def test_a_change_of_gpus_names_the_batch_that_comes_with_it() -> None:
    """A seventh fewer GPUs train in larger batches, and are faster only for that."""
    design = of_options(**NONE | {"model": "llama-3-70b", "tokens": "1B", "gpu": "h200", "gpus": "256"})
    design["workloads"][0]["kind"] = "fine-tuning"
    fewer = next(one for one in plan_cluster(design, engine.shipped_engine()).changes if "fewer GPUs" in one.what)
    assert fewer.what.endswith("(224, in batches of 56 sequences, not 32)")
    usual = plan(model="llama-3-70b", tokens="1T", gpu="h200", gpus="256").changes
    assert not any("batches" in one.what for one in usual)


def test_an_unknown_model_is_refused_with_what_would_do() -> None:
    with pytest.raises(UsageError, match=r"no model `gpt-9`.*config\.json"):
        plan(model="gpt-9", gpu="h100", gpus="64")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("fabrics: [{name: compute, technology: infiniband}]", "brief.yaml:4: `technology` is infiniband, not one of"),
        ("facility: {utility_power: 10 GB}", "brief.yaml:4: "),
        ("nodes: [{gpu: h100}]", "brief.yaml:2: nodes/0 lacks `name`"),
    ],
)
def test_a_brief_that_no_design_could_be_is_refused_where_it_is_wrong(tmp_path: Path, wrong: str, says: str) -> None:
    nodes = "" if wrong.startswith("nodes") else "nodes: [{name: train, gpu: h100, count: 8}]\n"
    jobs = "workloads: [{name: pretrain, model: {parameters: 7e9}}]\n"
    head, tail = ("designlint: 1\n", wrong + "\n")
    text = head + (nodes + jobs + tail if nodes else tail + jobs)
    (tmp_path / "brief.yaml").write_text(text)
    run = designlint("plan", tmp_path / "brief.yaml")
    assert run.code == 2
    assert says in run.err


def test_the_network_that_a_brief_names_is_the_network_of_the_plan() -> None:
    answer = of({"parameters": "30e9"}, fabrics=[{"name": "roce", "technology": "roce-v2", "speed": "200 Gbit/s"}])
    assert faults(answer) == []
    fabric = answer.job_design.graph.subjects["fabrics/roce"].facts
    assert fabric["technology"] == "roce-v2"
    assert "fabrics/compute" not in answer.job_design.graph.subjects
    slow = of({"parameters": "30e9"}, fabrics=[{"name": "roce", "technology": "roce-v2", "speed": "50 Gbit/s"}])
    assert slow.layouts[0].cost.step >= answer.layouts[0].cost.step


def test_fine_tuning_takes_smaller_steps_than_pre_training() -> None:
    def batch(kind: str) -> tuple[float, str]:
        job = {"name": "job", "kind": kind, "model": "llama-3-70b", "data": {"tokens": "1B"}, "runs_on": {"gpus": "64"}}
        answer = plan_cluster(
            {"designlint": "1", "nodes": [{"name": "a", "gpu": "h100"}], "workloads": [job]}, engine.shipped_engine()
        )
        words = answer.layouts[0].words
        return words["global_batch"] * words["sequence"], answer.text

    tuned, text = batch("fine-tuning")
    assert tuned <= 2**20
    assert "as in published fine-tuning" in text
    assert batch("continued-pretraining")[0] > 4 * tuned
