"""What a facility draws, gives off and costs besides the racks: PUE from its parts, air, water, energy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate, lower, upper
from designlint.language.units import YEAR

if TYPE_CHECKING:
    from designlint.language.units import EnergyPrice, Flow, Money, Power, Ratio, WaterUse


@derivation(of="Facility", sources=("iso-30134-2",), kind=lower)
def composed_pue(
    it_power: Power | None, cooling_power: Power | None, auxiliary_power: Power | None, efficiency: Ratio | None
) -> Ratio | None:
    """
    Power usage effectiveness (PUE) calculated from the stated parts. [1]

    Losses of the power chain on everything in the racks, and what cooling and the building draw. A lower
    bound: parts that are not stated count as nothing, and racks as drawing their limit; where that is open, only the
    losses count. Absent where neither losses nor cooling are stated.
    """
    beside = ((cooling_power or 0.0) + (auxiliary_power or 0.0)) / it_power if it_power else 0.0
    if (efficiency is None and (cooling_power is None or not it_power)) or efficiency == 0:
        return None
    return 1 / (1.0 if efficiency is None else efficiency) + beside


@derivation(of="Facility", kind=upper)
def distribution_loss(it_power: Power, efficiency: Ratio) -> Power | None:
    """
    Power lost between the utility and the racks, with all racks at their limit. [W]

    Transformers, uninterruptible supplies and distribution together; assumes the stated efficiency at this load.
    """
    return it_power / efficiency - it_power if efficiency > 0 else None


@derivation(of="Facility", sources=("iso-30134-9",), kind=estimate())
def water_demand(wue: WaterUse, it_power: Power) -> Flow:
    """
    Water consumption of the site at the stated water usage effectiveness (WUE). [m3/s]

    Assumes racks at their limit and the yearly mean: on hot days it is more.
    """
    return wue * it_power


@derivation(of="Facility", kind=upper)
def yearly_energy_cost(it_power: Power, pue: Ratio, energy_price: EnergyPrice) -> Money:
    """
    Cost of the electrical energy of a year. [USD]

    An upper bound: racks at their limit all year, at the yearly mean of PUE; charges for peak load are not included.
    """
    return it_power * pue * YEAR * energy_price
