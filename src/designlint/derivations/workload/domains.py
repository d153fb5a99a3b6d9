"""How groups of GPUs lie over scale-up domains: whole in one, or divided over two."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation
from designlint.derivations.workload.ranks import level

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count

#: Groups whose place is looked at: beyond so many, in no system that exists, the first ones speak for all.
MOST_STARTS = 4096


def largest_share(size: Count, room: Count, gpus: Count, rooms: Count | None) -> int:
    """
    GPUs of a group that share a room, in the group that rooms divide the most.

    Groups that do not fill a room may leave its rest free. Where rooms are too few for that, groups follow one another over
    all GPUs, and some lie in two rooms; where it is open how many there are, none does.
    """
    whole = room // size * size if size < room else room
    if whole == room or rooms is None or gpus <= whole * rooms:
        return min(size, room)
    starts = (number * size % room for number in range(min(gpus // size, room // math.gcd(size, room), MOST_STARTS)))
    inside = [min(size, room - start) for start in starts]
    return min((max(one, size - one) for one in inside), default=size)


@derivation(of="Workload", sources=("megatron-bridge",))
def scale_up_domains(
    installed_servers: Count, gpus_per_server: Count, pool_gpus: Count, scale_up_domain: Count
) -> Count | None:
    """
    Scale-up domains of the pool that the job runs on. [1]

    Absent where neither all its GPUs nor those in service fill whole domains: how many racks they stand in is open then.
    """
    installed = installed_servers * gpus_per_server
    if installed % scale_up_domain and pool_gpus % scale_up_domain:
        return None
    return math.ceil(installed / scale_up_domain)


@derivation(of="Workload", sources=("megatron-bridge",))
def expert_neighbours(
    expert: Count,
    expert_tensor: Count | None,
    scale_up_domain: Count,
    gpus: Count | None,
    scale_up_domains: Count | None,
) -> Count:
    """
    Ranks of an expert-parallel group in one scale-up domain, for the group that is split over the most domains. [1]

    Groups of 64 lie in two racks of 72 unless the job leaves 8 GPUs of each rack free.
    """
    split = expert_tensor or 1
    together = largest_share(expert * split, scale_up_domain, gpus or 0, scale_up_domains)
    return min(expert, max(1, together // split))


@derivation(of="Workload", sources=("megatron-core-moe-2026",))
def expert_level(
    expert: Count,
    expert_tensor: Count | None,
    scale_up_domain: Count,
    leaf_group: Count | None,
    expert_neighbours: Count,
) -> Text | None:
    """
    Narrowest tier that joins an expert-parallel group.

    Expert ranks are dealt out anew over the tensor, context and data ranks, side by side. Absent for a single
    rank.
    """
    if expert == 1:
        return None
    span = expert * (expert_tensor or 1)
    beyond = scale_up_domain + 1 if expert_neighbours < expert else 1
    return level(max(span, beyond), scale_up_domain, leaf_group)
