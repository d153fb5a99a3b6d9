"""`designlint check --since`: names of the catalogue that a change removes, with all the figures that came with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .test_since import SPLIT, check

if TYPE_CHECKING:
    from .repositories import Repo

DESIGN = """\
designlint: 1
nodes: [{name: train, model: dgx-h100, count: 4}]
fabrics:
  - name: compute
    purpose: compute
    speed: 400 Gbit/s
    topology: {kind: fat-tree, tiers: 2, switch: qm9700, leaves: 4, spines: 2, host_ports_per_leaf: 32, uplinks_per_leaf: 32}
workloads: [{name: pretrain, parallelism: {tensor: 8}}]
"""


def removed(repo: Repo) -> list[str]:
    run = check(repo, "--since", "HEAD", "--format", "json")
    messages = [one["message"] for one in run.data["findings"] if one["rule"] == "review/fact-removed"]
    return [one.split(", which decided ")[0] for one in messages]


@pytest.mark.parametrize(
    ("stated", "instead", "names"),
    [
        ("model: dgx-h100, ", "", ["removes nodes/train/model"]),
        ("model: dgx-h100, ", "gpu: h100, ", ["removes nodes/train/model"]),
        ("model: dgx-h100, ", "model: ours, gpus: 8, ", ["replaces nodes/train/model"]),
        ("switch: qm9700, ", "", ["removes fabrics/compute/topology/switch"]),
        ("model: dgx-h100, ", "model: dgx-h200, ", []),
    ],
)
def test_a_name_that_gave_what_decided_and_is_gone_is_found(
    repo: Repo, stated: str, instead: str, names: list[str]
) -> None:
    repo.commit(design=DESIGN)
    repo.write(design=DESIGN.replace(stated, instead).replace("tensor: 8", "tensor: 16"))
    assert removed(repo) == [f"this change {name}" for name in names]


def test_an_error_of_figures_that_are_still_there_is_one(repo: Repo) -> None:
    repo.commit(design=DESIGN)
    repo.write(
        design=DESIGN.replace("model: dgx-h100, ", "gpus: 8, scale_up_domain: 8, ").replace("tensor: 8", "tensor: 16")
    )
    run = check(repo, "--since", "HEAD", "--format", "json")
    assert SPLIT in [one["rule"] for one in run.data["findings"]]
