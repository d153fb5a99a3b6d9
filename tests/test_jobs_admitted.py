"""What a cluster refuses of a job file: the partition by its account, its quality of service, its servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

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
NodeName=h[001-064] CPUs=224 RealMemory=2063000 Gres=gpu:h100:8
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
        ("-p batch -A robotics -N 4", {"account-not-admitted": 2}),
        ("-p long -q normal", {"qos-not-admitted": 2}),
        ("-p batch -N 64", {"more-servers-than-the-partition": 2}),
        ("-p debug -N 4", {"more-servers-than-the-partition": 2}),
        ("-p debug -w h[001-002]", {"servers-outside-partition": 2}),
        ("-w h[070-071]", {"servers-outside-partition": 2}),
    ],
)
def test_a_partition_refuses_jobs_that_it_does_not_admit(options: str, rules: dict[str, int], tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    (tmp_path / "slurm.conf").write_text(SLURM)
    (tmp_path / "job.sbatch").write_text(
        f"#!/bin/bash\n#SBATCH {options}\n#SBATCH --gpus-per-node=8 --time=30 --ntasks-per-node=8\nsrun ./all_reduce_perf\n"
    )
    findings = found("job.sbatch", "--design", "cluster.yaml", cwd=tmp_path)
    assert {rule: line for rule, _, line in findings} == {f"scheduling/{name}": line for name, line in rules.items()}
