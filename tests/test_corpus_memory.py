"""Memory that published jobs used on one GPU, against what is computed of their designs."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.reading import read_bytes

from .corpus.convert import designs

if TYPE_CHECKING:
    from designlint.language.kinds import Kind

LOWER = ("state_memory_floor", "memory_floor", "least_stage_memory", "stage_memory_floor")


@cache
def measured() -> dict[str, dict[str, Any]]:
    """The facts of each published job whose memory was measured."""
    shipped, found = engine.shipped_engine(), {}
    for case in designs():
        if "measured_memory" in case.yaml:
            design = read_design(read_bytes(case.yaml.encode(), case.id), shipped)
            assert not design.problems
            found[case.id] = design.graph.subjects["workloads/job"].facts
    return found


def test_there_are_some() -> None:
    assert len(measured()) >= 14


@pytest.mark.parametrize("bound", LOWER)
def test_no_lower_bound_is_above_what_was_used(bound: str) -> None:
    above = {one: facts[bound] for one, facts in measured().items() if facts.get(bound, 0) > facts["measured_memory"]}
    assert above == {}


def test_estimates_hold_within_their_stated_error() -> None:
    """TorchTitan's 8B, by operators and by layers, in one context and up to eight: what is printed is what was reserved."""
    kind: Kind = engine.shipped_engine().vocabulary.classes["Workload"]["memory_per_gpu"].certainty
    assert kind.error is not None
    ratios = {
        one: facts["memory_per_gpu"] / facts["measured_memory"]
        for one, facts in measured().items()
        if one.startswith("torchtitan-8b")
    }
    assert len(ratios) == 10
    assert {one: ratio for one, ratio in ratios.items() if abs(ratio - 1) > kind.error} == {}


def test_what_the_estimate_misses() -> None:
    """70B with 16 sequences on each of eight tensor ranks: a fifth of what was reserved is not explained."""
    facts = measured()["torchtitan-70b-2d"]
    assert facts["memory_per_gpu"] / facts["measured_memory"] == pytest.approx(0.78, abs=0.03)
