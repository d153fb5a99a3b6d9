"""The kinds of jobs: where each states its pods, and how many of them there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, Value, Words, put, whole
from designlint.importers.kubernetes.pods import Group, label, words
from designlint.importers.workloads import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.importers.base import Context
    from designlint.importers.notations.structured import Table

QUEUE = "kueue.x-k8s.io/queue-name"


def job(top: Table, found: Fragment, context: Context, name: Value) -> Words:
    """The words of a job of any kind."""
    kind, version = top.get("kind"), top.get("apiVersion")
    path = f"workloads/{name.text}"
    key = "VolcanoJob" if version is not None and "volcano" in version.text else kind.text if kind is not None else ""
    result = words(GROUPS[key](top), found, path, context)
    if key == "TrainJob":
        _train_job(top, result, found)
    put(result, "job/submitted_to", kind.but("kubernetes", f"it is a {kind.text}") if kind is not None else None)
    queue = label(top, QUEUE) or top.get("spec/queue")
    put(result, "job/queue", queue.named() if queue is not None else None)
    for where in ("metadata", "spec/template/metadata"):
        misplaced = top.table(where).table("annotations")
        node = misplaced.node.entries.get(QUEUE) if misplaced.node is not None else None
        if node is not None and queue is None:
            at = top.source.value(node.text, node.key_start, node.end)
            found.fact("queue named in an annotation", at.named())
            found.clash("import/queue-annotation", at, name=node.text[:60])
    _limits(top, result)
    if key == "VolcanoJob":
        _gang(top, found)
    return result


def _gang(top: Table, found: Fragment) -> None:
    """The pods of each task, and whether all of them must start together."""
    groups = _volcano(top)
    counts = [count(one.count) for one in groups]
    for group, number in zip(groups, counts, strict=True):
        found.fact(f"pods of task {group.name}", number)
    least = count(top.get("spec/minAvailable"))
    if least is not None and all(counts):
        total = sum(whole(one) or 0 for one in counts)
        found.fact("gang", least.but((whole(least) or 0) >= total, f"{least.text} of {total} pods start together"))


def _limits(top: Table, result: Words) -> None:
    """Deadlines, gangs, elastic sizes."""
    deadline = count(top.get("spec/activeDeadlineSeconds", "spec/runPolicy/activeDeadlineSeconds"))
    if deadline is None:
        for one in top.tables("spec/replicatedJobs"):
            stated = one.get("template/spec/activeDeadlineSeconds", "template/spec/template/spec/activeDeadlineSeconds")
            deadline = deadline or count(stated)
    put(result, "job/walltime", deadline and deadline.but(f"{deadline.text} s", "", deadline.how))
    for key in ("spec/minAvailable", "spec/runPolicy/schedulingPolicy/minAvailable", "spec/elasticPolicy/minReplicas"):
        put(result, "job/minimum_workers", count(top.get(key)))
    put(result, "job/maximum_workers", count(top.get("spec/elasticPolicy/maxReplicas")))


def _replicas(key: str) -> Callable[[Table], list[Group]]:
    """Groups of Kubeflow's v1 jobs: a mapping of roles."""

    def groups(top: Table) -> list[Group]:
        roles = top.table(key)
        return [
            Group(
                role,
                roles.get(f"{role}/replicas"),
                roles.table(f"{role}/template"),
                "",
                [roles.table(f"{role}/template/metadata")],
            )
            for role in roles.names()
        ]

    return groups


def _batch(top: Table) -> list[Group]:
    number = top.get("spec/parallelism", "spec/completions")
    return [Group("worker", number, top.table("spec/template"), "", [top.table("metadata")])]


def _job_set(top: Table) -> list[Group]:
    found = []
    for one in top.tables("spec/replicatedJobs"):
        times, each = one.get("replicas"), one.get("template/spec/parallelism", "template/spec/completions")
        name = one.get("name")
        number, note = each or times, ""
        if (
            each is not None
            and times is not None
            and count(each) is not None
            and count(times) is not None
            and times.text != "1"
        ):
            number, note = (
                each.but((whole(count(each)) or 0) * (whole(count(times)) or 0)),
                f"{times.text} jobs of {each.text} pods",
            )
        template = one.table("template/spec/template")
        found.append(
            Group(
                name.text if name is not None else "",
                number,
                template,
                note,
                [one.table("template/metadata"), top.table("metadata")],
            )
        )
    return found


def _volcano(top: Table) -> list[Group]:
    found = []
    for one in top.tables("spec/tasks"):
        name = one.get("name")
        found.append(Group(name.text if name is not None else "", one.get("replicas"), one.table("template")))
    return found


def _trainer(top: Table) -> list[Group]:
    return [Group("trainer", top.get("spec/trainer/numNodes"), top.table("spec/trainer/podTemplate"))]


def _train_job(top: Table, result: Words, found: Fragment) -> None:
    """Kubeflow Trainer keeps pods in a runtime; the job states sizes and resources itself."""
    found.fact("runtime", top.get("spec/runtimeRef/name"))
    image = top.get("spec/trainer/image")
    put(result, "job/image", image.named() if image is not None else None)
    resources = top.table("spec/trainer/resourcesPerNode/limits") or top.table("spec/trainer/resourcesPerNode/requests")
    node = resources.node.entries.get("nvidia.com/gpu") if resources.node is not None else None
    if node is not None and node.text.isdigit():
        put(result, "job/gpus_per_worker", top.source.value(node.text, node.start, node.end))


GROUPS: dict[str, Callable[[Table], list[Group]]] = {
    "MPIJob": _replicas("spec/mpiReplicaSpecs"),
    "PyTorchJob": _replicas("spec/pytorchReplicaSpecs"),
    "TFJob": _replicas("spec/tfReplicaSpecs"),
    "JAXJob": _replicas("spec/jaxReplicaSpecs"),
    "JobSet": _job_set,
    "TrainJob": _trainer,
    "Job": _batch,
    "VolcanoJob": _volcano,
}
