"""What of a design the search for a split reads, and what it takes for that which the design does not say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from designlint.derivations.search.splits import LARGEST_PIPELINE, Job, Split
from designlint.derivations.workload.activations import residual_activation_memory, score_memory

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bandwidth, Bytes, Count, Duration, Ratio


@dataclass(frozen=True, slots=True)
class Stated:
    """The split that the design states."""

    gpus: Count
    tensor: Count
    pipeline: Count
    context: Count
    expert: Count | None
    expert_tensor: Count | None
    micro_batch: Count | None
    global_batch: Count | None
    zero_stage: Count | None
    recompute: Text | None
    sequence_parallel: Flag | None

    @property
    def split(self) -> Split:
        """The same as the search tells it."""
        return Split(
            self.tensor,
            self.pipeline,
            self.expert or 1,
            self.micro_batch or 1,
            self.zero_stage or 0,
            self.recompute or "none",
            bool(self.sequence_parallel),
        )


@dataclass(frozen=True, slots=True)
class Shape:
    """The model: its parameters, and where they are."""

    parameters: Count
    routed_parameters: Count | None
    embedding_parameters: Count | None
    embedding_matrices: Count | None
    experts: Count | None
    layers: Count | None
    heads: Count | None
    kv_heads: Count | None
    feed_forward: Count | None
    sequence: Count | None
    hidden: Count | None


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of each parameter and of each token."""

    weight_bytes: Bytes
    gradient_bytes: Bytes
    optimizer_state_bytes: Bytes
    activation_bytes: Bytes | None
    operand_bytes: Bytes | None
    micro_batch_tokens: Count | None
    split_activation_memory: Bytes | None
    flash_attention: Flag | None
    dropout: Flag | None
    part_share: Ratio | None


@dataclass(frozen=True, slots=True)
class Room:
    """What a GPU has: memory, neighbours, links, and the time that it computes in a step."""

    usable_gpu_memory: Bytes
    scale_up_domain: Count | None
    scale_up_rate: Bandwidth | None
    network_rate: Bandwidth | None
    compute_time: Duration | None


def job(stated: Stated, shape: Shape, kept: Kept, room: Room) -> Job:
    """What the search is about."""
    activation, operand = kept.activation_bytes or 0.0, kept.operand_bytes or 0.0
    hidden, sequence, heads = shape.hidden or 0, shape.sequence or 0, shape.heads or 0
    scores = score_memory(1, sequence, heads, activation, 1, bool(kept.flash_attention), kept.dropout)
    residual = residual_activation_memory(1, hidden, activation, operand, 1, None, kept.dropout, kept.part_share or 1.0)
    return Job(
        stated=stated.split,
        gpus=stated.gpus,
        context=stated.context,
        global_batch=stated.global_batch or stated.gpus * stated.split.micro_batch * LARGEST_PIPELINE,
        memory=room.usable_gpu_memory,
        domain=room.scale_up_domain or stated.tensor,
        parameters=shape.parameters,
        routed=shape.routed_parameters or 0,
        layers=shape.layers or 0,
        heads=shape.heads or 0,
        kv_heads=shape.kv_heads or 0,
        feed_forward=shape.feed_forward or 0,
        experts=shape.experts or 0,
        weight=kept.weight_bytes,
        gradient=kept.gradient_bytes,
        optimizer=kept.optimizer_state_bytes,
        embedding=shape.embedding_parameters or 0,
        embeddings=shape.embedding_matrices or 0,
        sequence=shape.sequence or 0,
        hidden=shape.hidden or 0,
        token_bytes=activation,
        layer_token_bytes=(kept.split_activation_memory or 0) * stated.tensor / (kept.micro_batch_tokens or 1),
        score_token_bytes=scores,
        norm_token_bytes=residual or 0.0,
        scale_up_rate=room.scale_up_rate or 0.0,
        network_rate=room.network_rate or 0.0,
        compute_time=room.compute_time or 0.0,
    )
