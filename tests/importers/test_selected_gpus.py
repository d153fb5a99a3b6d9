"""The type of GPU that a pod asks for by the labels of its servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {{name: train}}
spec:
  template:
    spec:
      nodeSelector: {{{}: {}}}
      containers: [{{name: main, resources: {{limits: {{nvidia.com/gpu: 8}}}}}}]
"""


@pytest.mark.parametrize(
    ("label", "value", "gpu"),
    [
        ("cloud.google.com/gke-accelerator", "nvidia-h100-80gb", "nvidia-h100-80gb"),
        ("nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB", "NVIDIA-A100-SXM4-80GB"),
        ("node.kubernetes.io/instance-type", "p5.48xlarge", "h100"),
        ("node.kubernetes.io/instance-type", "our-own", None),
        ("nvidia.com/gpu.present", "true", None),
        ("nvidia.com/gpu.product-family", "hopper", None),
    ],
)
def test_labels_that_name_a_gpu(label: str, value: str, gpu: str | None, tmp_path: Path) -> None:
    found = read(tmp_path, {"job.yaml": JOB.format(label, value)})
    assert plain(found.words["workloads"])[0]["job"].get("gpu") == gpu
