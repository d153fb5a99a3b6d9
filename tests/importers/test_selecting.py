"""Pods: which servers they select, which devices they ask for, what their commands start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

SELECTING = """\
apiVersion: batch/v1
kind: Job
metadata: {{name: job}}
spec:
  parallelism: 2
  template:
    spec:
      {where}
      containers: [{{name: work, resources: {{limits: {asked}}}}}]
"""
AFFINE = (
    "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
    "{matchExpressions: [{key: %s, operator: %s, values: [%s]}]}]}}}"
)


@pytest.mark.parametrize(
    ("where", "asked", "constraint", "requests"),
    [
        ("nodeSelector: {node.kubernetes.io/instance-type: p5.48xlarge}", "{cpu: 4}", "p5.48xlarge", "false"),
        ("nodeSelector: {node.kubernetes.io/instance-type: m5.4xlarge}", "{cpu: 4}", "m5.4xlarge", None),
        ("nodeSelector: {nvidia.com/gpu.present: 'false'}", "{cpu: 4}", None, None),
        ("nodeSelector: {nvidia.com/gpu.present: 'true'}", "{cpu: 4}", None, "false"),
        (AFFINE % ("cloud.google.com/gke-accelerator", "In", "nvidia-b200"), "{cpu: 4}", "nvidia-b200", "false"),
        (AFFINE % ("node.coreweave.cloud/type", "In", "gb200-4x"), "{nvidia.com/gpu: 4}", "gb200-4x", "true"),
        (AFFINE % ("node.coreweave.cloud/type", "NotIn", "gb200-4x"), "{nvidia.com/gpu: 4}", None, None),
        (AFFINE % ("gpu.nvidia.com/class", "In", "H100, H200"), "{cpu: 4}", None, None),
        ("nodeSelector: {gpu.nvidia.com/class: H100}\n      resourceClaims: [{name: gpus}]", "{}", "H100", None),
    ],
)
def test_labels_of_servers_count_as_gpus_only_where_they_surely_have_some(
    tmp_path: Path, where: str, asked: str, constraint: str | None, requests: str | None
) -> None:
    (found,) = plain(read(tmp_path, {"job.yaml": SELECTING.format(where=where, asked=asked)}).words["workloads"])
    assert found["job"].get("constraint") == constraint
    assert found["job"].get("requests_gpus") == requests


@pytest.mark.parametrize(("name", "adapters"), [("rdma/ib", None), ("nvidia.com/hostdev", "1")])
def test_a_share_of_the_rdma_devices_is_no_number_of_adapters(tmp_path: Path, name: str, adapters: str | None) -> None:
    text = SELECTING.format(where="restartPolicy: Never", asked=f"{{nvidia.com/gpu: 8, {name}: 1}}")
    found = read(tmp_path, {"job.yaml": text})
    assert plain(found.words["workloads"])[0]["job"].get("adapters_per_worker") == adapters
    assert [one.value.text for one in found.facts if one.name == "shares of the RDMA devices"] == ["1"] * (not adapters)


def test_ranks_of_a_script_that_is_not_here_are_counted(tmp_path: Path) -> None:
    command = 'command: [bash, -c, "cd /; mpirun -x NCCL_DEBUG=INFO -np 16 /profile.sh"]'
    text = SELECTING.replace("name: work,", f"name: work, {command},").format(
        where="restartPolicy: Never", asked="{cpu: 4}"
    )
    (found,) = plain(read(tmp_path, {"job.yaml": text}).words["workloads"])
    assert (found["job"]["tasks"], found["environment"]) == ("16", {"nccl_debug": "info"})


def test_a_reservation_of_gke_is_the_jobs(tmp_path: Path) -> None:
    text = (
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: train}\nspec:\n  template:\n    spec:\n"
        "      nodeSelector: {cloud.google.com/reservation-name: team-a}\n"
        "      containers: [{name: worker, resources: {limits: {nvidia.com/gpu: 8}}}]\n"
    )
    (words,) = plain(read(tmp_path, {"job.yaml": text}).words["workloads"])
    assert words["job"]["reservation"] == "team-a"
