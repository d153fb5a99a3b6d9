"""What a search finds is an edge: the value is clean, the next one is not, and how it was found is sound."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint.exploring import search
from designlint.exploring.points import Explorer
from tests.running import designlint
from tests.test_what_if import hawk

if TYPE_CHECKING:
    from pathlib import Path


def test_a_large_count_is_sought_in_round_steps() -> None:
    of = hawk()
    sought = search.goal(of, "most workloads/pretrain/data/tokens with no compute/deadline-missed")
    assert (sought.values[0], sought.values[-1], len(sought.values)) == ("10000000000", "40000000000000", 4000)
    found = search.search(of, sought)
    assert found.bisected
    assert found.value is not None
    at = sought.values.index(found.value)
    explorer = Explorer(of, [sought.place])
    for value, missed in ((found.value, False), (sought.values[at + 1], True)):
        with explorer.at([value]) as state:
            assert any(map(sought.forbids, state.findings)) is missed


def test_a_search_finds_the_edge_and_says_how() -> None:
    of = hawk()
    found = search.search(of, search.goal(of, "fewest nodes/train/count with no parallelism/more-gpus-than-the-pool"))
    assert (found.value, found.bisected) == ("512", True)
    assert found.tried < 20
    assert {one.rule for one in found.beside} == {"parallelism/more-gpus-than-the-pool"}
    whole = search.search(of, search.goal(of, "fewest nodes/train/count in 500..520 with no error"))
    assert (whole.value, whole.bisected, whole.tried) == (None, False, 21)
    assert whole.reason


#: A lower bound meets the deadline on 25 servers; attention and the targeted goodput take 28.
NEARLY = """\
designlint: 1
nodes: [{name: train, model: mi300x-8gpu, count: 26}]
workloads:
  - name: pretrain
    model: {model: llama-3-70b, sequence: 8192}
    data: {tokens: 2e12}
    precision: bf16
    targets: {deadline: 90 days, mfu: 42 %, goodput: 95 %}
"""


def test_a_search_says_which_targets_may_be_missed_by_what_it_found(tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_text(NEARLY, "utf-8")
    goal = "fewest nodes/train/count in 24..30 with no"
    run = designlint("what-if", str(file), "--find", f"{goal} error")
    assert (run.code, run.out.splitlines()[0].split(" is ")[0]) == (0, "nodes/train/count = 25")
    told, target = run.out.splitlines()[-2:]
    assert told == "At 25, 1 warning and 1 note remain; about targets:"
    assert target.startswith("  warning[compute/deadline-missed-by-attention]: pretrain needs an MFU of 47 %")
    left = designlint("what-if", str(file), "--find", f"{goal} error", "--format", "json").data["remaining"]
    assert {one["rule"]: one["target"] for one in left} == {
        "compute/deadline-missed-by-attention": True,
        "servers/pool-unstated": True,
    }
    clean = designlint("what-if", str(file), "--find", f"{goal} warning")
    assert clean.out.startswith("nodes/train/count = 28 is")
    assert clean.out.splitlines()[-1] == "At 28, 1 note remains"
    fixed = designlint("what-if", str(file), "--find", f"{goal} error", "--set", "targets/goodput=40 %")
    assert "compute/deadline-missed-by-attention]: pretrain needs an MFU of 111 %" in fixed.out


@pytest.mark.parametrize(
    ("path", "values", "rule"),
    [
        ("nodes/train/count", "1..1024/31", "parallelism/more-gpus-than-the-pool"),
        ("nodes/train/count", "1..1024/31", "power/utility-exceeded"),
        ("workloads/pretrain/targets/deadline", "10 days..400 days/10", "compute/deadline-missed"),
        ("facility/utility_power", "1 MW..20 MW/1", "power/utility-exceeded"),
        ("workloads/pretrain/targets/mfu", "5 %..95 %/5", "compute/deadline-missed"),
        ("facility/racks/count", "1..300/20", "space/too-few-racks"),
    ],
)
def test_what_is_shown_to_be_monotone_is(path: str, values: str, rule: str) -> None:
    of = hawk()
    found = {}
    for end in ("fewest", "most"):
        goal = search.goal(of, f"{end} {path} in {values} with no {rule}")
        found[end] = search.search(of, goal)
        explorer = Explorer(of, [goal.place])
        clean = []
        for value in goal.values:
            with explorer.at([value]) as state:
                clean += [value] if not any(map(goal.forbids, state.findings)) else []
        assert found[end].value == (None if not clean else clean[0] if end == "fewest" else clean[-1])
    assert not all(one.bisected for one in found.values()) or found["fewest"].value == found["most"].value
