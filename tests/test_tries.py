"""What proving fixes may cost: counted in readings of the design, never in seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.fixes import proof
from designlint.linting import pipeline
from designlint.reading import read_bytes, reader
from designlint.reading.stretches import replace_nodes
from designlint.reporters import render
from designlint.reporters.shared.options import RenderOptions

if TYPE_CHECKING:
    from designlint.findings.report import Report

TOPOLOGY = "{kind: fat-tree, tiers: 2, leaves: 4, host_ports_per_leaf: 48, uplinks_per_leaf: 16}"


def oversubscribed(number: int) -> str:
    """So many fabrics, each with one finding that has a fix."""
    listed = "".join(f"  - {{name: f{at}, purpose: compute, topology: {TOPOLOGY}}}\n" for at in range(number))
    return f"designlint: 1\nfabrics:\n{listed}"


def alike(number: int) -> str:
    """So many pools of one name."""
    return "designlint: 1\nnodes:\n" + "  - {name: a, count: 4}\n" * number


def misspelt(number: int) -> str:
    """So many units that nobody knows, each of another value."""
    listed = "".join(f"  - {{name: f{at}, speed: 4{at} Gibt/s}}\n" for at in range(number))
    return f"designlint: 1\nfabrics:\n{listed}"


def checked(text: str) -> Report:
    return pipeline.lint(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine()).report()


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The size of every text that is read again while fixes are proven."""
    found: list[int] = []
    for place in ("designlint.reading.edits", "designlint.fixes.repairs"):
        real = reader.read_bytes

        def counted(data: bytes, *rest: Any, real: Any = real) -> Any:
            found.append(len(data))
            return real(data, *rest)

        monkeypatch.setattr(f"{place}.read_bytes", counted)
    return found


@pytest.mark.parametrize("made", [oversubscribed, alike, misspelt])
def test_proving_has_one_budget_for_all_findings(
    made: Any, readings: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "BUDGET", 200_000)
    checked(made(60))
    assert 0 < sum(readings) < 4 * proof.BUDGET  # each try reads the text three times


def test_what_was_not_tried_is_counted_in_text_and_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "BUDGET", 1)
    report = checked(oversubscribed(2) + "nodes: [{name: a, count: 4}, {name: a, count: 4}]\n")
    assert report.untried >= 2
    assert f"Not tried: the fixes of {report.untried} findings" in render("text", report, RenderOptions())
    assert f'"fixes_not_tried": {report.untried}' in render("json", report, RenderOptions())


def test_nothing_is_said_where_all_was_tried() -> None:
    report = checked(oversubscribed(3))
    assert report.untried == 0
    assert "Not tried" not in render("text", report, RenderOptions())
    assert "fixes_not_tried" not in render("json", report, RenderOptions())


def test_fixes_that_are_proven_together_are_each_what_they_are_alone() -> None:
    text = oversubscribed(8)
    document = read_bytes(text.encode(), "design.yaml")
    together = [one for one in checked(text).findings if one.fixes]
    assert len(together) == 8 > proof.FEW
    for at, one in enumerate(together):
        mended = replace_nodes(document, one.fixes[0].replacements)
        changed = [
            number for number, (a, b) in enumerate(zip(text.splitlines(), mended.splitlines(), strict=True)) if a != b
        ]
        assert changed == [at + 2]
        assert one.message not in [other.message for other in checked(mended).findings]
