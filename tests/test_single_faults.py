"""Slips of single numbers in the examples: the share that is noticed does not fall below what docs/accuracy.md prints."""

from __future__ import annotations

import re
from functools import cache

import pytest
from tools.accuracy import faults
from tools.accuracy.faults import KINDS, Result

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


def test_a_slip_that_cannot_be_read_is_noticed_and_all_facts_are_put_back() -> None:
    refused = [one for one in found() if one.slip.statements is None]
    assert {one.outcome for one in refused} == {"noticed"}
    again = [one.outcome for one in faults.results()]
    assert again == [one.outcome for one in found()]
