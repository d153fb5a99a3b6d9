"""How long one step computes and communicates, each over the links that it really crosses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, estimate, lower, upper
from designlint.derivations.workload.ranks import members

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Bandwidth, Bytes, Computation, ComputeRate, Count, Duration, Ratio


def beyond(ranks: Count, near: Count) -> float:
    """Share of what a rank sends in a ring that must leave a domain which `near` of the ranks share."""
    return (ranks - near) / ((ranks - 1) * near) if ranks > near else 0.0


def inside(ranks: Count, near: Count) -> float:
    """Share of what a rank sends in a ring that can stay in a domain which `near` of the ranks share."""
    return ranks * (near - 1) / ((ranks - 1) * near) if ranks > 1 else 0.0


def exchange_time(
    sent: Bytes, ranks: Count, near: Count, fast: Bandwidth | None, slow: Bandwidth | None
) -> Duration | None:
    """
    Time of a collective that first works inside scale-up domains and then between them. [s]

    Both at once, the slower counts. None where the rate of the link that decides is not known.
    """
    if sent == 0:
        return 0.0
    if (near < ranks and slow is None) or (near == ranks and fast is None):
        return None
    outer = sent * beyond(ranks, near) / slow if slow else 0.0
    return max(outer, sent * inside(ranks, near) / fast if fast else 0.0)


@derivation(of="Workload", sources=("chowdhery-2022",), kind=lower)
def compute_time(
    tokens_per_step: Count, flops_per_token: Computation, gpus: Count, peak_compute: ComputeRate
) -> Duration:
    """
    Time of one step's model FLOPs at the dense peak of all GPUs. [s]

    A lower bound: no multiplication reaches the peak, and recomputation comes on top.
    """
    return tokens_per_step * flops_per_token / (gpus * peak_compute)


@derivation(of="Workload", sources=("narayanan-2021",), kind=upper)
def backward_time(step_time: Duration, recompute: Text | None) -> Duration:
    """
    Time of the backward passes of one step at the targeted utilisation. [s]

    Two thirds of the step, three quarters where the forward pass is computed again. An upper bound: whatever
    else a step waits for is counted in.
    """
    return step_time * (3 / 4 if recompute == "full" else 2 / 3)


@derivation(of="Workload", sources=("narayanan-2021",), kind=estimate())
def tensor_time(
    tensor_bytes: Bytes,
    tensor: Count,
    scale_up_domain: Count,
    scale_up_rate: Bandwidth | None,
    network_rate: Bandwidth | None,
) -> Duration | None:
    """
    Time of tensor-parallel communication per step. [s]

    Bytes over line rate, latency ignored: a lower bound but where switches add up (NVLS, SHARP), which
    saves up to half.
    """
    return exchange_time(tensor_bytes, tensor, members(tensor, 1, scale_up_domain), scale_up_rate, network_rate)


@derivation(of="Workload", sources=("ring-attention-2023",), kind=estimate())
def context_time(
    context_bytes: Bytes,
    tensor: Count,
    context: Count,
    scale_up_domain: Count,
    scale_up_rate: Bandwidth | None,
    network_rate: Bandwidth | None,
) -> Duration | None:
    """
    Time of context-parallel communication (keys and values) per step. [s]

    Bytes over line rate, latency ignored. Assumes that ranks of one domain share what must leave it.
    """
    near = members(context, tensor, scale_up_domain)
    return exchange_time(context_bytes, context, near, scale_up_rate, network_rate)


@derivation(of="Workload", sources=("narayanan-2021",), kind=estimate())
def pipeline_time(
    pipeline_bytes: Bytes,
    pipeline: Count,
    pipeline_stride: Count,
    scale_up_domain: Count,
    scale_up_rate: Bandwidth | None,
    network_rate: Bandwidth | None,
    leaf_group: Count | None,
    leaf_oversubscription: Ratio | None,
) -> Duration | None:
    """
    Time of communication between pipeline stages per step. [s]

    Bytes over line rate, latency ignored, averaged over stages. Where borders between stages lie on
    borders of leaves, uplinks count in proportion to their oversubscription.
    """
    span = pipeline * pipeline_stride
    if pipeline_bytes == 0 or span <= scale_up_domain:
        return 0.0 if pipeline_bytes == 0 else pipeline_bytes / scale_up_rate if scale_up_rate else None
    if network_rate is None:
        return None
    crossing = min(1, pipeline_stride / scale_up_domain)
    on_uplinks = min(1, pipeline_stride / leaf_group) if leaf_group and span > leaf_group else 0
    return pipeline_bytes / network_rate * max(crossing, on_uplinks * (leaf_oversubscription or 0))


@derivation(of="Workload", sources=("deepseek-v3-2024",), kind=estimate())
def expert_time(
    expert_bytes: Bytes,
    expert_network_bytes: Bytes,
    expert: Count,
    expert_tensor: Count | None,
    scale_up_rate: Bandwidth | None,
    network_rate: Bandwidth | None,
    leaf_group: Count | None,
    leaf_oversubscription: Ratio | None,
) -> Duration | None:
    """
    Time of the all-to-all communication of experts per step. [s]

    Bytes over line rate, latency and uneven routing ignored: a lower bound of what dispatch and combine
    take without overlap. Where the group reaches over several leaves, uplinks count by their oversubscription.
    """
    near = expert_bytes / scale_up_rate if scale_up_rate else None
    if expert_network_bytes == 0:
        return near
    if network_rate is None:
        return None
    away = 1 - min(1, (leaf_group or expert) / (expert * (expert_tensor or 1)))
    return max(expert_network_bytes / network_rate * max(1, away * (leaf_oversubscription or 0)), near or 0)


class Neighbours(Struct, frozen=True):
    """Ranks of gradient exchanges that are near each other."""

    data_neighbours: Count
    data_leaf_neighbours: Count | None
    expert_data_neighbours: Count | None
    leaf_oversubscription: Ratio | None


class GpuLinks(Struct, frozen=True):
    """Bandwidth of one GPU, each way."""

    scale_up_rate: Bandwidth | None
    network_rate: Bandwidth | None


@derivation(of="Workload", sources=("zero-2020", "ml-engineering"), groups=(Neighbours, GpuLinks), kind=estimate())
def data_time(
    dense_exchange: Bytes,
    replica_exchange: Bytes,
    data_parallel: Count,
    context: Count,
    state_sharers: Count,
    expert_exchange: Bytes,
    expert_data_parallel: Count | None,
    neighbours: Neighbours,
    links: GpuLinks,
) -> Duration | None:
    """
    Time of gradient and weight communication per step. [s]

    Bytes over line rate, latency ignored. Ranks of one scale-up domain reduce among themselves first, so that
    each sends its share only; likewise below a leaf, whose uplinks may be oversubscribed. Groups that share state are
    taken as the nearest ranks. A lower bound but where switches add up (SHARP), which saves up to half.
    """
    fast, slow = links.scale_up_rate, links.network_rate
    ranks, near = data_parallel * context, neighbours.data_neighbours
    group = state_sharers
    dense = exchange_time(dense_exchange, group, min(group, near), fast, slow)
    outer = exchange_time(replica_exchange, ranks // group, max(1, near // group), fast, slow)
    around, copies = neighbours.expert_data_neighbours or 1, expert_data_parallel or 1
    experts = exchange_time(expert_exchange, copies, around, fast, slow)
    if dense is None or outer is None or experts is None:
        return None
    below = neighbours.data_leaf_neighbours or ranks
    crossing = dense_exchange * beyond(group, min(group, below)) + replica_exchange * beyond(
        ranks // group, max(1, below // group)
    )
    uplinks = crossing * (neighbours.leaf_oversubscription or 0) / (slow or 1)
    return max(dense + outer, uplinks) + experts


@derivation(of="Workload", kind=estimate())
def communication_time(
    tensor_time: Duration,
    context_time: Duration,
    pipeline_time: Duration,
    data_time: Duration,
    expert: Count,
    expert_time: Duration | None,
) -> Duration | None:
    """
    Time of all communication per step, without overlap. [s]

    What is not hidden behind computation adds to the step.
    """
    if expert > 1 and expert_time is None:
        return None
    return tensor_time + context_time + pipeline_time + data_time + (expert_time or 0 if expert > 1 else 0)


@derivation(of="Workload", kind=estimate())
def communication_share(communication_time: Duration, compute_time: Duration) -> Ratio:
    """
    Share of a step that communication would take if nothing were hidden. [1]

    Computation at the dense peak: an upper bound of the share, as far as line rates are reached.
    """
    return communication_time / (communication_time + compute_time)


@derivation(of="Workload", kind=estimate())
def time_to_hide(communication_time: Duration, compute_time: Duration, step_time: Duration) -> Duration:
    """
    Communication time per step that must overlap with computation, for the targeted utilisation. [s]

    A lower bound: computation at the dense peak, communication at line rate.
    """
    return max(0.0, communication_time + compute_time - step_time)
