"""What recomputation of single modules spares, and what the last pipeline stage needs beside the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Count, Ratio

#: More pipeline stages than this are slips; memory is not computed for each of them.
MOST_STAGES = 4096


@derivation(of="Workload")
def names_modules(recompute_modules: tuple[Text, ...]) -> Flag:
    """
    Whether the design names the modules that are recomputed.

    Holds where it lists at least one.
    """
    return bool(recompute_modules)


@derivation(of="Workload")
def keeps_operators(recompute: Text, recompute_modules: tuple[Text, ...]) -> Flag:
    """
    Whether results of single operators are kept, and all else of a layer is computed again.

    TorchTitan's selective recomputation by operators.
    """
    return recompute == "selective" and "op" in recompute_modules


@derivation(of="Workload", sources=("torchtitan-code",), kind=lower)
def operator_memory(
    micro_batch_tokens: Count,
    hidden: Count,
    query_width: Count,
    kv_heads: Count,
    head_dimension: Count,
    feed_forward: Count,
    gated: Flag,
    experts: Count | None,
    attention: Text | None,
    activation_bytes: Bytes,
    tensor: Count,
) -> Bytes | None:
    """
    Activation memory of one layer for one micro-batch if the results of attention and every second matmul are kept. [B]

    The layer's input, and of the matrices in their order queries, values, the first and the last of a gated feed-forward
    part, the first of a plain one. Absent for mixtures of experts and latent attention.
    """
    if experts is not None or attention == "mla":
        return None
    split = 2 * query_width + max(kv_heads, tensor) * head_dimension + feed_forward
    last = hidden if gated else 0
    return micro_batch_tokens * (hidden + last + split) * activation_bytes / tensor


@derivation(of="Workload")
def recomputed_share(
    recompute: Text, recompute_layers: Count | None, layers_on_first_stage: Count | None
) -> Ratio | None:
    """
    Share of the layers whose forward pass is computed again. [1]

    Of the first pipeline stage. Absent where the design says how many layers, but not how many there are.
    """
    if recompute != "full":
        return 0.0
    if recompute_layers is None:
        return 1.0
    return min(1.0, recompute_layers / layers_on_first_stage) if layers_on_first_stage else None


@derivation(of="Workload", sources=("megatron-lm",), kind=estimate())
def module_memory(
    recompute_modules: tuple[Text, ...],
    norm_output_memory: Bytes,
    up_projection_memory: Bytes | None,
    expert_output_memory: Bytes | None,
    feed_forward_activation_memory: Bytes | None,
    routed_activation_memory: Bytes | None,
    shared_activation_memory: Bytes | None,
    dense_share: Ratio,
    layers: Count,
    feed_forward_layers: Count,
    part_share: Ratio,
) -> Bytes | None:
    """
    Activation memory saved in one layer for one micro-batch by recomputing modules. [B]

    Attention scores aside; where layers differ in kind, the mean over all of them. Names of modules are Megatron's; absent
    where one of them is not covered, or where
    what it keeps is not known.
    """
    within: set[str] = {"moe_act", "shared_experts"} if "moe" in recompute_modules else set()
    fed = feed_forward_layers / layers
    mixed, dense = fed * (1 - dense_share), fed * dense_share
    spared = {
        "core_attn": (1.0, 0.0),
        "layernorm": (part_share, norm_output_memory),
        "mla_up_proj": (1.0, up_projection_memory),
        "mlp": (dense, feed_forward_activation_memory),
        "moe_act": (mixed, expert_output_memory),
        "shared_experts": (mixed, shared_activation_memory),
        "moe": (mixed, _both(routed_activation_memory, shared_activation_memory)),
    }
    parts = [spared.get(name, (1.0, None)) for name in sorted({*recompute_modules} - within)]
    if any(part is None for share, part in parts if share):
        return None
    return sum(share * (part or 0.0) for share, part in parts)


def _both(one: Bytes | None, other: Bytes | None) -> Bytes | None:
    return None if one is None or other is None else one + other


@derivation(of="Workload", sources=("korthikanti-2022",), kind=lower)
def norm_output_memory(
    micro_batch_tokens: Count, hidden: Count, operand_bytes: Bytes, tensor: Count, sequence_parallel: Flag | None
) -> Bytes | None:
    """
    Output memory of both norms of one layer for one micro-batch. [B]

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


@derivation(of="Workload", sources=("megatron-core-moe-2026",), kind=estimate())
def expert_output_memory(
    micro_batch_tokens: Count,
    experts_visited: Ratio,
    expert_feed_forward: Count,
    operand_bytes: Bytes,
    tensor: Count,
) -> Bytes:
    """
    Output memory of the activation functions of one layer's routed experts for one micro-batch. [B]

    Assumes tokens split over tensor-parallel ranks before they are sent, and an even load.
    """
    return micro_batch_tokens * experts_visited * expert_feed_forward * operand_bytes / tensor


@derivation(of="Workload", sources=("korthikanti-2022",), kind=estimate(0.12))
def second_stage_memory(
    first_stage_layers: Count,
    layers_per_stage: Count,
    layer_activation_memory: Bytes,
    second_micro_batches_in_flight: Ratio,
    state_memory: Bytes,
    held_parameters: Count,
    body_parameters: Count,
    layers: Count,
    tensor: Count,
    working_memory: Bytes,
    offload: Text | None,
) -> Bytes | None:
    """
    Memory needed per GPU on the second pipeline stage, if it holds more layers than the first. [B]

    State in proportion to its parameters, without an embedding. Absent where the first stage holds as many layers, and
    where activations are kept in CPU memory.
    """
    if offload == "activations" or layers_per_stage <= first_stage_layers or held_parameters == 0:
        return None
    held = body_parameters * layers_per_stage / layers / tensor
    kept = layer_activation_memory * layers_per_stage * second_micro_batches_in_flight
    return state_memory * held / held_parameters + kept + working_memory


@derivation(of="Workload", sources=("korthikanti-2022", "megatron-lm-memory"), kind=estimate(0.12))
def last_stage_memory(
    state_memory: Bytes,
    layer_activation_memory: Bytes,
    layers_on_first_stage: Count,
    last_stage_layers: Count | None,
    last_micro_batches_in_flight: Ratio,
    gathered_memory: Bytes,
    recompute_memory: Bytes,
    output_memory: Bytes,
    even_layers: Flag,
    offload: Text | None,
) -> Bytes | None:
    """
    Memory needed on a GPU of the last pipeline stage. [B]

    The stage holds the output layer where the first holds the embedding, keeps fewer micro-batches, and has
    the logits for a moment. State as on the first stage. Absent where its layers are not known.
    """
    count = layers_on_first_stage if last_stage_layers is None and even_layers else last_stage_layers
    if offload == "activations" or count is None:
        return None
    kept = layer_activation_memory * count * last_micro_batches_in_flight
    return state_memory + kept + gathered_memory + max(recompute_memory, output_memory)


@derivation(
    of="Workload", sources=("korthikanti-2022",), kind=lower.because("an average stage holds no more than the fullest")
)
def stage_memory_floor(
    state_memory_floor: Bytes,
    least_kept_memory: Bytes,
    layout_known: Flag,
    layers: Count,
    pipeline: Count,
    layers_on_first_stage: Count | None,
    fewest_micro_batches_in_flight: Count | None,
    late_gradient_memory: Bytes | None,
    uneven_stage_memory_floor: Bytes | None,
    offload: Text | None,
) -> Bytes | None:
    """
    Minimum memory needed per GPU on the fullest pipeline stage, however many chunks a stage has. [B]

    As `least_stage_memory`, with the least state and without what interleaving adds. Where layers of the first stage or the
    schedule are open, one micro-batch on an average stage, or what the best spread of layers needs.
    """
    if offload == "activations":
        return None
    if not layout_known or layers_on_first_stage is None or fewest_micro_batches_in_flight is None:
        kept = least_kept_memory * layers / pipeline
    else:
        kept = least_kept_memory * layers_on_first_stage * fewest_micro_batches_in_flight
    return max(state_memory_floor + max(0.0, kept - (late_gradient_memory or 0.0)), uneven_stage_memory_floor or 0.0)


@derivation(of="Workload", sources=("korthikanti-2022",), kind=lower.because("it holds for closed forms only"))
def uneven_stage_memory_floor(
    least_kept_memory: Bytes,
    attention_parameters: Count,
    feed_forward_parameters: Count,
    layers: Count,
    tensor: Count,
    pipeline: Count,
    copied_bytes: Bytes,
    fewest_micro_batches_in_flight: Count,
    offload: Text | None,
) -> Bytes | None:
    """
    Minimum memory needed per GPU on the fullest pipeline stage, however the layers are spread over stages. [B]

    Under 1F1B the last stage keeps one micro-batch, and each stage before it one more, so early stages would hold fewer
    layers. The fullest needs least where all need the same. Of the state only what data-parallel ranks replicate counts,
    and nothing where some is offloaded. Absent where stages outnumber layers.
    """
    if offload == "activations" or not 1 < pipeline <= min(layers, MOST_STAGES):
        return None
    copied = (attention_parameters + feed_forward_parameters) / layers / tensor * copied_bytes
    state = copied if offload in (None, "none") else 0.0
    in_flight = [min(fewest_micro_batches_in_flight, pipeline - stage) for stage in range(pipeline)]
    return layers / sum(1 / (state + least_kept_memory * kept) for kept in in_flight)
