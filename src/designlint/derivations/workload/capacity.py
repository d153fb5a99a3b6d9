"""What a capacity of experts does to the tokens that are routed to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag
    from designlint.language.units import Count, Ratio


@derivation(of="Workload", sources=("megatron-core-moe-2026",))
def experts_visited(experts_per_token: Count, capacity_factor: Ratio | None, capacity_padded: Flag | None) -> Ratio:
    """
    Experts that process each token at even load, on average. [1]

    All that it is routed to where there is no capacity; no more than the capacity, and with padding all of it, whatever
    arrives.
    """
    if capacity_factor is None:
        return experts_per_token
    return experts_per_token * (capacity_factor if capacity_padded else min(1.0, capacity_factor))


@derivation(of="Workload", sources=("megatron-core-moe-2026",), kind=lower)
def least_dropped_share(capacity_factor: Ratio) -> Ratio:
    """
    Minimum share of the tokens routed to experts that is dropped. [1]

    What all experts together have no room for, at even load; uneven load drops more.
    """
    return max(0.0, 1 - capacity_factor)
