"""Labels of servers: those that jobs ask for, and those of the flavours behind a queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation
from designlint.derivations.operations.queues import find_queue, of_queue
from designlint.language import constraints

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text


@derivation(of="Job")
def constraint_met(constraint: Text, pool_labels: tuple[Text, ...], cluster_labels: tuple[Text, ...]) -> Flag | None:
    """
    Whether the servers of a job's pool have the labels that it asks for. [1]

    Absent where no pool has one of them: it may be a label that the design leaves out.
    """
    known = constraints.read(constraint)
    if known is None or not pool_labels or not set(known[1]) <= set(constraints.label_texts(cluster_labels)):
        return None
    return constraints.meets(constraint, constraints.label_texts(pool_labels).__contains__)


@derivation(of="Job")
def constraint_known(constraint: Text, cluster_labels: tuple[Text, ...]) -> Flag | None:
    """
    Whether servers of any pool have each label that a job asks for. [1]

    Absent where operators of different kinds, or counts of servers, stand between the labels.
    """
    known = constraints.read(constraint)
    there = constraints.label_texts(cluster_labels)
    return set(known[1]) <= set(there) if known is not None and there else None


@derivation(of="Job")
def constraint_meant(constraint: Text, cluster_labels: tuple[Text, ...]) -> Text | None:
    """Label of a pool that a label which none has misspells, with its numbers unchanged."""
    known = constraints.read(constraint)
    there = constraints.label_texts(cluster_labels)
    missing = [one for one in known[1] if one not in there] if known is not None else []
    return next((meant for one in missing if (meant := constraints.near_label(one, there))), None)


@derivation(of="Job")
def queue_has_labels(
    queue: Text,
    queue_names: tuple[Text, ...],
    queue_fronts: tuple[Text | None, ...],
    queue_labels: tuple[Text | None, ...],
    pool_labels: tuple[Text, ...],
    cluster_labels: tuple[Text, ...],
) -> Flag | None:
    """
    Whether servers of a job's pool have a label of the flavours of its queue. [1]

    Absent where no pool states one of these labels: the design may leave it out.
    """
    at = find_queue(queue, queue_names, queue_fronts)
    wanted = set((of_queue(queue_labels, at) or "").split(",")) - {""}
    if not wanted or not wanted <= set(constraints.label_texts(cluster_labels)):
        return None
    return not wanted.isdisjoint(constraints.label_texts(pool_labels))


@derivation(of="Queue")
def label_list(labels: tuple[Text, ...]) -> Text | None:
    """The labels of the servers of a queue's flavours, in one text."""
    return ",".join(labels) or None


@derivation(of="Queue")
def taint_list(taints: tuple[Text, ...]) -> Text | None:
    """The taints of a queue's flavours, in one text."""
    return ",".join(taints) or None


@derivation(of="Queue")
def resource_list(resources: tuple[Text, ...]) -> Text | None:
    """The resources that a queue covers, in one text."""
    return ",".join(resources) or None
