"""What cooling comes to: the heat of the coolant and of the air, the dew point of the hall, the flow of the coolant."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate, lower, upper

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count, Flow, Power, Ratio, Temperature

#: Methods of cooling whose coolant takes a share of the heat before it reaches the hall.
COOLED_AT_RACKS = ("direct-liquid", "hybrid", "rear-door")
#: Coefficients of the August-Roche-Magnus approximation: without unit, and in degC.
MAGNUS, MAGNUS_DEGREES = 17.625, 243.04


@derivation(of="Cooling")
def air_sink(air_heat_rejection: Text | None, heat_rejection: Text | None) -> Text | None:
    """
    Heat rejection of the hall's air to the atmosphere.

    Assumes that what rejects the heat of the coolant rejects that of the air, too, where the design names nothing else.
    """
    return air_heat_rejection or heat_rejection


@derivation(of="Cooling", sources=("magnus-dew-point",), kind=estimate())
def dew_point(inlet_temperature: Temperature, humidity: Ratio) -> Temperature | None:
    """
    Dew point of the air in the hall. [degC]

    Within 0.35 K between -40 and 60 degC. Absent for air without any moisture.
    """
    if humidity <= 0 or inlet_temperature <= -MAGNUS_DEGREES:
        return None
    moist = math.log(humidity) + MAGNUS * inlet_temperature / (MAGNUS_DEGREES + inlet_temperature)
    return MAGNUS_DEGREES * moist / (MAGNUS - moist)


@derivation(of="CoolantDistribution")
def lasting_flow(needed_units: Count, flow: Flow) -> Flow | None:
    """
    Coolant flow of the units with all redundant units failed. [m3/s]

    Assumes units of one size on a common loop; absent where the stated redundancy leaves none.
    """
    return needed_units * flow if needed_units else None


@derivation(of="Facility", kind=upper)
def liquid_heat(it_power: Power, method: Text, liquid_share: Ratio) -> Power | None:
    """
    Maximum heat removed by the coolant at the servers or at the doors of their racks. [W]

    Holds for cold plates, with or without air for the rest, and for rear doors.
    """
    return it_power * liquid_share if method in COOLED_AT_RACKS else None


@derivation(of="Facility", kind=lower)
def least_liquid_heat(
    least_it_power: Power | None, method: Text, liquid_share: Ratio | None, coolant_heats: tuple[Power | None, ...]
) -> Power | None:
    """
    Minimum heat removed by the coolant at the servers or at the doors of their racks. [W]

    A lower bound: racks of unknown power are left out. Where the share of the liquid is open, only the GPUs on cold plates count.
    """
    if method not in COOLED_AT_RACKS:
        return None
    if liquid_share is not None:
        return None if least_it_power is None else least_it_power * liquid_share
    return None if method == "rear-door" else sum(heat or 0 for heat in coolant_heats) or None


@derivation(of="Facility", kind=upper)
def air_heat(it_power: Power, method: Text, liquid_heat: Power | None) -> Power | None:
    """
    Maximum heat released to the air of the hall. [W]

    All of it under air cooling, what the coolant leaves under cold plates.
    """
    if method == "air":
        return it_power
    return None if liquid_heat is None else it_power - liquid_heat


@derivation(of="Facility", kind=lower)
def least_air_heat(least_it_power: Power, method: Text, liquid_share: Ratio | None) -> Power | None:
    """
    Minimum heat released to the air of the hall. [W]

    A lower bound: racks of unknown power are left out.
    """
    if method == "air":
        return least_it_power
    return least_it_power * (1 - liquid_share) if method in COOLED_AT_RACKS and liquid_share is not None else None
