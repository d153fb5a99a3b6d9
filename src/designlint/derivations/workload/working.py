"""What is needed for a moment on top of state and kept activations: logits, a gathered layer, a layer at work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag
    from designlint.language.units import Bytes, Count


@derivation(of="Workload", sources=("megatron-lm-memory", "ml-engineering"), kind=estimate())
def logit_bytes(fused_loss: Flag | None, megatron: Flag, activation_bytes: Bytes | None) -> Bytes | None:
    """
    Size of one logit during the loss computation. [B]

    A fused or chunked loss never keeps all logits. Unfused, PyTorch keeps the output of the last matrix, its FP32 copy,
    the FP32 log-softmax and its gradient; Megatron works on the FP32 copy in place. Where the design does not say, the
    FP32 copy alone counts: a lower bound but for fused losses.
    """
    if fused_loss is None:
        return 4.0
    if fused_loss or activation_bytes is None:
        return 0.0 if fused_loss else None
    return activation_bytes + (4.0 if megatron else 12.0)


@derivation(of="Workload", sources=("megatron-lm-memory", "korthikanti-2022"), kind=estimate())
def output_memory(
    micro_batch_tokens: Count,
    hidden: Count,
    vocabulary: Count,
    tensor: Count,
    logit_bytes: Bytes,
    sequence_parallel: Flag | None,
    activation_bytes: Bytes | None,
) -> Bytes:
    """
    Logits of one micro-batch, the FP32 input of the output layer, and what that layer gathers of it. [B]

    Assumes logits split over the vocabulary by tensor parallelism. With sequence parallelism, every GPU holds the layer's whole
    input and its gradient for a moment.
    """
    gathered = 2 * (activation_bytes or 0) * hidden if sequence_parallel and tensor > 1 else 0
    return micro_batch_tokens * ((4 * hidden + logit_bytes * vocabulary) / tensor + gathered)


@derivation(of="Workload", sources=("megatron-lm-memory",), kind=estimate())
def logit_memory(pipeline: Count, output_memory: Bytes) -> Bytes:
    """
    Memory of logits and of the output layer's input, if the first stage is also the last one. [B]

    As `output_memory`; 0 where there are stages.
    """
    return 0.0 if pipeline > 1 else output_memory


@derivation(of="Workload", sources=("pytorch-fsdp-2023",), kind=lower)
def gathered_memory(
    zero_stage: Count,
    body_parameters: Count,
    experts: Count | None,
    layers: Count,
    tensor: Count,
    weight_bytes: Bytes,
    gradient_bytes: Bytes,
    activation_bytes: Bytes,
) -> Bytes | None:
    """
    Memory of weights and gradients of the gathered layer, where data-parallel ranks shard weights. [B]

    Assumes sharding layer by layer, in the format of activations where shards are kept in a longer one, and no
    prefetch: a prefetched layer needs its weights once more. Absent for mixtures of experts.
    """
    if zero_stage < 3:
        return 0.0
    if experts is not None:
        return None
    both = min(weight_bytes, activation_bytes) + min(gradient_bytes, activation_bytes)
    return body_parameters / layers / tensor * both


@derivation(of="Workload", kind=estimate())
def working_memory(recompute_memory: Bytes, logit_memory: Bytes, gathered_memory: Bytes) -> Bytes:
    """
    Temporary memory: the layer being recomputed, a gathered layer, the logits. [B]

    Assumes that the logits are gone before the first layer is recomputed.
    """
    return gathered_memory + max(recompute_memory, logit_memory)
