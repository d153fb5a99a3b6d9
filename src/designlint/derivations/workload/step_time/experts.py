"""Time of the expert part of a layer: its multiplications, permutation of tokens, exchange with other ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, estimate
from designlint.derivations.workload.communication import domains_reached
from designlint.derivations.workload.ranks import members
from designlint.derivations.workload.step_time.exchange import group_rate, joined_rate
from designlint.derivations.workload.step_time.layer_parts import WIDE
from designlint.derivations.workload.step_time.matrices import multiplication_time

if TYPE_CHECKING:
    from designlint.derivations.base import Flag
    from designlint.language.units import Bandwidth, ComputeRate, Count, Duration, Ratio


class Experts(Struct, frozen=True):
    """Routed experts of one layer, and how ranks share them."""

    hidden: Count
    experts: Count
    experts_per_token: Count
    expert_feed_forward: Count
    expert: Count
    expert_tensor: Count | None
    tensor: Count


@derivation(of="Workload")
def sent_tokens(micro_batch_tokens: Count, experts_visited: Ratio, tensor: Count) -> Ratio:
    """
    Copies of tokens that each rank sends to experts in one layer for one micro-batch. [1]

    Tensor-parallel ranks share the sequence out before tokens are sent.
    """
    return micro_batch_tokens * experts_visited / tensor


@derivation(of="Workload", sources=("megatron-core-moe-2026",), kind=estimate())
def expert_tokens(sent_tokens: Ratio, expert_tensor: Count | None) -> Ratio:
    """
    Copies of tokens that the experts of a rank process in one layer for one micro-batch. [1]

    Assumes an even load. Ranks that split experts gather the tokens of each other.
    """
    return sent_tokens * (expert_tensor or 1)


@derivation(of="Workload", sources=("megatron-core-moe-2026",), groups=(Experts,), kind=estimate())
def expert_rows(expert_tokens: Ratio, shape: Experts) -> Ratio:
    """
    Tokens that each expert processes in one layer for one micro-batch. [1]

    Assumes an even load.
    """
    return expert_tokens * shape.expert / shape.experts


@derivation(of="Workload", sources=("aiconfigurator", "step-time-corpus"), groups=(Experts,), kind=estimate())
def expert_matrix_time(
    expert_rows: Ratio,
    shape: Experts,
    gated: Flag,
    matrix_rate: ComputeRate,
    expert_share: Ratio,
    matrix_knee: Ratio,
) -> Duration:
    """
    Forward time of the routed experts' matrix multiplications in one layer for one micro-batch. [s]

    Grouped multiplications, one for each expert of the rank, with few tokens each.
    """
    rate, width = matrix_rate * expert_share, shape.expert_feed_forward / (shape.expert_tensor or 1)
    first = multiplication_time(expert_rows, (2 if gated else 1) * width, shape.hidden, rate, matrix_knee)
    return (
        shape.experts
        / shape.expert
        * (first + multiplication_time(expert_rows, shape.hidden, width, rate, matrix_knee))
    )


@derivation(of="Workload", sources=("megatron-core-moe-2026",), kind=estimate())
def shared_expert_time(
    micro_batch_tokens: Count,
    hidden: Count,
    shared_expert_feed_forward: Count | None,
    gated: Flag | None,
    tensor: Count,
    matrix_rate: ComputeRate,
    matrix_knee: Ratio,
) -> Duration | None:
    """
    Forward time of the shared experts' matrix multiplications in one layer for one micro-batch. [s]

    Nothing where the design states no width of one.
    """
    if not shared_expert_feed_forward:
        return 0.0
    if gated is None:
        return None
    width = shared_expert_feed_forward / tensor
    first = multiplication_time(micro_batch_tokens, (2 if gated else 1) * width, hidden, matrix_rate, matrix_knee)
    return first + multiplication_time(micro_batch_tokens, hidden, width, matrix_rate, matrix_knee)


@derivation(of="Workload", sources=("megatron-core-moe-2026",), kind=estimate())
def router_time(
    micro_batch_tokens: Count, hidden: Count, experts: Count, tensor: Count, wide_rate: ComputeRate, wide_knee: Ratio
) -> Duration:
    """
    Forward time to score all experts in one layer for one micro-batch. [s]

    One multiplication in 16 bit of the rank's share of the sequence.
    """
    return multiplication_time(micro_batch_tokens / tensor, experts, hidden, wide_rate, wide_knee)


@derivation(of="Workload", sources=("step-time-corpus",), groups=(Experts,), kind=estimate())
def permutation_time(
    expert_tokens: Ratio,
    shape: Experts,
    expert_passes: Ratio,
    expert_inner_passes: Ratio,
    conversion_time: Duration,
    memory_rate: Bandwidth,
) -> Duration:
    """
    Time to permute tokens to experts and back, plus the experts' activation function, in one layer for one micro-batch. [s]

    Passes over all copies of tokens in 16 bit, and the conversion of both inputs to a low-precision format.
    """
    width = shape.expert_feed_forward / (shape.expert_tensor or 1)
    moved = WIDE * (expert_passes * shape.hidden + expert_inner_passes * width) / memory_rate
    return expert_tokens * (moved + (shape.hidden + width) * conversion_time)


@derivation(of="Workload", sources=("deepep", "step-time-corpus"), groups=(Experts,), kind=estimate())
def exposed_expert_time(
    sent_tokens: Ratio,
    shape: Experts,
    servers_per_token: Count | None,
    expert_neighbours: Count,
    scale_up_domain: Count,
    scale_up_mesh: Flag | None,
    sustained_scale_up_rate: Bandwidth | None,
    sustained_network_rate: Bandwidth | None,
    expert_exchange_factor: Ratio,
) -> Duration | None:
    """
    Time that a rank waits for expert dispatch and combine in one layer for one micro-batch, forward or backward. [s]

    Inside the scale-up domain over its links; a token crosses the network once for each further domain, over the
    network links of its own GPU. The factor covers what runs behind other work.
    """
    if shape.expert == 1:
        return 0.0
    sent = 2 * WIDE * sent_tokens * shape.hidden
    near = expert_neighbours
    fast = joined_rate(near, scale_up_domain, scale_up_mesh, sustained_scale_up_rate)
    if (near > 1 and fast is None) or (near < shape.expert and sustained_network_rate is None):
        return None
    inner = sent * (shape.expert - 1) / shape.expert / fast if fast else 0.0
    if near == shape.expert or sustained_network_rate is None:
        return expert_exchange_factor * inner
    reached = domains_reached(shape.expert / near, shape.experts_per_token, servers_per_token)
    return expert_exchange_factor * max(inner, sent * reached / shape.experts_per_token / sustained_network_rate)


@derivation(of="Workload", sources=("megatron-core-moe-2026",), groups=(Experts,), kind=estimate())
def expert_gather_time(
    sent_tokens: Ratio,
    shape: Experts,
    exposed_tensor_time: Duration,
    scale_up_domain: Count,
    scale_up_mesh: Flag | None,
    sustained_scale_up_rate: Bandwidth | None,
    sustained_network_rate: Bandwidth | None,
    collective_latency: Duration,
) -> Duration | None:
    """
    Time that a rank waits for the other ranks that split its experts, in one layer for one micro-batch, forward or backward. [s]

    They gather all copies of tokens that each received and scatter the sums; where experts are not spread, tokens are
    gathered once, as in a layer without experts. Nothing where experts are whole.
    """
    split = shape.expert_tensor or 1
    if split == 1:
        return 0.0
    if shape.expert == 1:
        return exposed_tensor_time / 2
    near = members(split, 1, scale_up_domain)
    fast = joined_rate(near, scale_up_domain, scale_up_mesh, sustained_scale_up_rate)
    rate = group_rate(split, near, fast, sustained_network_rate)
    if rate is None:
        return None
    return 2 * (sent_tokens * shape.hidden * WIDE * (split - 1) / rate + collective_latency)
