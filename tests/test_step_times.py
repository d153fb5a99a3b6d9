"""The shipped constants predict measured steps as the tables of the corpus say, and well enough."""

from __future__ import annotations

import pytest
from tools.accuracy import designs, step_times

from tests.corpus import convert, steps

JOB = "workloads/job"
#: Every so many rows are read as designs; all would take a quarter of a minute.
EVERY = 40
#: Most median and 90th percentile of errors on models that the fit had not seen, by class.
MOST = {
    "all": (0.06, 0.18),
    "weights shared out (FSDP, ZeRO-3)": (0.08, 0.20),
    "1,024 GPUs and more": (0.05, 0.18),
    "dense, Blackwell": (0.06, 0.18),
    "mixtures of experts": (0.12, 0.30),
}
#: Without Llama 3, mixtures alone say how fast Blackwell multiplies: nine in ten of its steps of dense models are of Llama 3.
WITHOUT_NEARLY_ALL = {("dense, Blackwell", "without_family"): (0.08, 0.18)}


@pytest.mark.parametrize("step", step_times.measure_steps()[::EVERY], ids=lambda step: step.row["id"])
def test_shipped_constants_predict_what_the_table_says(step: step_times.Step) -> None:
    """`make calibrate` was run after the last change of the model."""
    job = designs.read(steps.design(step.row)).graph.subjects[JOB]
    assert job.facts["predicted_step_time"] == pytest.approx(step.predicted["fitted"], rel=2e-3)


def test_steps_have_the_layout_of_the_curated_runs() -> None:
    words = [
        "gpu_count",
        "tensor",
        "pipeline",
        "virtual_stages",
        "context",
        "expert",
        "micro_batch",
        "global_batch",
        "sequence",
    ]
    curated = {row["id"]: row for row in convert.rows("runs")}
    pairs = [(row, curated[row["id"]]) for row in steps.rows() if row["id"] in curated]
    assert len(pairs) > 40
    other = [(one["id"], word) for one, run in pairs for word in words if run.get(word, one.get(word)) != one.get(word)]
    assert other == []


@pytest.mark.parametrize("column", ["without_model", "without_family"])
@pytest.mark.parametrize("name", MOST)
def test_errors_on_unseen_models(name: str, column: str) -> None:
    errors = sorted(
        abs(step.error(column)) for step in step_times.measure_steps() if step_times.CLASSES[name](step.row)
    )
    median, most = WITHOUT_NEARLY_ALL.get((name, column), MOST[name])
    assert step_times.quantile(errors, 0.5) <= median
    assert step_times.quantile(errors, 0.9) <= most


def test_interval_holds_about_four_steps_of_five() -> None:
    rows = step_times.measure_steps()
    held = [abs(step_times.log_error(step, "without_model")) <= step_times.width(step.row) for step in rows]
    assert 0.75 <= sum(held) / len(held) <= 0.9


@pytest.mark.parametrize("name", step_times.CLASSES)
def test_interval_holds_as_many_steps_of_unseen_publishers(name: str) -> None:
    rows = [step for step in step_times.measure_steps() if step_times.CLASSES[name](step.row)]
    held = [abs(step_times.log_error(step, "without_source")) <= step_times.width(step.row) for step in rows]
    assert 0.75 <= sum(held) / len(held) <= 0.9


def test_layouts_come_in_the_right_order() -> None:
    groups = [step_times.rank_group(group) for group in step_times.layouts(step_times.measure_steps()).values()]
    assert sum(group.rho for group in groups) / len(groups) >= 0.82


def test_every_step_has_a_source_and_an_architecture() -> None:
    rows = list(steps.rows())
    assert {row["set"] for row in rows} == {row["set"] for row in convert.rows("step_time_sets")}
    assert {row["model"] for row in rows} == set(steps.models())
    assert len({row["id"] for row in rows}) == len(rows)
