"""The least that one layer keeps for the backward pass, whatever kernels, gates and compilers a job has."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower, upper

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Count, Ratio


@derivation(of="Workload", sources=("korthikanti-2022",), kind=upper)
def spared_memory(
    recompute: Text,
    norm_output_memory: Bytes | None,
    micro_batch_tokens: Count,
    feed_forward: Count | None,
    operand_bytes: Bytes,
    tensor: Count,
    eager: Flag | None,
    recomputed_share: Ratio | None,
) -> Bytes:
    """
    Maximum activation memory that a compiler can save in one layer for one micro-batch. [B]

    What norms and the activation function give out, which elementwise operations compute again from what is kept
    anyway. 0 where nothing is compiled. Norms are left out where it is open if they are
    split, as what they give out is then not counted either.
    """
    if eager or (recompute == "full" and recomputed_share == 1):
        return 0.0
    return (norm_output_memory or 0.0) + micro_batch_tokens * (feed_forward or 0) * operand_bytes / tensor


@derivation(of="Workload", sources=("megatron-lm",))
def recompute_defined(recompute: Text, megatron: Flag, names_modules: Flag | None) -> Flag:
    """
    Whether it is certain what is recomputed.

    Selective recomputation means what Megatron takes it for, or what a list of modules says.
    """
    return recompute != "selective" or megatron or bool(names_modules)


@derivation(of="Model", sources=("korthikanti-2022", "flash-attention-2022"), kind=lower)
def bare_layer_width(
    hidden: Count,
    part_share: Ratio,
    query_width: Count | None,
    value_width: Count | None,
    feed_forward: Count | None,
    gated: Flag | None,
    experts: Count | None,
    undescribed_experts: Flag,
    linear_layers: Count | None,
    mamba_layers: Count | None,
) -> Ratio:
    """
    Minimum number of values that an average layer keeps of one token without recomputation, under any kernel. [1]

    Each block's input, queries and the output of blockwise attention, and what enters the activation function. Keys and values,
    outputs of norms, experts, and linear and Mamba layers beyond their inputs count as nothing. Latent attention keeps the
    queries of all heads, too: weights that are absorbed only make them wider.
    """
    uniform = not linear_layers and not mamba_layers
    feeds = uniform and experts is None and not undescribed_experts
    inner = (feed_forward or 0) * (2 if gated else 1) if feeds else 0
    return 2 * part_share * hidden + ((query_width or 0) + (value_width or 0) if uniform else 0) + inner


@derivation(of="Workload", sources=("korthikanti-2022",), kind=lower)
def bare_layer_memory(
    bare_layer_width: Ratio,
    sequence: Count,
    micro_batch: Count | None,
    context: Count,
    operand_bytes: Bytes,
    tensor: Count,
    heads: Count | None,
    flash_attention: Flag | None,
    closed_form: Flag,
) -> Bytes:
    """
    Minimum activation memory of an average layer for one micro-batch without recomputation, under any kernel. [B]

    All in the smallest stated format and split over tensor ranks; one sequence where no micro-batch is stated. The scores of each
    head where the design says that they are stored.
    """
    scores = sequence * (heads or 0) if closed_form and flash_attention is False else 0
    tokens = math.ceil(sequence * (micro_batch or 1) / context)
    return tokens * (bare_layer_width + scores) * operand_bytes / tensor


@derivation(
    of="Workload", sources=("korthikanti-2022",), kind=lower.because("what is open counts as the least it can be")
)
def least_kept_memory(
    closed_form: Flag,
    recompute_defined: Flag,
    recompute: Text,
    layer_activation_memory: Bytes | None,
    spared_memory: Bytes | None,
    residual_activation_memory: Bytes | None,
    split_activation_memory: Bytes | None,
    score_memory: Bytes | None,
    bare_layer_memory: Bytes | None,
) -> Bytes | None:
    """
    Minimum activation memory of one layer for one micro-batch. [B]

    Less what a compiler can spare. Where part of a layer is open, or what it keeps depends on the data, the rest counts, if
    nothing is recomputed, and no less than any layer keeps: attention scores only where it is sure that they are stored. Absent
    where it is not certain what is recomputed.
    """
    if not recompute_defined:
        return None
    if closed_form and layer_activation_memory is not None and spared_memory is not None:
        return layer_activation_memory - spared_memory
    if recompute != "none":
        return None
    known = (residual_activation_memory or 0.0) + (split_activation_memory or 0.0) - (spared_memory or 0.0)
    kept = known + (score_memory or 0.0) if closed_form and spared_memory is not None else 0.0
    return max(kept, bare_layer_memory or 0.0) or None
