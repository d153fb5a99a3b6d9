"""What a plan says beside the design: what would change it, measured runs, days against GPUs, and its data."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING

import jsonschema_rs
import pytest
from tools import evidence

if TYPE_CHECKING:
    from designlint.planning.result import PlanAnswer

from designlint.configuration import engine
from designlint.layouts.search import Cost, Layout, domains_spanned, preferred_first
from designlint.planning.amounts import days
from designlint.planning.answer import lines, why_not
from designlint.planning.data import data
from designlint.planning.evidence import nearest, runs
from designlint.planning.frontier import figure, points
from designlint.reading.errors import UsageError
from tests.running import ROOT
from tests.test_plan import plan


def dense() -> PlanAnswer:
    return plan(model="llama-3-405b", tokens="15.6T", gpu="h100", gpus="2048")


def test_less_of_anything_never_makes_a_run_shorter() -> None:
    found = {one.what: one.longer for one in dense().changes if not one.what.startswith("FP8")}
    assert all(longer >= 0 for longer in found.values())
    assert 0.03 < found["10 % slower kernels"] < 0.111, "most of a step is kernels, and a tenth less cannot cost more"
    fewer = next(longer for what, longer in found.items() if "fewer GPUs" in what)
    assert fewer > 0.09


def test_a_job_without_a_network_does_not_depend_on_it() -> None:
    alone = plan(model="llama-3-8b", tokens="0.1T", gpu="h100", gpus="8")
    found = {one.what: one.longer for one in alone.changes}
    assert found["10 % slower network"] == pytest.approx(0, abs=1e-9)


def test_the_nearest_runs_are_of_the_model_and_the_gpu_where_there_are_any() -> None:
    first = nearest(dense())[0]
    assert (first.model, first.gpu, first.gpus) == ("llama3.1-405b", "h100-sxm-80gb", 2048)
    assert first.source
    mixture = plan(model="deepseek-v3", tokens="2T", gpu="gb200", gpus="512")
    assert nearest(mixture)[0].model == "deepseek-v3"


def test_the_shipped_runs_are_those_of_the_corpus() -> None:
    shipped = (ROOT / "ontology" / "measured-runs.csv").read_text("utf-8")
    assert evidence.text(engine.shipped_engine()) == shipped, "run `python -m tools.evidence`"
    assert all(0.02 < one.mfu < 0.75 for one in runs())


def test_more_gpus_take_fewer_days_and_the_plan_is_among_the_points() -> None:
    found = points(dense())
    assert [one.gpus for one in found if one.planned] == [2048]
    assert all(here.took > there.took for here, there in pairwise(found))
    assert all(here.power < there.power for here, there in pairwise(found))
    drawn = figure(dense(), found)
    assert drawn is not None
    assert "2048 GPUs" in drawn.alternative
    assert drawn.svg == (figure(dense(), points(dense())) or drawn).svg


def test_the_planned_point_is_that_of_the_chosen_layout_where_rules_pass_over_faster_ones() -> None:
    answer = plan(model="llama-3-8b", tokens="1T", gpu="h100", gpus="64")
    answer.layouts = [answer.layouts[5], *answer.layouts[:5]]
    here = next(one for one in points(answer) if one.planned)
    assert answer.settled.size is not None
    assert here.took == answer.settled.size.run_time(answer.layouts[0], sure=False)
    assert here.spent == 64 * here.took


def test_data_follows_the_published_schema() -> None:
    schema = json.loads((ROOT / "ontology/generated/plan.schema.json").read_text("utf-8"))
    found = data(dense(), 5)
    jsonschema_rs.validate(schema, found)
    jsonschema_rs.validate(schema, data(plan(model="llama-3-405b", gpu="h100", gpus="8"), 5))
    assert found["layouts"][0]["why_not"] == ""
    assert all(one["why_not"] for one in found["layouts"][1:])


def test_a_faster_layout_that_a_rule_speaks_against_is_said_to_be() -> None:
    answer = plan(model="deepseek-v3", tokens="0.5T", gpu="h200", gpus="1000")
    assert all(number and reason for number, reason in answer.passed.items())
    text = "\n".join(lines(answer, 5))
    assert all(reason in text for reason in answer.passed.values() if reason)


def test_the_same_brief_gives_the_same_answer() -> None:
    again = plan.__wrapped__(model="llama-3-405b", tokens="15.6T", gpu="h100", gpus="2048")
    assert again is not dense()
    assert again.text == dense().text
    assert list(lines(again, 5)) == list(lines(dense(), 5))


def test_groups_stay_in_one_scale_up_domain_where_that_costs_hardly_anything() -> None:
    def one(step: float, expert: int) -> Layout:
        words = {"tensor": 4, "context": 2, "expert": expert, "expert_tensor": None}
        return Layout(words, Cost(step, None, None, None, 0.0, 0.0, *(7 * [0.0])))

    wide, near, slow = one(10.0, 16), one(10.1, 8), one(10.5, 4)
    assert [domains_spanned(found.words, 8) for found in (wide, near, slow)] == [2, 1, 1]
    assert preferred_first([wide, near, slow], 8, 0.02) == [near, wide, slow]
    assert preferred_first([wide, slow], 8, 0.02) == [wide, slow]


def test_of_layouts_that_are_as_local_the_surest_comes_first() -> None:
    def layout(step: float, spread: float) -> Layout:
        words = {"tensor": 8, "context": 1, "expert": 1, "expert_tensor": None}
        return Layout(words, Cost(step, step / spread, step * spread, *(10 * [0.0])))

    unsure, sure, slow = layout(1.0, 1.3), layout(1.01, 1.1), layout(1.05, 1.1)
    assert preferred_first([unsure, sure, slow], 8, 0.02) == [sure, unsure, slow]
    assert preferred_first([unsure, slow], 8, 0.02) == [unsure, slow]


def test_a_step_with_experts_is_split_into_all_that_it_waits_for() -> None:
    answer = plan(model="mixtral-8x7b", gpu="h100", gpus="64")
    best = answer.layouts[0].cost
    assert best.waits["all-to-all with experts"] > 0
    assert best.work + sum(best.waits.values()) == pytest.approx(best.step)
    waits = best._replace(step=1.2 * best.step, experts=best.experts + 0.2 * best.step)
    assert why_not(answer, answer.layouts[0]._replace(cost=waits)).startswith("+20 %: all-to-all with experts")


def test_a_short_run_is_audited_within() -> None:
    answer = plan(model="llama-3-8b", gpu="h100", tokens="1T", deadline="20 days")
    assert "performance_audits: 10 days" in answer.text
    assert "operations/audits-too-rare" not in {one.rule for one in answer.findings}


def test_a_gpu_that_may_be_several_is_answered_with_them() -> None:
    with pytest.raises(
        UsageError, match="`a100` may be a100-sxm-40gb, a100-sxm-80gb, a100-pcie-80gb or a100-pcie-40gb: name one"
    ):
        plan(model="7e9", gpu="a100", gpus="8")


def test_long_runs_are_told_in_years() -> None:
    assert days(700 * 86400) == "700 days"
    assert days(700 * 86400, 800 * 86400) == "1.92 years", "as the time that it stands beside"
    assert days(36000) == "10 hours"
    assert days(12684 * 86400) == "34.8 years"


def test_long_steps_are_told_in_digits() -> None:
    told = "\n".join(lines(plan(model="deepseek-v3", gpu="mi300x", gpus="64", tokens="0.5T"), 4))
    assert re.search(r"Step \d{4} s \(\d{4} to \d{4}\)", told)
    assert not re.search(r"\de[+]\d", told)
