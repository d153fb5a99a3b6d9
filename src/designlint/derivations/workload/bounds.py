"""What the network leaves of the GPUs' peak at best, whatever a framework hides or places well."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate, lower, upper
from designlint.derivations.workload.compute import passes
from designlint.derivations.workload.ranks import members
from designlint.derivations.workload.step import beyond, inside

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bandwidth, Bytes, ComputeRate, Count, Duration, Ratio


def departing(ranks: Count, near: Count) -> float:
    """Share of its values that a rank must send out of a domain which `near` of the ranks share."""
    return (ranks - near) / (ranks * near)


@derivation(of="Workload", sources=("zero-2020",), kind=lower)
def departing_parameters(
    parameters: Count,
    active_parameters: Count,
    routed_parameters: Count,
    experts: Count | None,
    tensor: Count,
    pipeline: Count,
    expert: Count,
    expert_tensor: Count | None,
    data_parallel: Count,
    context: Count,
    expert_data_parallel: Count | None,
    scale_up_domain: Count,
) -> Count | None:
    """
    Parameters whose gradients each GPU must send outside its scale-up domain in every step. [1]

    A lower bound: averaged over stages, with the ranks of an exchange as close together as they can be, each
    domain reducing among its GPUs first. Absent for mixtures of experts that are not described.
    """
    if experts is None and active_parameters < parameters:
        return None
    ranks, copies, split = data_parallel * context, expert_data_parallel or 1, expert_tensor or 1
    dense = (parameters - routed_parameters) / tensor * departing(ranks, members(ranks, tensor, scale_up_domain))
    routed = routed_parameters / (expert * split) * departing(copies, members(copies, split, scale_up_domain))
    return math.floor((dense + routed) / pipeline)


@derivation(of="Workload", sources=("zero-2020", "ml-engineering"), kind=lower)
def least_data_time(
    trains_all_parameters: Flag,
    departing_parameters: Count,
    exchanged_gradient_bytes: Bytes,
    weight_bytes: Bytes,
    switches_may_reduce: Flag | None,
    network_rate: Bandwidth | None,
    exchange_period: Count,
) -> Duration | None:
    """
    Minimum time of gradients and weights on the network per step. [s]

    A lower bound for every ZeRO stage and placement: gradients go out once, and gradients or weights come back,
    unless switches might add up. Averaged over the steps between two exchanges; assumes one in every step where the
    design does not say. Absent for jobs that train a part of the
    parameters.
    """
    if not trains_all_parameters or (departing_parameters and network_rate is None):
        return None
    back = min(exchanged_gradient_bytes, weight_bytes) if switches_may_reduce is False else 0
    return departing_parameters * (exchanged_gradient_bytes + back) / (network_rate or 1) / exchange_period


@derivation(of="Workload", sources=("narayanan-2021", "ml-engineering"), kind=lower)
def least_tensor_time(
    tensor_bytes: Bytes,
    tensor: Count,
    scale_up_domain: Count,
    scale_up_rate: Bandwidth | None,
    network_rate: Bandwidth | None,
) -> Duration:
    """
    Minimum time that tensor parallelism occupies its busiest link per step. [s]

    A lower bound: half of the bytes of a ring, as switches that add up need. Links of unknown rate do not count.
    """
    half, near = tensor_bytes / 2, members(tensor, 1, scale_up_domain)
    outer = half * beyond(tensor, near) / network_rate if network_rate else 0.0
    return max(outer, half * inside(tensor, near) / scale_up_rate if scale_up_rate else 0.0)


@derivation(of="Workload", kind=lower)
def least_step_time(compute_time: Duration, least_data_time: Duration, least_tensor_time: Duration | None) -> Duration:
    """
    Minimum step time, with everything overlapped with the slowest part. [s]

    A lower bound: everything hidden behind whatever takes longest, computation at the dense peak included.
    Pipeline, context and expert exchange, idle stages and latency come on top.
    """
    return max(compute_time, least_data_time, least_tensor_time or 0)


@derivation(of="Workload", sources=("kaplan-2020",), kind=lower)
def least_layers_time(
    kind: Text,
    adapters: Flag | None,
    tokens_per_step: Count,
    layers_parameters: Count,
    routed_parameters: Count,
    gpus: Count,
    peak_compute: ComputeRate,
) -> Duration:
    """
    Minimum time of one step's multiplications with the weights of the layers. [s]

    A lower bound that needs no vocabulary: at the dense peak of all GPUs, routed experts left out, as attention, the
    output layer and everything else.
    """
    multiplied = layers_parameters - routed_parameters
    return tokens_per_step * passes(kind, adapters) * multiplied / (gpus * peak_compute)


@derivation(of="Workload", kind=upper)
def most_mfu(compute_time: Duration, least_step_time: Duration) -> Ratio:
    """
    Maximum model FLOPs utilisation (MFU) that the network allows. [1]

    An upper bound, as `least_step_time` is a lower one.
    """
    return compute_time / least_step_time


@derivation(of="Workload", kind=upper)
def most_mfu_without_overlap(compute_time: Duration, least_data_time: Duration) -> Ratio:
    """
    Maximum model FLOPs utilisation (MFU) if GPUs wait for the exchange of gradients and weights. [1]

    An upper bound: computation at the dense peak, the least exchange, nothing else.
    """
    return compute_time / (compute_time + least_data_time)


@derivation(of="Workload", sources=("narayanan-2021",), kind=estimate())
def bubble_time(compute_time: Duration, pipeline_bubble: Ratio) -> Duration:
    """
    Minimum time per step that GPUs wait for the pipeline to fill and drain. [s]

    A lower bound: computation at the dense peak.
    """
    return compute_time * pipeline_bubble


@derivation(of="Workload", kind=estimate())
def exposable_time(step_time: Duration, compute_time: Duration, bubble_time: Duration | None) -> Duration:
    """
    Maximum communication time per step that need not overlap at the targeted utilisation. [s]

    An upper bound: computation and pipeline bubble at the dense peak; kernels below their peak and recomputation take of it.
    """
    return max(0.0, step_time - compute_time - (bubble_time or 0))


@derivation(of="Workload", kind=estimate())
def peak_share_if_hidden(step_time: Duration, compute_time: Duration, pipeline_bubble: Ratio | None) -> Ratio:
    """
    Share of the dense peak that kernels must reach for the targeted utilisation, with all communication hidden. [1]

    Of the model FLOPs; what is computed again comes on top. The pipeline waits in proportion to the time that it computes.
    """
    return compute_time * (1 + (pipeline_bubble or 0)) / step_time


@derivation(of="Workload", sources=("narayanan-2021",), kind=lower)
def least_kernel_share(
    mfu: Ratio, least_pipeline_bubble: Ratio | None, recomputed_share: Ratio | None, trains_all_parameters: Flag
) -> Ratio:
    """
    Minimum share of the dense peak that kernels must reach for the targeted utilisation. [1]

    A lower bound: all communication hidden. The pipeline waits in proportion to the time that it computes, where its
    schedule is certain, and full recomputation repeats the forward pass, a third of the model FLOPs.
    """
    again = 1 + (recomputed_share or 0.0) / 3 if trains_all_parameters else 1.0
    return mfu * (1 + (least_pipeline_bubble or 0.0)) * again


@derivation(of="Workload", sources=("korthikanti-2022",), kind=lower)
def measured_hardware_share(
    measured_mfu: Ratio,
    measured_hfu: Ratio | None,
    recomputed_share: Ratio | None,
    trains_all_parameters: Flag,
    embedding_parameters: Count,
    active_parameters: Count,
) -> Ratio:
    """
    Minimum share of the dense peak that the measured utilisation requires, recomputation included. [1]

    Full recomputation repeats the forward pass of the layers, a third of their FLOPs; the output layer is not repeated. A lower
    bound: attention scores, which belong to the layers, are not counted.
    """
    layers = max(0.0, 1 - embedding_parameters / active_parameters) if active_parameters > 0 else 0.0
    again = 1 + layers * (recomputed_share or 0.0) / 3 if trains_all_parameters else 1.0
    return max(measured_mfu * again, measured_hfu or 0.0)


@derivation(of="Workload", kind=estimate())
def peak_share_if_exposed(
    step_time: Duration, compute_time: Duration, pipeline_bubble: Ratio | None, communication_time: Duration
) -> Ratio | None:
    """
    Share of the dense peak that kernels must reach for the targeted utilisation, with no communication hidden. [1]

    As `peak_share_if_hidden`, links at line rate. Absent where communication alone takes the whole step.
    """
    left = step_time - communication_time
    return compute_time * (1 + (pipeline_bubble or 0)) / left if left > 0 else None
