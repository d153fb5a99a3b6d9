"""What reinforcement learning holds beside its actor, and what inference holds beside its weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, estimate, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Count


@derivation(of="Workload", kind=lower)
def further_state_total(
    kind: Text,
    reference: Flag | None,
    critic_parameters: Count | None,
    reward_parameters: Count | None,
    parameters: Count,
    weight_bytes: Bytes,
    gradient_bytes: Bytes,
    optimizer_state_bytes: Bytes,
) -> Bytes:
    """
    State of the models that stand beside the actor on its GPUs. [B]

    Weights of the reference and of reward models, and weights, gradients and optimizer state of the critic, as far as the design
    states them. Frameworks can keep them in CPU memory while they do not work.
    """
    if kind != "reinforcement-learning":
        return 0.0
    critic = (critic_parameters or 0) * (weight_bytes + gradient_bytes + optimizer_state_bytes)
    frozen = (parameters if reference else 0) + (reward_parameters or 0)
    return critic + frozen * weight_bytes


@derivation(of="Workload", sources=("pagedattention-2023",))
def cached_token_values(
    attention: Text | None,
    attention_layers: Count,
    kv_heads: Count | None,
    head_dimension: Count | None,
    value_dimension: Count | None,
    kv_rank: Count | None,
    rope_dimension: Count | None,
) -> Count | None:
    """
    Cached values of one token during serving. [1]

    In every attention layer a key and a value of each group of heads; of latent attention the compressed vector and
    the rotary key. Layers that see only a window drop what has left it.
    """
    if attention == "mla":
        width = None if kv_rank is None or rope_dimension is None else kv_rank + rope_dimension
    elif kv_heads is None or head_dimension is None or value_dimension is None:
        width = None
    else:
        width = kv_heads * (head_dimension + value_dimension)
    return None if width is None else attention_layers * width


@derivation(of="Workload", sources=("pagedattention-2023",))
def cached_token_bytes(
    cached_token_values: Count, cache_bytes: Bytes | None, activation_bytes: Bytes | None
) -> Bytes | None:
    """
    Size of the cached keys and values of one token during serving. [B]

    A cached value is as large as an activation value unless the design says otherwise.
    """
    size = activation_bytes if cache_bytes is None else cache_bytes
    return None if size is None else cached_token_values * size


class CachedSequence(Struct, frozen=True):
    """The tokens of one sequence that attention layers keep, and the layers that keep all of them or those of a window."""

    cached_tokens: Count
    attention_layers: Count
    full_attention_layers: Count
    windowed_layers: Count | None
    window: Count | None

    def kept_tokens(self) -> float | None:
        """Tokens that a layer keeps on average; None where the layers of a window, or its width, are open."""
        if self.attention_layers < 1 or (self.window is None and self.windowed_layers):
            return None
        if self.window is not None and self.windowed_layers is None:
            return None
        seen = min(self.window or 0, self.cached_tokens)
        kept = self.full_attention_layers * self.cached_tokens + (self.windowed_layers or 0) * seen
        return kept / self.attention_layers


@derivation(of="Workload", sources=("pagedattention-2023",))
def cache_shares(tensor: Count, kv_heads: Count | None, attention_copies: Count | None) -> Count | None:
    """
    Shares into which tensor-parallel GPUs split the cached keys and values. [1]

    Groups of heads, none for latent attention, and copies of attention split the sequences. Absent where copies would
    matter and are not stated.
    """
    if attention_copies is None and tensor > (kv_heads or 1):
        return None
    copies = min(tensor, attention_copies or 1)
    return copies * min(max(tensor // copies, 1), kv_heads or 1)


@derivation(of="Workload", sources=("pagedattention-2023",), groups=(CachedSequence,))
def cache_memory(
    kind: Text,
    sequences: Count,
    cached: CachedSequence,
    cached_token_bytes: Bytes,
    cache_shares: Count,
    pipeline: Count,
    context: Count | None,
) -> Bytes | None:
    """
    Keys and values on one GPU with all sequences at their full length. [B]

    Pipeline stages split them by layers, context parallelism by tokens. Absent where the width of a window is open, and for
    jobs that do not serve.
    """
    kept = cached.kept_tokens() if kind == "inference" else None
    return None if kept is None else sequences * kept * cached_token_bytes / (pipeline * (context or 1) * cache_shares)


@derivation(of="Workload", sources=("pagedattention-2023",), groups=(CachedSequence,), kind=lower)
def least_cache_memory(
    kind: Text,
    sequences: Count,
    cached: CachedSequence,
    cached_token_bytes: Bytes,
    tensor: Count,
    pipeline: Count,
    context: Count | None,
) -> Bytes | None:
    """
    Minimum memory of keys and values on one GPU with all sequences at their full length. [B]

    A lower bound: every GPU of a copy of the model keeps a part of its own, as copies of attention make possible.
    """
    kept = cached.kept_tokens() if kind == "inference" else None
    return None if kept is None else sequences * kept * cached_token_bytes / (tensor * pipeline * (context or 1))


@derivation(of="Workload", sources=("pagedattention-2023",), groups=(CachedSequence,))
def cached_values(kind: Text, sequences: Count, cached: CachedSequence, cached_token_values: Count) -> Count | None:
    """
    Values that one copy of the model caches with all sequences at their full length. [1]

    Each is taken to be kept once.
    """
    kept = cached.kept_tokens() if kind == "inference" else None
    return None if kept is None else round(sequences * kept * cached_token_values)


@derivation(of="Workload", sources=("pagedattention-2023",), kind=estimate())
def rollout_sequence_memory(
    sequence: Count,
    cached_token_bytes: Bytes,
    attention_layers: Count,
    full_attention_layers: Count,
    windowed_layers: Count | None,
    window: Count | None,
    kv_heads: Count | None,
    rollout_tensor: Count,
) -> Bytes | None:
    """
    KV cache of one rollout on one rollout GPU. [B]

    Assumes a rollout as long as a training sequence, which may pack several ones. Split by KV heads; latent attention is not
    split.
    """
    kept = CachedSequence(sequence, attention_layers, full_attention_layers, windowed_layers, window).kept_tokens()
    return None if kept is None else kept * cached_token_bytes / min(rollout_tensor, kv_heads or 1)


@derivation(of="Workload", kind=lower)
def serving_memory(state_memory_floor: Bytes, cache_memory: Bytes) -> Bytes:
    """
    Memory of weights and of cached keys and values on one GPU of an inference job. [B]

    Buffers and whatever a forward pass needs for a moment come on top.
    """
    return state_memory_floor + cache_memory
