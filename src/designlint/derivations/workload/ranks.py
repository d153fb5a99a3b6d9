"""Where the ranks of a parallel group stand: which links join them, and what a GPU has of those links."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, upper
from designlint.language.purposes import TRAINING

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bandwidth, Count, DataRate, Ratio

#: Technologies whose switches add nothing up.
WITHOUT_REDUCTION = frozenset({"roce-v2", "ethernet", "efa", "tcpx", "omni-path", "slingshot"})
BITS_PER_BYTE = 8


def members(size: Count, stride: Count, room: Count) -> int:
    """Ranks of a group, every `stride` GPUs one, that stand among so many GPUs side by side."""
    return min(size, max(1, room // stride))


def most_spread(size: Count, stride: Count, room: Count, gpus: Count) -> int:
    """
    The first GPU of the group that reaches most rooms; 0 where that of the first GPU reaches as many as any.

    Groups of `size` ranks, every `stride` GPUs one, fill the GPUs block by block. Looks at so many blocks as there are
    ways in which one can lie over rooms, and at no more than a thousand.
    """
    block, beyond, found = size * stride, (size - 1) * stride, (0, 0)
    if stride >= room:
        return 0
    most = beyond // room
    for number in range(min(gpus // block, room // math.gcd(block, room), 1000)):
        start = number * block % room
        reached = (min(start + stride, room) - 1 + beyond) // room
        if reached > most:
            most, found = reached, (number * block, max(0, reached * room - start - beyond))
    return sum(found)


def level(span: Count, domain: Count, leaf: Count | None) -> str:
    """The narrowest tier that still joins a group over so many GPUs."""
    if span <= domain:
        return "scale-up"
    if leaf is None:
        return "network"
    return "leaf" if span <= leaf else "spine"


@derivation(of="Attachment")
def training_rate(fabric_purpose: Text, rate_per_gpu: DataRate | None) -> DataRate | None:
    """
    Rate for each GPU into a fabric that carries training. [bit/s]

    Nothing for every other fabric. Absent where its purpose is open: it could carry training, too.
    """
    return rate_per_gpu if fabric_purpose in TRAINING else 0.0


@derivation(of="Workload", kind=upper)
def network_rate(training_rates: tuple[DataRate, ...]) -> Bandwidth | None:
    """
    Bandwidth of one GPU to the network that carries training, per direction. [B/s]

    Line rate of all ports into compute and converged fabrics, headers included: an upper bound. Absent where
    none of the servers' fabrics carries training.
    """
    rate = sum(training_rates)
    return rate / BITS_PER_BYTE if rate > 0 else None


@derivation(of="Workload", sources=("ml-engineering",), kind=upper)
def scale_up_rate(scale_up_bandwidth: Bandwidth) -> Bandwidth:
    """
    Bandwidth of one GPU to the scale-up network, per direction. [B/s]

    Half of what data sheets print, who add both directions. Assumes that a group can use all links of its
    GPUs: an upper bound where GPUs are joined pairwise without a switch.
    """
    return scale_up_bandwidth / 2


@derivation(of="Attachment", sources=("superpod-h100-ra",))
def leaf_gpus(
    leaf_host_ports: Count | None,
    leaf_servers: Count | None,
    fabric_rails: Flag | None,
    ports: Count | None,
    pool_server_gpus: tuple[Count, ...],
) -> Count | None:
    """
    GPUs of the pool below one leaf, or one set of leaves where wiring is rail-optimised. [1]

    A leaf takes one port of every server where wiring is rail-optimised, else all ports of each. Assumes
    rails where the design does not say, which joins more GPUs.
    """
    joined = leaf_host_ports
    if fabric_rails is False and leaf_host_ports is not None:
        joined = leaf_host_ports // (ports or 1)
    servers = joined if leaf_servers is None else leaf_servers
    return None if servers is None else servers * max(pool_server_gpus)


@derivation(of="Attachment")
def training_leaf_gpus(carries_training: Flag | None, leaf_gpus: Count | None) -> Count:
    """
    GPUs below one leaf, or one set of leaves, of a fabric that carries training. [1]

    Nothing for every other fabric, and where leaves are not described.
    """
    return leaf_gpus or 0 if carries_training else 0


@derivation(of="Attachment")
def training_oversubscription(carries_training: Flag | None, fabric_oversubscription: Ratio | None) -> Ratio:
    """
    Host bandwidth of a leaf per bandwidth of its uplinks, for a fabric that carries training. [1]

    Nothing for every other fabric, and where uplinks are not described.
    """
    return fabric_oversubscription or 0.0 if carries_training else 0.0


@derivation(of="Attachment", sources=("ml-engineering",), kind=upper)
def may_reduce(fabric_technology: Text | None, fabric_reduction: Text | None) -> Flag:
    """
    Whether switches of the fabric might add up gradients on their way.

    Assumes that they might wherever the design does not rule it out: by `none`, or by a technology without it.
    """
    return fabric_reduction == "sharp" or (fabric_reduction != "none" and fabric_technology not in WITHOUT_REDUCTION)


@derivation(of="Workload", kind=upper)
def switches_may_reduce(reductions: tuple[Flag, ...]) -> Flag:
    """
    Whether switches between the job's servers might add up gradients on their way.

    Assumes so where any fabric of the servers might.
    """
    return any(reductions)


@derivation(of="Workload")
def leaf_group(training_leaf_sizes: tuple[Count, ...]) -> Count | None:
    """
    GPUs below one leaf, or one set of leaves, of the network that carries training. [1]

    Assumes that the job takes neighbouring servers. Absent where no fabric that carries training describes it.
    """
    return min((size for size in training_leaf_sizes if size), default=None)


@derivation(of="Workload")
def leaf_oversubscription(training_oversubscriptions: tuple[Ratio, ...]) -> Ratio | None:
    """
    Host bandwidth of a leaf divided by its uplink bandwidth, on the network that carries training. [1]

    The worst where there are several. Absent where no fabric that carries training describes it.
    """
    return max(training_oversubscriptions) or None


@derivation(of="Workload", sources=("narayanan-2021", "llama3-2024"))
def tensor_level(tensor: Count, scale_up_domain: Count, leaf_group: Count | None) -> Text | None:
    """
    Narrowest tier that joins a tensor-parallel group.

    Tensor ranks stand innermost, side by side, as Llama 3 and Megatron order them. Absent for a single rank.
    """
    return None if tensor == 1 else level(tensor, scale_up_domain, leaf_group)


@derivation(of="Workload", sources=("llama3-2024",))
def context_level(tensor: Count, context: Count, scale_up_domain: Count, leaf_group: Count | None) -> Text | None:
    """
    Narrowest tier that joins a context-parallel group.

    Context ranks stand next to the tensor ranks, as Llama 3 and Megatron order them. Absent for a single rank.
    """
    return None if context == 1 else level(tensor * context, scale_up_domain, leaf_group)


@derivation(of="Workload", sources=("llama3-2024", "megatron-lm"))
def pipeline_stride(tensor: Count, context: Count, data_parallel: Count, rank_order: Text) -> Count:
    """
    GPUs from one pipeline stage to the next. [1]

    Pipeline stages stand outermost in Megatron's usual order, and inside the data-parallel ranks in that of
    Llama 3.
    """
    return tensor * context * (1 if rank_order.endswith("dp") else data_parallel)


@derivation(of="Workload", sources=("llama3-2024", "megatron-lm"))
def pipeline_level(
    pipeline: Count, pipeline_stride: Count, scale_up_domain: Count, leaf_group: Count | None
) -> Text | None:
    """
    Narrowest tier that joins all stages of a pipeline.

    By the order of ranks. Absent for a single stage.
    """
    return None if pipeline == 1 else level(pipeline * pipeline_stride, scale_up_domain, leaf_group)


@derivation(of="Workload", sources=("llama3-2024", "megatron-lm"))
def data_level(
    data_parallel: Count,
    tensor: Count,
    context: Count,
    pipeline: Count,
    rank_order: Text,
    scale_up_domain: Count,
    leaf_group: Count | None,
) -> Text | None:
    """
    Narrowest tier that joins the ranks that exchange gradients.

    Data-parallel and context-parallel ranks exchange them together; by the order of ranks. Absent for a single
    rank.
    """
    if data_parallel * context == 1:
        return None
    span = data_stride(tensor, context, pipeline, rank_order) * data_parallel
    return level(span, scale_up_domain, leaf_group)


def data_stride(tensor: Count, context: Count, pipeline: Count, order: Text) -> int:
    """GPUs from a data-parallel rank to the next, by the order of ranks."""
    return tensor * context * (pipeline if order.endswith("dp") else 1)


def data_members(room: Count, data: Count, tensor: Count, context: Count, pipeline: Count, order: str) -> int:
    """Ranks of one gradient exchange among so many GPUs side by side, by the order of ranks."""
    if not order.endswith("dp"):
        return members(data * context, tensor, room)
    return members(context, tensor, room) * members(data, tensor * context * pipeline, room)


@derivation(of="Workload", sources=("llama3-2024", "megatron-lm"))
def data_neighbours(
    data_parallel: Count, tensor: Count, context: Count, pipeline: Count, rank_order: Text, scale_up_domain: Count
) -> Count:
    """
    Ranks of one gradient exchange in the same scale-up domain. [1]

    By the order of ranks: with pipeline stages inside the data-parallel ranks, mostly context ranks do.
    """
    return data_members(scale_up_domain, data_parallel, tensor, context, pipeline, rank_order)


@derivation(of="Workload", sources=("llama3-2024", "megatron-lm"))
def data_leaf_neighbours(
    data_parallel: Count, tensor: Count, context: Count, pipeline: Count, rank_order: Text, leaf_group: Count
) -> Count:
    """
    Ranks of one gradient exchange below the same leaf, or the same set of leaves. [1]

    By the order of ranks. Assumes that the job takes neighbouring servers.
    """
    return data_members(leaf_group, data_parallel, tensor, context, pipeline, rank_order)


@derivation(of="Workload", sources=("megatron-core-moe-2026",))
def expert_data_neighbours(
    expert_data_parallel: Count,
    expert: Count,
    expert_tensor: Count | None,
    pipeline: Count,
    rank_order: Text,
    scale_up_domain: Count,
) -> Count:
    """
    Copies of an expert in the same scale-up domain. [1]

    By the order of ranks, expert ranks side by side.
    """
    inner = expert * (expert_tensor or 1) * (pipeline if rank_order.endswith("dp") else 1)
    return members(expert_data_parallel, inner, scale_up_domain)
