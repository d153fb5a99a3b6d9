"""Rules that join subjects, asked again of some subjects after a change, answer what they answer when asked of all."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from designlint.configuration import engine
from designlint.expressions.selects.noting import NotedRun, affected_reads
from designlint.expressions.selects.parser import compile_select
from designlint.expressions.selects.python import select
from designlint.expressions.selects.rows import Cells
from designlint.graph.incremental import Dependencies, StatedFact, statement
from designlint.graph.index import Index
from designlint.judging.asking import judge
from designlint.judging.joins import Joins
from designlint.reading import read_bytes
from tests.running import ROOT
from tests.test_incremental import CHANGES, changed_value, design, stated

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from designlint.design.design import Design
    from designlint.judging.judgement import Judgement

RULES = [one for one in engine.shipped_engine().rules.values() if one.select]


def told(answers: Iterable[Judgement]) -> Counter[tuple[str, str, str]]:
    """Answers as they compare: subject, verdict and values."""
    return Counter((one.subject.path, one.verdict, str(sorted(one.values.items(), key=str))) for one in answers)


def changes(of: Design, chance: random.Random) -> list[Sequence[StatedFact]]:
    """Random changes: other values of one or two words, or one left out."""
    found: list[Sequence[StatedFact]] = []
    words = stated(of)
    while len(found) < CHANGES:
        made = []
        for path, node in chance.sample(words, chance.choice((1, 2))):
            other = None if chance.random() < 0.3 else read_bytes(changed_value(node, chance).encode(), "value").root
            made.append(statement(of.graph, path, other))
        if made and all(made):
            found.append([one for one in made if one is not None])
    return found


@pytest.mark.parametrize("name", ["hawk-4096", "superpod-4su", "moe-175b"])
def test_subjects_that_were_not_asked_again_answer_as_before(name: str) -> None:
    of = design((ROOT / "examples" / name / "design.yaml").read_text("utf-8"))
    before = {rule.id: judge(rule, of.judged) for rule in RULES}
    joins, dependencies = Joins(of.judged, RULES), Dependencies(engine.shipped_engine().plan, of.graph)
    apart, moved, spared = [one for one in RULES if one in joins], 0, 0
    for made in changes(of, random.Random(name)):
        with dependencies.assuming(made) as facts:
            parts, left = joins.again(apart, facts)
            assert left == []
            with of.judged.patching(facts):
                for part in parts:
                    kept = [one for one in before[part.rule.id] if one.subject not in part.subjects]
                    now = judge(part.rule, of.judged)
                    assert told([*kept, *part.answers]) == told(now), part.rule.id
                    moved += told(now) != told(before[part.rule.id])
                    spared += len(kept)
    assert len(apart) > len(RULES) * 0.9
    assert (moved > 20, spared > 1000) == (True, True), (moved, spared)


SHARED = """\
designlint: 1
nodes:
  - {name: left, model: dgx-h100, count: 4}
  - {name: right, model: dgx-h100, count: 4}
workloads:
  - {name: first, runs_on: {nodes: left, gpus: 32}}
  - {name: second, runs_on: {nodes: right, gpus: 32}}
"""


def test_sums_over_jobs_are_held_against_those_of_the_design_as_it_stands() -> None:
    of, rule = design(SHARED), engine.shipped_engine().rules["parallelism/idle-gpus"]
    joins, dependencies = Joins(of.judged, [rule]), Dependencies(engine.shipped_engine().plan, of.graph)
    for job, pool, gpus in (("first", "left", 8), ("second", "right", 16), ("first", "left", 24)):
        place = of.graph.subjects[f"workloads/{job}/runs_on"]
        with dependencies.assuming([StatedFact(place, "gpus", gpus)]) as facts:
            ((_, subjects, answers),), left = joins.again([rule], facts)
            assert ([one.path for one in subjects], left) == ([f"nodes/{pool}"], [])
            assert [one.values["wanted"] for one in answers] == [gpus]


TWO = """\
designlint: 1
workloads:
  - {name: first, framework: torchtitan}
  - {name: second, framework: torchtitan}
  - {name: third}
"""
QUERIES = {
    "who has the same": "?focus a :Workload ; :framework ?x . ?other :framework ?x .",
    "who has any": "?focus a :Workload . ?other :framework ?x .",
    "whether another has it": '?focus a :Workload . FILTER(NOT EXISTS { ?other :framework "megatron" . })',
    "how many have it": "?focus a :Workload . { SELECT (COUNT(?one) AS ?x) WHERE { ?one :framework ?y . } }",
    "along a path": "?focus a :Workload . OPTIONAL { ?design :workloads/:framework ?x . }",
}


@pytest.mark.parametrize("pattern", QUERIES.values(), ids=QUERIES.keys())
@pytest.mark.parametrize("value", ["megatron", None])
@pytest.mark.parametrize("name", ["second", "third"])
def test_an_answer_that_differs_reads_what_was_changed(pattern: str, value: str | None, name: str) -> None:
    graph = design(TWO).graph
    data = compile_select(f"SELECT ?focus ?other ?x WHERE {{ {pattern} }}", ())
    assert data is not None
    asked, subject = select(data), graph.subjects[f"workloads/{name}"]
    assert asked.leading == "focus"
    runs = {one: NotedRun(Index(graph), {}) for one in graph.by_class["Workload"]}
    before = {one: asked.answered(run, one) for one, run in runs.items()}
    old = subject.facts.pop("framework", None)
    if value is not None:
        subject.facts["framework"] = value
    changed = set(affected_reads(subject, "framework", old, value))
    for one, run in runs.items():
        now = asked.answered(NotedRun(Index(graph), {}), one)
        assert now == before[one] or not run.reads.isdisjoint(changed)
    whole = asked.rows(Index(graph))
    assert Counter(whole) == Counter(row for one in runs for row in asked.answered(NotedRun(Index(graph), {}), one))


def test_rows_of_a_group_of_several_subjects_are_asked_whole() -> None:
    alone = "SELECT ?x (COUNT(?focus) AS ?some) WHERE { ?focus a :Workload ; :framework ?x . } GROUP BY ?x"
    later = "SELECT ?focus ?other WHERE { ?other a :NodePool . ?focus a :Workload . }"
    assert [select(compile_select(one, ()) or {}).leading for one in (alone, later)] == ["", "other"]


def test_rows_of_an_inner_query_that_are_others_are_told_by_what_they_fit() -> None:
    before = Cells(2, [("a", 1), ("b", 2), ("c", 3)])
    now = Cells(2, [("a", 1), ("b", 2.0), ("d", 3)])
    assert set(before.differing(now) or ()) == {None, (str, "b"), (str, "c"), (str, "d")}
    assert list(before.differing(Cells(2, [("a", 1), ("b", 2), ("c", 3)])) or ()) == []
    assert before.differing(Cells(2, [(None, 1), ("b", 2)])) is None
