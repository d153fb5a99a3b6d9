"""What a storage tier holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.units import Bytes, Ratio


@derivation(of="StorageTier")
def usable_capacity(capacity: Bytes, usable_fraction: Ratio) -> Bytes:
    """
    Capacity that may be filled. [B]

    Assumes a capacity after redundancy and a fill limit that the design states.
    """
    return capacity * usable_fraction
