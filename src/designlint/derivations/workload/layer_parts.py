"""What each part of a layer leaves in memory for the backward pass: attention, feed-forward layer, experts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Count, Ratio


@derivation(of="Workload", sources=("transformer-engine",), kind=lower)
def operand_bytes(activation_bytes: Bytes, short_bytes: Bytes | None) -> Bytes:
    """
    Size of one activation kept as input of a matrix multiplication. [B]

    FP8 and FP4 recipes keep such inputs in their own format; assumes that they do so in every linear layer,
    a lower bound where some stay in 16 bit.
    """
    return min(activation_bytes, short_bytes or activation_bytes)


@derivation(of="Workload", sources=("megatron-core-moe-2026",))
def closed_form(
    experts: Count | None, attention: Text | None, linear_layers: Count | None, mamba_layers: Count | None
) -> Flag:
    """
    Whether the activations follow a closed form that does not depend on the data.

    Experts get as many tokens as the router sends them, and of latent attention frameworks keep more or less;
    estimates of both assume an even load and were within a tenth of what was published. Kernels of linear attention and
    Mamba layers differ in what they keep.
    """
    return experts is None and attention != "mla" and not linear_layers and not mamba_layers


@derivation(of="Workload")
def eager(framework: Text | None, compiled: Flag | None) -> Flag | None:
    """
    Whether every operation surely keeps what its backward pass reads.

    A compiler may compute some of it again by itself. Megatron does not compile whole layers unless told to.
    """
    return not compiled if compiled is not None else framework in ("megatron", "nemo") or None


@derivation(of="Workload", sources=("korthikanti-2022", "megatron-core-moe-2026"), kind=lower)
def attention_activation_memory(
    micro_batch_tokens: Count,
    query_width: Count,
    value_width: Count,
    kv_heads: Count | None,
    head_dimension: Count | None,
    attention: Text | None,
    activation_bytes: Bytes,
    operand_bytes: Bytes,
    tensor: Count,
) -> Bytes | None:
    """
    Activation memory of one layer's attention for one micro-batch in the tensor-parallel regions, without scores. [B]

    Queries, keys, values, and the output that enters the projection. A rank keeps at least one key and value
    head. Latent attention is trained with keys and values of every head written out, rotary parts included.
    """
    if attention == "mla":
        kept = 2 * query_width + value_width
    elif kv_heads is None or head_dimension is None:
        return None
    else:
        kept = query_width + 2 * max(kv_heads, tensor) * head_dimension
    return micro_batch_tokens * (kept * activation_bytes + value_width * operand_bytes) / tensor


@derivation(of="Workload", sources=("megatron-core-moe-2026",), kind=lower)
def latent_activation_memory(
    micro_batch_tokens: Count,
    query_rank: Count | None,
    kv_rank: Count | None,
    rope_dimension: Count | None,
    attention: Text | None,
    activation_bytes: Bytes,
    operand_bytes: Bytes,
    tensor: Count,
    sequence_parallel: Flag | None,
) -> Bytes | None:
    """
    Compressed queries, keys and values of one layer for one micro-batch; 0 but for latent attention. [B]

    Each is kept before and after its norm. Tensor parallelism copies them unless the sequence is split;
    absent where the design does not say if it is.
    """
    if attention != "mla":
        return 0.0
    if kv_rank is None or rope_dimension is None or (tensor > 1 and sequence_parallel is None):
        return None
    width = ((query_rank or 0) + kv_rank) * (activation_bytes + operand_bytes) + rope_dimension * activation_bytes
    return micro_batch_tokens * width / (tensor if sequence_parallel else 1)


@derivation(of="Workload", sources=("korthikanti-2022",), kind=lower)
def feed_forward_activation_memory(
    micro_batch_tokens: Count,
    feed_forward: Count,
    gated: Flag,
    activation_bytes: Bytes,
    operand_bytes: Bytes,
    tensor: Count,
) -> Bytes:
    """
    Memory of inner activations of one dense feed-forward layer for one micro-batch. [B]

    What enters the activation function and what leaves it; a gated layer keeps three values where a plain
    one keeps two.
    """
    return micro_batch_tokens * feed_forward * ((2 if gated else 1) * activation_bytes + operand_bytes) / tensor


@derivation(of="Workload", sources=("megatron-core-moe-2026",), kind=estimate())
def routed_activation_memory(
    micro_batch_tokens: Count,
    expert_hidden: Count,
    experts: Count,
    experts_visited: Ratio,
    expert_feed_forward: Count,
    gated: Flag,
    activation_bytes: Bytes,
    operand_bytes: Bytes,
    tensor: Count,
    expert_tensor: Count | None,
    sequence_parallel: Flag | None,
    router_bytes: Bytes,
) -> Bytes | None:
    """
    Activations of one layer's router and routed experts for one micro-batch. [B]

    Each token is kept once for every expert it visits, with the inner values there, and the router's score
    and probability of every expert. Assumes that every GPU's experts get equally many tokens, as many as their
    capacity lets through, and that outputs of experts are not kept. Ranks that share an expert's matrices each keep
    the tokens of all. Absent where experts may or may not be split by tensor parallelism, or where tokens are not
    split before they are sent.
    """
    if tensor > 1 and (expert_tensor is None or not sequence_parallel):
        return None
    inner = expert_feed_forward * ((2 if gated else 1) * activation_bytes + operand_bytes)
    visit = expert_hidden * operand_bytes * (expert_tensor or 1) + inner
    return micro_batch_tokens / tensor * (experts_visited * visit + 2 * experts * router_bytes)


@derivation(of="Workload", sources=("megatron-core-moe-2026",), kind=lower)
def shared_activation_memory(
    micro_batch_tokens: Count,
    shared_expert_feed_forward: Count | None,
    gated: Flag | None,
    activation_bytes: Bytes,
    operand_bytes: Bytes,
    tensor: Count,
) -> Bytes | None:
    """
    Memory of inner activations of one layer's shared experts for one micro-batch. [B]

    Assumes no shared expert where the design states no width of one, and that tensor parallelism splits them
    as it does a dense layer.
    """
    if not shared_expert_feed_forward:
        return 0.0
    if gated is None:
        return None
    inner = shared_expert_feed_forward * ((2 if gated else 1) * activation_bytes + operand_bytes)
    return micro_batch_tokens * inner / tensor


@derivation(of="Workload")
def dense_share(
    dense_layers: Count,
    layers: Count,
    layers_with_experts: Count,
    expert_layers: Count | None,
    layers_on_first_stage: Count,
) -> Ratio | None:
    """
    Share of the first stage's layers without experts. [1]

    Assumes that the leading layers are the dense ones, or, where the design states how many layers have experts, that
    these are spread evenly.
    """
    if expert_layers is not None:
        return 1 - layers_with_experts / layers
    return min(dense_layers, layers_on_first_stage) / layers_on_first_stage if layers_on_first_stage else None
