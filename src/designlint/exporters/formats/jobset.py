"""A JobSet for one workload: its pods, GPUs, queue, place in the topology and deadline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from designlint.design.known import Known
from designlint.exporters.base import Export, ExportRefusal, head
from designlint.exporters.workloads import chosen
from designlint.importers import defaults
from designlint.importers.kubernetes.kinds import QUEUE
from designlint.importers.kubernetes.kueue import GPU
from designlint.importers.kubernetes.names import is_name
from designlint.importers.kubernetes.pods import PREFERRED, REQUIRED, SLICE, SLICE_SIZE

if TYPE_CHECKING:
    from designlint.exporters.base import Order

TITLE = "JobSet of Kubernetes"
VERSION = "jobset.x-k8s.io/v1alpha2"
#: What the pods are called, behind the name of the set.
REPLICATED = "workers"
NOTES = (
    "set `command` of the container: a design states what a job needs, not what it starts",
    "`restartPolicy` is Never, as JobSet restarts whole jobs: see its `failurePolicy`",
)


def write(order: Order) -> Export:
    """A JobSet of as many pods as the workload has servers. Raises: Refusal where servers, GPUs or their resource are open."""
    workload = chosen(order)
    name = workload.subject.name
    if not is_name("job_set", name):
        why = f"a JobSet accepts no name like `{name[:60]}`: small letters, digits and hyphens, beginning with a letter"
        raise ExportRefusal(why, workload.spot)
    job, notes = workload, list(NOTES)
    queue, resource = job.text("queue"), _resource(order, job.text("queue"))
    pods, each = _size(workload)
    _check_pod_names(workload, pods)
    container: dict[str, Any] = {"name": "main"}
    if image := job.text("image").replace("#", "/"):
        container["image"] = image
    else:
        notes.insert(0, "set `image` of the container: the design states none")
    asked = _requested_resources(job)
    container["resources"] = {**({"requests": asked} if asked else {}), "limits": {resource: each}}
    pod = {"restartPolicy": "Never", "containers": [container]}
    template: dict[str, Any] = (
        {"metadata": {"annotations": _topology_annotations(job)}} if _topology_annotations(job) else {}
    )
    inner: dict[str, Any] = {"parallelism": pods, "completions": pods, "template": {**template, "spec": pod}}
    if limit := job.number("walltime"):
        inner["activeDeadlineSeconds"] = round(limit)
    labels = {"labels": {QUEUE: queue}} if queue else {}
    if not queue:
        notes.append("no queue: the workload states no `job.queue`")
    whole = {
        "apiVersion": VERSION,
        "kind": "JobSet",
        "metadata": {"name": name, **labels},
        "spec": {"replicatedJobs": [{"name": REPLICATED, "replicas": 1, "template": {"spec": inner}}]},
    }
    text = yaml.safe_dump(whole, sort_keys=False, allow_unicode=True)
    return Export("\n".join(head(order, f"{TITLE} for {name}", notes)) + "\n" + text, notes)


def _check_pod_names(workload: Known, pods: int) -> None:
    """Refuse a name with which those of the pods would be too long: JobSet and Job add to it."""
    limits, name = defaults.tool("kubernetes").tables["names"], workload.subject.name
    most = limits["most_letters"] - len(f"-{REPLICATED}-0-{pods - 1}-") - limits["random_letters"]
    if len(name) > most:
        raise ExportRefusal(
            f"`{name[:60]}` has {len(name)} letters; names of {pods} pods leave room for {most}", workload.spot
        )


def _size(workload: Known) -> tuple[int, int]:
    """Pods, and GPUs of each: what the job asks for, else whole servers."""
    pods = workload.count("workers") or workload.count("servers")
    total = workload.count("gpus")
    each = workload.count("gpus_per_worker") or workload.count("gpus_per_server")
    if not each and pods and total and total % pods == 0:
        each = total // pods
    if not pods or not each:
        raise ExportRefusal(
            f"{workload.subject.name} does not say how many servers it needs, or how many GPUs on each", workload.spot
        )
    return pods, each


def _requested_resources(job: Known) -> dict[str, int]:
    """CPUs and memory [B] that each pod asks for."""
    memory = job.fact("memory_per_worker")
    stated = {"cpu": job.count("cpus_per_worker"), "memory": round(memory) if isinstance(memory, int | float) else None}
    return {name: much for name, much in stated.items() if much is not None}


def _resource(order: Order, queue: str) -> str:
    """What the cluster's queues call a GPU; that of the job's own queue goes first."""
    found: dict[str, None] = {}
    for one in order.design.graph.by_class.get("Queue", ()):
        known = Known(order.design, one)
        own = [str(name) for name in _list_values(known, "resources") if name in GPU]
        if queue and (one.name == queue or queue in _list_values(known, "local_queues")):
            found = dict.fromkeys([*own, *found])
        found |= dict.fromkeys(own)
    if not found:
        why = (
            "the design does not say what the cluster calls a GPU; state `resources` of a queue, such as nvidia.com/gpu"
        )
        raise ExportRefusal(why, order.part("scheduler").spot)
    return next(iter(found))


def _list_values(known: Known, word: str) -> list[object]:
    fact = known.fact(word)
    return list(fact) if isinstance(fact, list) else []


def _topology_annotations(job: Known) -> dict[str, str]:
    """The place in the topology that the job asks for, as Kueue reads it."""
    level = job.text("topology_level")
    if not level or not is_name("label", level):
        return {}
    if (size := job.count("slice")) is not None:
        return {SLICE: level, SLICE_SIZE: str(size)}
    return {REQUIRED if job.flag("topology_required") else PREFERRED: level}
