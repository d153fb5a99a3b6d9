"""What a storage tier holds, and how fast servers reach it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.units import Bandwidth, Bytes, Count, DataRate, Ratio


@derivation(of="StorageTier")
def usable_capacity(capacity: Bytes, usable_fraction: Ratio) -> Bytes:
    """
    Capacity that may be filled. [B]

    Assumes a capacity after redundancy and a fill limit that the design states.
    """
    return capacity * usable_fraction


@derivation(of="Attachment")
def pool_rate(server_rate: DataRate, pool_counts: tuple[Count, ...]) -> DataRate:
    """
    Rate of all servers of the pool into the fabric. [bit/s]

    Assumes that every server in service has the attachment; spare servers are not counted. Line rate, headers
    included.
    """
    return server_rate * sum(pool_counts)


@derivation(of="StorageTier")
def attached_rate(attached_rates: tuple[DataRate, ...]) -> Bandwidth:
    """
    Line rate of all servers in service into the tier's fabric. [B/s]

    An upper bound of what they can read or write at once: headers and protocols take a part of it.
    """
    return sum(attached_rates) / 8
