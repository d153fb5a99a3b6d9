"""What the pods of a job ask for, where they may run, and what their containers start."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from msgspec import Struct, field

from designlint.importers import environment
from designlint.importers.base import Fragment, How, Value, Words, put, whole
from designlint.importers.jobs import requests
from designlint.importers.kubernetes import flavours, limits, mounted, selecting, volumes
from designlint.importers.kubernetes.commands import Pod, run, strings, variables
from designlint.importers.kubernetes.quantities import all_cpus, all_memory, largest
from designlint.importers.kubernetes.selecting import scalar
from designlint.importers.notations.structured import Table, open_ended
from designlint.importers.shell import pieces
from designlint.importers.workloads import NO, YES, count, get, is_on

if TYPE_CHECKING:
    from designlint.importers.base import Context
    from designlint.importers.kubernetes.hosts import Hosts

GPUS = re.compile(
    r"(?:nvidia\.com/(?:gpu|mig-.*)|amd\.com/gpu|gpu\.intel\.com/\w+|habana\.ai/gaudi|aws\.amazon\.com/neuron\w*)\Z"
)
#: Parts of one GPU, of which a number says nothing about GPUs.
SLICES = re.compile(r"nvidia\.com/mig-.*\Z")
ADAPTERS = re.compile(
    r"(?:vpc\.amazonaws\.com/efa|nvidia\.com/(?:roce|hostdev|resibp|rdma|sriov)\w*|\w+\.com/rdma\w*|openshift\.io/mlnx\w*)\Z"
)
#: Resources of which a launcher starts a rank for each; a Neuron device has several cores.
RANKED = re.compile(r"(?:nvidia\.com/gpu|amd\.com/gpu|habana\.ai/gaudi)\Z")
#: Resources of the plugin that shares devices: one of them opens all devices of its kind to a pod.
SHARED = re.compile(r"rdma/\w+\Z")
MPI = re.compile(r"\b(?:mpirun|mpiexec|horovodrun)\b")
REQUIRED, PREFERRED = "kueue.x-k8s.io/podset-required-topology", "kueue.x-k8s.io/podset-preferred-topology"
SLICE, SLICE_SIZE = "kueue.x-k8s.io/podset-slice-required-topology", "kueue.x-k8s.io/podset-slice-size"
#: Annotations and keys of a pod that say where it should be.
PLACED = (REQUIRED, PREFERRED, SLICE, "kueue.x-k8s.io/podset-unconstrained-topology")
PLACING = ("affinity/podAffinity", "affinity/podAntiAffinity", "topologySpreadConstraints", "nodeName")
#: Labels of a type of server, not of a place.
KIND = re.compile(r"gpu|accelerator|instance|machine|pool|flex|spot|/os\Z|/arch\Z")
#: GKE's label of servers that are reserved.
RESERVATION = "cloud.google.com/reservation-name"
INTERFACES = "networking.gke.io/interfaces"


class PodGroup(Struct):
    """
    Pods of one kind: how many there are, and their template.

    Attributes:
        hosts: their names, where no controller tells pods of one another.
        slots: ranks for which MPI's launcher has room in each of them.
    """

    name: str
    count: Value | None
    template: Table
    note: str = ""
    metadata: list[Table] = field(default_factory=list)
    hosts: Hosts | None = None
    slots: Value | None = None

    @property
    def pod(self) -> Table:
        """The pod's specification."""
        return self.template.table("spec")

    def on_host(self) -> bool:
        """Whether they have the network of their servers."""
        return is_on(self.pod.get("hostNetwork"))

    def containers(self) -> list[Table]:
        """Its containers."""
        return self.pod.tables("containers")

    def requests(self, pattern: re.Pattern[str]) -> Value | None:
        """What its containers ask for of a kind of resource, added up; None where they ask for nothing."""
        found: Value | None = None
        for container in self.containers():
            for place in ("resources/limits", "resources/requests"):
                table = container.table(place)
                named = [key for key in table.names() if pattern.match(key)]
                values = [value for key in named if (value := scalar(table, key)) is not None]
                if values:
                    total = sum(whole(one) or 0 for one in values)
                    one = values[0]
                    several = found is not None or len(values) > 1
                    known = (whole(found) or 0) if found is not None else 0
                    found = one if not several else one.but(total + known, "added up", How.DERIVED)
                    break
        return found

    def quantities(self, key: str) -> list[Value]:
        """What each container asks for of CPUs or memory: as it requests, else its limit, as Kubernetes takes it."""
        asked = (
            (container.get(f"resources/requests/{key}", f"resources/limits/{key}")) for container in self.containers()
        )
        return [one for one in asked if one is not None]

    def calls(self, pattern: re.Pattern[str]) -> bool:
        """Whether a command of its containers has words of a kind."""
        texts = (node.text for one in self.containers() for key in ("command", "args") for node in strings(one, key))
        return pattern.search(" ".join(texts)) is not None

    def annotation(self, key: str) -> Value | None:
        """An annotation of the pods, or of what holds them."""
        for table in (self.template.table("metadata"), *self.metadata):
            value = scalar(table.table("annotations").asking(key), key)
            if value is not None:
                return value
        return None


def label(table: Table, key: str) -> Value | None:
    """A label of an object."""
    return scalar(table.table("metadata/labels").asking(key), key)


def words(groups: list[PodGroup], found: Fragment, path: str, context: Context) -> Words:
    """The words of a job from its groups of pods: those with GPUs compute, else all but launchers do."""
    with_gpus = [one for one in groups if one.requests(GPUS) is not None]
    working = with_gpus or [one for one in groups if not _launches(one, groups)] or groups
    result: Words = {}
    _size(working, bool(with_gpus), result, found, path)
    for group in working[:1]:
        _put_placement(group, result, found)
        volumes.words(group.pod, group.quantities("ephemeral-storage"), result)
    counted = [count(one.count) for one in groups]
    if counted and all(counted):
        total = sum(whole(one) or 0 for one in counted)
        put(result, "job/pods", counted[0] and counted[0].but(total, "all pods", How.DERIVED))
    ranked = get(result, "job/gpus_per_worker") if any(one.requests(RANKED) for one in working) else None
    for group in groups:
        for volume in group.pod.tables("volumes"):
            limits.report_quantity(volume.get("emptyDir/sizeLimit"), "sizeLimit", found)
        both = (count(group.count), get(result, "job/workers"))
        counts = tuple(one for one in both if one is not None) if None not in both else ()
        for container in group.containers():
            alone = group.hosts is not None and "envFrom" not in container.names() and not group.on_host()
            limits.report(container.table("resources"), found)
            pod = Pod(variables(container), alone, counts, ranked, group.slots)
            read_container(container, group in working, result, found, path, context, pod)
    return result


def _launches(group: PodGroup, groups: list[PodGroup]) -> bool:
    """Whether pods only start ranks on the others: by their name, or as the only ones that call MPI."""
    if group.name.lower() in ("launcher", "mpimaster"):
        return True
    calling = [one.calls(MPI) for one in groups]
    return group.calls(MPI) and not all(calling)


def _size(groups: list[PodGroup], gpus: bool, result: Words, found: Fragment, path: str) -> None:
    counts = [one.count for one in groups if one.count is not None]
    for stated in counts:
        if open_ended(stated) or count(stated) is None:
            why = f"`{stated.text[:40]}` is set when the manifest is filled in"
            found.unknown(f"{path}/job/workers", why, "envsubst < FILE", stated)
    if counts and len(counts) == len(groups) and all(count(one) is not None for one in counts):
        total = sum(whole(one) or 0 for one in counts)
        first = counts[0]
        note = groups[0].note if len(counts) == 1 else " + ".join(one.text for one in counts)
        put(result, "job/workers", first.but(total, note) if note else first)
    parts = next((found_part for one in groups if (found_part := one.requests(SLICES)) is not None), None)
    found.fact("slices of GPUs of a pod", parts)
    each = [one.requests(GPUS) for one in groups] if gpus and parts is None else []
    if each and each[0] is not None:
        number = count(each[0])
        if number is None:
            why = f"`{each[0].text[:40]}` is set when the manifest is filled in"
            found.unknown(f"{path}/job/gpus_per_worker", why, "envsubst < FILE", each[0])
        elif len({one.text for one in each if one is not None}) == 1:
            put(result, "job/gpus_per_worker", number)
    _requests(groups, result)
    flavours.put_requests([(one.pod, one.containers()) for one in groups], result)
    adapters = next((value for one in groups if (value := one.requests(ADAPTERS)) is not None), None)
    put(result, "job/adapters_per_worker", count(adapters))
    found.fact("shares of the RDMA devices", next((one for group in groups if (one := group.requests(SHARED))), None))
    totals_of_pods(result)


def totals_of_pods(result: Words) -> None:
    """All GPUs of a job: those of each pod by its pods."""
    workers, per = get(result, "job/workers"), get(result, "job/gpus_per_worker")
    if workers is not None and per is not None:
        total = (whole(workers) or 0) * (whole(per) or 0)
        put(result, "runs_on/gpus", per.but(total, f"{workers.text} workers x {per.text} GPUs", How.DERIVED))


def _requests(groups: list[PodGroup], result: Words) -> None:
    """CPUs and memory of each pod, of all its containers; of the largest, where kinds of pods on the same servers differ."""
    together = (
        len({tuple(sorted((key, one.text) for key, one in selecting.labels(group.pod))) for group in groups}) == 1
    )
    for key, word, most, summed in (
        ("cpu", "job/cpus_per_worker", "job/largest_worker_cpus", all_cpus),
        ("memory", "job/memory_per_worker", "job/largest_worker_memory", all_memory),
    ):
        asked = [summed(group.quantities(key)) for group in groups]
        if len({one.text if one is not None else "" for one in asked}) == 1:
            put(result, word, asked[0])
        elif together:
            put(result, most, largest(asked))


def _put_placement(group: PodGroup, result: Words, found: Fragment) -> None:
    """Topology requests of Kueue, node selectors, affinity, extra networks."""
    for key, required in ((REQUIRED, True), (PREFERRED, False), (SLICE, True)):
        level = group.annotation(key)
        if level is not None and get(result, "job/topology_level") is None:
            put(result, "job/topology_level", level.as_text())
            put(result, "job/topology_required", level.but(required, key.rpartition("/")[2]))
    put(result, "job/slice", count(group.annotation(SLICE_SIZE)))
    kept = next((one for one in (*map(group.annotation, PLACED), _placing(group)) if one is not None), None)
    put(result, "job/states_placement", kept and kept.but(True))
    for key, value in selecting.labels(group.pod):
        found.fact(f"node selector {key}", value)
        put(result, "job/reservation", value.as_text() if key == RESERVATION else None)
        if selecting.TYPE.match(key):
            put(result, "job/constraint", value.as_text() if value.text.lower() not in YES | NO else None)
            put(result, "job/requests_gpus", _asking(group, key, value))
            put(result, "job/gpu", selecting.gpu(key, value))
    affinity = group.pod.tables("affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution")
    for one in affinity:
        shared = one.get("topologyKey")
        if shared is not None and get(result, "job/topology_level") is None:
            put(result, "job/topology_level", shared.as_text())
            put(result, "job/topology_required", shared.but(True, "required pod affinity"))
    interfaces = group.annotation(INTERFACES)
    if interfaces is not None:
        try:
            listed = json.loads(interfaces.text)
        except (ValueError, RecursionError):
            return
        named = (
            [one for one in listed if isinstance(one, dict) and "rdma" in str(one.get("network", ""))]
            if isinstance(listed, list)
            else []
        )
        found.fact(
            "RDMA networks of a pod",
            interfaces.but(len(named), "counted in the annotation", How.DERIVED) if named else None,
        )


def _asking(group: PodGroup, key: str, value: Value) -> Value | None:
    """Whether pods that select servers ask for their GPUs; a claim of a device may be one of a GPU."""
    asked = group.requests(GPUS)
    if asked is not None:
        return asked.but(True)
    claimed = group.pod.at("resourceClaims") is not None
    return None if claimed or not selecting.with_gpus(key, value) else value.but(False, "GPU nodes are selected")


def _placing(group: PodGroup) -> Value | None:
    """What a pod's specification says of its place: affinity, spread, a name or a label of servers other than their type."""
    for key in PLACING:
        node = group.pod.at(key)
        if node is not None and (node.entries or node.items or node.text):
            return Value("", group.pod.source, node.start, node.start)
    named = (value for key, value in selecting.labels(group.pod) if not KIND.search(key))
    return next(named, None)


def read_container(
    container: Table,
    working: bool,
    result: Words,
    found: Fragment,
    path: str,
    context: Context,
    pod: Pod,
) -> None:
    """The words of a container: its variables, its image, what its command starts."""
    stated = {name: one for name, text in pod.variables.items() if (one := pieces.value(text)) is not None}
    environment.fill(result, stated, found)
    image = container.get("image")
    if working and image is not None and "$" not in image.text:
        requests.put_image(result, image)
    parts = [*strings(container, "command"), *strings(container, "args")]
    if parts:
        run(parts, container.source, result, found, path, context, pod)
    elif working:
        mounted.of_variables(stated, result, found, path, context)
