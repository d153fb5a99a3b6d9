"""What cooling comes to besides power: the sink of the air, the dew point of the hall, the flow of the coolant."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count, Flow, Ratio, Temperature

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
