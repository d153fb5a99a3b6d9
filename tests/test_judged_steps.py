"""A check makes only the calculations that some rule rests on, and says what it would say with all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.linting import pipeline
from designlint.reading import read_bytes
from designlint.rules.settings import Settings
from tests.running import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SHIPPED = engine.shipped_engine()
EXAMPLES = ("hawk-4096", "hawk-4096-revised", "impossible-1t", "moe-175b", "superpod-4su", "two-pods")
FABRIC = "fabrics: [{name: east, topology: {kind: torus, dimensions: [4, 4, 4]}}]\n"
WAIVER = "waivers: [{rule: network/leaf-oversubscribed, on: fabrics/east, reason: a%s}]\n"
COMMENT = "# designlint: ignore[network/leaf-oversubscribed] reason=a%s\n"
#: A rule about a word that no shipped rule reads.
RULE = """\
title: A torus has few neighbours
severity: warning
since: 0.1.0
about: Topology
judge: ?torus_degree >= 8
message: each switch has {torus_degree} neighbours
problem: A torus of few dimensions has long ways.
remedy: Use more dimensions.
principles: [practice/cables-match-ports]
examples:
  bad: []
  good: []
  unknown: []
"""


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_report_is_that_of_all_calculations(name: str) -> None:
    data = (ROOT / "examples" / name / "design.yaml").read_bytes()
    few, every = (
        pipeline.lint(read_bytes(data, "design.yaml"), SHIPPED, margins=True, steps=steps).report()
        for steps in (SHIPPED.steps, None)
    )
    assert few == every


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (FABRIC, False),
        (f"{FABRIC}# meanwhile: nothing\n", False),
        (FABRIC + WAIVER % "", False),
        (FABRIC + WAIVER % ", while: topology/torus_degree = 6", True),
        (FABRIC + WAIVER % ', "while" : topology/torus_degree = 6', True),
        (FABRIC + COMMENT % ' while="topology/torus_degree = 6"', True),
    ],
)
def test_a_waiver_with_a_condition_may_ask_for_any_word(text: str, known: bool) -> None:
    design = read_design(read_bytes(text.encode(), "design.yaml"), SHIPPED, steps=SHIPPED.steps)
    assert ("torus_degree" in design.graph.subjects["fabrics/east/topology"].facts) is known


def test_a_rule_of_the_users_own_may_read_any_word(tmp_path: Path) -> None:
    (tmp_path / "network").mkdir()
    (tmp_path / "network" / "few-neighbours.yaml").write_text(RULE, "utf-8")
    chosen = engine.configure_engine(Settings(rules=(tmp_path,)))
    found = pipeline.lint(read_bytes(FABRIC.encode(), "design.yaml"), chosen, steps=chosen.steps).findings
    assert [one.message for one in found if one.rule == "network/few-neighbours"] == ["each switch has 6 neighbours"]
