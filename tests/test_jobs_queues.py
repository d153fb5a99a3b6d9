"""Queues that a manifest defines beside its job: the job is held against them and against those of the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.test_jobs import CLUSTER, MANIFEST, found

if TYPE_CHECKING:
    from pathlib import Path

QUEUES = """\
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: team, namespace: vision}
spec: {clusterQueue: training}
---
"""
QUOTA = """\
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: training}
spec:
  resourceGroups:
    - coveredResources: [nvidia.com/gpu]
      flavors: [{name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: 8}]}]
---
"""
KUEUE = CLUSTER.replace(
    "kind: slurm", "kind: kubernetes\n  queues: [{name: training, gpus: 64, local_queues: [others]}]"
)


@pytest.mark.parametrize(
    ("queue", "beside", "rules"),
    [
        ("team", QUEUES, set()),
        ("others", QUEUES, set()),
        ("tema", QUEUES, {"scheduling/unknown-queue"}),
        ("team", "", {"scheduling/unknown-queue"}),
        ("team", QUEUES + QUOTA, {"scheduling/job-beyond-quota"}),
    ],
)
def test_queues_beside_a_job_are_queues_of_its_cluster(
    queue: str, beside: str, rules: set[str], tmp_path: Path
) -> None:
    (tmp_path / "cluster.yaml").write_text(KUEUE)
    job = MANIFEST.replace("{name: fsdp}", f"{{name: fsdp, labels: {{kueue.x-k8s.io/queue-name: {queue}}}}}")
    (tmp_path / "fsdp.yaml").write_text(beside + job.replace("replicas: 64", "replicas: 4"))
    findings = found("fsdp.yaml", "--design", "cluster.yaml", cwd=tmp_path)
    assert {rule for rule, _, _ in findings if "queue" in rule or "quota" in rule} == rules
