"""What partitions and queues have to give, and which of them a job means."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Count, Duration

#: What is known of each queue, partition or reservation.
Value = TypeVar("Value")


@derivation(of="Job")
def walltime_limit(
    partition: Text | None,
    partition_names: tuple[Text, ...],
    partition_limits: tuple[Duration | None, ...],
    partition_defaults: tuple[Flag | None, ...],
) -> Duration | None:
    """
    Longest walltime of the partition that a job names, else of the default partition, else of any. [s]

    Of several partitions, a job runs in any that admits it.
    """
    named = named_partitions(partition, partition_names, partition_defaults)
    return _longest([of_named(one, partition_names, partition_limits) for one in named] or partition_limits)


def named_partitions(partition: str | None, names: tuple[str, ...], defaults: tuple[bool | None, ...]) -> list[str]:
    """The partitions that a job may run in: those that it names, else the default one."""
    return (
        [one.strip() for one in partition.split(",")]
        if partition
        else [one for one, given in zip(names, defaults, strict=False) if given and len(names) == len(defaults)]
    )


@derivation(of="Job")
def longest_limit(partition_limits: tuple[Duration | None, ...]) -> Duration | None:
    """Longest walltime of any partition, where all of them state one. [s]"""
    return _longest(partition_limits)


def _longest(limits: Sequence[Duration | None]) -> Duration | None:
    known = [one for one in limits if one is not None]
    return max(known) if known and len(known) == len(limits) else None


def of_named(name: str, names: tuple[str, ...], values: tuple[Value | None, ...]) -> Value | None:
    """What the part of a name has; None where there is none, or where it is not said of every part."""
    return values[names.index(name)] if len(names) == len(values) and name in names else None


@derivation(of="Job")
def partition_known(partition: Text, partition_names: tuple[Text, ...]) -> Flag:
    """Whether the cluster has a partition of the name that a job states, or each of several. [1]"""
    return all(one.strip() in partition_names for one in partition.split(","))


@derivation(of="Job")
def partition_serves_pool(
    partition: Text,
    pool_name: tuple[Text, ...],
    partition_names: tuple[Text, ...],
    partition_pools: tuple[Text | None, ...],
) -> Flag | None:
    """Whether the partition of a job has servers of its pool. [1]"""
    return _serves(find_queue(partition, partition_names, ()), pool_name, partition_pools)


def of_queue(values: tuple[Value | None, ...], at: int | None) -> Value | None:
    """What the queue at a place has; None where there is none, or where nothing is said of it."""
    return values[at] if at is not None and at < len(values) else None


@derivation(of="Job")
def quota(
    queue: Text,
    queue_names: tuple[Text, ...],
    queue_fronts: tuple[Text | None, ...],
    queue_quotas: tuple[Count | None, ...],
) -> Count | None:
    """Maximum number of GPUs that the job's queue can allocate. [1]"""
    return of_queue(queue_quotas, find_queue(queue, queue_names, queue_fronts))


@derivation(of="Job")
def cpu_quota(
    queue: Text,
    queue_names: tuple[Text, ...],
    queue_fronts: tuple[Text | None, ...],
    queue_cpus: tuple[Count | None, ...],
) -> Count | None:
    """Maximum number of CPUs that the job's queue can allocate. [1]"""
    return of_queue(queue_cpus, find_queue(queue, queue_names, queue_fronts))


@derivation(of="Job")
def memory_quota(
    queue: Text,
    queue_names: tuple[Text, ...],
    queue_fronts: tuple[Text | None, ...],
    queue_memories: tuple[Bytes | None, ...],
) -> Bytes | None:
    """Maximum CPU memory that the job's queue can allocate. [B]"""
    return of_queue(queue_memories, find_queue(queue, queue_names, queue_fronts))


@derivation(of="Job")
def queue_has_gpus(
    queue: Text,
    queue_names: tuple[Text, ...],
    queue_fronts: tuple[Text | None, ...],
    queue_offers: tuple[Flag | None, ...],
) -> Flag | None:
    """Whether the queue of a job hands out GPUs. [1]"""
    at = find_queue(queue, queue_names, queue_fronts)
    return of_queue(queue_offers, at)


@derivation(of="Job")
def queue_known(
    queue: Text,
    queue_names: tuple[Text, ...],
    queue_fronts: tuple[Text | None, ...],
    batch_queue: tuple[Text | None, ...],
) -> Flag | None:
    """
    Whether the cluster has a queue of the name that a job states. [1]

    Absent where the name is none of those known and some queue does not say which local queues lead to it. Volcano has no
    local queues, and a queue called `default` that nobody lists.
    """
    if queue in queue_names or any(queue in (one or "").split(",") for one in queue_fronts):
        return True
    if batch_queue == ("volcano",):
        return queue == "default"
    return False if len(queue_fronts) == len(queue_names) and None not in queue_fronts else None


@derivation(of="Job")
def queue_serves_pool(
    queue: Text,
    pool_name: tuple[Text, ...],
    queue_names: tuple[Text, ...],
    queue_fronts: tuple[Text | None, ...],
    queue_pools: tuple[Text | None, ...],
    queue_has_labels: Flag | None,
) -> Flag | None:
    """
    Whether the queue of a job hands out servers of its pool. [1]

    By the pools that the queue names, else by the labels of its flavours.
    """
    named = _serves(find_queue(queue, queue_names, queue_fronts), pool_name, queue_pools)
    return queue_has_labels if named is None else named


def _serves(at: int | None, pool_name: tuple[str, ...], pools: tuple[str | None, ...]) -> bool | None:
    """Whether the pool of a job is one of those of the queue of that number."""
    named = of_queue(pools, at)
    return pool_name[0] in named.split(",") if named and pool_name else None


def find_queue(queue: str, names: tuple[str, ...], fronts: tuple[str | None, ...]) -> int | None:
    """The number of the queue that a job means, by its own name or that of a local queue before it; None without doubt."""
    fits = [
        at
        for at, name in enumerate(names)
        if name == queue or (at < len(fronts) and queue in (fronts[at] or "").split(","))
    ]
    return fits[0] if len(fits) == 1 else None


@derivation(of="Queue")
def fronts(local_queues: tuple[Text, ...]) -> Text:
    """The local queues that lead to a queue, in one text."""
    return ",".join(local_queues)


@derivation(of="Partition")
@derivation(of="Queue")
def pool_names(pool_list: tuple[Text, ...]) -> Text | None:
    """Names of the pools as one text."""
    return ",".join(pool_list) or None


@derivation(of="Queue")
def gpus_behind(pool_servers: tuple[Count, ...], server_gpus: tuple[Count, ...]) -> Count | None:
    """GPUs of the queue's pools, spares included. [1]"""
    if len(pool_servers) != len(server_gpus):
        return None
    return sum(servers * each for servers, each in zip(pool_servers, server_gpus, strict=True))


@derivation(of="Queue")
def cpus_behind(pool_servers: tuple[Count, ...], server_cpus: tuple[Count, ...]) -> Count | None:
    """CPUs of the queue's pools, spares included. [1]"""
    if len(pool_servers) != len(server_cpus):
        return None
    return sum(servers * each for servers, each in zip(pool_servers, server_cpus, strict=True))


@derivation(of="Queue")
def host_memory_behind(pool_servers: tuple[Count, ...], server_memories: tuple[Bytes, ...]) -> Bytes | None:
    """CPU memory of the queue's pools, spares included. [B]"""
    if len(pool_servers) != len(server_memories):
        return None
    return sum(servers * each for servers, each in zip(pool_servers, server_memories, strict=True))


@derivation(of="Queue")
def most_gpus(gpus: Count, borrowing_limit: Count | None, cohort: Text | None) -> Count | None:
    """
    Maximum number of GPUs that the queue can allocate, borrowed ones included. [1]

    Its quota, and what it may borrow from others. Absent where it may borrow all that its cohort does not use.
    """
    return None if cohort is not None and borrowing_limit is None else gpus + (borrowing_limit or 0)


@derivation(of="Queue")
def most_cpus(cpus: Count, cohort: Text | None) -> Count | None:
    """
    Maximum number of CPUs that the queue can allocate. [1]

    Its quota. Absent where it may borrow of its cohort.
    """
    return cpus if cohort is None else None


@derivation(of="Queue")
def most_host_memory(host_memory: Bytes, cohort: Text | None) -> Bytes | None:
    """
    Maximum CPU memory that the queue can allocate. [B]

    Its quota. Absent where it may borrow of its cohort.
    """
    return host_memory if cohort is None else None


@derivation(of="Queue")
def hands_out_gpus(resources: tuple[Text, ...]) -> Flag | None:
    """
    Whether GPUs are among the resources that a queue hands out. [1]

    Absent where a device plug-in of another name may hand them out: resources of Kubernetes itself have no vendor.
    """
    if any("gpu" in one.casefold() or "/mig-" in one for one in resources):
        return True
    return None if any("/" in one and not one.startswith("rdma/") for one in resources) else False
