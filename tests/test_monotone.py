"""Knowing less never accuses: a fact left out of a design that ran makes no new error and no new warning."""

from __future__ import annotations

import random

import pytest

from designlint.configuration import engine
from designlint.design.design import read
from designlint.findings.model import Severity
from designlint.judging.judge import judged
from designlint.reading import read_bytes

from .corpus.convert import Case, designs
from .test_properties import dump, load, places, without

#: Published designs that are taken apart, chosen at random once; all of them take five minutes.
TAKEN = 25
#: Others that a fact left out once accused.
MENDED = ("foundry-h100-80gb-3b-s2048-64gpu-mbs6-amp_bf16", "torchtitan-8b-128-compiled")
#: What names a part: without it, references to it dangle.
NAMES = ("designlint", "name")


def accused(text: str) -> set[tuple[str, str]]:
    """Rule and subject of every error and warning, but for names whose part was removed."""
    design = read(read_bytes(text.encode(), "design.yaml"), engine.shipped())
    return {
        (one.rule, one.subject)
        for one in judged(design).findings
        if one.severity is not Severity.INFO and one.rule != "shape/unknown-reference"
    }


def cases() -> list[Case]:
    ran = sorted((one for one in designs() if one.outcome == "ran"), key=lambda one: one.id)
    return [*random.Random(11).sample(ran, TAKEN), *(one for one in ran if one.id in MENDED)]


@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case.id))
def test_a_fact_left_out_accuses_nobody(case: Case) -> None:
    data = load(case.yaml)
    before = accused(dump(data))
    new = {
        (place, rule)
        for place in places(data)
        if place[-1] not in NAMES and not isinstance(place[-1], int)
        for rule, _ in accused(dump(without(data, place))) - before
    }
    assert new == set()
