"""LeaderWorkerSets that train, and Kueue's own limit of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("tree_sitter_bash", reason="commands of containers need designlint[jobs]")

POD = """\
      spec:
        containers:
          - name: worker
            command: [sh, -c, "torchrun --nnodes=4 --nproc-per-node=8 --node-rank=$(LWS_WORKER_INDEX) train.py"]
            resources: {limits: {nvidia.com/gpu: 8}}
"""
SET = """\
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: train, labels: {kueue.x-k8s.io/queue-name: team, kueue.x-k8s.io/max-exec-time-seconds: "7200"}}
spec:
  replicas: 2
  leaderWorkerTemplate:
    size: 4
"""


@pytest.mark.parametrize("leader", ["", f"    leaderTemplate:\n{POD}"])
def test_a_set_of_leaders_and_workers_that_trains_is_a_job_of_one_group(tmp_path: Path, leader: str) -> None:
    found = read(tmp_path, {"job.yaml": f"{SET}{leader}    workerTemplate:\n{POD}"})
    (words,) = plain(found.words["workloads"])
    assert (words["job"]["workers"], words["runs_on"]["gpus"]) == ("4", "32")
    assert (words["job"]["walltime"], words["job"]["queue"]) == ("7200 s", "team")
    assert not found.clashes


def test_a_set_of_leaders_and_workers_that_serves_is_no_job(tmp_path: Path) -> None:
    text = f"{SET}    workerTemplate:\n{POD}".replace("torchrun", "vllm serve")
    assert "workloads" not in read(tmp_path, {"job.yaml": text}).words
