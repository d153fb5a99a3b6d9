"""What to state next: what decides a stated target comes first, then possible errors; networks of management come last."""

from __future__ import annotations

from designlint.configuration import engine
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
    report = pipeline.lint(read_bytes(DESIGN.encode(), "design.yaml"), engine.shipped(), repair=False).report()
    facts = [fact for _, fact, _ in report.unlocking(1000)]
    assert all(fact.startswith("workloads/pretrain/") for fact in facts[:10])
    assert "workloads/pretrain/data/tokens" in facts[:5], "the deadline waits for it"
