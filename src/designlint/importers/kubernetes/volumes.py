"""What pods ask for beside GPUs, CPUs and memory: shared memory, and space on the drives of their server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import How, Value, Words, put
from designlint.importers.kubernetes.quantities import all_memory
from designlint.importers.workloads import get, is_on

if TYPE_CHECKING:
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
    for container in pod.tables("containers"):
        for mount in container.tables("volumeMounts"):
            path = mount.get("mountPath")
            if path is not None and path.text.rstrip("/") == SHARED:
                return path.but(True, "a volume of its own")
    return None
