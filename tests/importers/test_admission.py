"""What the API server and the controllers of jobs refuse: names, types, choices, kinds, containers and volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

JOB = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: tune, labels: {team: vision}}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      restartPolicy: OnFailure
      template:
        spec:
          tolerations: [{key: gpu, operator: Exists, effect: NoSchedule}]
          containers:
            - name: pytorch
              image: train:1
              args: [--epochs, "3"]
              env: [{name: MASTER_PORT, value: "29500"}]
              resources: {limits: {nvidia.com/gpu: 8}}
              volumeMounts: [{name: data, mountPath: /data}]
          volumes: [{name: data, persistentVolumeClaim: {claimName: data-claim}}]
"""


def refused(folder: Path, text: str, settings: dict[str, str] | None = None) -> list[tuple[str, str]]:
    """Rule and what is refused."""
    found = read(folder, {"job.yaml": text}, settings=settings).clashes
    return [(one.rule.partition("/")[2], one.at.text) for one in found]


@pytest.mark.parametrize(
    ("old", "new", "rule", "at"),
    [
        ("name: tune", "name: tune_large", "not-a-value", "tune_large"),
        ("name: tune", "name: tune..large", "not-a-value", "tune..large"),
        ("claimName: data-claim", "claimName: Data", "not-a-value", "Data"),
        ("- name: pytorch", "- name: py_torch", "not-a-value", "py_torch"),
        ("value: \"29500\"", "value: 29500", "not-a-value", "29500"),
        ("team: vision", "team: true", "not-a-value", "true"),
        ("args: [--epochs, \"3\"]", "args: [--epochs, 3]", "not-a-value", "3"),
        ("OnFailure", "Onfailure", "not-a-value", "Onfailure"),
        ("operator: Exists", "operator: Exist", "not-a-value", "Exist"),
        ("nvidia.com/gpu: 8", "nvidia.com/gpu: 500m", "not-a-value", "500m"),
        ("kubeflow.org/v1", "kubeflow.org/v2", "misspelt-key", "kubeflow.org/v2"),
        ("kubeflow.org/v1", "batch/v1", "misspelt-key", "batch/v1"),
        ("kind: PyTorchJob", "kind: PytorchJob", "misspelt-key", "PytorchJob"),
        ("tolerations:", "tolerationss:", "misspelt-key", ""),
        ("replicas: 1", "replicas: 2", "pods-of-single-role", "2"),
        ("- name: pytorch", "- name: main", "container-of-other-name", "main"),
        ("[{name: data, mount", "[{name: date, mount", "volume-missing", "date"),
    ],
)  # fmt: skip
def test_what_is_refused_is_found_where_it_stands(old: str, new: str, rule: str, at: str, tmp_path: Path) -> None:
    assert refused(tmp_path, JOB) == []
    assert (rule, at) in refused(tmp_path, JOB.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("claimName: data-claim", "claimName: REPLACE_WITH_YOUR_PVC"),
        ("name: tune", "name: $NAME"),
        ("name: tune", "generateName: tune-"),
        ("value: \"29500\"", "value: $PORT"),
        ("nvidia.com/gpu: 8", "nvidia.com/gpu: PLACEHOLDER_NUM_GPU"),
        ("nvidia.com/gpu: 8", "nvidia.com/gpu: 8, cpu: 500m"),
        ("image: train:1", "tty: true"),  # a patch of a pod whose volumes stand elsewhere
    ],
)  # fmt: skip
def test_what_is_left_to_others_or_allowed_is_not(old: str, new: str, tmp_path: Path) -> None:
    text = JOB.replace(old, new, 1)
    assert (
        refused(tmp_path, text.replace("volumes: [{name: data", "volumes: [{name: da") if "tty" in new else text) == []
    )


def test_what_the_caller_fills_in_is_judged_as_the_file_spells_it(tmp_path: Path) -> None:
    text = JOB.replace('value: "29500"', 'value: "$PORT"')
    assert refused(tmp_path, text, {"PORT": "29500"}) == []


def test_a_misspelt_kind_is_read_as_the_one_that_is_meant(tmp_path: Path) -> None:
    found = read(tmp_path, {"job.yaml": JOB.replace("PyTorchJob", "PytorchJob")})
    assert plain(found.words["workloads"])[0]["job"]["gpus_per_worker"] == "8"


def test_an_object_of_another_group_is_none_of_these(tmp_path: Path) -> None:
    other = JOB.replace("kubeflow.org/v1", "example.org/v1").replace("kind: PyTorchJob", "kind: PytorchJob")
    assert read(tmp_path, {"job.yaml": other}).words == {}


WRAPPED = "\n".join(f"      {line}" for line in JOB.splitlines())
WRAPPER = f"""\
apiVersion: workload.codeflare.dev/v1beta2
kind: AppWrapper
metadata:
  name: %s
  %s: {{kueue.x-k8s.io/queue-name: team}}
spec:
  components:
  - template:
{WRAPPED}
"""


@pytest.mark.parametrize(
    ("name", "part", "rules"),
    [
        ("wrapped", "labels", []),
        ("wrapped", "annotations", ["queue-annotation"]),
        ("wrapped_job", "labels", ["not-a-value"]),
    ],
)
def test_what_holds_a_job_has_a_name_and_a_queue(name: str, part: str, rules: list[str], tmp_path: Path) -> None:
    text = WRAPPER.replace("%s", name, 1).replace("%s", part, 1)
    assert [rule for rule, _ in refused(tmp_path, text)] == rules
