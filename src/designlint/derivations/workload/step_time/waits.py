"""What a stage waits for inside its layers over a whole step, by the exchange that it waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, estimate

if TYPE_CHECKING:
    from designlint.language.units import Count, Duration, Ratio


class Passes(Struct, frozen=True):
    """How often a stage passes through a layer in one step, averaged over stages."""

    micro_batches: Count
    pipeline: Count
    plain_layers: Count
    mixed_layers: Count

    def total(self, plain: Duration, mixed: Duration) -> Duration:
        """Time of a step, of times of one layer of each kind for one micro-batch. [s]"""
        return self.micro_batches / self.pipeline * (self.plain_layers * plain + self.mixed_layers * mixed)


@derivation(of="Workload", groups=(Passes,), kind=estimate())
def tensor_wait_time(
    passes: Passes,
    exposed_tensor_time: Duration,
    expert_gather_time: Duration | None,
    part_share: Ratio,
    expert_factor: Ratio | None,
) -> Duration:
    """
    Time per step that a stage waits for tensor-parallel communication. [s]

    Forward and backward, before the factor of the software's age.
    """
    mixed = max(0.0, part_share - 0.5) * exposed_tensor_time + (expert_gather_time or 0.0)
    return passes.total(2 * part_share * exposed_tensor_time, 2 * mixed * (expert_factor or 1.0))


@derivation(of="Workload", groups=(Passes,), kind=estimate())
def context_wait_time(
    passes: Passes,
    exposed_context_time: Duration,
    exposed_context_backward_time: Duration,
    attention_part: Ratio,
    expert_factor: Ratio | None,
) -> Duration:
    """
    Time per step that a stage waits for keys and values of other ranks. [s]

    As `tensor_wait_time`.
    """
    both = attention_part * (exposed_context_time + exposed_context_backward_time)
    return passes.total(both, both * (expert_factor or 1.0))


@derivation(of="Workload", groups=(Passes,), kind=estimate())
def expert_wait_time(passes: Passes, exposed_expert_time: Duration, expert_factor: Ratio | None) -> Duration:
    """
    Time per step that a stage waits for the all-to-all communication of experts. [s]

    As `tensor_wait_time`.
    """
    return passes.total(0.0, 2 * exposed_expert_time * (expert_factor or 1.0))
