"""How many cables a switch network of stated counts takes between its tiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.units import Count, Ratio


@derivation(of="Topology", sources=("superpod-h100-ra",))
def leaf_spine_cables(leaves: Count, uplinks_per_leaf: Count) -> Count:
    """
    Cables between leaves and spines, all planes together. [1]

    Assumes that every uplink is cabled. A cable is one link at the rate of an uplink: twin-port cables, which hold
    two, are half as many.
    """
    return leaves * uplinks_per_leaf


@derivation(of="Topology", sources=("superpod-h100-ra",))
def spine_core_cables(tiers: Count, leaf_spine_cables: Count, spine_oversubscription: Ratio) -> Count | None:
    """
    Cables between spines and cores, all planes together. [1]

    Assumes three tiers whose links all run at one rate. Absent where the ratio leaves no whole number of cables.
    """
    cables = leaf_spine_cables / spine_oversubscription
    return int(cables) if tiers == 3 and cables.is_integer() else None
