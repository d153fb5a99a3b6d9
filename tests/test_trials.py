"""A change tried on the facts comes to the same as the change made in the files, for every repair that rules offer."""

from __future__ import annotations

import pytest

from designlint.configuration import engine
from designlint.design.design import read
from designlint.fixes.proof import tried, ways, weighed
from designlint.fixes.trial import FactTrials
from designlint.judging.judge import Judged, faults, judged, judgements
from designlint.reading import read_bytes
from designlint.reading.edits import EditRefused
from designlint.running import examples
from tests.running import ROOT

RULES = [one for one in engine.shipped().rules.values() if not one.built_in and one.texts.fixes]
LARGE = ["hawk-4096", "moe-175b", "superpod-4su", "gb200-nvl72"]


def compared(text: str) -> int:
    """How many repairs of a design were tried both ways; they agree."""
    design = read(read_bytes(text.encode(), "design.yaml"), engine.shipped())
    before = judged(design)
    trials, count = FactTrials(Judged(design, before.findings, before.verdicts)), 0
    for _, answers in judgements(design):
        for fault in faults(design, answers):
            for repair in ways(fault, design):
                if repair.refusal or not repair.placed or (quick := trials.of([repair])) is None:
                    continue
                try:
                    whole = tried(before, [repair], [fault.finding])
                except EditRefused:
                    continue
                weight = weighed(quick.before, quick.after, [fault.finding], quick.verdicts)
                assert weight == (whole.cured, whole.gone, whole.new), (fault.rule, repair.title)
                count += 1
    return count


@pytest.mark.parametrize("topic", sorted({one.id.partition("/")[0] for one in RULES}))
def test_repairs_of_bad_examples_come_to_the_same(topic: str) -> None:
    count = 0
    for rule in (one for one in RULES if one.id.startswith(f"{topic}/")):
        for one in examples.of_rule(rule, engine.shipped().vocabulary):
            if one.kind == "bad" and "designlint" in one.design:
                count += compared(one.design)
    assert count > 0 or topic in ("baseline", "evidence", "review", "shape", "syntax", "waiver")


@pytest.mark.parametrize("name", LARGE)
def test_repairs_of_broken_designs_come_to_the_same(name: str) -> None:
    text = (ROOT / "examples" / name / "design.yaml").read_text("utf-8")
    text = (
        text.replace("tensor: 8", "tensor: 12", 1)
        .replace("count: 124", "count: 130")
        .replace("spines: 16", "spines: 12")
    )
    assert compared(text) >= (name == "hawk-4096")
