"""Kueue's objects: levels of topology, flavours, quotas of cluster queues, and the local queues before them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fate, Fragment, How, Value, Words, put, whole
from designlint.importers.kubernetes.flavours import put_shared
from designlint.importers.kubernetes.quantities import cpus, memory
from designlint.importers.notations.structured import open_ended, scalars
from designlint.importers.workloads import count, start

if TYPE_CHECKING:
    from designlint.importers.notations.structured import Table

GPU = ("nvidia.com/gpu", "amd.com/gpu")
#: Where a queue states which workloads it evicts for others.
POLICIES = ("withinClusterQueue", "reclaimWithinCohort", "borrowWithinCohort/policy")
#: Objects beside them that say nothing of queues and quotas.
BESIDE = frozenset(("AdmissionCheck", "MultiKueueConfig", "MultiKueueCluster", "ProvisioningRequestConfig"))
PRIORITY = "WorkloadPriorityClass"
KINDS = frozenset(("Topology", "ResourceFlavor", "ClusterQueue", "LocalQueue", PRIORITY))


def scheduler(objects: list[Table], found: Fragment) -> Words:
    """The scheduler's words; nothing where none of Kueue's objects is there."""
    if not objects:
        return {}
    first = objects[0].get("kind")
    assert first is not None
    words: Words = {
        "kind": first.but("kubernetes", f"the file has a {first.text}").as_text(),
        "batch_queue": first.but("kueue", f"the file has a {first.text}").as_text(),
    }
    flavours: dict[str, Table] = {}
    fronts: dict[str, list[Value]] = {}
    queues: list[Words] = []
    elsewhere: dict[str, Words] = {}
    for top in objects:
        kind, name = top.get("kind"), top.get("metadata/name")
        if kind is None or name is None:
            continue
        if kind.text == "Topology":
            _levels(top, kind, words)
        elif kind.text == "ResourceFlavor":
            flavours[name.text] = top
            _flavour(top, name, found)
        elif kind.text == "LocalQueue" and (behind := top.get("spec/clusterQueue")) is not None:
            before = fronts.setdefault(behind.text, [])
            before += [name] if name.text not in {one.text for one in before} else []
            elsewhere.setdefault(behind.text, {"name": behind.as_text()})["local_queues"] = list(before)
        elif kind.text == "ClusterQueue":
            queues.append(_queue(top, name, found))
    _without_topology(objects, flavours, found)
    _priorities(objects, words)
    if queues:
        _join_queues(queues, fronts, flavours, found)
        words["queues"] = queues
        _preemption(objects, words)
        _fair_share(objects, words)
    elif elsewhere:
        words["queues"] = list(elsewhere.values())
    return words


def _priorities(objects: list[Table], words: Words) -> None:
    """The priority classes that jobs may name."""
    classes = [one for one in objects if (kind := one.get("kind")) is not None and kind.text == PRIORITY]
    names = [name.as_text() for one in classes if (name := one.get("metadata/name")) is not None]
    put(words, "priority_classes", names or None)


def _fair_share(objects: list[Table], words: Words) -> None:
    """Whether some queue admits by past use."""
    modes = (one.get("spec/admissionScope/admissionMode") for one in objects)
    mode = next((one for one in modes if one is not None), None)
    if mode is not None and mode.text == "UsageBasedAdmissionFairSharing":
        put(words, "fair_share", mode.but(True, f"admission mode {mode.text}"))


def _preemption(objects: list[Table], words: Words) -> None:
    """Whether some queue evicts workloads, which then wait again."""
    queues = [one for one in objects if (kind := one.get("kind")) is not None and kind.text == "ClusterQueue"]
    stated = [value for one in queues for path in POLICIES if (value := one.get(f"spec/preemption/{path}")) is not None]
    evicting = next((one for one in stated if one.text != "Never" and not open_ended(one)), None)
    if evicting is not None:
        put(words, "preemption", evicting.but("requeue", f"policy {evicting.text}").as_text())
    elif not any(map(open_ended, stated)):
        put(
            words,
            "preemption",
            defaults.tool("kueue").value("scheduler", "preemption", queues[0].get("kind") or start(queues[0].source)),
        )


def _levels(top: Table, kind: Value, words: Words) -> None:
    levels = [level.get("nodeLabel") for level in top.tables("spec/levels")]
    words["topology_levels"] = [one.as_text() for one in levels if one is not None]
    put(words, "topology_aware", kind.but(True, "Kueue places by a Topology"))


def _flavour(top: Table, name: Value, found: Fragment) -> None:
    labels = top.table("spec/nodeLabels")
    for key in labels.names():
        node = labels.node.entries[key] if labels.node is not None else None
        value = top.source.value(node.text, node.start, node.end) if node is not None else None
        found.fact(f"flavour {name.text}: {key}", value)
    found.fact(f"flavour {name.text}: topology", top.get("spec/topologyName"))


def _without_topology(objects: list[Table], flavours: dict[str, Table], found: Fragment) -> None:
    """Flavours that name a Topology that is none of those beside them."""
    kinds = [
        (kind.text, name.text) for one in objects if (kind := one.get("kind")) and (name := one.get("metadata/name"))
    ]
    known = {name for kind, name in kinds if kind == "Topology"}
    for top in flavours.values():
        named = top.get("spec/topologyName")
        if named is not None and known and named.text not in known and "$" not in named.text:
            found.clash("import/unknown-name", named, name=named.text, what="Topology", where="the manifest")


def _join_queues(
    queues: list[Words], fronts: dict[str, list[Value]], flavours: dict[str, Table], found: Fragment
) -> None:
    """Local queues beside the cluster queues that they lead to; names that nothing defines."""
    for queue in queues:
        title = queue["name"]
        names = fronts.pop(title.text, []) if isinstance(title, Value) else []
        if names:
            queue["local_queues"] = [one.as_text() for one in names]
        _report_undefined(queue, flavours, found)
        put_shared(queue, flavours)
    for missing, names in fronts.items():
        found.clash("import/unknown-name", names[0], name=missing, what="ClusterQueue", where="the manifest")


def _queue(top: Table, name: Value, found: Fragment) -> Words:
    queue: Words = {"name": name.as_text()}
    cohort = top.get("spec/cohortName", "spec/cohort")
    put(queue, "cohort", cohort and cohort.as_text())
    covered: list[Value] = []
    used: list[Value] = []
    quotas: list[Value] = []
    for group in top.tables("spec/resourceGroups"):
        inside = scalars(top.source, group.at("coveredResources"))
        covered += inside
        for flavour in group.tables("flavors"):
            label = flavour.get("name")
            used += [label.as_text()] if label is not None else []
            for resource in _once(flavour.tables("resources"), found):
                quotas += [kind] if (kind := resource.get("name")) is not None else []
                _report_uncovered(kind, inside, found)
                _quota(queue, resource, name, found)
    if covered:
        queue["resources"] = [one.as_text() for one in covered]
    if sum(one.text == "memory" for one in quotas) > 1:
        queue.pop("host_memory", None)
    if used:
        queue["flavours"] = list(used)
    return queue


def _once(resources: list[Table], found: Fragment) -> list[Table]:
    """Each resource of a flavour once: the API server refuses a second one of the same name, whatever its quota."""
    kept: dict[str, Table] = {}
    for one in resources:
        name, quota = one.get("name"), one.get("nominalQuota")
        before = kept.setdefault(name.text, one) if name is not None else one
        first = before.get("nominalQuota")
        if name is not None and quota is not None and first is not None and first.text != quota.text:
            found.clash("import/key-twice", quota, name=name.text, line=first.line)
    return list(kept.values())


def _report_uncovered(kind: Value | None, covered: list[Value], found: Fragment) -> None:
    """Notes a quota of a resource that its group does not list: Kueue refuses the queue."""
    if kind is not None and covered and kind.text not in {one.text for one in covered} and not open_ended(kind):
        found.clash("import/unknown-name", kind, name=kind.text[:60], what="resource", where="`coveredResources`")


def _quota(queue: Words, resource: Table, name: Value, found: Fragment) -> None:
    kind, quota, limit = resource.get("name"), resource.get("nominalQuota"), resource.get("borrowingLimit")
    if kind is None or quota is None:
        return
    found.fact(f"queue {name.text}: limit of {kind.text} that it lends", resource.get("lendingLimit"))
    if kind.text not in GPU:
        found.fact(f"queue {name.text}: quota of {kind.text}", quota)
        _other_quota(queue, kind.text, quota)
        return
    if open_ended(quota) or count(quota) is None:
        found.unknown(
            f"scheduler/queues/{name.text}/gpus",
            f"the quota is `{quota.text[:40]}`, which a template fills in",
            "kubectl get clusterqueue -o yaml",
            quota,
        )
        return
    _add_quota(queue, "gpus", count(quota))
    _add_quota(queue, "borrowing_limit", count(limit))
    lent = resource.at("lendingLimit")  # what others may borrow is no word of the language
    if lent is not None:
        resource.source.mark(lent.start, lent.end, Fate.UNCLEAR)


def _other_quota(queue: Words, kind: str, quota: Value) -> None:
    """Quotas of CPUs and memory; of memory that several flavours have, none is the queue's."""
    if kind == "cpu" and (many := cpus(quota)) is not None:
        _add_quota(queue, "cpus", quota.but(many, "", How.STATED))
    elif kind == "memory" and (size := memory(quota)) is not None:
        put(queue, "host_memory", quota.but(size, "", How.STATED) if "host_memory" not in queue else None)


def _add_quota(queue: Words, word: str, value: Value | None) -> None:
    """A quota, added to that of the queue's other flavours."""
    known = queue.get(word)
    if value is not None and isinstance(known, Value):
        value = value.but((whole(known) or 0) + (whole(value) or 0), "of all flavours", How.DERIVED)
    put(queue, word, value)


def _report_undefined(queue: Words, flavours: dict[str, Table], found: Fragment) -> None:
    used = queue.get("flavours")
    for one in used if isinstance(used, list) else []:
        if isinstance(one, Value) and flavours and one.text not in flavours and "$" not in one.text:
            found.clash("import/unknown-name", one, name=one.text, what="ResourceFlavor", where="the manifest")
