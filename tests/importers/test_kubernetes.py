"""Manifests: jobs of several kinds, queues, and values that somebody else fills in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import at, place, plain, read

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("tree_sitter_bash", reason="commands of containers need designlint[jobs]")

MPI = """\
apiVersion: resource.nvidia.com/v1beta1
kind: ComputeDomain
metadata: {name: domain}
spec: {numNodes: 18}
---
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata:
  name: all-reduce
  labels: {kueue.x-k8s.io/queue-name: team-a}
spec:
  mpiReplicaSpecs:
    Launcher:
      replicas: 1
      template:
        spec:
          containers:
            - name: launcher
              command: [mpirun, -np, "72", -x, NCCL_DEBUG=INFO, /opt/all_reduce_perf, -b, 8G]
    Worker:
      replicas: 18
      template:
        metadata:
          annotations: {kueue.x-k8s.io/podset-required-topology: nvidia.com/gpu.clique}
        spec:
          containers:
            - name: worker
              image: registry.example/nccl:1
              resources:
                limits: {nvidia.com/gpu: 4, vpc.amazonaws.com/efa: 4}
"""


def test_workers_compute_and_launchers_do_not(tmp_path: Path) -> None:
    found = read(tmp_path, {"job.yaml": MPI})
    (words,) = plain(found.words["workloads"])
    assert words["job"] | {
        "workers": "18", "gpus_per_worker": "4", "adapters_per_worker": "4", "tasks": "72", "queue": "team-a",
        "topology_level": "nvidia.com/gpu.clique", "topology_required": "true",
    } == words["job"]  # fmt: skip
    assert words["runs_on"] == {"gpus": "72"}
    assert place(at(found, "workloads/0/job/workers")) == ("job.yaml", 21, "18")
    assert found.clashes == []


def test_a_compute_domain_of_another_size_is_found(tmp_path: Path) -> None:
    (clash,) = read(tmp_path, {"job.yaml": MPI.replace("numNodes: 18", "numNodes: 16")}).clashes
    assert (clash.rule, clash.values["where"]) == ("import/conflict", "job.yaml:4")


def test_variables_of_a_manifest_are_unknown(tmp_path: Path) -> None:
    text = MPI.replace("replicas: 18", "replicas: $NUM_NODES")
    found = read(tmp_path, {"job.yaml": text})
    assert "workers" not in plain(found.words["workloads"])[0]["job"]
    assert [one.word for one in found.unknowns] == ["workloads/all-reduce/job/workers"]


def test_a_script_inside_a_manifest_keeps_its_lines(tmp_path: Path) -> None:
    text = (
        "apiVersion: batch/v1\n"
        "kind: Job\n"
        "metadata: {name: train}\n"
        "spec:\n"
        "  parallelism: 2\n"
        "  template:\n"
        "    spec:\n"
        "      containers:\n"
        "        - command: [bash, -c]\n          args:\n            - |\n              TP=4\n"
        "              torchrun pretrain_gpt.py --num-layers 8 \\\n                --tensor-model-parallel-size $TP\n"
    )
    found = read(tmp_path, {"job.yaml": text})
    tensor = at(found, "workloads/0/parallelism/tensor")
    assert (tensor.text, tensor.line) == ("4", 12)


QUEUES = """\
apiVersion: kueue.x-k8s.io/v1beta1
kind: ResourceFlavor
metadata: {name: h100}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: training}
spec:
  resourceGroups:
    - coveredResources: [cpu, nvidia.com/gpu]
      flavors:
        - name: h200
          resources:
            - {name: cpu, nominalQuota: 100}
            - {name: nvidia.com/gpu, nominalQuota: 64, borrowingLimit: 8}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: team-a, namespace: a}
spec: {clusterQueue: training}
"""


def test_queues_with_quota_and_what_they_name_but_nobody_defines(tmp_path: Path) -> None:
    found = read(tmp_path, {"queues.yaml": QUEUES})
    scheduler = plain(found.words["scheduler"])
    assert scheduler["queues"] == [
        {
            "name": "training",
            "cpus": "100",
            "gpus": "64",
            "borrowing_limit": "8",
            "resources": ["cpu", "nvidia.com/gpu"],
            "flavours": ["h200"],
            "local_queues": ["team-a"],
        }
    ]
    assert [one.values["name"] for one in found.clashes] == ["h200"]


BATCH = """\
apiVersion: batch/v1
kind: Job
metadata: {name: tune}
spec:
  %s
  template:
    %s
    spec:
      %s
      containers:
        - {name: main, image: "nvidia/cuda:12.1.0-devel", resources: {limits: {nvidia.com/gpu: 8}}}
"""


def batch(tmp_path: Path, size: str, metadata: str = "", pod: str = "") -> dict[str, str]:
    (words,) = plain(read(tmp_path, {"job.yaml": BATCH % (size, metadata, pod)}).words["workloads"])
    job: dict[str, str] = words["job"]
    return job


@pytest.mark.parametrize(
    ("size", "workers"),
    [
        ("parallelism: 4", "4"),
        ("completions: 8", "1"),
        ("parallelism: 4\n  completions: 2", "2"),
        ("suspend: true", "1"),
    ],
)
def test_pods_that_run_at_a_time(tmp_path: Path, size: str, workers: str) -> None:
    assert batch(tmp_path, size)["workers"] == workers


def test_a_job_set_multiplies_jobs_with_their_pods(tmp_path: Path) -> None:
    text = (
        "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: a}\nspec:\n  replicatedJobs:\n"
        "  - {name: w, replicas: 3, template: {spec: {%s template: {spec: {containers: [{name: c, image: i, "
        "resources: {limits: {nvidia.com/gpu: 8}}}]}}}}}\n"
    )
    for stated, workers in (("", "3"), ("parallelism: 2,", "6")):
        (words,) = plain(read(tmp_path, {"set.yaml": text % stated}).words["workloads"])
        assert (words["job"]["workers"], words["runs_on"]["gpus"]) == (workers, str(int(workers) * 8))


@pytest.mark.parametrize(
    ("metadata", "pod", "stated"),
    [
        ("", "", "false"),
        ("", "nodeSelector: {nvidia.com/gpu.product: H100}", "false"),
        ("", "nodeSelector: {kubernetes.io/hostname: a}", "true"),
        ("", "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: []}}", "true"),
        ("metadata: {annotations: {kueue.x-k8s.io/podset-preferred-topology: rack}}", "", "true"),
    ],
)
def test_whether_a_job_of_several_pods_says_where_they_should_be(
    tmp_path: Path, metadata: str, pod: str, stated: str
) -> None:
    assert batch(tmp_path, "parallelism: 4", metadata, pod)["states_placement"] == stated
    assert "states_placement" not in batch(tmp_path, "parallelism: 1") or pod or metadata


def test_pods_that_only_start_ranks_on_others_are_no_workers(tmp_path: Path) -> None:
    text = """\
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: horovod}
spec:
  minAvailable: 4
  tasks:
    - replicas: 1
      name: master
      template: {spec: {containers: [{name: m, image: a, command: [sh, -c, "mpiexec -np 3 python t.py"]}]}}
    - {replicas: 3, name: worker, template: {spec: {containers: [{name: w, image: a, command: [sshd, -D]}]}}}
"""
    (words,) = plain(read(tmp_path, {"job.yaml": text}).words["workloads"])
    assert (words["job"]["workers"], words["job"]["tasks"]) == ("3", "3")


POD = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: train}
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 4
      template:
        spec:
          containers:
            - name: pytorch
              image: train:1
              resources: {limits: {nvidia.com/gpu: 8, ephemeral-storage: 500Gi}}
"""


def test_shared_memory_and_local_disks_of_pods(tmp_path: Path) -> None:
    found = read(tmp_path, {"job.yaml": POD})
    shared = at(found, "workloads/0/job/states_shared_memory")
    assert (shared.text, shared.how.value, shared.line) == ("false", "derived", 13)
    assert at(found, "workloads/0/job/local_storage").text == "500 GiB"
    mounted = f"{POD}              volumeMounts: [{{name: shm, mountPath: /dev/shm}}]\n"
    assert at(read(tmp_path, {"job.yaml": mounted}), "workloads/0/job/states_shared_memory").text == "true"
    host = POD.replace("          containers:", "          hostIPC: true\n          containers:")
    assert at(read(tmp_path, {"job.yaml": host}), "workloads/0/job/states_shared_memory").text == "true"


def test_what_a_runtime_or_an_operator_mounts_is_unknown(tmp_path: Path) -> None:
    text = (
        "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: r}\nspec:\n  workerGroupSpecs:\n"
        "    - groupName: w\n      replicas: 2\n      template: {spec: {containers: [{name: c, image: r:1,"
        " resources: {limits: {nvidia.com/gpu: 8}}}]}}\n"
    )
    assert "states_shared_memory" not in plain(read(tmp_path, {"ray.yaml": text}).words["workloads"])[0]["job"]


SET = """\
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: pretrain}
spec:
  serviceName: pretrain
  %s
  template:
    spec:
      containers:
        - name: trainer
          command: [%s]
          resources: {limits: {%s}}
"""


@pytest.mark.parametrize(
    ("replicas", "command", "servers"),
    [
        ("replicas: 4", "torchrun, --nnodes=4, train.py", "4"),
        ("replicas: 4", "accelerate, launch, --num_machines=4, train.py", "4"),
        ("replicas: 4", "sh, -c, deepspeed --num_gpus 8 train.py", "4"),
        ("podManagementPolicy: Parallel", "python, -m, torch.distributed.run, train.py", "1"),
    ],
)
def test_a_stateful_set_that_trains_is_a_job(replicas: str, command: str, servers: str, tmp_path: Path) -> None:
    (words,) = plain(read(tmp_path, {"job.yaml": SET % (replicas, command, "nvidia.com/gpu: 8")}).words["workloads"])
    assert (words["name"], words["job"]["workers"], words["job"]["gpus_per_worker"]) == ("pretrain", servers, "8")
    assert words["runs_on"]["gpus"] == str(int(servers) * 8)


@pytest.mark.parametrize(
    ("command", "resource"),
    [
        ("vllm, serve, --tensor-parallel-size=8", "nvidia.com/gpu: 8"),
        ("sh, -c, pip install accelerate deepspeed && vllm serve", "nvidia.com/gpu: 8"),
        ("torchrun, --nnodes=4, train.py", "cpu: 8"),
    ],
)
def test_a_stateful_set_that_serves_is_no_job(command: str, resource: str, tmp_path: Path) -> None:
    job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: train}\nspec: {template: {spec: {containers: []}}}\n---\n"
    found = read(tmp_path, {"job.yaml": job + SET % ("replicas: 4", command, resource)})
    assert [one["name"] for one in plain(found.words["workloads"])] == ["train"]
