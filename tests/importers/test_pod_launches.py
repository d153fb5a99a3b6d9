"""What the commands of pods say of their number and their GPUs, beside what the manifest asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read
from tests.importers.test_kubernetes import MPI

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("tree_sitter_bash", reason="commands of containers need designlint[jobs]")

VOLCANO = """\
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: train}
spec:
  minAvailable: 4
  plugins: {pytorch: []}
  tasks:
    - name: master
      replicas: 1
      template:
        spec: &spec
          containers:
            - name: train
              command: [torchrun, --nnodes=NODES, --nproc_per_node=RANKS, --rdzv_backend=c10d, --rdzv_endpoint=HOST, train.py]
              resources: {limits: {nvidia.com/gpu: 8}}
    - {name: worker, replicas: 3, template: {spec: *spec}}
"""


@pytest.mark.parametrize(
    ("nodes", "ranks", "host", "conflicts", "awaited", "met"),
    [
        ("4", "8", "$(MASTER_ADDR):29500", [], None, None),
        ("8", "8", "$(MASTER_ADDR):29500", [], "8", None),
        ("3", "8", "$(MASTER_ADDR):29500", [], "3", None),
        ("4", "4", "$(MASTER_ADDR):29500", [("gpus_per_worker", "8", "4")], None, None),
        ("4", "gpu", "localhost:29500", [], None, "localhost"),
    ],
)
def test_what_a_launcher_states_must_agree_with_its_pods(
    nodes: str,
    ranks: str,
    host: str,
    conflicts: list[tuple[str, str, str]],
    awaited: str | None,
    met: str | None,
    tmp_path: Path,
) -> None:
    text = VOLCANO.replace("NODES", nodes).replace("RANKS", ranks).replace("HOST", host)
    found = read(tmp_path, {"job.yaml": text})
    assert [(one.values["word"], one.values["one"], one.values["other"]) for one in found.clashes] == conflicts
    job = plain(found.words["workloads"])[0]["job"]
    assert (job.get("launcher_servers"), job.get("rendezvous")) == (awaited, met)


@pytest.mark.parametrize(
    ("options", "differ"),
    [
        ("--node_rank=0, --master_addr=a", "false"),
        ("--node_rank=$(RANK), --master_addr=a", None),
        ("--node_rank=0, --rdzv_backend=c10d", None),
    ],
)
def test_pods_of_one_template_need_ranks_of_their_own(options: str, differ: str | None, tmp_path: Path) -> None:
    text = (
        VOLCANO.replace("--rdzv_backend=c10d, --rdzv_endpoint=HOST", options)
        .replace("NODES", "4")
        .replace("RANKS", "8")
    )
    found = read(tmp_path, {"job.yaml": text})
    assert plain(found.words["workloads"])[0]["job"].get("server_ranks_differ") == differ


def test_ranks_of_a_benchmark_take_as_many_gpus_as_it_says(tmp_path: Path) -> None:
    start = "[mpirun, -np, '18', -npernode, '1', /opt/all_reduce_perf, -g, '{}']"
    given = '[mpirun, -np, "72", -x, NCCL_DEBUG=INFO, /opt/all_reduce_perf, -b, 8G]'
    found = [read(tmp_path, {"job.yaml": MPI.replace(given, start.format(gpus))}).clashes for gpus in (4, 2)]
    assert [[one.values["other"] for one in clashes] for clashes in found] == [[], ["2"]]


GROUP = """\
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: train}
spec:
  replicas: 2
  leaderWorkerTemplate:
    size: 4
    %workerTemplate:
      spec:
        containers:
          - name: train
            command: [torchrun, --nnodes=4, --nproc_per_node=8, --rdzv_endpoint=$(LWS_LEADER_ADDRESS):29500, train.py]
            resources: {limits: {nvidia.com/gpu: 8}}
"""
LEADER = """leaderTemplate:
      spec: {containers: [{name: train, command: [torchrun, --nnodes=4, train.py], resources: {limits: {nvidia.com/gpu: 8}}}]}
    """


@pytest.mark.parametrize("leader", ["", LEADER])
def test_a_group_of_leader_and_workers_is_a_job(leader: str, tmp_path: Path) -> None:
    found = read(tmp_path, {"job.yaml": GROUP.replace("%", leader)})
    (words,) = plain(found.words["workloads"])
    assert (words["job"]["workers"], words["runs_on"]["gpus"], found.clashes) == ("4", "32", [])


@pytest.mark.parametrize(
    "kind", ["apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet", "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job"]
)
def test_a_job_without_pods_is_read(kind: str, tmp_path: Path) -> None:
    found = read(tmp_path, {"job.yaml": f"{kind}\nmetadata: {{name: empty}}\nspec: {{}}\n"})
    assert "pods" not in plain(found.words["workloads"])[0]["job"]
