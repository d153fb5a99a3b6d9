"""Time of one layer, forward and backward, for one micro-batch: the sum of its parts, or the launch of its kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, estimate

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count, Duration, Ratio


@derivation(of="Workload", kind=estimate())
def projection_time(
    input_projection_time: Duration | None,
    latent_projection_time: Duration | None,
    output_projection_time: Duration,
    attention: Text | None,
) -> Duration | None:
    """
    Forward time of the projections around attention in one layer for one micro-batch. [s]

    Latent attention has projections of its own.
    """
    into = latent_projection_time if attention == "mla" else input_projection_time
    return None if into is None else into + output_projection_time


class LayerSurroundings(Struct, frozen=True):
    """What an average layer does besides its feed-forward part."""

    attention_part: Ratio
    part_share: Ratio
    recurrent_projection_time: Duration
    recurrent_core_time: Duration
    projection_time: Duration
    attention_core_time: Duration
    attention_core_backward_time: Duration
    residual_time: Duration
    cast_time: Duration
    exposed_tensor_time: Duration
    exposed_context_time: Duration
    exposed_context_backward_time: Duration
    backward_passes: Ratio
    backward_launches: Ratio
    state_backward_passes: Ratio

    def forward(self, matrices: Duration, memory: Duration, exchange: Duration) -> Duration:
        """Forward time of the layer with a feed-forward part of such times. [s]"""
        mixing = self.attention_part * (self.projection_time + self.attention_core_time)
        states = self.recurrent_projection_time + self.recurrent_core_time
        own = mixing + states + self.part_share * (self.residual_time + self.cast_time)
        return own + matrices + memory + exchange + self.attention_part * self.exposed_context_time

    def backward(self, matrices: Duration, memory: Duration, exchange: Duration) -> Duration:
        """Backward time of the layer with a feed-forward part of such forward times, without recomputation. [s]"""
        passes = self.backward_passes * (self.part_share * (self.residual_time + self.cast_time) + memory)
        projections = self.attention_part * self.projection_time + self.recurrent_projection_time
        states = self.state_backward_passes * self.recurrent_core_time
        waits = self.attention_part * self.exposed_context_backward_time
        return 2 * (projections + matrices) + self.scores_backward + states + passes + exchange + waits

    @property
    def tensor_wait(self) -> Duration:
        """What a layer without experts waits for tensor-parallel communication, forward or backward. [s]"""
        return self.part_share * self.exposed_tensor_time

    @property
    def mixer_wait(self) -> Duration:
        """The same without the feed-forward part, which is one of the two blocks of a layer. [s]"""
        return max(0.0, self.part_share - 0.5) * self.exposed_tensor_time

    @property
    def scores_backward(self) -> Duration:
        """Backward time of attention scores. [s]"""
        return self.attention_part * self.attention_core_backward_time


@derivation(of="Workload", groups=(LayerSurroundings,), kind=estimate())
def dense_layer_forward_time(
    around: LayerSurroundings,
    feed_forward_time: Duration,
    activation_function_time: Duration,
    feed_forward_part: Ratio,
    layer_launch_time: Duration,
    launch_factor: Ratio | None,
) -> Duration:
    """
    Forward time of one layer without experts for one micro-batch. [s]

    No less than the launch of its kernels.
    """
    own = around.forward(
        feed_forward_part * feed_forward_time, feed_forward_part * activation_function_time, around.tensor_wait
    )
    return max(own, around.part_share * layer_launch_time * (launch_factor or 1.0))


@derivation(of="Workload", sources=("narayanan-2021",), groups=(LayerSurroundings,), kind=estimate())
def dense_layer_backward_time(
    around: LayerSurroundings,
    feed_forward_time: Duration,
    activation_function_time: Duration,
    feed_forward_part: Ratio,
    dense_layer_forward_time: Duration,
    dense_module_recompute_time: Duration,
    recomputed_share: Ratio | None,
    recompute_factor: Ratio,
    layer_launch_time: Duration,
    launch_factor: Ratio | None,
) -> Duration:
    """
    Backward time of one layer without experts for one micro-batch. [s]

    Two multiplications for each one forward; full recomputation adds most of the forward pass.
    """
    again = _again(recomputed_share, recompute_factor * dense_layer_forward_time, dense_module_recompute_time)
    own = around.backward(
        feed_forward_part * feed_forward_time, feed_forward_part * activation_function_time, around.tensor_wait
    )
    launches = around.backward_launches * around.part_share * (launch_factor or 1.0)
    return max(own + again, launches * layer_launch_time)


def _again(share: Ratio | None, forward: Duration, modules: Duration) -> Duration:
    """Time of what is computed again: the forward pass of some layers, single modules of others. [s]"""
    return (share or 0.0) * forward + (1 - (share or 0.0)) * modules


class ExpertPart(Struct, frozen=True):
    """The expert part of a layer."""

    expert_matrix_time: Duration
    shared_expert_time: Duration
    router_time: Duration
    permutation_time: Duration
    exposed_expert_time: Duration
    expert_gather_time: Duration
    expert_factor: Ratio | None
    expert_launch_time: Duration
    layer_launch_time: Duration
    launch_factor: Ratio | None
    experts: Count
    expert: Count

    def scaled_time(self, own: Duration, launches: Ratio, again: Duration = 0.0) -> Duration:
        """Time of the layer with its own work, and work done again, but no less than the launch of its kernels. [s]"""
        kernels = self.layer_launch_time + self.expert_launch_time * self.experts / self.expert
        least = launches * kernels * (self.launch_factor or 1.0)
        return (self.expert_factor or 1.0) * max(own, least) + again

    @property
    def matrices(self) -> Duration:
        """All of its multiplications, forward. [s]"""
        return self.expert_matrix_time + self.shared_expert_time + self.router_time

    def exchange(self, around: LayerSurroundings) -> Duration:
        """What the layer waits for on links, forward or backward. [s]"""
        return self.exposed_expert_time + self.expert_gather_time + around.mixer_wait


@derivation(of="Workload", groups=(LayerSurroundings, ExpertPart), kind=estimate())
def expert_layer_forward_time(around: LayerSurroundings, part: ExpertPart) -> Duration:
    """
    Forward time of one layer with experts for one micro-batch. [s]

    No less than the launch of its kernels. The factor is the software's, for all layers with experts.
    """
    own = around.forward(part.matrices, part.permutation_time, part.exchange(around))
    return part.scaled_time(own, 1.0)


@derivation(of="Workload", groups=(LayerSurroundings, ExpertPart), kind=estimate())
def expert_layer_backward_time(
    around: LayerSurroundings,
    part: ExpertPart,
    expert_layer_forward_time: Duration,
    expert_module_recompute_time: Duration,
    recomputed_share: Ratio | None,
    recompute_factor: Ratio,
) -> Duration:
    """
    Backward time of one layer with experts for one micro-batch. [s]

    As `dense_layer_backward_time`.
    """
    again = _again(recomputed_share, recompute_factor * expert_layer_forward_time, expert_module_recompute_time)
    own = around.backward(part.matrices, part.permutation_time, part.exchange(around))
    return part.scaled_time(own, around.backward_launches, again)


@derivation(of="Workload")
def plain_layers(layers: Count, layers_with_experts: Count, multi_token_prediction_layers: Count | None) -> Count:
    """
    Layers without experts that a token passes through, multi-token prediction included. [1]

    Layers that predict further tokens are like the last one.
    """
    return layers - layers_with_experts + (0 if layers_with_experts else multi_token_prediction_layers or 0)


@derivation(of="Workload")
def mixed_layers(layers_with_experts: Count, multi_token_prediction_layers: Count | None) -> Count:
    """
    Layers with experts that a token passes through, multi-token prediction included. [1]

    As `plain_layers`.
    """
    return layers_with_experts + (multi_token_prediction_layers or 0) if layers_with_experts else 0


@derivation(of="Workload", kind=estimate())
def layers_forward_time(
    plain_layers: Count,
    mixed_layers: Count,
    dense_layer_forward_time: Duration | None,
    expert_layer_forward_time: Duration | None,
) -> Duration | None:
    """
    Forward time of all layers for one micro-batch. [s]

    As if one rank worked through the stages one after the other.
    """
    if lacking(plain_layers, mixed_layers, dense_layer_forward_time, expert_layer_forward_time):
        return None
    return plain_layers * (dense_layer_forward_time or 0.0) + mixed_layers * (expert_layer_forward_time or 0.0)


@derivation(of="Workload", kind=estimate())
def layers_backward_time(
    plain_layers: Count,
    mixed_layers: Count,
    dense_layer_backward_time: Duration | None,
    expert_layer_backward_time: Duration | None,
) -> Duration | None:
    """
    Backward time of all layers for one micro-batch. [s]

    As `layers_forward_time`.
    """
    if lacking(plain_layers, mixed_layers, dense_layer_backward_time, expert_layer_backward_time):
        return None
    return plain_layers * (dense_layer_backward_time or 0.0) + mixed_layers * (expert_layer_backward_time or 0.0)


def lacking(plain: Count, mixed: Count, dense: Duration | None, expert: Duration | None) -> bool:
    """Whether the time of a kind of layer that is there is not known."""
    return (plain > 0 and dense is None) or (mixed > 0 and expert is None)
