"""What uninterruptible supplies and generators have to carry, by the loads that the design puts behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, lower, upper

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Power, Ratio

#: Loads that `other_power` covers together.
OTHERS = ("network", "storage", "management")


class KnownLoads(Struct, frozen=True):
    """What is known of the loads in the racks."""

    least_server_power: Power | None
    least_network_power: Power | None
    least_storage_power: Power | None
    other_power: Power | None
    least_it_power: Power | None

    def carried_power(self, loads: tuple[Text, ...]) -> float:
        """Power of the named loads, at least."""
        parts = {
            "compute": self.least_server_power,
            "network": self.least_network_power,
            "storage": self.least_storage_power,
        }
        servers = (parts["compute"] or 0) if "compute" in loads else 0
        others = sum(parts[one] or 0 for one in ("network", "storage") if one in loads)
        if not {*OTHERS} <= {*loads}:
            return servers + others
        known = servers + max(others, self.other_power or 0)
        return max(known, self.least_it_power or 0) if "compute" in loads else known


class LoadTotals(Struct, frozen=True):
    """The most that the loads in the racks draw, as far as it is known."""

    server_power: Power | None
    network_power: Power | None
    storage_power: Power | None
    other_power: Power | None

    def carried_power(self, loads: tuple[Text, ...]) -> float | None:
        """Most power of the named loads; None where one of them is open."""
        parts = {"compute": self.server_power, "network": self.network_power, "storage": self.storage_power}
        wanted = [
            parts.get(one) for one in loads if one != "cooling" and (one not in OTHERS or self.other_power is None)
        ]
        if self.other_power is not None and any(one in OTHERS for one in loads):
            wanted.append(self.other_power)
        return None if None in wanted else sum(one or 0 for one in wanted)


@derivation(of="Facility", kind=lower)
def cooling_draw(
    cooling_power: Power | None,
    least_it_power: Power | None,
    design_day_pue: Ratio | None,
    pue: Ratio | None,
    efficiency: Ratio | None,
    auxiliary_power: Power | None,
) -> Power | None:
    """
    Minimum power of the cooling. [W]

    The yearly mean that the design states, else what PUE leaves after the losses of the power chain and the building.
    Absent where the efficiency of the chain is open, too: PUE does not tell losses from cooling.
    """
    if cooling_power is not None:
        return cooling_power
    whole = design_day_pue or pue
    if least_it_power is None or whole is None or not efficiency:
        return None
    return max(0.0, least_it_power * (whole - 1 / efficiency) - (auxiliary_power or 0))


@derivation(of="Facility")
def ups_loads(ups_protects: tuple[Text, ...]) -> Text:
    """
    Loads on the UPS as text.

    Holds where the design lists what the supplies protect.
    """
    return ", ".join(ups_protects)


@derivation(of="Facility", groups=(KnownLoads,), kind=lower)
def least_ups_load(
    ups_protects: tuple[Text, ...],
    known: KnownLoads,
    cooling_draw: Power | None,
    coolant_rejection: Text | None,
    air_rejection: Text | None,
) -> Power:
    """
    Minimum power of the loads on the UPS. [W]

    A lower bound: what is open is left out, and so are the losses of the supplies. Cooling counts where no chiller takes part:
    compressors usually wait for the generators, while pumps and fans run on.
    """
    without_chillers = {coolant_rejection, air_rejection}.isdisjoint({None, "chiller"})
    cooled = "cooling" in ups_protects and without_chillers
    return known.carried_power(ups_protects) + ((cooling_draw or 0) if cooled else 0)


@derivation(of="Facility", groups=(KnownLoads,), kind=lower)
def cooled_ups_load(ups_protects: tuple[Text, ...], known: KnownLoads, cooling_draw: Power) -> Power | None:
    """
    Minimum power of the loads on the UPS if all cooling is on it, chillers included. [W]

    A lower bound under that condition. Absent where the UPS protects no cooling.
    """
    return known.carried_power(ups_protects) + cooling_draw if "cooling" in ups_protects else None


@derivation(of="Facility", groups=(LoadTotals,), kind=upper)
def ups_load(
    ups_protects: tuple[Text, ...],
    whole: LoadTotals,
    facility_power: Power | None,
    it_power: Power | None,
    least_ups_load: Power | None,
) -> Power | None:
    """
    Maximum power of the loads on the UPS. [W]

    An upper bound: cooling counts as everything that the facility draws besides the racks. Absent where a load is open.
    """
    load = whole.carried_power(ups_protects)
    return None if load is None else _with_cooling(load, ups_protects, facility_power, it_power, least_ups_load)


@derivation(of="Facility")
def generator_loads(generator_protects: tuple[Text, ...]) -> Text:
    """
    Loads that the generators carry as text.

    Holds where the design lists what they carry.
    """
    return ", ".join(generator_protects)


@derivation(of="Facility", groups=(KnownLoads,), kind=lower)
def least_generator_load(
    generator_protects: tuple[Text, ...],
    known: KnownLoads,
    least_facility_power: Power | None,
) -> Power:
    """
    Minimum power of the loads that the generators carry. [W]

    A lower bound: what is open is left out. With the cooling they carry all that PUE counts, losses included.
    """
    cooled = "cooling" in generator_protects and least_facility_power is not None and known.least_it_power is not None
    overhead = (least_facility_power or 0) - (known.least_it_power or 0) if cooled else 0
    return known.carried_power(generator_protects) + overhead


@derivation(of="Facility", groups=(LoadTotals,), kind=upper)
def generator_load(
    generator_protects: tuple[Text, ...],
    whole: LoadTotals,
    facility_power: Power | None,
    it_power: Power | None,
    least_generator_load: Power | None,
) -> Power | None:
    """
    Maximum power of the loads that the generators carry. [W]

    An upper bound: cooling counts as everything that the facility draws besides the racks. Absent where a load is open.
    """
    load = whole.carried_power(generator_protects)
    return (
        None
        if load is None
        else _with_cooling(load, generator_protects, facility_power, it_power, least_generator_load)
    )


def _with_cooling(
    load: float, loads: tuple[str, ...], facility: float | None, racks: float | None, least: float | None
) -> float | None:
    """The load and, where it is among them, what the facility draws besides the racks; never below what is known."""
    if "cooling" in loads:
        if facility is None or racks is None:
            return None
        load += facility - racks
    return max(load, least or 0) or None
