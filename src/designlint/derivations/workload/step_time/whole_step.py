"""From layers to a whole step: the pace of the pipeline, its bubble, what data-parallel exchange and optimizer add."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, estimate
from designlint.derivations.workload.ranks import members
from designlint.derivations.workload.step_time.exchange import group_rate, joined_rate

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bandwidth, Bytes, Count, Duration, Ratio

#: Bytes per parameter to add up gradients: 16 bit, there and back.
GRADIENT_SUMS = 4.0


@derivation(of="Workload", sources=("vocabulary-parallelism", "llama3-2024"), kind=estimate())
def stage_time(
    layers: Count,
    pipeline: Count,
    virtual_stages: Count,
    uneven_stages: Flag | None,
    last_stage_layers: Count | None,
    layers_forward_time: Duration,
    layers_backward_time: Duration,
    output_layer_time: Duration,
    stage_slack: Ratio,
) -> Duration:
    """
    Time of the slowest pipeline stage for one micro-batch, forward and backward. [s]

    Even stages: the last one, with the output layer on top. Uneven ones are taken to be balanced in whole layers, but
    where the design states how many layers the last one has.
    """
    body = layers_forward_time + layers_backward_time
    if pipeline == 1:
        return body + output_layer_time
    if layers % (pipeline * virtual_stages) == 0 and not uneven_stages:
        return body / pipeline + output_layer_time
    layer = body / layers
    if last_stage_layers is not None:
        rest = math.ceil((layers - last_stage_layers) / (pipeline - 1))
        return max(rest * layer, last_stage_layers * layer + output_layer_time)
    most = math.ceil((layers + output_layer_time / layer) / pipeline - stage_slack) * layer
    return max(most, (body + output_layer_time) / pipeline, output_layer_time)


#: Share of the bubble of 1F1B that schedules leave which move the gradients of weights into it.
BUBBLE_LEFT = {"zero-bubble": 1 / 3, "zero-bubble-v": 1 / 6, "dualpipe": 1 / 6}


@derivation(of="Workload", sources=("narayanan-2021", "zero-bubble-2023"), kind=estimate())
def fill_time(
    pipeline: Count,
    virtual_stages: Count,
    schedule: Text | None,
    layers_forward_time: Duration,
    layers_backward_time: Duration,
    output_layer_time: Duration,
    exposed_border_time: Duration,
) -> Duration:
    """
    Time per step that a stage waits for the pipeline to fill and drain. [s]

    1F1B, or the interleaved schedule on as many chunks; zero-bubble schedules fill most of it.
    """
    mean = (layers_forward_time + layers_backward_time + output_layer_time) / pipeline
    share = BUBBLE_LEFT.get(schedule or "", 1 / virtual_stages)
    return (pipeline - 1) * share * (mean + exposed_border_time)


class GroupLinks(Struct, frozen=True):
    """Rates on both kinds of links, and what slows messages between many servers."""

    scale_up_domain: Count
    scale_up_mesh: Flag | None
    sustained_scale_up_rate: Bandwidth | None
    sustained_network_rate: Bandwidth | None
    half_speed_message: Bytes
    single_link: Flag | None
    exchange_bucket: Bytes | None

    def exchange(self, sent: Bytes, size: float, stride: float, message: Bytes) -> Duration | None:
        """
        Time of a collective over a group, every `stride` GPUs one, of which each rank sends so much. [s]

        Messages to many servers reach their share of the rate only when they are long.
        """
        if size <= 1 or sent == 0:
            return 0.0
        near = members(math.ceil(size), math.ceil(stride), self.scale_up_domain)
        links = 1 if self.single_link else near
        fast = joined_rate(near, self.scale_up_domain, self.scale_up_mesh, self.sustained_scale_up_rate)
        rate = group_rate(size, near if near >= size else links, fast, self.sustained_network_rate)
        if rate is None:
            return None
        domains = max(1.0, size * stride / self.scale_up_domain)
        slowed = 1.0 if near >= size else message / (message + self.half_speed_message * domains)
        return sent * (size - 1) / size / (rate * slowed)


@derivation(of="Workload", sources=("megatron-lm-memory",))
def expert_parameters_held(
    routed_parameters: Count, expert: Count, expert_tensor: Count | None, pipeline: Count
) -> Ratio:
    """
    Average routed-expert parameters per GPU over all stages, before data-parallel sharding. [1]

    Every rank of the expert group has its share.
    """
    return routed_parameters / (expert * (expert_tensor or 1) * pipeline)


@derivation(of="Workload", sources=("megatron-lm-memory",))
def other_parameters_held(
    parameters: Count, routed_parameters: Count, embedding_parameters: Count, tensor: Count, pipeline: Count
) -> Ratio:
    """
    Parameters outside experts per GPU on the first or last stage, before data-parallel sharding. [1]

    Layers are averaged over stages; each of both stages has one embedding matrix.
    """
    body = parameters - routed_parameters - 2 * embedding_parameters
    ends = embedding_parameters * (2 if pipeline == 1 else 1)
    return (max(0, body) / pipeline + ends) / tensor


def state_exchange_time(
    each: Bytes, held: float, ranks: Count, sharers: Count, stride: Count, links: GroupLinks
) -> Duration | None:
    """
    Time to exchange so many bytes for each parameter held, among ranks of which groups share state. [s]

    Inside the group everything; between groups, the sums of gradients of the parameters that each rank owns.
    """
    inside = links.exchange(each * held, sharers, stride, min(each * held, links.exchange_bucket or math.inf))
    copies = ranks / sharers
    sums = GRADIENT_SUMS * held / sharers
    beyond = links.exchange(sums, copies, sharers * stride, sums)
    return None if inside is None or beyond is None else inside + beyond


@derivation(of="Workload", sources=("zero-2020", "simai", "internevo"), groups=(GroupLinks,), kind=estimate())
def dense_state_exchange_time(
    other_parameters_held: Ratio,
    zero_stage: Count,
    short_bytes: Bytes | None,
    data_parallel: Count,
    context: Count,
    state_sharers: Count,
    tensor: Count,
    links: GroupLinks,
) -> Duration | None:
    """
    Time to exchange gradients and weights outside experts once per step. [s]

    Gradients in FP32 and weights in the format of multiplications where ranks share state, else gradients in 16 bit
    there and back. Hybrid sharding adds up gradients between its groups. Weights that are gathered for each micro-batch
    are not counted here.
    """
    ranks = data_parallel * context
    if zero_stage == 0:
        return state_exchange_time(GRADIENT_SUMS, other_parameters_held, ranks, ranks, tensor, links)
    each = 0.0 if zero_stage == 3 else 4.0 + (1.0 if short_bytes else 2.0)
    return state_exchange_time(each, other_parameters_held, ranks, state_sharers, tensor, links)


@derivation(of="Workload", sources=("zero-2020", "simai"), groups=(GroupLinks,), kind=estimate())
def expert_state_exchange_time(
    expert_parameters_held: Ratio,
    zero_stage: Count,
    short_bytes: Bytes | None,
    expert: Count,
    expert_tensor: Count | None,
    expert_data_parallel: Count | None,
    links: GroupLinks,
) -> Duration | None:
    """
    Time to exchange gradients and weights of experts once per step. [s]

    As `dense_state_exchange_time`, among the copies of each expert.
    """
    if expert_parameters_held == 0 or zero_stage == 3:
        return 0.0
    if expert_data_parallel is None:
        return None
    sent = expert_parameters_held * (GRADIENT_SUMS if zero_stage == 0 else 4.0 + (1.0 if short_bytes else 2.0))
    return links.exchange(sent, expert_data_parallel, expert * (expert_tensor or 1), sent)


@derivation(of="Workload", sources=("megascale-2024", "step-time-corpus"), kind=estimate())
def exposed_data_time(
    dense_state_exchange_time: Duration,
    expert_state_exchange_time: Duration,
    local_steps: Count | None,
    overlap: Flag | None,
    data_overlap: Flag | None,
    data_exposure: Ratio,
    exchange_window: Ratio,
    layers_forward_time: Duration,
    layers_backward_time: Duration,
    pipeline: Count,
) -> Duration:
    """
    Time per step spent waiting for the communication of gradients and weights. [s]

    All of it without overlap. With it, what is longer than the work of one micro-batch, and a share of the rest, as
    links and memory are shared. Less where ranks exchange only after several steps.
    """
    hidden = overlap if overlap is not None else data_overlap
    exchange = (dense_state_exchange_time + expert_state_exchange_time) / (local_steps or 1)
    if hidden is False:
        return exchange
    window = exchange_window * (layers_forward_time + layers_backward_time) / pipeline
    return max(0.0, exchange - window) + data_exposure * min(exchange, window)


@derivation(of="Workload", sources=("zero-2020", "simai"), groups=(GroupLinks,), kind=estimate())
def weight_gather_time(
    other_parameters_held: Ratio,
    expert_parameters_held: Ratio,
    layers: Count,
    state_sharers: Count,
    tensor: Count,
    links: GroupLinks,
) -> Duration | None:
    """
    Time to gather all weights once in 16 bits, where data-parallel ranks shard them. [s]

    Layer by layer.
    """
    sent = 2 * (other_parameters_held + expert_parameters_held)
    return links.exchange(sent, state_sharers, tensor, sent / layers)


@derivation(of="Workload", sources=("zero-2020", "pytorch-fsdp-2023"), kind=estimate())
def gathered_micro_batch_time(
    zero_stage: Count,
    weight_gather_time: Duration,
    layers_forward_time: Duration,
    layers_backward_time: Duration,
    output_layer_time: Duration,
    data_exposure: Ratio,
    pipeline: Count,
) -> Duration | None:
    """
    Time of one micro-batch where data-parallel ranks shard weights. [s]

    Forward, the longer of work and gathering; backward, of work, gathering and reduction; and a share of what is
    hidden, as links and memory are shared. Absent below stage 3.
    """
    if zero_stage < 3:
        return None
    forward = (layers_forward_time + output_layer_time / 3) / pipeline
    backward = (layers_backward_time + output_layer_time * 2 / 3) / pipeline
    hidden = min(forward + backward, 3 * weight_gather_time)
    return max(forward, weight_gather_time) + max(backward, 2 * weight_gather_time) + data_exposure * hidden
