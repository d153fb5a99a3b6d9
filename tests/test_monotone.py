"""Knowing less never accuses: a fact left out of a design that ran makes no new error and no new warning."""

from __future__ import annotations

import random

import pytest

from designlint.findings.model import Severity
from designlint.judging.judge import Judged, judged, rejudged

from .corpus.convert import Case, designs
from .test_properties import design, dump, load, places, without

#: Published designs that are taken apart, chosen at random once; all of them take five minutes.
TAKEN = 25
#: Others that a fact left out once accused.
MENDED = ("foundry-h100-80gb-3b-s2048-64gpu-mbs6-amp_bf16", "torchtitan-8b-128-compiled")
#: What names a part: without it, references to it dangle.
NAMES = ("designlint", "name")


def accused(judged: Judged) -> set[tuple[str, str]]:
    """Rule and subject of every error and warning, but for names whose part was removed."""
    return {
        (one.rule, one.subject)
        for one in judged.findings
        if one.severity is not Severity.INFO and one.rule != "shape/unknown-reference"
    }


def cases() -> list[Case]:
    ran = sorted((one for one in designs() if one.outcome == "ran"), key=lambda one: one.id)
    return [*random.Random(11).sample(ran, TAKEN), *(one for one in ran if one.id in MENDED)]


@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case.id))
def test_a_fact_left_out_accuses_nobody(case: Case) -> None:
    data = load(case.yaml)
    before = judged(design(dump(data)))
    new = {
        (place, rule)
        for place in places(data)
        if place[-1] not in NAMES and not isinstance(place[-1], int)
        for rule, _ in accused(rejudged(before, design(dump(without(data, place))))) - accused(before)
    }
    assert new == set()
