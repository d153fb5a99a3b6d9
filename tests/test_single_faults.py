"""Slips of single numbers in the examples: the share that is noticed does not fall below what docs/accuracy.md prints."""

from __future__ import annotations

import re
from functools import cache

import pytest
from msgspec.structs import replace
from tools.accuracy import faults
from tools.accuracy.faults import KINDS, TODAY, Result

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.fixes.trial import FactTrials
from designlint.judging.judge import judge_design
from designlint.reading import read_bytes

from .running import ROOT

#: By how many percent points a share may fall with a change of the rules or of the examples.
SLACK = 3


@cache
def found() -> list[Result]:
    """Every slip of every sound example."""
    return list(faults.results())


def printed(kind: str) -> int:
    """The share of a kind that the page says is noticed."""
    row = re.search(rf"^\| {re.escape(kind)} \| \d+ \| (\d+) %", faults.SECTION.read_text("utf-8"), re.MULTILINE)
    assert row is not None
    return int(row[1])


@pytest.mark.parametrize("kind", KINDS)
def test_as_many_slips_are_noticed_as_the_page_says(kind: str) -> None:
    outcomes = [one.outcome for one in found() if one.slip.kind == kind]
    assert len(outcomes) > 100
    assert 100 * outcomes.count("noticed") / len(outcomes) >= printed(kind) - SLACK


def test_a_slip_that_cannot_be_read_is_noticed() -> None:
    assert {one.outcome for one in found() if one.slip.statements is None} == {"noticed"}


def test_all_facts_are_put_back_after_each_slip() -> None:
    path = ROOT / "examples/superpod-4su/design.yaml"
    design = read_design(read_bytes(path.read_bytes(), path.name), replace(engine.shipped_engine(), today=TODAY))
    trials, slips = FactTrials(judge_design(design)), faults.slips_of_design(design)[::3]
    outcomes = [faults.outcome(one, trials) for one in slips]
    assert [faults.outcome(one, trials) for one in reversed(slips)] == outcomes[::-1]
    assert len(set(outcomes)) > 1
