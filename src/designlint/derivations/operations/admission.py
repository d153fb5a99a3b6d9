"""Which jobs partitions and queues admit: by account, quality of service, servers, resources, taints, priority."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation
from designlint.derivations.operations.queues import find_queue, named_partitions, of_named, of_queue
from designlint.language.hostlists import HostListError, distinct, expand

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Count


def join(texts: list[str | None]) -> str | None:
    """Lists as one text; None where one of them is not stated, which admits all."""
    return ",".join(one or "" for one in texts) if texts and None not in texts else None


@derivation(of="Partition")
def account_list(accounts: tuple[Text, ...]) -> Text | None:
    """Accounts as one text."""
    return ",".join(accounts) or None


@derivation(of="Partition")
def quality_list(qualities: tuple[Text, ...]) -> Text | None:
    """Qualities of service as one text."""
    return ",".join(qualities) or None


@derivation(of="Partition")
def server_names(servers: tuple[Text | None, ...], pool_lists: tuple[Text | None, ...]) -> Text | None:
    """Names of the servers as one text: those of the partition, else those of all of its pools."""
    stated = [one for one in servers if one] or pool_lists
    known = [one for one in stated if one]
    return ",".join(known) if known and len(known) == len(stated) else None


@derivation(of="Partition")
def most_servers(server_names: Text | None, largest_job: Count | None) -> Count | None:
    """Maximum number of servers that one job can have: all of the partition, or as many as it allows. [1]"""
    known = [one for one in (largest_job, distinct((server_names,)) if server_names else None) if one is not None]
    return min(known, default=None)


@derivation(of="Job")
def admitted_accounts(
    partition: Text | None,
    partition_names: tuple[Text, ...],
    partition_defaults: tuple[Flag | None, ...],
    partition_accounts: tuple[Text | None, ...],
) -> Text | None:
    """Accounts that the job's partition admits; of several partitions, those of all."""
    named = named_partitions(partition, partition_names, partition_defaults)
    return join([of_named(one, partition_names, partition_accounts) for one in named])


@derivation(of="Job")
def admitted_qualities(
    partition: Text | None,
    partition_names: tuple[Text, ...],
    partition_defaults: tuple[Flag | None, ...],
    partition_qualities: tuple[Text | None, ...],
) -> Text | None:
    """Qualities of service that the job's partition admits; of several partitions, those of all."""
    named = named_partitions(partition, partition_names, partition_defaults)
    return join([of_named(one, partition_names, partition_qualities) for one in named])


@derivation(of="Job")
def account_admitted(account: Text, admitted_accounts: Text) -> Flag:
    """Whether the partition of a job admits its account; Slurm takes no account of case. [1]"""
    return account.lower() in admitted_accounts.lower().split(",")


@derivation(of="Job")
def quality_admitted(queue: Text, admitted_qualities: Text) -> Flag:
    """Whether the partition of a job admits its quality of service; Slurm takes no account of case. [1]"""
    return queue.lower() in admitted_qualities.lower().split(",")


@derivation(of="Job")
def partition_servers(
    partition: Text | None,
    partition_names: tuple[Text, ...],
    partition_defaults: tuple[Flag | None, ...],
    partition_sizes: tuple[Count | None, ...],
    partition_lists: tuple[Text | None, ...],
    queue: Text | None,
) -> Count | None:
    """
    Maximum number of servers that the job's partition gives to one job; of several partitions, the largest. [1]

    A quality of service may lift the limit of the partition, never the number of its servers.
    """
    named = named_partitions(partition, partition_names, partition_defaults)
    most = tuple(distinct((one,)) if one else None for one in partition_lists) if queue else partition_sizes
    sizes = [of_named(one, partition_names, most) for one in named]
    return max(one or 0 for one in sizes) if sizes and None not in sizes else None


@derivation(of="Job")
def outside_server(
    named_servers: Text,
    partition: Text | None,
    partition_names: tuple[Text, ...],
    partition_defaults: tuple[Flag | None, ...],
    partition_lists: tuple[Text | None, ...],
) -> Text | None:
    """First server that a job asks for by name and its partition does not have; "none" if it has them all."""
    named = named_partitions(partition, partition_names, partition_defaults)
    there = join([of_named(one, partition_names, partition_lists) for one in named])
    if there is None:
        return None
    try:
        known = {one.partition(".")[0] for one in expand(there)}
        return next((one for one in expand(named_servers) if one.partition(".")[0] not in known), "none")
    except HostListError:
        return None


class Queues(Struct, frozen=True):
    """The queue that a job names, beside those that the cluster has."""

    queue: Text
    queue_names: tuple[Text, ...]
    queue_fronts: tuple[Text | None, ...]

    def texts(self, stated: tuple[Text | None, ...]) -> list[str]:
        """What is listed of the queue that is meant; nothing where that is open."""
        return (of_queue(stated, find_queue(self.queue, self.queue_names, self.queue_fronts)) or "").split(",")


@derivation(of="Job", sources=("kueue-docs",), groups=(Queues,))
def uncovered_resource(
    queues: Queues, resources: tuple[Text, ...], queue_resources: tuple[Text | None, ...]
) -> Text | None:
    """First resource that the pods of a job request and its queue does not cover; "none" if it covers them all."""
    covered = queues.texts(queue_resources)
    return next((one for one in resources if one not in covered), "none") if any(covered) else None


@derivation(of="Job", sources=("kueue-docs",), groups=(Queues,))
def untolerated_taint(queues: Queues, tolerations: Text, queue_taints: tuple[Text | None, ...]) -> Text | None:
    """First taint of the flavours of a job's queue that its pods do not tolerate; "none" if they tolerate them all."""
    taints = [one for one in queues.texts(queue_taints) if one]
    tolerated = [one.partition(":") for one in tolerations.split(",")]
    return next((one for one in taints if not _tolerate(tolerated, one)), "none") if taints else None


def _tolerate(tolerated: list[tuple[str, str, str]], taint: str) -> bool:
    """Whether one of several tolerations, of a key with or without its value, is of a taint and its effect."""
    named, _, effect = taint.rpartition(":")
    keys = (named, named.partition("=")[0], "*")
    return any(key in keys and kind in ("", effect) for key, _, kind in tolerated)


@derivation(of="Job", sources=("kueue-docs",))
def priority_known(priority: Text, priority_classes: tuple[Text, ...]) -> Flag:
    """Whether the cluster has a priority class of the name that a job states. [1]"""
    return priority in priority_classes
