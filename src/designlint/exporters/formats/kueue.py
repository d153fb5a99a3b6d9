"""Kueue's objects: a Topology of the levels that jobs are placed by, flavours, cluster queues with their quotas, local queues."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml

from designlint.design.known import Known
from designlint.exporters.base import Export, ExportRefusal, head
from designlint.importers import defaults
from designlint.importers.kubernetes.kueue import GPU
from designlint.importers.kubernetes.names import is_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.exporters.base import Order

TITLE = "Kueue objects"
VERSION = "kueue.x-k8s.io/v1beta2"
HOSTNAME = "kubernetes.io/hostname"


def write(order: Order) -> Export:
    """The objects that the scheduler's words describe. Raises: Refusal where it states neither levels nor queues."""
    scheduler, notes = order.part("scheduler"), list[str]()
    queues = [Known(order.design, one) for one in scheduler.parts("queues")]
    objects = [*_topology(order, scheduler), *_queues(queues, notes)]
    if not objects:
        raise ExportRefusal(
            "; ".join(notes) or "the scheduler states neither `topology_levels` nor `queues`", scheduler.spot
        )
    if any(one["kind"] == "ResourceFlavor" for one in objects):
        notes.append(
            "set `nodeLabels` (and with them `topologyName`) of each flavour: the design names no labels of servers"
        )
    if any(one["kind"] == "ClusterQueue" for one in objects):
        notes.append(
            "set `namespaceSelector` of each queue; nobody can submit without it: the design names no namespaces"
        )
    if any(one["kind"] == "LocalQueue" for one in objects):
        notes.append("local queues are created in the namespace that `kubectl apply -n` names")
    text = yaml.safe_dump_all(objects, sort_keys=False, allow_unicode=True)
    return Export("\n".join(head(order, TITLE, notes)) + "\n---\n" + text, notes)


def _object(kind: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    if not is_name("object", name):
        raise ExportRefusal(f"Kubernetes accepts no name like `{name[:60]}`: small letters, digits, hyphens and dots")
    return {"apiVersion": VERSION, "kind": kind, "metadata": {"name": name}, "spec": spec}


def _topology(order: Order, scheduler: Known) -> Iterator[dict[str, Any]]:
    stated = scheduler.fact("topology_levels")
    levels = [str(one) for one in stated] if isinstance(stated, list) else []
    if not levels:
        return
    bad = next((one for one in levels if not is_name("label", one)), "")
    most = defaults.tool("kueue").tables["topology"]["most_levels"]
    if bad or len(set(levels)) < len(levels) or HOSTNAME in levels[:-1] or len(levels) > most:
        accepted = f"Kueue accepts up to {most} different levels, {HOSTNAME} only as the last"
        told = f"`{bad}` is not a label" if bad else accepted
        raise ExportRefusal(f"`topology_levels`: {told}", scheduler.spot)
    root = order.design.graph.root.facts.get("name")
    name = re.sub(r"[^a-z0-9-]+", "-", str(root or "").lower()).strip("-") or "cluster"
    yield _object("Topology", name, {"levels": [{"nodeLabel": one} for one in levels]})


def _queues(queues: list[Known], notes: list[str]) -> Iterator[dict[str, Any]]:
    flavours: dict[str, None] = {}
    found: list[dict[str, Any]] = []
    for queue in queues:
        name = queue.subject.name
        used, covered, local = (_texts(queue, word) for word in ("flavours", "resources", "local_queues"))
        resource = next((one for one in covered if one in GPU), "")
        gpus = queue.count("gpus")
        reason = _open(used, resource, gpus)
        if reason:
            notes.append(f"left out: queue {name}: {reason}")
            continue
        flavours[used[0]] = None
        written = {resource: gpus, **_others(queue, covered)}
        missing = [one for one in covered if one not in written]
        if missing:
            notes.append(f"left out: quota of {', '.join(missing)} for queue {name}: the design states none")
        resources: list[dict[str, Any]] = [{"name": one, "nominalQuota": much} for one, much in written.items()]
        limit, cohort = queue.count("borrowing_limit"), queue.fact("cohort")
        if limit is not None and cohort is None:
            notes.append(f"left out: borrowing limit of queue {name}: it needs a cohort, and the design names none")
        elif limit is not None:
            resources[0]["borrowingLimit"] = limit
        quota = {"name": used[0], "resources": resources}
        spec: dict[str, Any] = {"resourceGroups": [{"coveredResources": list(written), "flavors": [quota]}]}
        found.append(_object("ClusterQueue", name, spec if cohort is None else {"cohortName": str(cohort), **spec}))
        found += [_object("LocalQueue", one, {"clusterQueue": name}) for one in local]
    yield from (_object("ResourceFlavor", one, {}) for one in flavours)
    yield from found


def _others(queue: Known, covered: list[str]) -> dict[str, int]:
    """Quotas of CPUs and memory, where the queue hands them out and the design states how much."""
    memory = queue.fact("host_memory")
    stated = {"cpu": queue.count("cpus"), "memory": round(memory) if isinstance(memory, int | float) else None}
    return {one: much for one, much in stated.items() if much is not None and one in covered}


def _open(used: list[str], resource: str, gpus: int | None) -> str:
    """What a queue does not say that a quota needs; empty where it says all."""
    if gpus is None:
        return "no quota of GPUs is stated"
    if not resource:
        return f"its `resources` name none of {', '.join(GPU)}"
    if not used:
        return "no flavour is stated"
    return f"{gpus} GPUs of {len(used)} flavours, and the design does not say how many of each" if len(used) > 1 else ""


def _texts(queue: Known, word: str) -> list[str]:
    fact = queue.fact(word)
    return [str(one) for one in fact] if isinstance(fact, list) else []
