"""Quotas of Kueue: of several flavours, of CPUs and memory, and what a cohort lends; what pods ask for of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.linting.pipeline import lint
from designlint.reading import read_bytes
from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

QUEUE = """\
apiVersion: kueue.x-k8s.io/v1beta1
kind: ResourceFlavor
metadata: {name: h100}
spec: {topologyName: %s}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: Topology
metadata: {name: racks}
spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: training}
spec:
%s
  resourceGroups:
    - coveredResources: [cpu, memory, nvidia.com/gpu]
      flavors:
"""
FLAVOUR = """\
        - name: h100
          resources:
            - {name: cpu, nominalQuota: %s}
            - {name: memory, nominalQuota: 4Ti}
            - {name: nvidia.com/gpu, nominalQuota: 16}
"""
JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: tune, labels: {kueue.x-k8s.io/queue-name: training}}
spec:
  parallelism: 2
  completions: 2
  template:
    spec:
      containers:
        - name: main
          image: example/train
          resources: {requests: {cpu: 96, memory: 1000Gi}, limits: {cpu: 128, nvidia.com/gpu: 8}}
"""


def queue(
    tmp_path: Path, *flavours: str, cohort: str = "", topology: str = "racks"
) -> tuple[dict[str, Any], list[Any]]:
    found = read(tmp_path, {"queues.yaml": QUEUE % (topology, cohort) + "".join(flavours)})
    (words,) = plain(found.words["scheduler"])["queues"]
    return words, found.clashes


def test_quotas_of_cpus_and_memory(tmp_path: Path) -> None:
    words, clashes = queue(tmp_path, FLAVOUR % "5k")
    assert (words["gpus"], words["host_memory"], "cpus" in words) == ("16", "4 TiB", False)
    assert queue(tmp_path, FLAVOUR % "64000m")[0]["cpus"] == "64"
    assert clashes == []


def test_quotas_of_several_flavours_are_added(tmp_path: Path) -> None:
    words, _ = queue(tmp_path, FLAVOUR % 100, FLAVOUR % 200)
    assert (words["gpus"], words["cpus"], "host_memory" in words) == ("32", "300", False)


def test_a_topology_that_nothing_defines(tmp_path: Path) -> None:
    assert [one.values["name"] for one in queue(tmp_path, FLAVOUR % 100, topology="rack")[1]] == ["rack"]


def test_a_pod_asks_for_what_it_requests_not_for_its_limit(tmp_path: Path) -> None:
    job = plain(read(tmp_path, {"job.yaml": JOB}).words["workloads"])[0]["job"]
    assert (job["cpus_per_worker"], job["memory_per_worker"], job["gpus_per_worker"]) == ("96", "1000 GiB", "8")


@pytest.mark.parametrize(
    ("worker", "expected"),
    [
        ("96", {"cpus_per_worker": "96", "memory_per_worker": "1 TiB"}),
        ("64", {"largest_worker_cpus": "96", "memory_per_worker": "1 TiB"}),
        ("128", {"largest_worker_cpus": "128", "memory_per_worker": "1 TiB"}),
    ],
)
def test_kinds_of_pods_that_ask_for_the_same_ask_for_it_in_each(
    worker: str, expected: dict[str, str], tmp_path: Path
) -> None:
    pod = "{{spec: {{containers: [{{name: main, resources: {{limits: {{nvidia.com/gpu: 8, cpu: '{}', memory: 1Ti}}}}}}]}}}}"
    kinds = "".join(
        f"    {name}: {{replicas: {count}, template: {pod.format(many)}}}\n"
        for name, count, many in (("Master", 1, "96"), ("Worker", 3, worker))
    )
    text = "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: x}\nspec:\n  pytorchReplicaSpecs:\n" + kinds
    job = plain(read(tmp_path, {"job.yaml": text}).words["workloads"])[0]["job"]
    assert {key: value for key, value in job.items() if "_worker" in key and "gpus" not in key} == expected
    assert job["workers"] == "4"


@pytest.mark.parametrize(
    ("cohort", "rules"),
    [("", {"scheduling/job-beyond-cpu-quota"}), ("  cohort: all", set())],
    ids=["alone", "in a cohort"],
)
def test_cpus_that_end_before_the_gpus_keep_a_job_waiting(tmp_path: Path, cohort: str, rules: set[str]) -> None:
    (tmp_path / "queues.yaml").write_text(QUEUE % ("racks", cohort) + FLAVOUR % 100, "utf-8")
    (tmp_path / "job.yaml").write_text(JOB, "utf-8")
    design = "designlint: 1\nscheduler: {from: queues.yaml}\nworkloads: [{from: job.yaml}]\n"
    document = read_bytes(design.encode(), str(tmp_path / "design.yaml"))
    found = lint(document, engine.shipped_engine(), repair=False).findings
    assert {one.rule for one in found if "quota" in one.rule} == rules


def test_a_job_beyond_its_quota_may_borrow_of_the_cohort(tmp_path: Path) -> None:
    big = JOB.replace(": 2\n", ": 20\n")
    for cohort, rules in (("", {"scheduling/job-beyond-quota"}), ("  cohortName: all", set())):
        (tmp_path / "queues.yaml").write_text(QUEUE % ("racks", cohort) + FLAVOUR % 9000, "utf-8")
        (tmp_path / "job.yaml").write_text(big.replace("memory: 1000Gi", "memory: 1Gi"), "utf-8")
        design = "designlint: 1\nscheduler: {from: queues.yaml}\nworkloads: [{from: job.yaml}]\n"
        document = read_bytes(design.encode(), str(tmp_path / "design.yaml"))
        found = lint(document, engine.shipped_engine(), repair=False).findings
        assert {one.rule for one in found if "quota" in one.rule} == rules


def test_a_queue_on_hold_and_what_it_lends_are_not_passed_over(tmp_path: Path) -> None:
    flavour = (
        "        - name: h100\n          resources:\n            - name: nvidia.com/gpu\n              nominalQuota: 8\n"
        "              lendingLimit: 4\n  stopPolicy: {}\n"
    )
    for policy, lines in (("None", ["lendingLimit: 4"]), ("Hold", ["lendingLimit: 4", "stopPolicy: Hold"])):
        text = QUEUE % ("racks", "  cohort: all") + flavour.format(policy)
        [account] = read(tmp_path, {"queue.yaml": text}).accounts()
        assert [text.splitlines()[number - 1].strip() for number in account.unclear] == lines


@pytest.mark.parametrize(
    ("policies", "action"),
    [
        ("", "none"),
        ("preemption: {reclaimWithinCohort: Never}", "none"),
        ("preemption: {reclaimWithinCohort: Never, withinClusterQueue: LowerPriority}", "requeue"),
        ("preemption: {borrowWithinCohort: {policy: LowerPriority}}", "requeue"),
        ("preemption: {withinClusterQueue: '${policy}'}", None),
    ],
)
def test_what_kueue_evicts_waits_again(tmp_path: Path, policies: str, action: str | None) -> None:
    text = f"""\
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {{name: q}}
spec:
  {policies}
  resourceGroups:
    - coveredResources: [memory, gpu]
      flavors:
        - {{name: a, resources: [{{name: memory, nominalQuota: 4Gi}}]}}
        - {{name: b, resources: [{{name: gpu, nominalQuota: 4}}]}}
"""
    scheduler = plain(read(tmp_path, {"q.yaml": text}).words["scheduler"])
    assert scheduler.get("preemption") == action
    assert scheduler["queues"][0]["host_memory"] == "4 GiB"


def test_admission_by_past_use_is_fair_share(tmp_path: Path) -> None:
    text = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec:\n"
    text += "  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}\n---\n"
    text += (
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: MultiKueueConfig\nmetadata: {name: m}\nspec: {clusters: [a, b]}\n"
    )
    found = read(tmp_path, {"q.yaml": text})
    assert plain(found.words["scheduler"])["fair_share"] == "true"
    assert not any(one.unclear for one in found.accounts())


def test_a_resource_that_a_flavour_names_twice_counts_once(tmp_path: Path) -> None:
    gpus = "          - {name: nvidia.com/gpu, nominalQuota: 64}\n"
    queue = (
        "apiVersion: kueue.x-k8s.io/v1beta1\nkind: ClusterQueue\nmetadata: {name: all}\nspec:\n  resourceGroups:\n"
        "    - coveredResources: [nvidia.com/gpu]\n      flavors:\n      - name: h100\n        resources:\n"
    )
    same = read(tmp_path, {"queue.yaml": queue + gpus * 2})
    assert plain(same.words["scheduler"])["queues"][0]["gpus"] == "64"
    assert same.clashes == []
    other = read(tmp_path, {"queue.yaml": queue + gpus + gpus.replace("64", "32")})
    assert plain(other.words["scheduler"])["queues"][0]["gpus"] == "64"
    assert [(one.rule, one.values) for one in other.clashes] == [
        ("import/key-twice", {"name": "nvidia.com/gpu", "line": 10})
    ]
