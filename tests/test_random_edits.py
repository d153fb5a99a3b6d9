"""A sample of the random edits and repairs that `make edits` makes ten thousand of."""

from __future__ import annotations

import random

import pytest

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.findings.model import Severity
from designlint.judging.judge import judge_design, rejudge_design
from designlint.reading import read_bytes
from designlint.reading.edits import EditRefused, apply

from .random_edits import LARGE, SEED, broken, run, sound


@pytest.mark.parametrize("part", range(4))
def test_edits_and_fixes_do_no_harm(part: int) -> None:
    tally = run(100, SEED + part)
    assert tally["made"] > 20
    assert tally["refused"] > 0
    assert tally["designs"] == 5


@pytest.mark.parametrize("name", LARGE)
def test_judging_what_changed_finds_what_judging_all_finds(name: str) -> None:
    chance = random.Random(SEED)
    document = read_bytes(sound()[name].encode(), name)
    state = judge_design(read_design(document, engine.shipped_engine()))
    seen = 0
    for _ in range(25):
        try:
            document = read_bytes(apply(document, [broken(document, chance)]).encode(), name)
        except EditRefused:
            continue
        design = read_design(document, engine.shipped_engine())
        state, whole = rejudge_design(state, design), judge_design(design)
        assert sorted(one.key for one in state.findings) == sorted(one.key for one in whole.findings)
        seen += len(whole.findings)
    assert seen


def test_a_word_that_only_makes_a_finding_sure_changes_how_severe_it_is() -> None:
    text = "designlint: 1\nworkloads: [{name: pretrain, kind: pretraining, model: {layers: 32, hidden: 2580, heads: 30}}]\n"
    before, after = (
        read_design(read_bytes(one.encode(), "design.yaml"), engine.shipped_engine())
        for one in (text, text.replace("heads: 30", "heads: 30, head_dimension: 86"))
    )
    for one in (rejudge_design(judge_design(before), after), judge_design(after)):
        (severity,) = (found.severity for found in one.findings if found.rule == "model/head-width-unaligned")
        assert severity is Severity.WARNING
