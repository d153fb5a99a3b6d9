"""Which layers a model has: attention over everything or a window, linear, Mamba, experts, further predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate

if TYPE_CHECKING:
    from designlint.derivations.base import Flag
    from designlint.language.units import Count, Ratio


@derivation(of="Model")
def undescribed_experts(
    experts: Count | None,
    experts_per_token: Count | None,
    expert_feed_forward: Count | None,
    expert_layers: Count | None,
    shared_expert_feed_forward: Count | None,
) -> Flag:
    """
    Whether the design speaks of experts without saying how many there are.

    A width of 0 for shared experts says nothing of routed ones.
    """
    spoken = experts_per_token or expert_feed_forward or expert_layers or shared_expert_feed_forward
    return experts is None and bool(spoken)


#: Maximum difference between the parameters of an architecture and its stated total.
CLOSE = 0.03


@derivation(of="Model", kind=estimate())
def dense(
    experts: Count | None, undescribed_experts: Flag, parameters: Count, architecture_parameters: Count
) -> Flag | None:
    """
    Whether the model certainly has no experts. [1]

    The design states none, and layers and vocabulary account for the parameters of the model within 3 %: biases and the like
    fit into this difference, experts do not. Absent if it is larger: the missing parameters may be experts.
    """
    if experts is not None or undescribed_experts:
        return None if undescribed_experts else False
    return abs(parameters - architecture_parameters) <= CLOSE * architecture_parameters or None


@derivation(of="Model")
def attention_layers(layers: Count, linear_layers: Count | None, mamba_layers: Count | None) -> Count | None:
    """
    Layers with softmax attention where the design states none. [1]

    All that are not linear. Absent beside Mamba layers, which stand alone in some models and replace attention in
    others.
    """
    rest = layers - (linear_layers or 0)
    return None if mamba_layers or rest < 0 else rest


@derivation(of="Model")
def feed_forward_layers(layers: Count, mamba_layers: Count | None) -> Count | None:
    """
    Layers with a feed-forward part or experts where the design states none. [1]

    Every layer; absent beside Mamba layers, which have none in some models.
    """
    return None if mamba_layers else layers


@derivation(of="Model")
def expert_hidden(hidden: Count) -> Count:
    """
    Width of what routed experts read and write where the design states none. [1]

    That of the residual stream: only latent experts compress tokens first.
    """
    return hidden


@derivation(of="Model")
def full_attention_layers(attention_layers: Count, windowed_layers: Count | None) -> Count | None:
    """
    Attention layers that attend to the whole sequence. [1]

    Assumes all of them where the design speaks of no windows. Absent where more layers are windowed than there are.
    """
    full = attention_layers - (windowed_layers or 0)
    return full if full >= 0 else None


@derivation(of="Model")
def layer_pattern(windowed_layers: Count | None, linear_layers: Count | None, mamba_layers: Count | None) -> Flag:
    """
    Whether the design says which layers see the whole sequence.

    A stated 0 says so, too.
    """
    return not (windowed_layers is None and linear_layers is None and mamba_layers is None)


@derivation(of="Model")
def seen_tokens(
    sequence: Count,
    attention_layers: Count,
    full_attention_layers: Count,
    windowed_layers: Count | None,
    window: Count | None,
    multi_token_prediction_layers: Count | None,
) -> Ratio | None:
    """
    Twice the average number of tokens that a token attends to, summed over the attention layers. [1]

    Under a causal mask half of the sequence, and of a window of w in s tokens w - w^2 / 2 s. Layers that predict
    further tokens see the whole sequence. Absent where the width of the window is open, and where a window is stated but
    not which layers have it.
    """
    further = multi_token_prediction_layers or 0
    if windowed_layers is None and window is not None:
        return None
    if not windowed_layers:
        return (attention_layers + further) * sequence
    if window is None:
        return None
    width = min(window, sequence)
    return (full_attention_layers + further) * sequence + windowed_layers * (2 * width - width**2 / sequence)


@derivation(of="Model")
def dense_layers(
    layers: Count, experts: Count | None, expert_layers: Count | None, undescribed_experts: Flag
) -> Count | None:
    """
    Leading layers without experts where the design states none. [1]

    Assumes that a mixture of experts has experts in every layer, as Mixtral and Qwen3 do, or in the stated number
    of layers, spread over all. Absent where experts are spoken of but not counted.
    """
    if undescribed_experts:
        return None
    if experts is None:
        return layers
    return 0 if expert_layers is None else max(0, layers - expert_layers)


@derivation(of="Model")
def layers_with_experts(
    feed_forward_layers: Count, dense_layers: Count, experts: Count | None, expert_layers: Count | None
) -> Count | None:
    """
    Layers with routed experts. [1]

    A stated number wins; otherwise all but the leading dense ones. Absent where more layers are dense than there are.
    """
    if experts is None:
        return 0
    rest = feed_forward_layers - dense_layers if expert_layers is None else expert_layers
    return rest if 0 <= rest <= feed_forward_layers else None


@derivation(of="Model", sources=("deepseek-v3-2024",))
def prediction_parameters(
    multi_token_prediction_layers: Count,
    hidden: Count,
    attention_parameters: Count,
    attention_layers: Count,
    routed_parameters: Count,
    shared_expert_parameters: Count,
    router_parameters: Count,
    feed_forward_parameters: Count,
    feed_forward_layers: Count,
    layers_with_experts: Count,
) -> Count | None:
    """
    Parameters of the multi-token prediction layers, not counted in `parameters`. [1]

    Each joins a token's state and the next one's embedding in a matrix and passes through one layer like the last. The
    embedding and the output layer are those of the model; norms are not counted.
    """
    if attention_layers < 1 or feed_forward_layers < 1:
        return None
    experts = routed_parameters + shared_expert_parameters + router_parameters
    inner = experts / layers_with_experts if layers_with_experts else feed_forward_parameters / feed_forward_layers
    return multi_token_prediction_layers * int(2 * hidden**2 + attention_parameters / attention_layers + inner)


@derivation(of="Model", sources=("deepseek-v3-2024",))
def active_prediction_parameters(
    multi_token_prediction_layers: Count,
    prediction_parameters: Count,
    routed_parameters: Count,
    layers_with_experts: Count,
    experts: Count | None,
    experts_per_token: Count | None,
    embedding_parameters: Count,
) -> Count | None:
    """
    Parameters of the multi-token prediction layers that are active per token. [1]

    The output layer is applied once more for each.
    """
    output = multi_token_prediction_layers * embedding_parameters
    if experts is None or not layers_with_experts:
        return prediction_parameters + output
    if experts_per_token is None:
        return None
    idle = routed_parameters / layers_with_experts * (1 - experts_per_token / experts)
    return int(prediction_parameters - multi_token_prediction_layers * idle) + output
