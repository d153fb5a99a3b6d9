"""What to state next: what decides a stated target comes first, then possible errors; networks of management come last."""

from __future__ import annotations

from designlint.configuration import engine
from designlint.findings.model import Verdict
from designlint.linting import pipeline
from designlint.reading import read_bytes

DESIGN = """\
designlint: 1
nodes: [{name: train, model: dgx-h100, count: 64}]
fabrics:
  - {name: oob, purpose: out-of-band}
  - {name: mgmt, purpose: management}
workloads:
  - name: pretrain
    model: {parameters: 70e9}
    targets: {mfu: 40 %, deadline: 30 days}
"""


def test_targets_come_before_networks_of_management() -> None:
    report = pipeline.lint(read_bytes(DESIGN.encode(), "design.yaml"), engine.shipped_engine(), repair=False).report()
    facts = [fact for _, fact, _ in report.unlocking(1000)]
    assert all(fact.startswith("workloads/pretrain/") for fact in facts[:10])
    assert "workloads/pretrain/data/tokens" in facts[:5], "the deadline waits for it"


def test_one_of_several_ways_to_a_figure_does_not_make_a_rule_inapplicable() -> None:
    """Steps are timed by a measurement, which a sound design need not have, or by a calculation."""
    text = b"workloads: [{name: pretrain, checkpoint: {interval_steps: 500, mode: synchronous, stall: 1 s}}]"
    found = {one.rule: one for one in pipeline.lint(read_bytes(text, "design.yaml"), engine.shipped_engine()).outcomes}
    assert found["checkpoint/too-rare"].verdict is Verdict.UNKNOWN
    assert "workloads/pretrain/parallelism/global_batch" in found["checkpoint/too-rare"].missing
    assert "workloads/pretrain/measured_step_time" not in found["checkpoint/too-rare"].missing


def test_nothing_is_asked_for_that_may_stand_behind_a_fault_of_syntax() -> None:
    text = b"designlint: 1\nnodes: [{name: a, count: 3\nfacility: {utility_power: 2 MW}\n"
    result = pipeline.lint(read_bytes(text, "design.yaml"), engine.shipped_engine())
    assert [one.rule for one in result.findings] == ["syntax/not-yaml"]
    assert pipeline.report([result.report()]).unlocking() == []


def test_a_job_that_serves_is_asked_for_nothing_of_training() -> None:
    text = (
        b"nodes: [{name: s, model: dgx-h200, count: 2}]\nworkloads: [{name: chat, kind: inference, model: llama-3-70b}]"
    )
    result = pipeline.lint(read_bytes(text, "design.yaml"), engine.shipped_engine(), repair=False)
    asked = {fact for _, fact, _ in result.report().unlocking(1000)}
    assert "workloads/chat/precision/weight_bytes" in asked
    assert not [one for one in asked if {"optimizer", "checkpoint", "global_batch"} & set(one.split("/"))]
    verdicts = {one.rule: one.verdict for one in result.outcomes}
    assert verdicts["checkpoint/exceed-capacity"] is Verdict.NOT_APPLICABLE
    assert verdicts["memory/least-need-beyond-gpu"] is Verdict.UNKNOWN
