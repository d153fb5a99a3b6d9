"""A change tried on the facts comes to the same as the change made in the files, for every repair that rules offer."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from designlint.compiler import examples
from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.findings.model import Severity
from designlint.fixes.proof import try_repairs, ways
from designlint.fixes.trial import FactTrials
from designlint.fixes.weighing import weigh_change
from designlint.graph.incremental import StatedFact, statement
from designlint.judging.doubts import deciding_words
from designlint.judging.judge import Judged, faults, judge_design, judgements, of_rule
from designlint.reading import read_bytes
from designlint.reading.edits import Edit, EditRefused, apply
from tests.running import ROOT
from tests.test_incremental import node_path, stated

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.findings.model import Finding

RULES = [one for one in engine.shipped_engine().rules.values() if not one.built_in and one.texts.fixes]
#: Enough for most numbers to lie where none was seen, or to contradict others.
TIMES = 16
LARGE = ["hawk-4096", "moe-175b", "superpod-4su", "gb200-nvl72"]


def compared(text: str) -> int:
    """How many repairs of a design were tried both ways; they agree."""
    design = read_design(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine())
    before = judge_design(design)
    trials, count = FactTrials(Judged(design, before.findings, before.verdicts)), 0
    for _, answers in judgements(design):
        for fault in faults(design, answers):
            for repair in ways(fault, design):
                if repair.refusal or not repair.placed or (quick := trials.of([repair])) is None:
                    continue
                try:
                    whole = try_repairs(before, [repair], [fault.finding])
                except EditRefused:
                    continue
                weight = weigh_change(quick.before, quick.after, [fault.finding], quick.verdicts)
                assert weight == (whole.cured, whole.gone, whole.new, 0), (fault.rule, repair.title)
                assert trials.weigh([repair], [fault.finding]) == weight, "without a word of the findings"
                count += 1
    return count


@pytest.mark.parametrize("topic", sorted({one.id.partition("/")[0] for one in RULES}))
def test_repairs_of_bad_examples_come_to_the_same(topic: str) -> None:
    count = 0
    for rule in (one for one in RULES if one.id.startswith(f"{topic}/")):
        for one in examples.of_rule(rule, engine.shipped_engine().vocabulary):
            if one.kind == "bad" and "designlint" in one.design:
                count += compared(one.design)
    assert count > 0 or topic in ("baseline", "evidence", "review", "shape", "syntax", "waiver")


@pytest.mark.parametrize("name", LARGE)
def test_numbers_many_times_as_large_bring_what_they_bring_in_the_file(name: str) -> None:
    text = (ROOT / "examples" / name / "design.yaml").read_text("utf-8")
    design = read_design(read_bytes(text.encode(), name), engine.shipped_engine())
    rules = {name: one for name, one in design.engine.rules.items() if name.startswith("numbers/")}
    steps = design.engine.plan.needed_steps(deciding_words(rules.values(), design.engine.vocabulary))
    before, asked = judge_design(design), list(rules)
    trials, count, differing = FactTrials(before, asked), 0, 0
    for path, node in stated(design):
        value = node.scalar()
        if not isinstance(value, int) or isinstance(value, bool) or value == 0:
            continue
        change = statement(design.graph, path, read_bytes(str(TIMES * value).encode(), "value").root)
        if change is None:
            continue
        with trials.assuming([change]) as changed:
            now = [one for one in before.findings if one not in changed.before] + changed.after
        place = (*node_path(design, path.rpartition("/")[0]), path.rpartition("/")[2])
        text = apply(design.document, [Edit("set", place, str(TIMES * value))])
        fresh = read_design(read_bytes(text.encode(), name), design.engine, steps=steps)
        expected = [one.finding for rule in asked for one in of_rule(fresh, rule)]
        assert keyed(one for one in now if one.rule in asked) == keyed(expected), path
        count, differing = count + 1, differing + (len(expected) > 0)
    assert count > 8
    assert differing > 2


def keyed(findings: Iterable[Finding]) -> Counter[tuple[str, str, str]]:
    """The findings that are told, by rule, subject and message."""
    return Counter((one.rule, one.subject, one.message) for one in findings)


def test_what_makes_a_finding_sure_follows_where_only_what_rules_read_is_calculated() -> None:
    text = (ROOT / "examples" / "llama3-405b" / "design.yaml").read_text("utf-8")
    text = text.replace("tensor: 8", "tensor: 12").replace("sequence: 8192", "sequence: 2097152")
    before = judge_design(read_design(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine()))
    change = StatedFact(before.design.graph.subjects["workloads/pretrain/parallelism"], "tensor", 8)
    for trials in (FactTrials(before), FactTrials(before, shown=())):
        with trials.assuming([change]) as changed:
            said = {one.rule: one.severity for one in changed.after}
        assert said["memory/need-beyond-gpu"] is Severity.ERROR


@pytest.mark.parametrize("name", LARGE)
def test_repairs_of_broken_designs_come_to_the_same(name: str) -> None:
    text = (ROOT / "examples" / name / "design.yaml").read_text("utf-8")
    text = (
        text.replace("tensor: 8", "tensor: 12", 1)
        .replace("count: 124", "count: 130")
        .replace("spines: 16", "spines: 12")
    )
    assert compared(text) >= (name == "hawk-4096")
