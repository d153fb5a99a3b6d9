"""How large a model is: parameters that follow from its architecture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, exact, lower
from designlint.derivations.workload.attention import NORM_VECTORS

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Count


@derivation(of="Model", sources=("megatron-lm-memory",))
def feed_forward_parameters(
    hidden: Count,
    feed_forward_layers: Count,
    layers_with_experts: Count,
    feed_forward: Count | None,
    gated: Flag | None,
) -> Count | None:
    """
    Parameters of the feed-forward blocks of all layers, without experts. [1]

    Assumes no biases. A gated layer has three matrices, a plain one two.
    """
    dense = feed_forward_layers - layers_with_experts
    if dense == 0:
        return 0
    if feed_forward is None or gated is None:
        return None
    return dense * hidden * feed_forward * (3 if gated else 2)


@derivation(of="Model", kind=lower)
def least_feed_forward_parameters(
    feed_forward_parameters: Count | None,
    hidden: Count,
    feed_forward_layers: Count,
    layers_with_experts: Count,
    feed_forward: Count | None,
) -> Count:
    """
    Minimum number of parameters of the feed-forward blocks of all layers, without experts. [1]

    Two matrices a layer where it is open whether there is a third one, and none of unknown width.
    """
    if feed_forward_parameters is not None:
        return feed_forward_parameters
    return (feed_forward_layers - layers_with_experts) * hidden * (feed_forward or 0) * 2


@derivation(of="Model", sources=("megatron-lm-memory",))
def routed_parameters(
    layers_with_experts: Count | None,
    experts: Count | None,
    undescribed_experts: Flag,
    expert_feed_forward: Count | None,
    expert_hidden: Count | None,
    gated: Flag | None,
) -> Count | None:
    """
    Parameters in routed experts, all layers together; 0 where the design speaks of none. [1]

    Assumes experts of one width in every layer that has any, without biases.
    """
    if experts is None:
        return None if undescribed_experts else 0
    if layers_with_experts is None or expert_hidden is None or expert_feed_forward is None or gated is None:
        return None
    return layers_with_experts * experts * expert_hidden * expert_feed_forward * (3 if gated else 2)


@derivation(of="Model", sources=("megatron-lm-memory",))
def shared_expert_parameters(
    layers_with_experts: Count,
    hidden: Count,
    shared_expert_feed_forward: Count | None,
    gated: Flag | None,
) -> Count | None:
    """
    Parameters of the shared experts of all layers. [1]

    Assumes no shared expert where the design states no width of one, and no gate on its output.
    """
    if not shared_expert_feed_forward:
        return 0
    if gated is None:
        return None
    return layers_with_experts * hidden * shared_expert_feed_forward * (3 if gated else 2)


@derivation(of="Model", sources=("megatron-lm-memory",))
def router_parameters(layers_with_experts: Count, hidden: Count, experts: Count | None, expert_hidden: Count) -> Count:
    """
    Parameters of the routers of all layers. [1]

    Assumes one linear router in every layer with experts, without bias; latent experts add a projection to their
    width and one back.
    """
    projected = 2 * expert_hidden if expert_hidden != hidden else 0
    return layers_with_experts * hidden * ((experts or 0) + projected)


@derivation(of="Model", sources=("megatron-lm-memory",), kind=exact.because("shifts are 0.1 % of a model at most"))
def norm_parameters(
    hidden: Count,
    attention_layers: Count,
    linear_layers: Count | None,
    mamba_layers: Count | None,
    feed_forward_layers: Count,
    norm: Text | None,
) -> Count:
    """
    Parameters of the norms of all layers. [1]

    Assumes one norm before whatever mixes tokens, one before each feed-forward part and one after the last layer;
    norms on queries and keys are not counted. Assumes scales alone where the design does not
    name the norm.
    """
    mixers = attention_layers + (linear_layers or 0) + (mamba_layers or 0)
    return (mixers + feed_forward_layers + 1) * hidden * NORM_VECTORS[norm]


@derivation(of="Model")
def embedding_parameters(vocabulary: Count, hidden: Count) -> Count:
    """
    Parameters of one embedding matrix. [1]

    Assumes an embedding as wide as the residual stream; learned positions are not counted.
    """
    return vocabulary * hidden


@derivation(of="Model")
def embedding_matrices(tied_embeddings: Flag | None) -> Count:
    """
    Embedding matrices among the parameters. [1]

    Assumes one where the design does not say that the output layer is a matrix of its own; the memory
    formulas then charge the body of the model with at most one matrix too many.
    """
    return 2 if tied_embeddings is False else 1


@derivation(of="Model", kind=lower)
def layers_parameters(
    attention_parameters: Count,
    least_feed_forward_parameters: Count,
    routed_parameters: Count,
    shared_expert_parameters: Count,
    router_parameters: Count,
    recurrent_parameters: Count,
) -> Count:
    """
    Minimum number of parameters: those of the layers, without embeddings and norms. [1]

    Those of its layers without norms; embeddings are left out, which some names count and others do not.
    """
    mixers = attention_parameters + recurrent_parameters
    return mixers + least_feed_forward_parameters + routed_parameters + shared_expert_parameters + router_parameters


@derivation(of="Model", sources=("metaseq",))
def position_parameters(
    hidden: Count, learned_positions: Flag | None, positions: Count | None, sequence: Count | None
) -> Count | None:
    """
    Parameters of learned positions: one vector for each. [1]

    None where the design does not say that positions are learned. As many as a sequence has tokens where their number is open.
    """
    if not learned_positions:
        return 0
    longest = positions or sequence
    return None if longest is None else longest * hidden


@derivation(of="Model", sources=("megatron-lm-memory",), kind=lower)
def architecture_parameters(
    attention_parameters: Count,
    feed_forward_parameters: Count,
    routed_parameters: Count,
    shared_expert_parameters: Count,
    router_parameters: Count,
    norm_parameters: Count,
    embedding_parameters: Count,
    tied_embeddings: Flag,
    recurrent_parameters: Count,
    position_parameters: Count,
) -> Count:
    """
    Parameters according to the stated architecture. [1]

    Assumes a decoder-only model without biases and prediction layers for further tokens. Equals the published totals of
    Llama 2 and 3 to the last parameter; biases, and norms on queries and keys, add up to 0.1 %.
    """
    mixers = attention_parameters + recurrent_parameters + position_parameters
    body = mixers + feed_forward_parameters + norm_parameters
    experts = routed_parameters + shared_expert_parameters + router_parameters
    return body + experts + embedding_parameters * (1 if tied_embeddings else 2)


@derivation(of="Model", kind=exact.because("what the architecture leaves out is 0.1 % at most"))
def parameters(architecture_parameters: Count) -> Count:
    """
    All parameters, where the design states only the architecture. [1]

    Valid as far as `architecture_parameters` is.
    """
    return architecture_parameters


@derivation(of="Model", kind=lower)
def least_parameters(
    parameters: Count | None,
    layers_parameters: Count | None,
    embedding_parameters: Count | None,
    attention: Text | None,
    attention_layers: Count | None,
    heads: Count | None,
    kv_heads: Count | None,
    key_value_parameters: Count | None,
) -> Count | None:
    """
    Minimum number of parameters: all of them where they are known, else those of the layers and of one embedding matrix. [1]

    An embedding of unknown size counts as nothing. Where neither a kind of attention nor fewer key and value heads than heads
    are stated, one such head counts.
    """
    if parameters is not None or layers_parameters is None:
        return parameters
    spared = 0
    if attention is None and kv_heads is not None and kv_heads == heads:
        spared = (attention_layers or 0) * (key_value_parameters or 0) * (kv_heads - 1) // kv_heads
    return layers_parameters - spared + (embedding_parameters or 0)


@derivation(of="Model")
def active_parameters(
    parameters: Count,
    routed_parameters: Count,
    experts: Count | None,
    experts_per_token: Count | None,
) -> Count | None:
    """
    Parameters that one token passes through, where the design does not state them. [1]

    Assumes a dense model where no experts are stated. Embeddings count as passed through. Absent where the experts have more
    parameters than the design states for the whole model: one of them is wrong.
    """
    if experts is None:
        return parameters
    if experts_per_token is None or experts_per_token > experts:
        return None
    resting = routed_parameters * (experts - experts_per_token) // experts
    return parameters - resting if parameters > resting else None


@derivation(of="Model")
def body_parameters(
    parameters: Count, routed_parameters: Count, embedding_parameters: Count, embedding_matrices: Count
) -> Count | None:
    """
    Parameters outside embeddings and routed experts. [1]

    Absent where the stated total is smaller than the parts: one of them is wrong.
    """
    body = parameters - routed_parameters - embedding_matrices * embedding_parameters
    return body if body > 0 else None


@derivation(of="Model", sources=("megatron-lm-memory",))
def replicated_parameters(norm_parameters: Count, router_parameters: Count) -> Count:
    """
    Parameters that every tensor-parallel rank replicates: norms and routers. [1]

    Valid for Megatron-style tensor parallelism.
    """
    return norm_parameters + router_parameters
