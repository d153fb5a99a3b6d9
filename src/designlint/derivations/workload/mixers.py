"""What mixes tokens without softmax: Mamba and linear attention; their parameters, their states, what they keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Bytes, Computation, Count, Ratio

#: Vectors of one value a head: decay, skip and bias of the time step in Mamba-2; Gated DeltaNet lacks the skip.
MAMBA_VECTORS, DELTA_VECTORS = 3, 2
#: FLOPs per value of a state and token, forward: the scan of Mamba, four products of the delta rule, a decay and two products.
MAMBA_SCAN, DELTA_RULE, DECAYED = 7, 8, 5


class Mamba(Struct, frozen=True):
    """Widths of a Mamba-2 layer."""

    mamba_heads: Count
    mamba_head_dimension: Count
    mamba_state: Count
    mamba_groups: Count

    @property
    def inner(self) -> int:
        """Width of all heads together."""
        return self.mamba_heads * self.mamba_head_dimension

    @property
    def vectors(self) -> int:
        """Width of what enters and what leaves the states, all groups together."""
        return 2 * self.mamba_groups * self.mamba_state


class Delta(Struct, frozen=True):
    """Kind and widths of linear attention."""

    linear_attention: Text
    linear_key_heads: Count
    linear_value_heads: Count
    linear_key_dimension: Count
    linear_value_dimension: Count

    @property
    def known(self) -> bool:
        """Whether the formulas of Gated DeltaNet hold."""
        return self.linear_attention == "gated-deltanet"

    @property
    def lightning(self) -> bool:
        """Whether the layer is Lightning Attention: a fixed decay, no convolution."""
        return self.linear_attention == "lightning"

    @property
    def keys(self) -> int:
        """Width of all key heads together."""
        return self.linear_key_heads * self.linear_key_dimension

    @property
    def values(self) -> int:
        """Width of all value heads together."""
        return self.linear_value_heads * self.linear_value_dimension


class MambaWidths(Struct, frozen=True):
    """Widths of a Mamba layer of either version; only the first has a rank of time steps, only the second groups."""

    mamba_state: Count
    mamba_inner: Count | None
    mamba_step_rank: Count | None
    mamba_heads: Count | None
    mamba_head_dimension: Count | None
    mamba_groups: Count | None

    @property
    def inner(self) -> int | None:
        """Width of the values; None where it is not known."""
        if self.mamba_step_rank is not None:
            return self.mamba_inner
        heads, width = self.mamba_heads, self.mamba_head_dimension
        return None if heads is None or width is None else heads * width


@derivation(of="Model", sources=("megatron-lm-flops", "transformers-configurations"), groups=(MambaWidths,))
def mamba_layer_parameters(hidden: Count, convolution: Count, mamba: MambaWidths) -> Count | None:
    """
    Parameters of one Mamba layer without its first norm. [1]

    One matrix in for values and gate, one out, a short convolution with a bias. Mamba-2 adds input and output vectors of the
    states and time steps to the matrix in, and a norm. Mamba-1 has a matrix for them after the convolution, one from the rank
    of the time steps to the values with a bias, and a decay for each value of a state; the small norms that Jamba adds are
    not counted.
    """
    inner, state, rank = mamba.inner, mamba.mamba_state, mamba.mamba_step_rank
    if inner is None:
        return None
    if rank is not None:
        return inner * (3 * hidden + 2 * rank + 3 * state + convolution + MAMBA_VECTORS)
    if mamba.mamba_groups is None or mamba.mamba_heads is None:
        return None
    vectors = 2 * mamba.mamba_groups * state
    matrices = hidden * (3 * inner + vectors + mamba.mamba_heads)
    return matrices + (inner + vectors) * (convolution + 1) + MAMBA_VECTORS * mamba.mamba_heads + inner


@derivation(of="Model", sources=("megatron-lm-flops", "maxtext", "minimax-01"), groups=(Delta,))
def linear_layer_parameters(hidden: Count, convolution: Count | None, delta: Delta) -> Count | None:
    """
    Parameters of one layer of linear attention, its first norm aside. [1]

    Queries, keys, values and an output gate, a norm, one matrix out; in Gated DeltaNet decay and strength of each head and a
    short convolution, too. Absent for other kinds than these and Lightning Attention.
    """
    if delta.lightning:
        return hidden * (2 * delta.keys + 3 * delta.values) + delta.values
    if not delta.known or convolution is None:
        return None
    matrices = hidden * (2 * delta.keys + 3 * delta.values + 2 * delta.linear_value_heads)
    small = (2 * delta.keys + delta.values) * convolution + DELTA_VECTORS * delta.linear_value_heads
    return matrices + small + delta.linear_value_dimension


def of_layers(count: Count | None, each: float | None) -> float | None:
    """What so many layers have together; nothing where there are none, None where it is not known of each."""
    return 0 if not count else None if each is None else count * each


@derivation(of="Model")
def recurrent_parameters(
    mamba_layers: Count | None,
    mamba_layer_parameters: Count | None,
    linear_layers: Count | None,
    linear_layer_parameters: Count | None,
) -> Count | None:
    """
    Parameters of Mamba and linear attention layers, all together; 0 where the design speaks of none. [1]

    Absent where the widths of such layers are not stated.
    """
    mamba, linear = of_layers(mamba_layers, mamba_layer_parameters), of_layers(linear_layers, linear_layer_parameters)
    return None if mamba is None or linear is None else int(mamba + linear)


@derivation(of="Model", sources=("megatron-lm-flops",), groups=(MambaWidths,))
def mamba_state_flops(mamba: MambaWidths) -> Computation | None:
    """
    Forward FLOPs per token in the states of one Mamba layer. [FLOP]

    7 for each value, as Megatron counts the scan.
    """
    return None if mamba.inner is None else float(MAMBA_SCAN * mamba.inner * mamba.mamba_state)


@derivation(of="Model", sources=("megatron-lm-flops", "minimax-01"), groups=(Delta,))
def linear_state_flops(delta: Delta) -> Computation | None:
    """
    FLOPs per token, forward, in the states of one layer of linear attention. [FLOP]

    8 for each value of Gated DeltaNet, as Megatron counts the delta rule; 5 for Lightning Attention, which lets the state decay,
    adds a product and multiplies by the query. Absent for other kinds.
    """
    each = DECAYED if delta.lightning else DELTA_RULE if delta.known else None
    return None if each is None else float(each * delta.values * delta.linear_key_dimension)


@derivation(of="Model")
def recurrent_flops(
    mamba_layers: Count | None,
    mamba_state_flops: Computation | None,
    linear_layers: Count | None,
    linear_state_flops: Computation | None,
) -> Computation | None:
    """
    Forward FLOPs per token in the states of all Mamba and linear attention layers. [FLOP]

    Absent where the widths of such layers are not stated.
    """
    mamba, linear = of_layers(mamba_layers, mamba_state_flops), of_layers(linear_layers, linear_state_flops)
    return None if mamba is None or linear is None else mamba + linear


@derivation(of="Workload", sources=("megatron-lm",), groups=(Mamba,), kind=lower)
def mamba_activation_memory(micro_batch_tokens: Count, activation_bytes: Bytes, tensor: Count, mamba: Mamba) -> Bytes:
    """
    Activation memory of one Mamba-2 layer for one micro-batch. [B]

    What its kernel cannot compute again: the output of the matrix in, and what enters the matrix out.
    """
    width = 3 * mamba.inner + mamba.vectors + mamba.mamba_heads
    return micro_batch_tokens * width * activation_bytes / tensor


@derivation(of="Workload", sources=("maxtext", "minimax-01"), groups=(Delta,), kind=lower)
def linear_activation_memory(
    micro_batch_tokens: Count, activation_bytes: Bytes, tensor: Count, delta: Delta
) -> Bytes | None:
    """
    Activations of one layer of linear attention for one micro-batch. [B]

    Queries, keys and values before and after the convolution of Gated DeltaNet, the gate, and the output before and after
    its norm; Lightning Attention has no convolution. Absent for other kinds.
    """
    width = 2 * delta.keys + 4 * delta.values if delta.lightning else 4 * delta.keys + 5 * delta.values
    return micro_batch_tokens * width * activation_bytes / tensor if delta.known or delta.lightning else None


@derivation(of="Workload", kind=lower)
def mixer_activation_memory(
    layers: Count,
    attention_layers: Count,
    attention_activation_memory: Bytes | None,
    latent_activation_memory: Bytes | None,
    linear_layers: Count | None,
    linear_activation_memory: Bytes | None,
    mamba_layers: Count | None,
    mamba_activation_memory: Bytes | None,
) -> Bytes | None:
    """
    Activation memory of token mixing in an average layer for one micro-batch, without scores. [B]

    Attention, linear attention and Mamba layers by their numbers: in a model of one kind what each layer keeps.
    """
    attention = of_layers(attention_layers, attention_activation_memory)
    latent = of_layers(attention_layers, latent_activation_memory)
    linear, mamba = of_layers(linear_layers, linear_activation_memory), of_layers(mamba_layers, mamba_activation_memory)
    if attention is None or latent is None or linear is None or mamba is None:
        return None
    return (attention + latent + linear + mamba) / layers


@derivation(of="Model")
def part_share(
    layers: Count,
    attention_layers: Count,
    linear_layers: Count | None,
    mamba_layers: Count | None,
    feed_forward_layers: Count,
) -> Ratio:
    """
    Blocks of an average layer that add to the residual stream, divided by two. [1]

    A transformer layer has two, attention and a feed-forward part: 1. Hybrid models count each as a layer of its own:
    a half.
    """
    return (attention_layers + (linear_layers or 0) + (mamba_layers or 0) + feed_forward_layers) / (2 * layers)
