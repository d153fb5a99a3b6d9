"""The kinds of jobs: where each states its pods, and how many of them there are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, How, Value, Words, put, whole
from designlint.importers.kubernetes import admission, bounds, hosts, limits, ray, volcano, volumes
from designlint.importers.kubernetes.commands import Pod, variables
from designlint.importers.kubernetes.pods import GPUS, PodGroup, label, read_container, totals_of_pods, words
from designlint.importers.kubernetes.quantities import all_cpus, all_memory
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import count, get

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from designlint.importers.base import Context, Source
    from designlint.reading import Node

QUEUE, PRIORITY = "kueue.x-k8s.io/queue-name", "kueue.x-k8s.io/priority-class"
#: Kueue's own limit of a job, in seconds.
LONGEST = "kueue.x-k8s.io/max-exec-time-seconds"
#: An object that holds others.
WRAPPER = "AppWrapper"
#: Kinds whose pods never end, as those of a service.
SERVICES = ("StatefulSet", "LeaderWorkerSet")
#: Commands that train on several pods: one of these kinds with such a command is a job, any other is a service.
TRAINING = re.compile(
    r"\btorchrun\b|\btorch\.distributed\.(?:run|launch)\b|\baccelerate\s+launch\b|\bdeepspeed\s+(?:--|\S+\.py\b)"
)


def objects(source: Source) -> Iterator[tuple[Node, Value | None]]:
    """The objects of a manifest; those inside an AppWrapper, which Kueue admits together, and the queue that it names."""
    for root in structured.roots(source):
        kind = root.entries.get("kind")
        inside = Table(source, root).tables("spec/components") if kind is not None and kind.text == WRAPPER else []
        parts = [one.at("template") for one in inside]
        for part in parts or [root]:
            if part is not None and part.kind == "map":
                yield part, label(Table(source, root), QUEUE) if parts else None


def is_job(top: Table) -> bool:
    """Whether an object is a job; what usually serves is where its pods have GPUs and start a launcher of training."""
    kind = top.get("kind")
    if kind is None or kind.text not in SERVICES:
        return kind is not None and (kind.text in GROUPS or kind.text == "CronJob")
    return any(one.requests(GPUS) is not None and one.calls(TRAINING) for one in GROUPS[kind.text](top))


def job(top: Table, found: Fragment, context: Context, name: Value, around: Value | None = None) -> Words:
    """
    The words of a job of any kind.

    Args:
        around: the queue of the object that holds it.
    """
    kind, version = top.get("kind"), top.get("apiVersion")
    path = f"workloads/{name.text}"
    key = "VolcanoJob" if version is not None and "volcano" in version.text else kind.text if kind is not None else ""
    queue = label(top, QUEUE) or top.get("spec/queue")
    if kind is not None and kind.text == "CronJob":
        key, top = key.replace("Cron", ""), top.table("spec/jobTemplate")
    groups = GROUPS[key](top)
    result = words(groups, found, path, context)
    hosts.resolves(result, (one.hosts for one in groups))
    if key == "TrainJob":
        _train_job(top, result, found, path, context)
    if key in ray.KINDS:
        ray.job(top, result, found, path, context)
    put(result, "job/submitted_to", kind.but("kubernetes", f"it is a {kind.text}") if kind is not None else None)
    queue = label(top, QUEUE) or top.get("spec/queue") or label(top, volcano.QUEUE) or queue or around
    put(result, "job/queue", queue.as_text() if queue is not None else None)
    priority = label(top, PRIORITY)
    put(result, "job/priority", priority and priority.as_text())
    if queue is None:
        report_misplaced(top, found)
    _check_processes(top, result, found)
    _limits(top, result)
    _placement(top, key, kind, result)
    volumes.left_out(key, result)
    if key == "VolcanoJob":
        volcano.report(top, found)
    bounds.report(top, key, found)
    admission.report(top, key, groups, found)
    return result


def report_misplaced(top: Table, found: Fragment) -> None:
    """Notes a queue that is named in an annotation, where Kueue does not look."""
    for where in ("metadata", "spec/template/metadata"):
        misplaced = top.table(where).table("annotations")
        node = misplaced.node.entries.get(QUEUE) if misplaced.node is not None else None
        if node is not None:
            at = top.source.value(node.text, node.key_start, node.end)
            found.fact("queue named in an annotation", at.as_text())
            found.clash("import/queue-annotation", at, name=node.text[:60])


def _check_processes(top: Table, result: Words, found: Fragment) -> None:
    """The processes that an operator has torchrun start in each pod must be its GPUs."""
    number = count(top.get("spec/nprocPerNode", "spec/trainer/numProcPerNode"))
    known = get(result, "job/gpus_per_worker")
    if number is not None and known is not None and whole(known) and whole(known) != whole(number):
        place = number.place
        found.clash("import/conflict", known, word="gpus_per_worker", one=known.text, other=number.text, where=place)


def _placement(top: Table, key: str, at: Value | None, result: Words) -> None:
    """Whether a job of several pods says where they should be; a TrainJob's runtime may."""
    workers = get(result, "job/workers")
    several = workers is not None and (whole(workers) or 0) > 1
    if at is None or key == "TrainJob" or not several or get(result, "job/states_placement") is not None:
        return
    exclusive = next((one for one in top.table("metadata/annotations").names() if one.endswith("-topology")), None)
    stated = exclusive is not None or top.at("spec/networkTopology") is not None
    put(result, "job/states_placement", at.but(stated, "" if stated else "no topology request, affinity or host name"))


def _limits(top: Table, result: Words) -> None:
    """Deadlines, gangs, elastic sizes."""
    deadline = count(top.get("spec/activeDeadlineSeconds", "spec/runPolicy/activeDeadlineSeconds"))
    if deadline is None:
        for one in top.tables("spec/replicatedJobs"):
            stated = one.get("template/spec/activeDeadlineSeconds", "template/spec/template/spec/activeDeadlineSeconds")
            deadline = deadline or count(stated)
    deadline = deadline or count(label(top, LONGEST))
    put(result, "job/walltime", deadline and deadline.but(f"{deadline.text} s", "", deadline.how))
    for key in ("spec/minAvailable", "spec/runPolicy/schedulingPolicy/minAvailable", "spec/elasticPolicy/minReplicas"):
        put(result, "job/minimum_workers", count(top.get(key)))
    put(result, "job/maximum_workers", count(top.get("spec/elasticPolicy/maxReplicas")))


def _replicas(key: str) -> Callable[[Table], list[PodGroup]]:
    """Groups of Kubeflow's v1 jobs: a mapping of roles."""

    def groups(top: Table) -> list[PodGroup]:
        roles = top.table(key)
        return [
            PodGroup(
                role,
                roles.get(f"{role}/replicas") or _one_pod(roles.at(role), top.source),
                roles.table(f"{role}/template"),
                "",
                [roles.table(f"{role}/template/metadata")],
            )
            for role in roles.names()
        ]

    return groups


def _one_pod(node: Node | None, source: Source) -> Value | None:
    """What Kubeflow fills in for a role that states no number of pods."""
    if node is None or node.kind != "map" or "replicas" in node.entries:
        return None
    return Value("", source, node.start, node.start).but(1, "Kubeflow: one pod unless replicas are stated", How.DEFAULT)


def _mpi_job(top: Table) -> list[PodGroup]:
    """The launcher and the workers of MPI, with the places for ranks in each of these; the first version has workers alone."""
    groups, slots = _replicas("spec/mpiReplicaSpecs")(top), count(top.get("spec/slotsPerWorker"))
    if not groups and top.at("spec/template") is not None:
        groups = [PodGroup("worker", top.get("spec/replicas"), top.table("spec/template"), "", [top.table("metadata")])]
    for one in groups:
        one.slots = slots
    return groups


def _batch(top: Table) -> list[PodGroup]:
    return [
        PodGroup(
            "worker", _at_once(top, ""), top.table("spec/template"), "", [top.table("metadata")], hosts.of_job(top)
        )
    ]


def _stateful_set(top: Table) -> list[PodGroup]:
    spec, stated = top.at("spec"), top.get("spec/replicas")
    if stated is None and spec is not None:
        at = Value("", top.source, spec.start, spec.start)
        stated = at.but(1, "Kubernetes: one pod unless replicas are stated", How.DEFAULT)
    template = top.table("spec/template")
    return [PodGroup("worker", stated, template, "", [top.table("metadata")], hosts.of_stateful_set(top))]


def _leader_worker_set(top: Table) -> list[PodGroup]:
    """A leader and its workers, which are one job: replicas repeat it. A leader without a template has that of the workers."""
    inside, metadata = "spec/leaderWorkerTemplate", [top.table("metadata")]
    size, worker = top.get(f"{inside}/size"), top.table(f"{inside}/workerTemplate")
    number, leader = whole(count(size)), top.table(f"{inside}/leaderTemplate")
    if size is None or number is None or not leader:
        return [PodGroup("worker", size, worker, "", metadata)]
    rest = size.but(max(number - 1, 0), f"{number} pods, their leader aside")
    return [
        PodGroup("leader", size.but(1, "leader"), leader, "", metadata),
        PodGroup("worker", rest, worker, "", metadata),
    ]


def _at_once(job: Table, path: str) -> Value | None:
    """Pods of a job that run at a time: its parallelism, one when left out, and no more than it has to complete."""
    spec, stated = job.at(f"{path}spec"), job.get(f"{path}spec/parallelism")
    if spec is None:
        return None
    at = Value("", job.source, spec.start, spec.start)
    number = stated or at.but(1, "Kubernetes: one pod at a time unless parallelism is stated", How.DEFAULT)
    most = count(job.get(f"{path}spec/completions"))
    return most if most is not None and (whole(most) or 0) < (whole(count(number)) or 0) else number


def _job_set(top: Table) -> list[PodGroup]:
    found = []
    for one in top.tables("spec/replicatedJobs"):
        times, number, note = one.get("replicas"), _at_once(one, "template/"), ""
        name = one.get("name")
        jobs, pods = whole(count(times)), whole(count(number))
        if times is not None and number is not None and jobs is not None and pods is not None and jobs != 1:
            how = times.but(jobs * pods) if number.how is How.DEFAULT else number.but(jobs * pods)
            number, note = how, f"{times.text} jobs of {number.text} pods"
        elif times is not None and jobs is None:
            number = times
        template = one.table("template/spec/template")
        found.append(
            PodGroup(
                name.text if name is not None else "",
                number,
                template,
                note,
                [one.table("template/metadata"), top.table("metadata")],
                hosts.of_job_set(top, one, name.text) if name is not None else None,
            )
        )
    return found


def _trainer(top: Table) -> list[PodGroup]:
    return [PodGroup("trainer", top.get("spec/trainer/numNodes"), top.table("spec/trainer/podTemplate"))]


def _train_job(top: Table, result: Words, found: Fragment, path: str, context: Context) -> None:
    """Kubeflow Trainer keeps pods in a runtime; the job states sizes, resources and what is started itself."""
    found.fact("runtime", top.get("spec/runtimeRef/name"))
    trainer = top.table("spec/trainer")
    limits.report(trainer.table("resourcesPerNode"), found)
    resources = top.table("spec/trainer/resourcesPerNode/limits") or top.table("spec/trainer/resourcesPerNode/requests")
    node = resources.node.entries.get("nvidia.com/gpu") if resources.node is not None else None
    if node is not None and node.text.isdigit():
        put(result, "job/gpus_per_worker", top.source.value(node.text, node.start, node.end))
        totals_of_pods(result)
    nodes = count(trainer.get("numNodes"))
    pod = Pod(variables(trainer), counts=(nodes,) if nodes is not None else (), gpus=get(result, "job/gpus_per_worker"))
    read_container(trainer, True, result, found, path, context, pod)
    for key, word, summed in (("cpu", "cpus", all_cpus), ("memory", "memory", all_memory)):
        asked = trainer.get(*(f"resourcesPerNode/{kind}/{key}" for kind in ("requests", "limits")))
        put(result, f"job/{word}_per_worker", summed([asked] if asked is not None else []))


GROUPS: dict[str, Callable[[Table], list[PodGroup]]] = {
    "MPIJob": _mpi_job,
    "PyTorchJob": _replicas("spec/pytorchReplicaSpecs"),
    "TFJob": _replicas("spec/tfReplicaSpecs"),
    "JAXJob": _replicas("spec/jaxReplicaSpecs"),
    "PaddleJob": _replicas("spec/paddleReplicaSpecs"),
    "XGBoostJob": _replicas("spec/xgbReplicaSpecs"),
    "JobSet": _job_set,
    "TrainJob": _trainer,
    "Job": _batch,
    "StatefulSet": _stateful_set,
    "LeaderWorkerSet": _leader_worker_set,
    "VolcanoJob": volcano.groups,
    "RayJob": ray.groups,
    "RayCluster": ray.groups,
}
