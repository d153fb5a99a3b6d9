"""How much each GPU sends in a step, by parallel dimension, averaged over the stages of a pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Bytes, Count, Ratio

#: Matrix formats of a byte or less, in which activations can be sent to experts.
SHORT = frozenset({"fp8", "mxfp8", "fp4", "nvfp4", "mxfp4"})


@derivation(of="Workload")
def rank_tokens(kind: Text, tokens_per_step: Count, data_parallel: Count, context: Count) -> Ratio | None:
    """
    Tokens per step on each data- and context-parallel rank. [1]

    Assumes that ranks share the batch evenly. Absent for inference, which has no backward pass.
    """
    if kind == "inference":
        return None
    return tokens_per_step / (data_parallel * context)


@derivation(of="Workload", sources=("narayanan-2021", "korthikanti-2022"))
def tensor_bytes(
    rank_tokens: Ratio,
    hidden: Count,
    activation_bytes: Bytes,
    layers: Count,
    part_share: Ratio,
    layers_with_experts: Count,
    expert_tensor: Count | None,
    pipeline: Count,
    tensor: Count,
) -> Bytes:
    """
    Bytes that each GPU sends per step for tensor parallelism. [B]

    Four all-reduces of the activations in each layer, two forward and two backward: 8 b s h (t - 1) / t
    values; sequence parallelism sends as many as reduce-scatter and all-gather. Layers of one part, and those whose
    experts are not split, send half. What is gathered again for the backward pass, embeddings and the loss come on top.
    """
    parts = 2 * layers * part_share
    halves = parts if (expert_tensor or 1) > 1 else parts - layers_with_experts
    return 4 * halves * rank_tokens * hidden * activation_bytes * (tensor - 1) / tensor / pipeline


@derivation(of="Workload", sources=("ring-attention-2023", "llama3-2024"), kind=estimate())
def context_bytes(
    rank_tokens: Ratio,
    kv_heads: Count | None,
    head_dimension: Count | None,
    activation_bytes: Bytes,
    layers: Count,
    attention: Text | None,
    pipeline: Count,
    tensor: Count,
    context: Count,
) -> Bytes | None:
    """
    Bytes that each GPU sends per step for context parallelism (keys and values). [B]

    Each rank's keys and values visit every other rank forward and backward, and their gradients go back: three
    passes. An exchange of heads (Ulysses) sends less on many ranks. Absent for latent attention.
    """
    if context == 1:
        return 0.0
    if attention == "mla" or kv_heads is None or head_dimension is None:
        return None
    width = 2 * head_dimension * max(kv_heads, tensor) / tensor
    return 3 * layers * rank_tokens * width * activation_bytes * (context - 1) / pipeline


@derivation(of="Workload", sources=("narayanan-2021",), kind=lower)
def pipeline_bytes(
    rank_tokens: Ratio,
    hidden: Count,
    activation_bytes: Bytes,
    virtual_stages: Count,
    tensor: Count,
    pipeline: Count,
) -> Bytes:
    """
    Bytes that each GPU sends per step to other pipeline stages. [B]

    Activations forward and their gradients backward over every border between chunks. Assumes that tensor
    ranks share each message out (scatter/gather, sequence parallelism); each sends all of it otherwise.
    """
    borders = pipeline * virtual_stages - 1
    return 2 * borders * rank_tokens * hidden * activation_bytes / tensor / pipeline


@derivation(of="Workload", sources=("deepseek-v3-2024", "megatron-core-moe-2026"), kind=estimate())
def expert_bytes(
    rank_tokens: Ratio,
    expert_hidden: Count,
    activation_bytes: Bytes,
    matmul: Text,
    layers_with_experts: Count,
    experts_visited: Ratio,
    tensor: Count,
    pipeline: Count,
    expert: Count,
) -> Bytes:
    """
    Bytes that each GPU sends in a step to experts and back, one message for each expert that processes a token. [B]

    Dispatch and combine, forward and backward. Assumes even routing, sequences split over tensor ranks, and
    dispatch in one byte a value where matrices are multiplied in FP8 or less: a lower bound of those.
    """
    both = 2 * ((1 if matmul in SHORT else activation_bytes) + activation_bytes)
    messages = rank_tokens / tensor * experts_visited * layers_with_experts / pipeline
    return messages * expert_hidden * both * (expert - 1) / expert


def domains_reached(domains: float, experts_per_token: Count, servers_per_token: Count | None) -> float:
    """Domains other than its own that a token's experts stand in, on average."""
    spread = domains * (1 - (1 - 1 / domains) ** experts_per_token)
    return min(spread, servers_per_token or spread) * (domains - 1) / domains


@derivation(of="Workload", sources=("deepseek-v3-2024",), kind=estimate())
def expert_network_bytes(
    expert_bytes: Bytes,
    experts_per_token: Count,
    servers_per_token: Count | None,
    expert: Count,
    expert_neighbours: Count,
) -> Bytes:
    """
    Bytes that each GPU sends per step to experts outside its scale-up domain, and back. [B]

    Assumes that a token crosses the network once for each domain that it visits and is passed on inside, and
    that experts are drawn evenly, from as few servers as the design limits them to: a lower bound without
    such forwarding.
    """
    domains = expert / expert_neighbours
    if domains <= 1:
        return 0.0
    per_message = expert_bytes * expert / (expert - 1) / experts_per_token
    return per_message * domains_reached(domains, experts_per_token, servers_per_token)
