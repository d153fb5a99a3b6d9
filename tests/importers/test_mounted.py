"""Configurations that a manifest holds itself, in a ConfigMap beside the job that names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import at, place, plain, read

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("tree_sitter_bash", reason="commands of containers need designlint[jobs]")

MOUNTED = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: configuration}
data:
  train.toml: |
    [model]
    name = "llama3"
    flavor = "70B"
    own = 1
    [training]
    seq_len = 8192
    [parallelism]
    tensor_parallel_degree = 2
  ds.json: |
    {
      "zero_optimization": {"stage": 3},
      "train_micro_batch_size_per_gpu": 4
    }
---
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  template:
    spec:
      containers:
        - name: worker
          command: [bash, -c, "COMMAND"]
          resources: {limits: {nvidia.com/gpu: 8}}
"""


def test_a_file_that_a_manifest_holds_is_read_where_the_job_names_it(tmp_path: Path) -> None:
    command = "torchrun --nproc_per_node=8 -m torchtitan.train --job.config_file /config/train.toml"
    found = read(tmp_path, {"job.yaml": MOUNTED.replace("COMMAND", command)})
    assert place(at(found, "workloads/0/parallelism/tensor")) == ("job.yaml", 13, "2")
    assert at(found, "workloads/0/model/model").text == "llama-3-70b"
    (account,) = found.accounts()
    assert account.unclear == (9, 14, 15, 16, 17, 18)  # `own`, and the file that nobody names
    found = read(
        tmp_path,
        {"job.yaml": MOUNTED.replace("COMMAND", "deepspeed train.py --deepspeed --deepspeed_config /config/ds.json")},
    )
    assert place(at(found, "workloads/0/parallelism/zero_stage"))[:2] == ("job.yaml", 16)
    assert at(found, "workloads/0/parallelism/micro_batch").text == "4"


def test_of_two_programs_the_one_that_a_launcher_starts_trains(tmp_path: Path) -> None:
    command = "python scripts/fetch.py --repo_id a && torchrun -m torchtitan.train --activation_checkpoint.mode full"
    (job,) = plain(read(tmp_path, {"job.yaml": MOUNTED.replace("COMMAND", command)}).words["workloads"])
    assert (job["framework"], job["parallelism"]["recompute"]) == ("torchtitan", "full")


def test_a_file_of_two_names_is_none_of_them(tmp_path: Path) -> None:
    command = "torchrun --nproc_per_node=8 -m torchtitan.train --job.config_file /config/train.toml"
    twice = MOUNTED.partition("---\n")[0] + "---\n" + MOUNTED.replace("COMMAND", command)
    found = read(tmp_path, {"job.yaml": twice})
    assert "parallelism" not in plain(found.words["workloads"])[0]
    assert any("train.toml is not read" in one.why for one in found.unknowns)


TUNED = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data:
  config.json: |
    {"model_name_or_path": "bigscience/bloom-560m", "output_dir": "/out", "per_device_train_batch_size": 4}
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: tune}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
        spec:
          containers:
            - name: pytorch
              env: [{name: SETTINGS, value: POINTED}]
              resources: {limits: {nvidia.com/gpu: 2}}
"""


@pytest.mark.parametrize(
    ("pointed", "batch"), [("/etc/config/config.json", "4"), ("/etc/other.json", None), ("config.json", None)]
)
def test_a_variable_points_an_image_to_its_configuration(tmp_path: Path, pointed: str, batch: str | None) -> None:
    found = read(tmp_path, {"job.yaml": TUNED.replace("POINTED", pointed)})
    (words,) = plain(found.words["workloads"])
    assert words.get("parallelism", {}).get("micro_batch") == batch
