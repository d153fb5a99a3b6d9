"""The planned layout beside a stated one: compared, offered as a change, shown in the report and in editors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

from designlint.configuration import engine
from designlint.design.design import Design, read_design
from designlint.findings.model import Severity
from designlint.layouts import jobs
from designlint.linting.pipeline import lint
from designlint.planning import beside
from designlint.reading import read_bytes
from tests import reports
from tests.running import ROOT, designlint
from tests.test_lsp import HAWK, applied, session

if TYPE_CHECKING:
    from pathlib import Path

    from tools.session import Session


def design(text: str) -> Design:
    return read_design(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine())


def faults(text: str) -> set[str]:
    found = lint(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine(), repair=False).findings
    return {one.rule for one in found if one.severity is not Severity.INFO}


def test_the_planned_layout_of_a_design_is_faster_and_brings_no_fault() -> None:
    before = design(HAWK)
    (found,) = jobs.every(before)
    assert found.gain is not None
    assert found.gain > 0.1
    made = beside.repair(found, before)
    assert made is not None
    (text,) = made.changed_files().values()
    assert faults(text) < faults(HAWK)
    assert "parallelism/tensor-beyond-scale-up-domain" not in faults(text)
    (again,) = jobs.every(design(text))
    assert again.stated is not None
    assert again.stated.cost.step == pytest.approx(found.best.cost.step)
    assert beside.repair(again, design(text)) is None, "what is planned is not planned again"


@pytest.mark.parametrize("name", ["llama3-405b", "superpod-4su", "hawk-4096-revised"])
def test_no_stated_layout_is_faster_than_the_planned_one(name: str) -> None:
    for one in jobs.every(design((ROOT / "examples" / name / "design.yaml").read_text("utf-8"))):
        assert one.gain is None or one.gain > -0.01


def test_a_design_that_says_too_little_is_not_compared() -> None:
    text = "designlint: 1\nnodes: [{name: a, model: dgx-h100, count: 4}]\nworkloads: [{name: b, parallelism: {tensor: 16}}]\n"
    assert list(jobs.every(design(text))) == []


def test_the_report_shows_the_plan_beside_the_design() -> None:
    (layout,) = reports.data("examples/hawk-4096")["designs"][0]["layouts"]
    assert layout["subject"] == "workloads/pretrain"
    assert layout["step"] < layout["stated_step"]
    page = reports.html("examples/hawk-4096")
    assert "Stated and planned layouts" in page
    assert layout["planned"] in page


def test_editors_offer_the_planned_layout_where_the_layout_stands(tmp_path: Path) -> None:
    path = tmp_path / "design.yaml"
    row = HAWK[: HAWK.index("tensor: 16")].count("\n")
    kind = types.CodeActionKind.RefactorRewrite

    async def play(editor: Session) -> None:
        await editor.open(path, HAWK)
        here = types.Range(types.Position(row, 8), types.Position(row, 8))
        (action,) = await editor.actions(path, here, [kind])
        assert action.title.startswith("Split pretrain as planned: TP8")
        assert action.edit is not None
        made = applied(HAWK, list((action.edit.changes or {})[path.as_uri()]))
        assert "parallelism/tensor-beyond-scale-up-domain" not in faults(made)
        assert await editor.actions(path, types.Range(types.Position(0, 0), types.Position(0, 5)), [kind]) == []

    session(tmp_path, play)


def test_init_starts_from_a_plan(tmp_path: Path) -> None:
    run = designlint("init", "--plan", "70b,2T,h100,512", cwd=tmp_path)
    assert run.code == 0, run.err
    found = designlint("check", "design.yaml", "--format", "json", cwd=tmp_path).data["findings"]
    assert [one for one in found if one["severity"] != "info"] == []
    refused = designlint("init", "--plan", "405b,2T,h100,8", "other.yaml", cwd=tmp_path)
    assert refused.code == 2
    assert "of these GPUs are needed" in refused.err
    assert not (tmp_path / "other.yaml").exists()
    assert ".; " not in refused.err
    assert designlint("init", "--plan", "70b", "other.yaml", cwd=tmp_path).code == 2


def test_a_layout_within_the_scale_up_domain_is_offered_beside_faster_ones() -> None:
    """All of the fastest send tokens to experts beyond the domain, a finding of its own: none of them would cure."""
    text = (ROOT / "examples" / "moe-175b" / "design.yaml").read_text("utf-8").replace("mfu: 40 %", "mfu: 50 %")
    found = lint(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine()).findings
    (fix, *_) = next(one.fixes for one in found if one.rule == "compute/mfu-beyond-prediction")
    assert fix.title.startswith("Split pretrain as planned")
    assert "EP8" in fix.title
