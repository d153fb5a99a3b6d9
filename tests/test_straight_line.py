"""The function of the words that vary gives what the graph would hold, for every word that follows from them."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.graph.incremental import Dependencies, Place, StatedFact
from designlint.graph.straight_line import compile_function
from designlint.reading import read_bytes
from tests.running import ROOT

VARYING = {
    "tensor": (1, 2, 8, 16),
    "pipeline": (1, 4, 16),
    "micro_batch": (1, 2, None),
    "zero_stage": (0, 1, 3),
    "recompute": ("none", "selective", "full"),
    "sequence_parallel": (True, False, None),
}
TRIED = 60


def same(got: Any, wanted: Any) -> bool:
    """Whether two facts agree; those of the graph are kept to twelve digits."""
    if isinstance(got, float) or isinstance(wanted, float):
        return bool(got == pytest.approx(wanted, rel=1e-9))
    return bool(got == wanted)


@pytest.mark.parametrize("name", ["hawk-4096", "moe-175b", "llama3-405b", "gb200-nvl72"])
def test_everything_that_follows_is_calculated_alike(name: str) -> None:
    plan = engine.shipped_engine().plan
    graph = read_design(
        read_bytes((ROOT / "examples" / name / "design.yaml").read_bytes(), "design.yaml"), engine.shipped_engine()
    ).graph
    job = next(one for one in graph.by_class["Workload"] if "tensor" in one.facts["parallelism"].facts)  # type: ignore[union-attr]
    layout = graph.subjects[f"{job.path}/parallelism"]
    inputs = [Place(layout, word) for word in VARYING]
    dependencies = Dependencies(plan, graph)
    everything = [Place(job, step["word"]) for step in plan.steps if step["of"] == "Workload"]
    calculate = compile_function(plan, graph, inputs, everything)
    chance = random.Random(name)
    for values in chance.sample(list(product(*VARYING.values())), TRIED):
        stated = [StatedFact(place.subject, place.word, value) for place, value in zip(inputs, values, strict=True)]
        with dependencies.assuming(stated):
            wanted = [place.subject.facts.get(place.word) for place in everything]
            now = [place.subject.facts.get(place.word) for place in inputs]
        for place, got, expected in zip(everything, calculate(*now), wanted, strict=True):
            assert same(got, expected), f"{place.word} at {values}"


def test_what_is_stated_does_not_follow() -> None:
    text = b"designlint: 1\nworkloads: [{name: w, model: {parameters: 70e9, layers: 80, hidden: 8192, heads: 64}}]\n"
    graph = read_design(read_bytes(text, "design.yaml"), engine.shipped_engine()).graph
    model = graph.subjects["workloads/w/model"]
    layers, parameters, width = (Place(model, word) for word in ("layers", "parameters", "head_dimension"))
    calculate = compile_function(engine.shipped_engine().plan, graph, [layers], [parameters, width])
    assert calculate(10) == (70_000_000_000, 128)
