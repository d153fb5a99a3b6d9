"""What the controllers of Kubernetes' jobs refuse: tasks, roles and schedulers that nothing has, ranks without a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import read
from tests.importers.test_pod_launches import VOLCANO

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("tree_sitter_bash", reason="commands of containers need designlint[jobs]")

ROLES = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: train}
spec:
  pytorchReplicaSpecs:
    NAME: {replicas: 4, template: {spec: {containers: [{name: pytorch}]}}}
"""
RANKS = """\
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: bench}
spec:
  tasks:
    - name: mpimaster
      replicas: 1
      template:
        spec:
          containers:
            - command: [mpirun, -np, "TASKS", -npernode, "8", all_reduce_perf]
    - name: worker
      replicas: 4
      template:
        spec:
          containers:
            - resources: {limits: {nvidia.com/gpu: 8}}
"""


def _clashes(path: Path, text: str) -> list[tuple[str, str]]:
    found = read(path, {"job.yaml": text}).clashes
    return [
        (one.rule, str(one.values.get("proposal") or one.values.get("name") or one.values.get("other")))
        for one in found
    ]


@pytest.mark.parametrize(
    ("plugins", "scheduler", "expected"),
    [
        ("[--master=master, --port=29500]", "volcano", []),
        ("[--master=master, --worker=workers]", "volcano", [("import/unknown-name", "workers")]),
        ("[]", "volcanoo", [("import/misspelt-key", "volcano")]),
        ("[]", "our-own-scheduler", []),
        ("[]\n    scv: [", "volcano", [("import/misspelt-key", "svc")]),
        ("[]\n    our-own: [", "volcano", []),
    ],
)
def test_plugins_of_volcano_and_schedulers_are_looked_up(
    plugins: str, scheduler: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    text = VOLCANO.replace(
        "{pytorch: []}", f"\n    pytorch: {plugins}\n  schedulerName: {scheduler}".replace("[\n", "[]\n")
    )
    text = text.replace("NODES", "4").replace("RANKS", "8").replace("HOST", "$(MASTER_ADDR):29500")
    assert _clashes(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("role", "expected"), [("Worker", []), ("worker", []), ("Wroker", [("import/misspelt-key", "Worker")])]
)
def test_roles_of_kubeflow_are_looked_up_in_any_case(
    role: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    assert _clashes(tmp_path, ROLES.replace("NAME", role)) == expected


@pytest.mark.parametrize(
    ("tasks", "expected"), [("32", []), ("16", []), ("64", [("import/conflict", "32 (8 on each of 4 workers)")])]
)
def test_ranks_of_mpi_fit_on_the_pods(tasks: str, expected: list[tuple[str, str]], tmp_path: Path) -> None:
    assert _clashes(tmp_path, RANKS.replace("TASKS", tasks)) == expected


def test_labels_and_limits_of_volumes_are_read_as_kubernetes_does(tmp_path: Path) -> None:
    text = ROLES.replace("NAME: {", "Worker: {").replace(
        "{name: train}", "{name: train, labels: {kueue.x-k8s.io/queue-nmae: a}}"
    )
    assert _clashes(tmp_path, text) == [("import/misspelt-key", "kueue.x-k8s.io/queue-name")]
    volume = "{spec: {volumes: [{name: shm, emptyDir: {sizeLimit: 250GB}}], "
    found = read(tmp_path, {"job.yaml": ROLES.replace("NAME: {", "Worker: {").replace("{spec: {", volume)}).clashes
    assert [(one.rule, one.values["text"]) for one in found] == [("import/not-a-value", "250GB")]
