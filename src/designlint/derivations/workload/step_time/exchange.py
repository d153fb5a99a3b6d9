"""What a layer and a step wait for on links: tensor, context and pipeline exchange that no computation hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate
from designlint.derivations.workload.ranks import members
from designlint.derivations.workload.step_time.layer_parts import WIDE

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bandwidth, Count, Duration, Ratio


def joined_rate(near: float, domain: float, mesh: Flag | None, fast: Bandwidth | None) -> Bandwidth | None:
    """Bandwidth of one GPU to others of its scale-up domain: by all links through a switch, by one to each in a mesh. [B/s]"""
    if fast is None or not mesh or near >= domain:
        return fast
    return fast * max(1.0, near - 1) / (domain - 1)


def group_rate(size: float, near: float, fast: Bandwidth | None, slow: Bandwidth | None) -> Bandwidth | None:
    """
    Bandwidth at which a ring over a group works, one direction. [B/s]

    A group that leaves its scale-up domain does so over the network links of all its members inside; it is never
    faster than the domain's own links. None where the link that decides is not known.

    Args:
        fast: rate among the members inside a domain, as `joined_rate` gives it.
    """
    if near >= size:
        return fast
    if slow is None:
        return None
    return near * slow if fast is None else min(fast, near * slow)


@derivation(of="Workload", sources=("aiconfigurator", "step-time-corpus"), kind=estimate())
def sustained_scale_up_rate(scale_up_rate: Bandwidth, scale_up_efficiency: Ratio) -> Bandwidth:
    """
    Sustained rate of collectives on the scale-up links of one GPU, per direction. [B/s]

    One share of the line rate for all.
    """
    return scale_up_efficiency * scale_up_rate


@derivation(of="Workload", sources=("simai",), kind=estimate())
def sustained_network_rate(network_rate: Bandwidth, network_efficiency: Ratio) -> Bandwidth:
    """
    Sustained rate of large collectives on the network links of one GPU, per direction. [B/s]

    One share of the line rate for all.
    """
    return network_efficiency * network_rate


@derivation(of="Workload", sources=("narayanan-2021", "korthikanti-2022"), kind=estimate())
def tensor_exchange_time(
    micro_batch_tokens: Count,
    hidden: Count,
    tensor: Count,
    scale_up_domain: Count,
    scale_up_mesh: Flag | None,
    sustained_scale_up_rate: Bandwidth | None,
    sustained_network_rate: Bandwidth | None,
    collective_latency: Duration,
) -> Duration | None:
    """
    Time of tensor-parallel communication in one layer for one micro-batch, forward or backward. [s]

    Two all-reduces, or as many gathers and scatters under sequence parallelism.
    """
    if tensor == 1:
        return 0.0
    near = members(tensor, 1, scale_up_domain)
    fast = joined_rate(near, scale_up_domain, scale_up_mesh, sustained_scale_up_rate)
    rate = group_rate(tensor, near, fast, sustained_network_rate)
    if rate is None:
        return None
    return 4 * (micro_batch_tokens * hidden * WIDE * (tensor - 1) / tensor / rate + collective_latency)


@derivation(of="Workload", sources=("megascale-2024", "step-time-corpus"), kind=estimate())
def exposed_tensor_time(
    tensor_exchange_time: Duration,
    tensor: Count,
    scale_up_domain: Count,
    tensor_overlap: Flag | None,
    framework_tensor_overlap: Flag | None,
    tensor_exposure: Ratio,
) -> Duration:
    """
    Time that one layer waits for tensor-parallel communication for one micro-batch, forward or backward. [s]

    All of it but where the software overlaps it with multiplications, inside one scale-up domain; where no profile of
    the software is stated, as its framework does today.
    """
    overlapped = framework_tensor_overlap if tensor_overlap is None else tensor_overlap
    return tensor_exchange_time * (tensor_exposure if overlapped and tensor <= scale_up_domain else 1.0)


@derivation(of="Workload", sources=("ring-attention-2023", "llama3-2024"), kind=estimate())
def context_exchange_time(
    micro_batch_tokens: Count,
    kv_heads: Count | None,
    head_dimension: Count | None,
    query_width: Count,
    value_width: Count,
    attention: Text | None,
    tensor: Count,
    context: Count,
    scale_up_domain: Count,
    scale_up_mesh: Flag | None,
    sustained_scale_up_rate: Bandwidth | None,
    sustained_network_rate: Bandwidth | None,
) -> Duration | None:
    """
    Forward time to pass keys and values between context-parallel ranks in one layer for one micro-batch. [s]

    Each rank's keys and values visit all others. Latent attention passes them written out for every head.
    """
    if context == 1:
        return 0.0
    near = members(context, tensor, scale_up_domain)
    fast = joined_rate(near, scale_up_domain, scale_up_mesh, sustained_scale_up_rate)
    rate = group_rate(context, near, fast, sustained_network_rate)
    latent = (query_width + value_width) / tensor if attention == "mla" else None
    if rate is None or (latent is None and (kv_heads is None or head_dimension is None)):
        return None
    width = latent or 2 * (kv_heads or 0) * (head_dimension or 0) / tensor
    return WIDE * micro_batch_tokens * width * (context - 1) / rate


def uncovered_time(exchange: Duration, core: Duration, hiding: Ratio, exposure: Ratio) -> Duration:
    """Time left of an exchange behind attention scores, which hide a share of their own time. [s]"""
    return max(0.0, exchange - hiding * core) + exposure * exchange


@derivation(of="Workload", sources=("ring-attention-2023",), kind=estimate())
def exposed_context_time(
    context_exchange_time: Duration,
    attention_core_time: Duration,
    context_hiding: Ratio,
    context_exposure: Ratio,
) -> Duration:
    """
    Forward time that one layer waits for keys and values for one micro-batch. [s]

    Most runs behind attention scores.
    """
    return uncovered_time(context_exchange_time, attention_core_time, context_hiding, context_exposure)


@derivation(of="Workload", sources=("ring-attention-2023",), kind=estimate())
def exposed_context_backward_time(
    context_exchange_time: Duration,
    attention_core_backward_time: Duration,
    context_hiding: Ratio,
    context_exposure: Ratio,
) -> Duration:
    """
    Backward time that one layer waits for keys, values and their gradients for one micro-batch. [s]

    Twice the forward exchange, most of it behind attention scores.
    """
    return uncovered_time(2 * context_exchange_time, attention_core_backward_time, context_hiding, context_exposure)


@derivation(of="Workload", sources=("narayanan-2021", "step-time-corpus"), kind=estimate())
def exposed_border_time(
    micro_batch_tokens: Count,
    hidden: Count,
    tensor: Count,
    pipeline: Count,
    pipeline_stride: Count,
    virtual_stages: Count,
    scale_up_domain: Count,
    scale_up_mesh: Flag | None,
    sustained_scale_up_rate: Bandwidth | None,
    sustained_network_rate: Bandwidth | None,
    pipeline_exposure: Ratio,
) -> Duration | None:
    """
    Time that a pipeline stage waits for activations and gradients of other stages for one micro-batch. [s]

    One message each way for each chunk, which tensor ranks share.
    """
    if pipeline == 1:
        return 0.0
    inside = pipeline * pipeline_stride <= scale_up_domain
    fast = joined_rate(2, scale_up_domain, scale_up_mesh, sustained_scale_up_rate)
    rate = fast if inside else sustained_network_rate
    if rate is None:
        return None
    return pipeline_exposure * 2 * virtual_stages * micro_batch_tokens * hidden * WIDE / tensor / rate
