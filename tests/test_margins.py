"""Every margin agrees with the verdict: what fails is beyond its limit, what passes is within, over all that can be judged."""

from __future__ import annotations

import html
import json
import re
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from designlint.compiler import examples
from designlint.configuration import engine
from designlint.findings.model import Verdict
from designlint.judging.doubts import deciding_words
from designlint.linting import pipeline
from designlint.reading import Document, read_bytes
from designlint.reading.discovery import discover, open_document
from designlint.running.examples import DAY

from .corpus.convert import designs
from .running import ROOT, designlint

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from designlint.findings.model import Margin, Outcome
    from designlint.rules.engine import Engine

ENGINE = engine.shipped_engine()
MEASURED = [name for name, rule in ENGINE.rules.items() if rule.measuring(ENGINE.vocabulary.units, by_values=False)]
#: Rules that compare numbers and tell no margin, with what decides them instead.
WITHOUT = {
    "design/no-constraints": "whether anything is ordered only chooses between two answers",
    "design/no-risks": "whether anything is ordered only chooses between two answers",
    "design/no-workload": "whether anything is ordered only chooses between two answers",
    "evidence/ends-before-it-begins": "days",
    "evidence/expired": "days",
    "evidence/expires-before-launch": "days",
    "network/single-homed-without-spares": "a SELECT DISTINCT, whose rows a further column would part",
    "procurement/arrives-after-milestone": "days",
    "procurement/arrives-after-need": "days",
    "procurement/cooling-ready-after-gpus": "days",
    "procurement/cooling-ready-after-launch": "days",
    "procurement/delivered-before-ordered": "days",
    "procurement/delivered-in-future": "days",
    "procurement/facility-later-than-planned": "days",
    "procurement/gpus-ready-after-launch": "days",
    "procurement/needed-after-milestone": "days",
    "procurement/network-ready-after-launch": "days",
    "procurement/order-overdue": "days",
    "procurement/power-ready-after-gpus": "days",
    "procurement/power-ready-after-launch": "days",
    "procurement/software-ready-after-launch": "days",
    "procurement/storage-ready-after-launch": "days",
    "reliability/risk-reviewed-in-future": "days",
    "software/cuda-older-than-gpu": "versions",
    "software/cudnn-older-than-cuda": "versions",
    "software/driver-older-than-cuda": "versions",
    "software/driver-older-than-gpu": "versions",
    "software/driver-release-older-than-gpu": "versions",
    "software/drivers-older-than-adapter": "versions",
    "software/image-older-than-gpu": "versions",
    "software/nccl-older-than-cuda": "versions",
    "software/nccl-older-than-gpu": "versions",
    "software/pytorch-older-than-gpu": "versions",
}
#: Rules whose bad examples are bad by a condition without numbers.
DECIDED: tuple[str, ...] = (
    "network/uplink-faster-than-switch",
    "parallelism/data-degree-contradicts-gpus",
    "parallelism/weight-group-beyond-sharding-group",
)
#: A rule for each way in which comparisons are joined; what follows `judge` is filled in.
PACK = """\
title: t
severity: warning
since: 0.1.0
about: Workload
limits:
  most: {{value: "8", kind: Count, source: megascale-2024}}
judge: {judge}
message: "m"
problem: p.
remedy: r.
examples: {{}}
"""
DESIGN = """\
designlint: 1
nodes: [{name: train, model: dgx-h100, count: 4}]
workloads:
  - name: pretrain
    parallelism: {tensor: 16, pipeline: 3, sequence_parallel: true}
    targets: {deadline: 10 days}
"""


def test_every_comparison_is_told_in_short_plain_words() -> None:
    told = {one.margin.words for name in MEASURED for one in judged(name) if one.margin is not None}
    sides = {side for one in told for side in re.split(" [≤<≥>] ", one)}
    assert len(sides) > 300
    assert [one for one in sides if len(one) > 80 or set(one) & set('_?$"{}<>=&|')] == []


@cache
def judged(name: str) -> list[Outcome]:
    """What a rule says of its own examples."""
    rule = ENGINE.rules[name]
    alone = replace(ENGINE, rules={name: rule}, today=DAY)
    found = examples.of_rule(rule, ENGINE.vocabulary)
    documents = (read_bytes(one.design.encode(), "example/design.yaml") for one in found)
    steps = ENGINE.plan.needed_steps(deciding_words([rule], ENGINE.vocabulary))
    return [one for each in documents for one in outcomes(each, alone, steps)]


def outcomes(document: Document, chosen: Engine, steps: Collection[int] | None = None) -> list[Outcome]:
    return pipeline.lint(document, chosen, repair=False, margins=True, steps=steps).outcomes


def wrong(judgements: Iterable[Outcome]) -> Iterator[str]:
    """The judgements whose margin says otherwise than their verdict."""
    for one in judgements:
        if one.margin is not None and not agrees(one.margin, one.verdict):
            yield f"{one.file} {one.rule} {one.subject}: {one.verdict} with {one.margin}"


def agrees(margin: Margin, verdict: Verdict) -> bool:
    if margin.room == 0 and verdict is Verdict.FAIL:
        return margin.comparison in ("<", ">")  # at the limit of a strict comparison
    return margin.room >= 0 if verdict is Verdict.PASS else margin.room < 0 and verdict is Verdict.FAIL


@pytest.mark.parametrize("topic", sorted({name.partition("/")[0] for name in MEASURED}))
def test_margins_of_a_topics_examples_agree_with_their_verdicts(topic: str) -> None:
    found = {name: judged(name) for name in MEASURED if name.startswith(f"{topic}/")}
    assert [one for outcomes in found.values() for one in wrong(outcomes)] == []
    failed = {name: [one for one in outcomes if one.verdict is Verdict.FAIL] for name, outcomes in found.items()}
    without = [name for name, outcomes in failed.items() if not any(one.margin for one in outcomes)]
    assert without == [name for name in DECIDED if name in found]


def test_margins_of_whole_designs_agree_with_their_verdicts() -> None:
    shown = [open_document(path) for path in discover([str(ROOT / "examples"), str(ROOT / "tests/mutation/designs")])]
    found = [one for document in shown for one in outcomes(document, ENGINE)]
    assert sum(one.margin is not None for one in found) > 500
    assert list(wrong(found)) == []


def test_margins_of_published_designs_agree_with_their_verdicts() -> None:
    some = islice(designs(), 0, None, 3)
    found = [one for case in some for one in outcomes(read_bytes(case.yaml.encode(), case.id), ENGINE)]
    assert sum(one.margin is not None for one in found) > 3000
    assert list(wrong(found)) == []


def test_every_comparison_of_numbers_has_a_margin_or_a_reason() -> None:
    assert [name for name in WITHOUT if name in MEASURED or name not in ENGINE.rules] == []
    short = [name for name, one in ENGINE.rules.items() if one.condition and name not in MEASURED]
    assert [name for name in short if any(sign in ENGINE.rules[name].texts.judge for sign in "<>")] == [
        name for name in WITHOUT if ENGINE.rules[name].condition
    ]


#: Comparisons, joined in every way, and the margin that is told; empty where none is.
JOINED = [
        ("?tensor <= ?most", "tensor 16 <= most 8: -1"),
        ("?most >= ?tensor", "tensor 16 <= most 8: -1"),
        ("!(?tensor > ?most)", "tensor 16 <= most 8: -1"),
        ("!(!(?tensor <= ?most))", "tensor 16 <= most 8: -1"),
        ("((?tensor) <= (?most))", "tensor 16 <= most 8: -1"),
        ("?tensor<=?most", "tensor 16 <= most 8: -1"),
        ("?tensor * 2 <= ?most * ?pipeline", "tensor * 2 32 <= most * pipeline 24: -0.333333333333"),
        ("?tensor < 17", "tensor 16 <= 16: 0"),
        ("17 > ?tensor", "tensor 16 <= 16: 0"),
        ("?pipeline > 3", "pipeline 3 >= 4: -0.25"),
        ("?pipeline >= 0", "pipeline 3 >= 0: 1"),
        ("?tensor <= ?most && ?pipeline <= 4", "tensor 16 <= most 8: -1"),
        ("?tensor <= 20 && ?pipeline <= 4", "tensor 16 <= 20: 0.2"),
        ("?tensor <= ?most || ?pipeline <= 4", "pipeline 3 <= 4: 0.25"),
        ("?tensor <= ?most || ?pipeline <= 2", "pipeline 3 <= 2: -0.5"),
        ("!(?tensor > ?most && ?pipeline > 2)", "pipeline 3 <= 2: -0.5"),
        ("?tensor <= ?most || ?deadline <= ?training_time || ?pipeline <= 4", "pipeline 3 <= 4: 0.25"),
        ("?training_time <= ?deadline && ?pipeline <= 2", "pipeline 3 <= 2: -0.5"),
        ("?sequence_parallel && ?pipeline <= 4", "pipeline 3 <= 4: 0.25"),
        ("?sequence_parallel || ?pipeline <= 2", ""),
        ("!?sequence_parallel && ?pipeline <= 2", ""),
        ("!?sequence_parallel || ?pipeline <= 2", "pipeline 3 <= 2: -0.5"),
        ("?tensor = 16 && ?pipeline != 2", ""),
        ("?tensor IN (16, 17) && ?pipeline <= 4", "pipeline 3 <= 4: 0.25"),
        ("IF(?tensor > ?most, ?pipeline <= 4, ?pipeline <= 1)", "pipeline 3 <= 4: 0.25"),
        ("COALESCE(?training_time <= ?deadline, ?pipeline <= 2)", "pipeline 3 <= 2: -0.5"),
        ("?pipeline <= IF(?tensor > ?most, 4, 2)", "pipeline 3 <= IF(tensor > most, 4, 2) 4: 0.25"),
        ('?name < "z" && ?pipeline <= 4', "pipeline 3 <= 4: 0.25"),
        ("BOUND(?deadline) && ?pipeline <= 4", "pipeline 3 <= 4: 0.25"),
]  # fmt: skip


@pytest.fixture(scope="module")
def joined(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a pack with a rule for each of these says of one design."""
    folder = tmp_path_factory.mktemp("joined")
    (folder / "rules/own").mkdir(parents=True)
    for number, (judge, _) in enumerate(JOINED):
        (folder / f"rules/own/rule-{number}.yaml").write_text(PACK.format(judge=json.dumps(judge)), "utf-8")
    (folder / "design.yaml").write_text(DESIGN, "utf-8")
    return designlint(
        "check", "--margins", "--format", "json", "--rules", folder / "rules", folder / "design.yaml"
    ).data


@pytest.mark.parametrize("number", range(len(JOINED)), ids=lambda number: JOINED[number][0])
def test_joined_comparisons_tell_the_one_that_decides(number: int, joined: Any) -> None:
    told, rule = JOINED[number][1], f"own/rule-{number}"
    found = [said(one["margin"]) for one in joined["margins"] if one["rule"] == rule]
    assert found == [told] * bool(told)
    failed = [said(one["margin"]) for one in joined["findings"] if one["rule"] == rule and "margin" in one]
    assert failed == [one for one in found if ": -" in one]


def said(one: dict[str, Any]) -> str:
    """A margin as the cases spell it."""
    limit = one["limit_text"] if one["against"] == one["limit_text"] else f"{one['against']} {one['limit_text']}"
    return f"{one['name']} {one['text']} {one['comparison']} {limit}: {one['room']:.12g}"


def test_the_tightest_are_listed_first() -> None:
    run = designlint("check", "--margins", "examples/hawk-4096")
    table = run.out[run.out.index("The tightest of ") :].splitlines()
    assert table[1].split() == [
        "-100", "%", "workloads/pretrain", "tensor", "16", "<=", "scale_up_domain", "8",
        "parallelism/tensor-beyond-scale-up-domain", "examples/hawk-4096/design.yaml:91:15",
    ]  # fmt: skip
    rooms = [float(line.split()[0]) for line in table[1:-1]]
    assert rooms == sorted(rooms)
    assert len(rooms) == 15
    assert "exactly meet their limit" in table[-1]


def test_markdown_lists_them_too() -> None:
    run = designlint("check", "--margins", "--format", "markdown", "examples/hawk-4096")
    row = "| -100 % | workloads/pretrain | tensor 16 <= scale_up_domain 8 | parallelism/tensor-beyond-scale-up-domain |"
    assert row in html.unescape(run.out)
    assert "tightest" not in designlint("check", "--format", "markdown", "examples/hawk-4096").out


def test_without_asking_only_findings_tell_their_margin() -> None:
    data = designlint("check", "examples/hawk-4096", "--format", "json").data
    assert "margins" not in data
    rooms = {one["rule"]: one["margin"]["room"] for one in data["findings"] if "margin" in one}
    assert rooms["parallelism/tensor-beyond-scale-up-domain"] == -1
    assert all(room < 0 for room in rooms.values())


def test_what_doubts_a_stated_number_is_no_margin_of_the_design() -> None:
    """How plausible a target is stands in the report for machines, not in the list of what is nearest to its limit."""
    folder = str(ROOT / "examples/superpod-4su")
    listed = designlint("check", folder, "--margins").out
    every = designlint("check", folder, "--margins", "--format", "json").data["margins"]
    doubted = "reliability/goodput-beyond-published"
    assert doubted in {one["rule"] for one in every}
    assert doubted not in listed
    assert f"The tightest of {sum(not ENGINE.rules[one['rule']].texts.claim for one in every)} margins" in listed
