"""Ray's clusters and jobs: the head and groups of workers, each of some pods for every replica."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import environment
from designlint.importers.base import Fragment, How, Value, Words, put, whole
from designlint.importers.kubernetes.commands import run_text
from designlint.importers.kubernetes.mounted import block
from designlint.importers.kubernetes.pods import PodGroup
from designlint.importers.notations import structured
from designlint.importers.workloads import count, is_on

if TYPE_CHECKING:
    from designlint.importers.base import Context
    from designlint.importers.notations.structured import Table

KINDS = frozenset(("RayJob", "RayCluster"))


def _cluster(top: Table) -> Table:
    return top.table("spec/rayClusterSpec") or top.table("spec")


def groups(top: Table) -> list[PodGroup]:
    """The head, which is one pod, and the groups of workers."""
    cluster, found = _cluster(top), []
    head = cluster.at("headGroupSpec")
    if head is not None:
        one = Value("1", top.source, head.start, head.start, How.DERIVED, "Ray has one head")
        found.append(PodGroup("head", one, cluster.table("headGroupSpec/template")))
    for group in cluster.tables("workerGroupSpecs"):
        name, replicas = group.get("groupName"), group.get("replicas")
        hosts = whole(count(group.get("numOfHosts"))) or 1
        pods, note = whole(count(replicas)), ""
        if replicas is not None and pods is not None and hosts > 1:
            note = f"{replicas.text} replicas of {hosts} pods"
            replicas = replicas.but(pods * hosts, note)
        found.append(PodGroup(name.text if name is not None else "", replicas, group.table("template"), note))
    return found


def job(top: Table, result: Words, found: Fragment, path: str, context: Context) -> None:
    """Sizes between which Ray scales the only group of workers, and what the job starts."""
    cluster = _cluster(top)
    workers = cluster.tables("workerGroupSpecs")
    if is_on(cluster.get("enableInTreeAutoscaling")) and len(workers) == 1:
        put(result, "job/minimum_workers", count(workers[0].get("minReplicas")))
        put(result, "job/maximum_workers", count(workers[0].get("maxReplicas")))
    environment.fill(result, _variables(top), found)
    entry = top.at("spec/entrypoint")
    if entry is not None and entry.kind == "scalar" and entry.text and top.get("spec/entrypoint") is not None:
        run_text(entry, top.source, result, found, path, context)


def _variables(top: Table) -> dict[str, Value]:
    """The variables of all processes, which stand as YAML in a text."""
    node = top.at("spec/runtimeEnvYAML")
    inner = block(node, top.source) if node is not None else None
    root = structured.root(inner) if inner is not None else None
    stated = root.entries.get("env_vars") if root is not None else None
    listed = stated.entries.items() if stated is not None else ()
    return {name: top.source.value(one.text, one.start, one.end) for name, one in listed if one.kind == "scalar"}
