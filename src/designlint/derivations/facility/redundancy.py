"""What supplies, generators and cooling units still give when as many have failed as their redundancy allows."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate, lower, upper
from designlint.language.units import NOISE

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import ApparentPower, Count, Flow, Power, Ratio

SCHEME = re.compile(r"(\d*)N(?:\+(\d+))?")


def carrying_units(units: Count, redundancy: Text) -> Count | None:
    """
    Units that carry the load: all but k of N+k, half of 2N. [1]

    None where the redundancy is not written as multiples of N and units on top.
    """
    scheme = SCHEME.fullmatch(redundancy)
    if scheme is None:
        return None
    times, more = int(scheme[1] or 1), int(scheme[2] or 0)
    return max(units - more, 0) // times if times else None


def installed_units(load: Power, one: Power, redundancy: Text) -> Count | None:
    """Units that carry a load when as many have failed as the redundancy allows: the inverse of `carrying_units`. [1]"""
    scheme = SCHEME.fullmatch(redundancy)
    if scheme is None or one <= 0 or not math.isfinite(load / one):
        return None
    return math.ceil(load / one - NOISE) * int(scheme[1] or 1) + int(scheme[2] or 0)


# ---- Transformers, uninterruptible supplies and generators


@derivation(of="Transformers")
def lasting_transformers(count: Count, redundancy: Text, apparent_rating: ApparentPower) -> ApparentPower | None:
    """
    Remaining rating with all redundant transformers failed. [VA]

    Absent where the stated redundancy leaves none.
    """
    left = carrying_units(count, redundancy)
    return left * apparent_rating if left else None


@derivation(of="Ups")
def needed_modules(modules: Count, redundancy: Text) -> Count | None:
    """
    Modules needed to carry the load, without the redundant ones. [1]

    N+1 leaves all but one, 2N half of them.
    """
    return carrying_units(modules, redundancy)


@derivation(of="Ups")
def module_output(rating: Power | None, apparent_output: Power | None) -> Power | None:
    """
    Output of one module: its rating, or else apparent power times power factor. [W]

    Absent where neither is known; a module's power factor differs by maker, so none is assumed.
    """
    return apparent_output if rating is None else rating


@derivation(of="Ups")
def lasting_power(needed_modules: Count, module_output: Power) -> Power | None:
    """
    Remaining output with all redundant modules failed. [W]

    Assumes modules of one rating that share the load; absent where the stated redundancy leaves none.
    """
    return needed_modules * module_output if needed_modules else None


@derivation(of="Ups")
def lasting_apparent(needed_modules: Count, apparent_rating: ApparentPower) -> ApparentPower | None:
    """
    Remaining apparent output with all redundant modules failed. [VA]

    Assumes modules of one rating that share the load; absent where the stated redundancy leaves none.
    """
    return needed_modules * apparent_rating if needed_modules else None


@derivation(of="Ups", kind=lower)
def apparent_load(
    real_load: tuple[Power, ...], protects: tuple[Text, ...], load_power_factor: tuple[Ratio | None, ...]
) -> ApparentPower:
    """
    Minimum apparent power of the loads on the UPS. [VA]

    A lower bound: a power factor that is not stated counts as 1, and so does that of the racks where cooling, whose motors have
    another, stands behind the same supplies.
    """
    factors = [one for one in load_power_factor if one and "cooling" not in protects]
    return real_load[0] / (factors[0] if factors else 1)


@derivation(of="Ups", kind=upper)
def most_apparent_load(
    most_load: tuple[Power, ...], protects: tuple[Text, ...], load_power_factor: tuple[Ratio, ...]
) -> ApparentPower | None:
    """
    Maximum apparent power of the loads on the UPS. [VA]

    Absent where cooling, whose motors have another power factor than the racks, stands behind the same supplies.
    """
    return most_load[0] / load_power_factor[0] if load_power_factor[0] > 0 and "cooling" not in protects else None


@derivation(of="Ups")
def carries_compute(protects: tuple[Text, ...]) -> Flag:
    """
    Whether GPU servers stand behind the supplies. [1]

    Holds where the design lists what the supplies protect.
    """
    return "compute" in protects


@derivation(of="Generators")
def needed_generators(count: Count, redundancy: Text) -> Count | None:
    """Generators needed to carry the load, without the redundant ones. [1]"""
    return carrying_units(count, redundancy)


@derivation(of="Generators")
def lasting_output(needed_generators: Count, rating: Power) -> Power | None:
    """
    Remaining output with all redundant generators failed. [W]

    Assumes generators of one rating that share the load; absent where the stated redundancy leaves none.
    """
    return needed_generators * rating if needed_generators else None


@derivation(of="Generators")
def drives_compute(protects: tuple[Text, ...]) -> Flag:
    """
    Whether generators carry the GPU servers. [1]

    Holds where the design lists what they carry.
    """
    return "compute" in protects


@derivation(of="Generators")
def drives_cooling(protects: tuple[Text, ...]) -> Flag:
    """
    Whether generators carry the cooling. [1]

    Holds where the design lists what they carry.
    """
    return "cooling" in protects


# ---- Cooling


@derivation(of="Cooling")
def air_capacity(units: Count, redundancy: Text, unit_capacity: Power) -> Power | None:
    """
    Cooling capacity of the air units with all redundant units failed. [W]

    Assumes units of one size, and that `redundancy` is theirs; absent where it leaves none.
    """
    left = carrying_units(units, redundancy)
    return left * unit_capacity if left else None


@derivation(of="Cooling")
def hall_airflow(units: Count, redundancy: Text, unit_airflow: Flow) -> Flow | None:
    """
    Air that the air units move with all redundant units failed. [m3/s]

    Assumes units of one size, and that `redundancy` is theirs; absent where it leaves none.
    """
    left = carrying_units(units, redundancy)
    return left * unit_airflow if left else None


@derivation(of="CoolantDistribution")
def needed_units(count: Count, redundancy: Text) -> Count | None:
    """Units needed to remove the heat, without the redundant ones. [1]"""
    return carrying_units(count, redundancy)


@derivation(of="CoolantDistribution")
def lasting_capacity(needed_units: Count, capacity: Power) -> Power | None:
    """
    Cooling capacity of the units with all redundant units failed. [W]

    Assumes units of one size on a common loop; absent where the stated redundancy leaves none.
    """
    return needed_units * capacity if needed_units else None


# ---- What the load takes


@derivation(of="Facility", kind=estimate())
def ups_modules_needed(
    ups_load: Power | None, least_ups_load: Power, ups_module: Power, ups_redundancy: Text
) -> Count | None:
    """
    Modules that carry the load when all redundant ones have failed. [1]

    Assumes modules of the stated rating; where the load is open in part, what is known of it.
    """
    return installed_units(least_ups_load if ups_load is None else ups_load, ups_module, ups_redundancy)


@derivation(of="Facility", kind=estimate())
def generators_needed(
    generator_load: Power | None, least_generator_load: Power, generator_rating: Power, generator_redundancy: Text
) -> Count | None:
    """
    Generators that carry the load when all redundant ones have failed. [1]

    Assumes generators of the stated rating; where the load is open in part, what is known of it.
    """
    load = least_generator_load if generator_load is None else generator_load
    return installed_units(load, generator_rating, generator_redundancy)


@derivation(of="Facility", kind=estimate())
def cdus_needed(
    liquid_heat: Power | None, least_liquid_heat: Power, cdu_capacity: Power, cdu_redundancy: Text
) -> Count | None:
    """
    Coolant distribution units (CDUs) needed to move the heat with all redundant units failed. [1]

    Assumes units of the stated capacity on a common loop; where the heat is open in part, what is known of it.
    """
    return installed_units(least_liquid_heat if liquid_heat is None else liquid_heat, cdu_capacity, cdu_redundancy)


@derivation(of="Facility", kind=estimate())
def air_units_needed(
    air_heat: Power | None, least_air_heat: Power, unit_capacity: Power, air_redundancy: Text
) -> Count | None:
    """
    Air units needed to remove the heat that the coolant does not, with all redundant units failed. [1]

    Assumes units of the stated capacity; where the heat is open in part, what is known of it.
    """
    return installed_units(least_air_heat if air_heat is None else air_heat, unit_capacity, air_redundancy)
