"""CPUs and memory that jobs request on each server, and that servers offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, upper

if TYPE_CHECKING:
    from designlint.language.units import Bytes, Count


@derivation(of="Job")
def asked_cpus(
    cpus_per_task: Count | None,
    tasks_per_server: Count | None,
    tasks: Count | None,
    servers: Count | None,
    cpus_per_worker: Count | None,
    largest_worker_cpus: Count | None,
    gpus_per_worker: Count | None,
) -> Count | None:
    """
    CPUs that a job requests on each server, as the scheduler counts them. [1]

    Those of its tasks on a server, or else those of the largest pod with GPUs; other pods may run on other kinds of servers.
    Slurm starts a task on each server at least: as many tasks as servers are one on each. A job on one server has them all there.
    """
    if cpus_per_task is not None and tasks_per_server is not None:
        return cpus_per_task * tasks_per_server
    if cpus_per_task is not None and tasks is not None and servers in (1, tasks):
        return cpus_per_task * tasks if servers == 1 else cpus_per_task
    if not gpus_per_worker:
        return None
    return largest_worker_cpus if cpus_per_worker is None else cpus_per_worker


@derivation(of="Job")
def asked_memory(
    host_memory: Bytes | None,
    memory_per_worker: Bytes | None,
    largest_worker_memory: Bytes | None,
    gpus_per_worker: Count | None,
) -> Bytes | None:
    """
    CPU memory that a job requests on each server. [B]

    The stated memory, or else that of the largest pod with GPUs; other pods may run on other kinds of servers.
    """
    if host_memory is not None or not gpus_per_worker:
        return host_memory
    return largest_worker_memory if memory_per_worker is None else memory_per_worker


@derivation(of="Job", kind=upper)
def offered_memory(
    server_scheduled_memory: tuple[Bytes | None, ...], server_memory: tuple[Bytes | None, ...]
) -> Bytes | None:
    """
    Maximum CPU memory per server that a job can request. [B]

    The memory that the scheduler offers if it is known, or else the installed memory.
    """
    return next((one for one in (*server_scheduled_memory, *server_memory) if one is not None), None)
