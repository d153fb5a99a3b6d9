"""What supplies, generators and cooling units still give when as many have failed as their redundancy allows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.units import Count, Power, Ratio

SCHEME = re.compile(r"(\d*)N(?:\+(\d+))?")


def needed(units: Count, redundancy: Text) -> Count | None:
    """
    Units that carry the load: all but k of N+k, half of 2N. [1]

    None where the redundancy is not written as multiples of N and units on top.
    """
    scheme = SCHEME.fullmatch(redundancy)
    if scheme is None:
        return None
    times, more = int(scheme[1] or 1), int(scheme[2] or 0)
    return max(units - more, 0) // times if times else None


def _together(units: Count, redundancy: Text, one: Power) -> Power | None:
    left = needed(units, redundancy)
    return None if left is None else left * one


# ---- Uninterruptible supplies and generators


@derivation(of="Ups")
def needed_modules(modules: Count, redundancy: Text) -> Count | None:
    """
    Modules that carry the load while the redundant ones stand by. [1]

    N+1 leaves all but one, 2N half of them.
    """
    return needed(modules, redundancy)


@derivation(of="Ups")
def lasting_power(needed_modules: Count, rating: Power) -> Power:
    """
    Output that remains when all redundant modules have failed. [W]

    Assumes modules of one rating that share the load.
    """
    return needed_modules * rating


@derivation(of="Ups")
def carries_compute(protects: tuple[Text, ...]) -> Flag:
    """
    Whether GPU servers stand behind the supplies. [1]

    Holds where the design lists what the supplies protect.
    """
    return "compute" in protects


@derivation(of="Generators")
def lasting_output(count: Count, redundancy: Text, rating: Power) -> Power | None:
    """
    Output that remains when all redundant generators have failed. [W]

    Assumes generators of one rating that share the load.
    """
    return _together(count, redundancy, rating)


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
    Heat that the air units take when all redundant ones have failed. [W]

    Assumes units of one size, and that `redundancy` is theirs.
    """
    return _together(units, redundancy, unit_capacity)


@derivation(of="CoolantDistribution")
def lasting_capacity(count: Count, redundancy: Text, capacity: Power) -> Power | None:
    """
    Heat that the units move when all redundant ones have failed. [W]

    Assumes units of one size on a common loop.
    """
    return _together(count, redundancy, capacity)


@derivation(of="Facility")
def liquid_heat(it_power: Power, method: Text, liquid_share: Ratio) -> Power | None:
    """
    Heat that the coolant at the servers takes. [W]

    Holds for cold plates, with or without air for the rest: `direct-liquid` and `hybrid`.
    """
    return it_power * liquid_share if method in ("direct-liquid", "hybrid") else None
