"""Jobs that run on several pools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.language.units import Count


@derivation(of="PlacementPart")
def gpus(pool_gpus: Count) -> Count:
    """
    GPUs of the job in a further pool, where the design states none. [1]

    Assumes that the job takes the whole pool, spares left out.
    """
    return pool_gpus
