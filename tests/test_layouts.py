"""The search for a layout of a stated job, held against published runs, and as the fix of findings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.design.design import Design, read_design
from designlint.fixes import repairs
from designlint.fixes.layouts import proposals
from designlint.layouts import jobs
from designlint.layouts.search import Cost, Layout, LayoutSearch
from designlint.layouts.space import MOST_CONTEXT, MOST_PIPELINE, Space
from designlint.linting.pipeline import lint
from designlint.reading import read_bytes

from .corpus.convert import RUNS, designs, rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.graph.subjects import Subject

#: A job whose tensor-parallel groups leave the server, on GPUs whose step time is known or not.
BEYOND = """\
designlint: 1
nodes: [{{name: train, {gpu}, count: 8, networks: [{{fabric: compute, ports: 8, speed: 400 Gbit/s}}]}}]
fabrics: [{{name: compute, purpose: compute}}]
workloads:
  - name: pretrain
    model: {{model: llama-3-70b, sequence: 4096}}
    precision: bf16
    flash_attention: true
    software_profile: megatron-2025
    parallelism:
      {{tensor: 16, pipeline: 1, micro_batch: 1, global_batch: 512, zero_stage: 1, recompute: full, sequence_parallel: true}}
"""


def design(text: str) -> Design:
    return read_design(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine())


def only(one: Design) -> Subject:
    return one.graph.by_class["Workload"][0]


def fits(job: Subject) -> bool | None:
    """Whether the exact formulas say that a job fits; None where they are silent."""
    need, have = job.facts.get("memory_per_gpu"), job.facts.get("usable_gpu_memory")
    return None if not isinstance(need, float | int) or not isinstance(have, float | int) else need <= have


def split(text: str) -> Iterator[Subject]:
    """The job of a design with each layout that is proposed for it."""
    before = design(text)
    for one in proposals(only(before), before):
        (changed,) = repairs.of_words(*one, before).changed_files().values()
        yield only(design(changed))


def published(outcome: str) -> list[str]:
    return [case.yaml for case in designs() if case.outcome == outcome and "workloads" in case.yaml]


def test_what_did_not_fit_gets_a_layout_that_does() -> None:
    assert all(fits(next(split(text))) for text in published("did_not_fit"))


def test_what_ran_has_layouts_that_fit() -> None:
    """Of the runs whose memory is known exactly, looked at here and there."""
    found: Counter[bool | None] = Counter()
    for text in published("ran")[::9]:
        if fits(only(design(text))):
            found[all(map(fits, split(text)))] += 1
    assert found.keys() == {True}
    assert found.total() > 10


@pytest.mark.parametrize(
    ("gpu", "says"),
    [("model: dgx-h100", "s per step predicted"), ("gpu: {memory: 80 GB}, gpus: 8, scale_up_domain: 8", "as planned")],
)
def test_a_finding_of_layout_offers_the_planned_one(gpu: str, says: str) -> None:
    """With the fastest where times are known, else with the one that changes least."""
    text = BEYOND.format(gpu=gpu)
    before = design(text)
    found = next(proposals(only(before), before))
    assert says in found.title
    result = lint(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine())
    (finding,) = (one for one in result.findings if one.rule == "parallelism/tensor-beyond-scale-up-domain")
    assert finding.fixes[0].proven


def test_a_check_without_such_a_finding_searches_nothing() -> None:
    result = lint(
        read_bytes(BEYOND.format(gpu="model: dgx-h100").replace("tensor: 16", "tensor: 8").encode(), "design.yaml"),
        engine.shipped_engine(),
    )
    assert result.design.layouts == {}


class Counted(LayoutSearch):
    """A search that counts the layouts that it looks at."""

    asked = 0

    def cost(self, layout: dict[str, Any]) -> Cost | None:
        self.asked += 1
        return super().cost(layout)


def test_what_is_left_out_would_not_have_fitted() -> None:
    """Every layout of published jobs, costed one by one, gives the list that the search finds with less."""
    asked: Counter[str] = Counter()
    for text in published("ran")[::25]:
        before = design(text)
        space = jobs.space(only(before))
        if space is None:
            continue
        brute, search = (Counted(before.engine.plan, before.graph, only(before)) for _ in range(2))
        everything = list(space.layouts())
        wanted = [Layout(words, cost) for words in everything if (cost := brute.cost(words)) is not None]
        found = search.rank(space)
        assert sorted(map(repr, found)) == sorted(map(repr, wanted))
        assert (search.unknown, search.unpredicted) == (brute.unknown, brute.unpredicted)
        if not found and brute.smallest is not None:
            assert search.smallest is not None
            assert search.smallest[0] == brute.smallest[0]
        asked.update({"all": len(everything), "pruned": search.asked})
    assert asked["pruned"] < asked["all"] * 0.95


def test_only_so_many_jobs_of_a_design_are_searched() -> None:
    head, _, job = BEYOND.format(gpu="model: dgx-h100").partition("  - ")
    many = design(
        head + "".join(f"  - {job.replace('pretrain', f'job{number}')}" for number in range(jobs.MOST_JOBS + 2))
    )
    found = [jobs.of(many, one) for one in many.graph.by_class["Workload"]]
    assert [one is None for one in found] == [False] * jobs.MOST_JOBS + [True] * 2


def test_numbers_that_are_not_known_bound_nothing() -> None:
    known = Space(64, 128, 80, 64, 8, 8, 1, 4096, {}, 28672)
    unknown = Space(64, 128, 0, 0, 0, 8, 1, 0, {})
    degrees = [{(one["tensor"], one["pipeline"]) for one in space.layouts()} for space in (known, unknown)]
    assert degrees[0] < degrees[1]
    assert {one["tensor"] for one in Space(64, 128, 80, 64, 8, 8, 1, 4096, {}, 28670).layouts()} == {1, 2}


def test_published_runs_stay_within_the_degrees_that_are_tried() -> None:
    published = [row for table in (*RUNS, "step_times") for row in rows(table)]
    assert max(int(row.get("pipeline", 1)) for row in published) == MOST_PIPELINE
    assert max(int(row.get("context", 1)) for row in published) == MOST_CONTEXT
