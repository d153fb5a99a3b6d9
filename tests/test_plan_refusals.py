"""What a refusal says: of the GPUs that were asked for, with the layout that was stated, and nothing that is not possible."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.findings.model import Severity
from designlint.layouts.space import Space
from designlint.planning.brief import of_options
from designlint.planning.plan import plan_cluster
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from designlint.planning.result import PlanAnswer

NONE = dict.fromkeys(("model", "tokens", "gpu", "gpus", "deadline", "power", "budget"), "")


def plan(layout: dict[str, str] | None = None, precision: str = "", **options: str) -> PlanAnswer:
    design: dict[str, Any] = of_options(**NONE | {"model": "llama-3-8b", "gpu": "h100"} | options)
    job = design["workloads"][0]
    job |= {"parallelism": layout} if layout else {}
    job |= {"precision": precision} if precision else {}
    return plan_cluster(design, engine.shipped_engine())


def test_a_budget_is_refused_for_the_gpus_that_were_asked_for() -> None:
    refused = plan(tokens="1T", gpus="512", budget="1e4 h").settled
    assert refused.conflict == ("budget",)
    first, second, even = refused.why.split("; ")
    assert first.startswith("512 GPUs use ")
    assert second == "the budget is 10000 GPU hours"
    assert even.startswith("even ")
    assert "the size with the fewest GPU hours" in even


def test_a_deadline_is_missed_by_as_much_as_another_is_offered_for() -> None:
    refused = plan({"context": "2"}, tokens="15T", gpus="16", deadline="30 days").settled
    assert set(refused.conflict) == {"gpus", "deadline"}
    took = refused.why.removeprefix("16 GPUs need ").split(";")[0]
    assert f"a deadline of {took} on 16 GPUs" in refused.ways


def test_a_layout_that_no_gpus_hold_is_refused_for_those_that_were_asked_for() -> None:
    refused = plan({"tensor": "1", "pipeline": "1", "zero_stage": "1"}, model="llama-3-405b", gpus="256").settled
    assert refused.conflict == ("layout",)
    assert "256 GPUs" in refused.why
    assert refused.why.endswith("no other number of these GPUs that was tried is enough")


def test_degrees_that_do_not_divide_the_gpus_say_what_would() -> None:
    refused = plan({"tensor": "4", "pipeline": "3"}, gpus="64").settled
    assert refused.why == "the stated layout (tensor 4, pipeline 3) needs a multiple of 12 GPUs; 64 is not one"
    assert "72 GPUs" in refused.ways


def test_no_number_of_gpus_is_offered_for_a_layout_that_a_rule_excludes() -> None:
    refused = plan({"tensor": "16"}, gpus="72").settled
    assert refused.conflict == ("layout",)
    assert "its scale-up domain has 8 GPUs" in refused.why
    assert not any(one.endswith("GPUs") and one[0].isdigit() for one in refused.ways)


@pytest.mark.parametrize(
    ("gpu", "precision", "instead"),
    [("a100-pcie-80gb", "fp8", "`precision: bf16`"), ("v100-sxm2-32gb", "bf16", "`precision: fp16`")],
)
def test_a_format_that_the_gpus_lack_is_refused_as_such(gpu: str, precision: str, instead: str) -> None:
    refused = plan(gpu=gpu, gpus="8", precision=precision).settled
    assert refused.conflict == ("precision",)
    assert f"{gpu} does not support {precision}" in refused.why
    assert refused.ways == (instead,)


def test_a_model_of_many_layers_and_few_parameters_has_a_shape() -> None:
    design = of_options(**NONE | {"model": "0.5e9", "gpu": "l40s", "gpus": "64"})
    design["workloads"][0]["model"]["layers"] = "61"
    answer = plan_cluster(design, engine.shipped_engine())
    model: Any = answer.job.facts["model"]
    assert model.facts["layers"] == 61
    assert 0.35e9 < float(model.facts["parameters"]) < 0.65e9


def test_sharded_weights_stand_without_a_pipeline_on_megatron() -> None:
    answer = plan({"zero_stage": "3"}, model="llama-3-70b", gpus="128")
    assert answer.layouts[0].words["pipeline"] == 1
    assert "parallelism/megatron-fsdp-with-pipeline" not in [one.rule for one in answer.findings]


@pytest.mark.parametrize(
    ("framework", "fixed", "alone"),
    [
        ("megatron", {}, False),
        ("megatron", {"zero_stage": 3}, True),
        ("", {}, False),
        ("fsdp", {"zero_stage": 3}, False),
    ],
)
def test_other_frameworks_and_stages_keep_their_pipelines(framework: str, fixed: dict[str, int], alone: bool) -> None:
    space = Space(16, 32, 8, 8, 8, 8, 1, 4096, fixed, framework=framework)
    assert ({one["pipeline"] for one in space.layouts()} == {1}) is alone


def again(brief: dict[str, Any], aim: str, told: str) -> PlanAnswer:
    """The plan for a brief with what a refusal offers for one of its aims."""
    offered = re.search(aim, told)
    assert offered, told
    section, part, word = {
        "deadline": ("workloads", "targets", "deadline"),
        "power": ("facility", "", "utility_power"),
    }[offered.lastgroup or ""]
    if section == "facility":
        brief[section][word] = offered[1]
    else:
        brief[section][0][part][word] = offered[1]
    return plan_cluster(brief, engine.shipped_engine())


def test_what_is_offered_for_an_aim_is_enough() -> None:
    given = {"model": "1e12", "tokens": "0.3T", "gpu": "b300", "deadline": "30 days", "power": "500 kW"}
    brief = of_options(**NONE | given)
    brief["workloads"][0]["targets"]["goodput"] = "95 %"
    refused = plan_cluster(brief, engine.shipped_engine()).settled
    assert set(refused.conflict) == {"power", "deadline"}
    for aim in ("a deadline of (?P<deadline>.+) on", "a utility power of (?P<power>.+) for"):
        offered = next(one for one in refused.ways if re.search(aim, one))
        assert not again(deepcopy(brief), aim, offered).error, aim


def test_a_budget_is_offered_for_the_stated_layout() -> None:
    given = {
        "model": "120e9",
        "tokens": "1T",
        "gpu": "h100-pcie",
        "gpus": "48",
        "deadline": "30 days",
        "budget": "1e5 h",
    }
    first = plan({"pipeline": "4"}, **given).settled
    spent = re.search(r"48 GPUs use (.+?) GPU hours", first.why)
    assert spent
    assert first.ways == (f"a budget of {spent[1]} GPU hours on 48 GPUs",)


def test_power_that_is_never_enough_is_told_for_the_fewest_gpus() -> None:
    refused = plan(model="1e12", tokens="0.3T", gpus="72", power="150 kW").settled
    drawn = re.search(r"(\d+) GPUs need (.+?) from", refused.why)
    assert drawn
    assert f"a utility power of {drawn[2]} for {drawn[1]} GPUs" in refused.ways


def test_one_gpu_is_told_in_the_singular() -> None:
    refused = plan(tokens="0.1T", gpu="gb300", gpus="1", deadline="14 days").settled
    assert refused.why.startswith("1 GPU needs ")
    assert refused.ways[1].endswith(" on 1 GPU")


def test_a_memory_without_a_formula_is_said_of_the_stated_layout_and_another_is_offered() -> None:
    refused = plan({"zero_stage": "3"}, model="mixtral-8x7b", tokens="1T", gpus="64").settled
    assert refused.why == "the memory per GPU is not known: no formula gives it for this model with zero_stage 3"
    assert refused.ways[0].startswith("the layout ")


def test_deepspeed_is_planned_without_virtual_stages() -> None:
    space = Space(16, 32, 8, 8, 8, 8, 1, 4096, {}, framework="deepspeed")
    assert {one["virtual_stages"] for one in space.layouts()} == {1}


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("reinforcement-learning", "reinforcement learning also generates text"),
        ("lora", "steps that train only adapters"),
        ("inference", "inference has no training steps"),
    ],
)
def test_a_job_of_a_kind_without_predicted_steps_is_refused_for_its_kind(kind: str, why: str) -> None:
    design: dict[str, Any] = of_options(**NONE | {"model": "llama-3-8b", "gpu": "h100", "gpus": "64", "tokens": "1B"})
    design["workloads"][0]["kind"] = kind
    assert why in plan_cluster(design, engine.shipped_engine()).settled.why


def test_gpus_of_a_job_stated_as_those_of_one_server_are_refused() -> None:
    design: dict[str, Any] = of_options(**NONE | {"model": "llama-3-8b", "gpu": "gb300", "tokens": "1T"})
    design["nodes"][0]["gpus"] = "256"
    with pytest.raises(UsageError, match=r"none has 256, the usual one has 4.*`runs_on: \{gpus: 256\}`"):
        plan_cluster(design, engine.shipped_engine())


def test_a_power_limit_is_missed_by_the_power_with_its_reserve() -> None:
    refused = plan(gpus="512", tokens="1T", power="1 MW").settled
    assert refused.why.startswith("512 GPUs need 1.4 MW from the utility, of which 22 % is reserve; ")


def test_a_stated_micro_batch_that_is_no_power_of_two_divides_the_batch() -> None:
    answer = plan({"micro_batch": "3"}, tokens="1T", gpus="64")
    assert not answer.error
    words = answer.layouts[0].words
    assert words["global_batch"] % (words["micro_batch"] * words["data"]) == 0
    refused = plan({"micro_batch": "3", "global_batch": "512"}, tokens="1T", gpus="64").settled
    assert refused.why.startswith("no layout with micro_batch 3")


@pytest.mark.parametrize(
    ("layout", "gpus"),
    [
        ({"data": "2", "context": "2"}, "24"),
        ({"data": "6"}, "96"),
        ({"data": "6", "micro_batch": "3"}, "96"),
        ({"data": "4", "recompute": "selective"}, "16"),
        ({"virtual_stages": "2"}, "64"),
        ({"schedule": "zero-bubble"}, "64"),
        ({"schedule": "interleaved"}, "64"),
        ({"schedule": "1f1b"}, "64"),
    ],
)
def test_the_rest_of_a_layout_is_chosen_to_go_with_what_is_stated_of_it(layout: dict[str, str], gpus: str) -> None:
    answer = plan(layout, tokens="1T", gpus=gpus)
    assert not answer.error
    assert [one.message for one in answer.findings if one.severity is not Severity.INFO] == []
    words = answer.layouts[0].words
    assert {name: str(words[name]) for name in layout if name in words} == {
        name: value for name, value in layout.items() if name in words
    }
    if "schedule" in layout:
        assert words["pipeline"] > 1
        assert (words["virtual_stages"] > 1) == (layout["schedule"] == "interleaved")


def test_only_the_word_that_no_formula_goes_with_is_blamed() -> None:
    """Weights of experts that are gathered layer by layer: neither sequence parallelism nor dropout is missing."""
    layout = {"tensor": "4", "zero_stage": "3", "schedule": "zero-bubble", "pipeline": "2"}
    refused = plan(layout, model="mixtral-8x7b", tokens="1T", gpus="128").settled
    assert refused.why.endswith("no formula gives it for this model with zero_stage 3")


@pytest.mark.parametrize(
    ("options", "still"),
    [
        (
            {"model": "llama-3-70b", "gpu": "v100-sxm2-32gb", "gpus": "16"},
            "optimizer state needs .* of CPU memory per server",
        ),
        ({"model": "70e9", "gpu": "h100-pcie", "gpus": "8"}, "optimizer state needs .* of CPU memory per server"),
        ({"model": "30e9", "gpu": "gb200", "gpus": "1"}, "the layout with the lowest memory use takes"),
    ],
)
def test_a_refusal_for_memory_says_what_keeps_the_optimizer_out_of_cpu_memory(
    options: dict[str, str], still: str
) -> None:
    refused = plan(None, "", tokens="0.5T", **options).settled
    assert re.search(f"of these GPUs are needed; with `offload: optimizer`, {still}", refused.why)
