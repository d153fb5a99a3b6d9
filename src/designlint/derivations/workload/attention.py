"""Attention of a model: widths of its heads and parameters of its projections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Count

#: Vectors as wide as the residual stream that one norm learns: a scale, for LayerNorm also a shift; the fewest if none is named.
NORM_VECTORS = {"rmsnorm": 1, "layernorm": 2, None: 1}


@derivation(of="Model")
def kv_heads(heads: Count, attention: Text | None) -> Count | None:
    """
    Key and value heads where the design states none. [1]

    Assumes multi-head attention unless the design names another kind. Grouped-query attention does not say
    how many groups it has, and latent attention has none: both stay unknown.
    """
    if attention in ("gqa", "mla"):
        return None
    return 1 if attention == "mqa" else heads


@derivation(of="Model")
def head_dimension(hidden: Count, heads: Count, attention: Text | None) -> Count | None:
    """
    Width of one attention head where the design states none. [1]

    Assumes heads that share the residual stream out evenly; absent where they do not, and for latent
    attention, whose heads have a width of their own.
    """
    if attention == "mla" or hidden % heads:
        return None
    return hidden // heads


@derivation(of="Model")
def value_dimension(head_dimension: Count, attention: Text | None) -> Count | None:
    """
    Width of one value head where the design states none. [1]

    Assumes values as wide as keys, which holds for every kind of attention but the latent one.
    """
    return None if attention == "mla" else head_dimension


@derivation(of="Model", sources=("megatron-lm-memory",))
def query_width(
    heads: Count, head_dimension: Count, rope_dimension: Count | None, attention: Text | None
) -> Count | None:
    """
    Width of all query heads together. [1]

    Assumes for latent attention that each head carries a rotary part besides its own width.
    """
    if attention != "mla":
        return heads * head_dimension
    return None if rope_dimension is None else heads * (head_dimension + rope_dimension)


@derivation(of="Model")
def value_width(heads: Count, value_dimension: Count) -> Count:
    """
    Total width of all heads at the input of the output projection. [1]

    Assumes that every query head gives one value vector, whatever number of heads the values have.
    """
    return heads * value_dimension


@derivation(of="Model", sources=("megatron-lm-memory",))
def query_parameters(
    hidden: Count,
    query_width: Count,
    query_rank: Count | None,
    norm: Text | None,
    attention: Text | None,
    gated_attention: Flag | None,
) -> Count | None:
    """
    Parameters of the query projection of one layer. [1]

    Assumes no biases. A gate on the output of attention is as wide as the queries. Under latent attention a query rank
    means two matrices with a norm between them.
    """
    if attention != "mla" or query_rank is None:
        return hidden * query_width * (2 if gated_attention else 1)
    return query_rank * (hidden + query_width + NORM_VECTORS[norm])


@derivation(of="Model", sources=("megatron-lm-memory",))
def key_value_parameters(hidden: Count, kv_heads: Count, head_dimension: Count, attention: Text | None) -> Count | None:
    """
    Parameters of the key and value projections of one layer, latent attention excepted. [1]

    Assumes no biases, and keys and values of one width.
    """
    if attention == "mla":
        return None
    return 2 * hidden * kv_heads * head_dimension


@derivation(of="Model", sources=("megatron-lm-memory",))
def latent_parameters(
    hidden: Count,
    heads: Count,
    head_dimension: Count,
    value_width: Count,
    rope_dimension: Count,
    kv_rank: Count,
    norm: Text | None,
    attention: Text | None,
) -> Count | None:
    """
    Parameters of the key and value compression of one layer with latent attention. [1]

    Assumes no biases, one norm on the compressed vector, and one rotary key that all heads share.
    """
    if attention != "mla":
        return None
    return kv_rank * (hidden + heads * head_dimension + value_width + NORM_VECTORS[norm]) + hidden * rope_dimension


@derivation(of="Model", sources=("megatron-lm-memory",))
def attention_parameters(
    attention_layers: Count,
    hidden: Count,
    value_width: Count | None,
    query_parameters: Count | None,
    key_value_parameters: Count | None,
    latent_parameters: Count | None,
) -> Count | None:
    """
    Parameters of attention in all layers; 0 where no layer has any, whose heads then do not matter. [1]

    Assumes no biases and equal attention layers.
    """
    keys_and_values = latent_parameters if key_value_parameters is None else key_value_parameters
    if attention_layers == 0:
        return 0
    if keys_and_values is None or query_parameters is None or value_width is None:
        return None
    return attention_layers * (query_parameters + keys_and_values + value_width * hidden)
