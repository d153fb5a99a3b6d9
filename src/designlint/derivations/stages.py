"""What recomputation of single modules spares, and what the last pipeline stage needs beside the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.units import Bytes, Count, Ratio


@derivation(of="Workload")
def names_modules(recompute_modules: tuple[Text, ...]) -> Flag:
    """
    Whether the design names the modules that are recomputed.

    Holds where it lists at least one.
    """
    return bool(recompute_modules)


@derivation(of="Workload", sources=("megatron-lm",))
def module_memory(
    recompute_modules: tuple[Text, ...],
    norm_output_memory: Bytes,
    up_projection_memory: Bytes | None,
    expert_output_memory: Bytes | None,
    feed_forward_activation_memory: Bytes | None,
    routed_activation_memory: Bytes | None,
    shared_activation_memory: Bytes | None,
    dense_share: Ratio,
) -> Bytes | None:
    """
    Activations of one layer for one micro-batch that are not kept because their module is recomputed. [B]

    Attention scores aside. Names of modules are Megatron's; absent where one of them is not covered, or where
    what it keeps is not known.
    """
    if "moe" in recompute_modules:
        recompute_modules = tuple({*recompute_modules} - {"moe_act", "shared_experts"})
    mixed = 1 - dense_share
    spared = {
        "core_attn": (1.0, 0.0),
        "layernorm": (1.0, norm_output_memory),
        "mla_up_proj": (1.0, up_projection_memory),
        "mlp": (dense_share, feed_forward_activation_memory),
        "moe_act": (mixed, expert_output_memory),
        "shared_experts": (mixed, shared_activation_memory),
        "moe": (mixed, _sum(routed_activation_memory, shared_activation_memory)),
    }
    parts = [spared.get(name, (1.0, None)) for name in sorted({*recompute_modules})]
    if any(part is None for share, part in parts if share):
        return None
    return sum(share * (part or 0.0) for share, part in parts)


def _sum(one: Bytes | None, other: Bytes | None) -> Bytes | None:
    return None if one is None or other is None else one + other


@derivation(of="Workload", sources=("korthikanti-2022",))
def norm_output_memory(
    micro_batch_tokens: Count, hidden: Count, operand_bytes: Bytes, tensor: Count, sequence_parallel: Flag | None
) -> Bytes | None:
    """
    What the two norms of one layer give to attention and feed-forward layer, for one micro-batch. [B]

    Sequence parallelism splits it; absent where the design does not say if it is used.
    """
    if sequence_parallel is None and tensor > 1:
        return None
    return 2 * micro_batch_tokens * hidden * operand_bytes / (tensor if sequence_parallel else 1)


@derivation(of="Workload", sources=("megatron-core-moe-2026",))
def up_projection_memory(
    micro_batch_tokens: Count,
    query_width: Count,
    value_width: Count,
    attention: Text,
    activation_bytes: Bytes,
    tensor: Count,
) -> Bytes | None:
    """
    Queries, keys and values of one layer written out for every head, for one micro-batch. [B]

    Holds for latent attention, which can compute them again from their compressed form.
    """
    if attention != "mla":
        return None
    return micro_batch_tokens * (2 * query_width + value_width) * activation_bytes / tensor


@derivation(of="Workload", sources=("megatron-core-moe-2026",))
def expert_output_memory(
    micro_batch_tokens: Count,
    experts_per_token: Count,
    expert_feed_forward: Count,
    operand_bytes: Bytes,
    tensor: Count,
) -> Bytes:
    """
    What the activation functions of one layer's routed experts give out, for one micro-batch. [B]

    Assumes tokens split over tensor-parallel ranks before they are sent, and an even load.
    """
    return micro_batch_tokens * experts_per_token * expert_feed_forward * operand_bytes / tensor


@derivation(of="Workload", sources=("korthikanti-2022",))
def last_micro_batches_in_flight(pipeline: Count, virtual_stages: Count, micro_batches: Count | None) -> Ratio | None:
    """
    Micro-batches whose activations the last pipeline stage keeps at once. [1]

    Assumes the 1F1B schedule, which keeps one, or the interleaved schedule, which runs all but one chunk ahead.
    """
    if pipeline == 1 or virtual_stages == 1:
        return 1
    if micro_batches is None:
        return None
    return min(micro_batches, (pipeline * (virtual_stages - 1) + 1) / virtual_stages)


@derivation(of="Workload", sources=("korthikanti-2022", "megatron-lm-memory"))
def last_stage_memory(
    state_memory: Bytes,
    layer_activation_memory: Bytes,
    layers: Count,
    pipeline: Count,
    last_micro_batches_in_flight: Ratio,
    gathered_memory: Bytes,
    recompute_memory: Bytes,
    output_memory: Bytes,
    uneven_stages: Flag | None,
    offload: Text | None,
) -> Bytes | None:
    """
    Memory needed on a GPU of the last pipeline stage. [B]

    The stage holds the output layer where the first holds the embedding, keeps fewer micro-batches, and has
    the logits for a moment. Assumes as many layers as on the first; absent where stages are uneven, whose
    last one is usually made smaller for the logits.
    """
    if offload == "activations" or uneven_stages or layers % pipeline:
        return None
    kept = layer_activation_memory * (layers // pipeline) * last_micro_batches_in_flight
    return state_memory + kept + gathered_memory + max(recompute_memory, output_memory)
