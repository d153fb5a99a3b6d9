"""What pods ask for beside GPUs, CPUs and memory: shared memory, and space on the drives of their server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import How, Value, Words, put
from designlint.importers.kubernetes.quantities import all_memory, memory
from designlint.importers.workloads import get, is_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.notations.structured import Table

#: Where a container's processes share memory.
SHARED = "/dev/shm"
#: Kinds whose pods get volumes from elsewhere: a runtime that the job names, an operator that mounts its own.
FILLED_IN = frozenset(("TrainJob", "RayJob", "RayCluster"))


def words(pod: Table, asked: list[Value], result: Words) -> None:
    """
    The words of a pod that computes.

    Args:
        asked: what its containers ask for of ephemeral storage.
    """
    put(result, "job/states_shared_memory", _shared_memory(pod))
    put(result, "job/shared_memory", _limit(pod))
    put(result, "job/local_storage", all_memory(asked))


def left_out(kind: str, result: Words) -> None:
    """Shared memory of pods with GPUs that mount none, and that nothing else fills in."""
    gpus = get(result, "job/gpus_per_worker")
    if gpus is not None and kind not in FILLED_IN and get(result, "job/states_shared_memory") is None:
        put(result, "job/states_shared_memory", gpus.but(False, f"no volume at {SHARED}, no hostIPC", How.DERIVED))


def _shared_memory(pod: Table) -> Value | None:
    """Where pods say that they have more shared memory than the container runtime gives."""
    host = pod.get("hostIPC")
    if host is not None and is_on(host):
        return host.but(True, "hostIPC")
    path = next((one.get("mountPath") for one in _mounts(pod)), None)
    return path and path.but(True, "a volume of its own")


def _mounts(pod: Table) -> Iterator[Table]:
    """The mounts of volumes where processes share memory."""
    for container in pod.tables("containers"):
        for mount in container.tables("volumeMounts"):
            path = mount.get("mountPath")
            if path is not None and path.text.rstrip("/") == SHARED:
                yield mount


def _limit(pod: Table) -> Value | None:
    """The most that the volume at this place holds, where it has a limit."""
    named = {one.text for mount in _mounts(pod) if (one := mount.get("name")) is not None}
    for volume in pod.tables("volumes"):
        name, stated = volume.get("name"), volume.get("emptyDir/sizeLimit")
        if name is not None and name.text in named and stated is not None and (size := memory(stated)) is not None:
            return stated.but(size, "")
    return None
