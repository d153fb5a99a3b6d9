"""Runs whose batch or sequence changes on their way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, lower
from designlint.derivations.workload.layers import seen_tokens as seen

if TYPE_CHECKING:
    from designlint.language.units import Computation, Count, Ratio


class Lengths(Struct, frozen=True):
    """How attention depends on the length of a sequence."""

    attention_layers: Count
    full_attention_layers: Count
    windowed_layers: Count | None
    window: Count | None
    multi_token_prediction_layers: Count | None

    def seen_tokens(self, sequence: Count) -> float | None:
        """Twice the tokens that a token sees on average, summed over the attention layers."""
        return seen(
            sequence,
            self.attention_layers,
            self.full_attention_layers,
            self.windowed_layers,
            self.window,
            self.multi_token_prediction_layers,
        )


@derivation(of="Workload", kind=lower)
def tokens_in_phases(phase_tokens: tuple[Count | None, ...]) -> Count | None:
    """
    Tokens of all phases together. [1]

    As far as they are stated: a lower bound. Absent without phases.
    """
    return sum(one or 0 for one in phase_tokens) if phase_tokens else None


@derivation(of="Workload")
def samples_of_tokens(
    tokens: Count,
    sequence: Count,
    phase_tokens: tuple[Count | None, ...],
    phase_sequences: tuple[Count | None, ...],
) -> Count | None:
    """
    Sequences that the tokens of the run make. [1]

    Assumes full sequences; tokens outside the phases are in those of the model, as are those of a phase that states no length.
    Absent where a phase leaves its tokens open.
    """
    return _divide_phases(tokens, sequence, phase_tokens, tuple(length or sequence for length in phase_sequences))


@derivation(of="Workload")
def steps_of_tokens(
    tokens: Count,
    sequence: Count,
    global_batch: Count,
    phase_tokens: tuple[Count | None, ...],
    phase_sequences: tuple[Count | None, ...],
    phase_batches: tuple[Count | None, ...],
) -> Count | None:
    """
    Optimizer steps that the tokens of the run make. [1]

    Assumes full sequences; tokens outside the phases are in the batch of the job, and a phase that states no length has that
    of the model. Absent where a phase leaves its tokens or its batch open.
    """
    each = zip(phase_sequences, phase_batches, strict=True)
    steps = tuple((length or sequence) * batch if batch else None for length, batch in each)
    return _divide_phases(tokens, sequence * global_batch, phase_tokens, steps)


def _divide_phases(
    tokens: Count, unit: Count, parts: tuple[Count | None, ...], units: tuple[Count | None, ...]
) -> Count | None:
    """Units of the parts of the run, and of what they leave of it; None where a part or its unit is open."""
    left = tokens - sum(one or 0 for one in parts)
    if None in (*parts, *units) or left < 0 or unit <= 0:
        return None
    counted = zip(parts, units, strict=True)
    return left // unit + sum((part or 0) // each for part, each in counted if each)


@derivation(of="Workload", kind=lower)
def longest_sequence(sequence: Count, phase_sequences: tuple[Count | None, ...]) -> Count:
    """
    Tokens in the longest sequence of all phases. [1]

    As far as they are stated: a lower bound.
    """
    return max(sequence, *(one or 0 for one in phase_sequences), 0)


@derivation(of="Workload", sources=("megatron-bridge",), groups=(Lengths,))
def phase_factor(
    tokens: Count,
    sequence: Count,
    flops_per_token: Computation,
    attention_flops_per_token: Computation,
    seen_tokens: Ratio,
    phase_tokens: tuple[Count | None, ...],
    phase_sequences: tuple[Count | None, ...],
    lengths: Lengths,
) -> Ratio | None:
    """
    Model FLOPs of the run, relative to a run with only sequences of the model's stated length. [1]

    Only attention depends on the length. Tokens outside the phases have the stated one, as have phases that state none. Absent
    without phases, where one does not say its tokens, and where they have more tokens than the run.
    """
    known = len(phase_tokens) == len(phase_sequences) and None not in phase_tokens
    if not phase_tokens or not known or seen_tokens <= 0 or flops_per_token <= 0:
        return None
    extra = 0.0
    for count, length in zip(phase_tokens, phase_sequences, strict=True):
        seen_there = lengths.seen_tokens(length or sequence)
        if seen_there is None:
            return None
        extra += (count or 0) * attention_flops_per_token * (seen_there / seen_tokens - 1)
    whole = tokens * flops_per_token
    return None if sum(one or 0 for one in phase_tokens) > tokens else 1 + extra / whole
