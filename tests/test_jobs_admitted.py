"""What a cluster refuses of a job file: its partition, by account and servers; its queue, by resources, taints and labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read
from tests.test_jobs import found

if TYPE_CHECKING:
    from pathlib import Path

CLUSTER = """\
designlint: 1
nodes:
  - from: slurm.conf
  - {name: h, gpu: h100-sxm-80gb}
scheduler: {from: slurm.conf}
"""
SLURM = """\
ClusterName=hopper
SlurmctldHost=ctl1
GresTypes=gpu
NodeName=h[001-064] CPUs=224 RealMemory=2063000 Gres=gpu:h100:8 Feature=h100,ndr
PartitionName=batch Nodes=h[001-060] Default=YES MaxTime=2-00:00:00 AllowAccounts=llm,vision
PartitionName=debug Nodes=h[061-064] MaxTime=01:00:00 MaxNodes=2
PartitionName=long Nodes=h[001-060] MaxTime=7-00:00:00 AllowQos=long
"""


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ("-p batch -A llm -N 60", {}),
        ("-A LLM -N 4 -w h[001-004]", {}),
        ("-p debug -N 2 -w h[061-062]", {}),
        ("-p long -q long -N 60", {}),
        ("-p debug,batch -N 4", {}),
        ("-C h100&ndr -N 4", {}),
        ("-C h100&ndrr -N 4", {"constraint-misspelt": 2}),
        ("-n 4 -c 56 -N 1", {}),
        ("-n 4 -c 64 -N 1", {"more-cpus-than-the-server": 2}),
        ("-p batch -A robotics -N 4", {"account-not-admitted": 2}),
        ("-p long -q normal", {"qos-not-admitted": 2}),
        ("-p batch -N 64", {"more-servers-than-the-partition": 2}),
        ("-p debug -N 4", {"more-servers-than-the-partition": 2}),
        ("-p debug -q large -N 4", {}),
        ("-p debug -q large -N 5", {"more-servers-than-the-partition": 2}),
        ("-p debug -w h[001-002]", {"servers-outside-partition": 2}),
        ("-w h[070-071]", {"servers-outside-partition": 2}),
    ],
)
def test_a_partition_refuses_jobs_that_it_does_not_admit(options: str, rules: dict[str, int], tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    (tmp_path / "slurm.conf").write_text(SLURM)
    (tmp_path / "job.sbatch").write_text(
        f"#!/bin/bash\n#SBATCH {options}\n#SBATCH --gpus-per-node={4 if '-n' in options else 8} --time=30\nsrun ./a.out\n"
    )
    findings = found("job.sbatch", "--design", "cluster.yaml", cwd=tmp_path)
    assert {rule: line for rule, _, line in findings} == {f"scheduling/{name}": line for name, line in rules.items()}


KUEUE = """\
kind: ResourceFlavor
apiVersion: kueue.x-k8s.io/v1beta1
metadata: {name: h100}
spec:
  nodeLabels: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}
  nodeTaints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}, {key: soft, effect: PreferNoSchedule}]
---
kind: ResourceFlavor
apiVersion: kueue.x-k8s.io/v1beta1
metadata: {name: b200}
spec:
  nodeLabels: {nvidia.com/gpu.product: NVIDIA-B200}
  tolerations: [{operator: Exists}]
  nodeTaints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]
---
kind: ClusterQueue
apiVersion: kueue.x-k8s.io/v1beta1
metadata: {name: hopper}
spec:
  resourceGroups:
    - coveredResources: [cpu, nvidia.com/gpu, rdma/ib]
      flavors:
        - name: h100
          resources:
            - {name: cpu, nominalQuota: 99}
            - {name: nvidia.com/gpu, nominalQuota: 64}
            - {name: rdma/ib, nominalQuota: 64}
---
kind: ClusterQueue
apiVersion: kueue.x-k8s.io/v1beta1
metadata: {name: blackwell}
spec:
  resourceGroups:
    - coveredResources: [cpu, nvidia.com/gpu, rdma/ib]
      flavors: [{name: b200, resources: [{name: nvidia.com/gpu, nominalQuota: 64}]}]
---
kind: LocalQueue
apiVersion: kueue.x-k8s.io/v1beta1
metadata: {name: llm, namespace: team}
spec: {clusterQueue: hopper}
---
kind: LocalQueue
apiVersion: kueue.x-k8s.io/v1beta1
metadata: {name: new, namespace: team}
spec: {clusterQueue: blackwell}
---
kind: WorkloadPriorityClass
apiVersion: kueue.x-k8s.io/v1beta1
metadata: {name: production}
value: 1000
"""
MIXED = """\
designlint: 1
nodes:
  - {name: h, model: dgx-h100, count: 8, labels: ["nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3"]}
  - {name: b, model: dgx-b200, count: 8, labels: ["nvidia.com/gpu.product=NVIDIA-B200"]}
scheduler: {from: kueue.yaml}
"""
JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: lora, labels: {kueue.x-k8s.io/queue-name: llm, kueue.x-k8s.io/priority-class: production}}
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}
      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
      containers:
        - name: lora
          image: nvcr.io/nvidia/pytorch:25.01-py3
          command: [python, lora.py]
          resources: {limits: {cpu: 8, nvidia.com/gpu: 8, rdma/ib: 1}}
"""


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        ("", "", {}),
        ("key: nvidia.com/gpu, operator: Exists", "key: nvidia.com/gpu, value: present", {}),
        ("key: nvidia.com/gpu, operator: Exists, effect: NoSchedule", "operator: Exists", {}),
        (
            "      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]\n",
            "",
            {"taint-not-tolerated": 8},
        ),
        ("key: nvidia.com/gpu, op", "key: gpu, op", {"taint-not-tolerated": 10}),
        ("rdma/ib: 1", "rdma/hca: 1", {"resource-not-covered": 15}),
        ("rdma/ib: 1", "rdma/hca: 0", {}),
        ("nvidia.com/gpu: 8", "amd.com/gpu: 8", {"resource-not-covered": 15}),
        ("queue-name: llm", "queue-name: new", {"constraint-of-other-pool": 9, "other-gpus-than-the-pool": 9}),
        ("queue-name: llm", "queue-name: lm", {"unknown-queue": 3}),
        ("class: production", "class: prod", {"unknown-priority-class": 3}),
        ("nvidia.com/gpu: 8", "nvidia.com/gpu: 16", {"more-gpus-per-server-than-there-are": 15}),
        ("H100-80GB-HBM3", "H200", {"other-gpus-than-the-pool": 9}),
    ],
)
def test_a_queue_refuses_jobs_that_it_does_not_admit(old: str, new: str, rules: dict[str, int], tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text(MIXED)
    (tmp_path / "kueue.yaml").write_text(KUEUE)
    (tmp_path / "job.yaml").write_text(JOB.replace(old, new) if old else JOB)
    findings = found("job.yaml", "--design", "cluster.yaml", cwd=tmp_path)
    assert {rule: line for rule, _, line in findings if rule.startswith("scheduling/")} == {
        f"scheduling/{name}": line for name, line in rules.items()
    }


def test_a_label_that_a_template_fills_in_is_not_imported(tmp_path: Path) -> None:
    text = KUEUE.replace("NVIDIA-H100-80GB-HBM3", '"${product}"')
    queues = plain(read(tmp_path, {"queues.yaml": text}).words)["scheduler"]["queues"]
    labels = [label for queue in queues for label in queue.get("labels", [])]
    assert "NVIDIA-B200" in labels
    assert "${product}" not in labels
