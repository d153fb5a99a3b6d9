"""Swaps of single values that are no numbers: the share that is noticed does not fall below what docs/accuracy.md prints."""

from __future__ import annotations

import re
from functools import cache

import pytest
from msgspec.structs import replace
from tools.accuracy import swaps
from tools.accuracy.faults import TODAY
from tools.accuracy.swapping import KINDS, Swap
from tools.accuracy.swaps import SAMPLE, Result

from designlint.configuration import engine

#: By how many percent points the share of the sample may fall with a change of the rules or of the examples.
SLACK = 4


@cache
def sample() -> list[Result]:
    """The swaps of the sample."""
    return list(swaps.results(replace(engine.shipped_engine(), today=TODAY), SAMPLE))


def test_as_many_swaps_are_noticed_as_the_page_says() -> None:
    row = re.search(r"^\| all \|.*\| (\d+) % \|$", swaps.SECTION.read_text("utf-8"), re.MULTILINE)
    assert row is not None
    assert swaps.noticed_share(sample(), "all") >= int(row[1]) - SLACK


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_tried(kind: str) -> None:
    assert any(one.swap.kind == kind for one in sample())


def test_a_swap_changes_what_it_says_and_nothing_else() -> None:
    """Each trial judges the changed text: a swap that writes the same text finds nothing new."""
    shipped = replace(engine.shipped_engine(), today=TODAY)
    trial = next(one for one in swaps.examples(shipped) if one.name == "superpod-4su")
    nodes = trial.root.entries["scheduler"].entries["kind"]
    same = Swap("value", "Scheduler/kind", "nothing", {id(nodes): "slurm"})
    assert swaps.outcome(trial, same).outcome == "silent"
    other = Swap("value", "Scheduler/kind", "another", {id(nodes): "slrm"})
    assert swaps.outcome(trial, other).new == ("shape/not-allowed-value",)
