"""Power of the cluster from the servers to the utility: what is known of it at least, and all of it where nothing is open."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, exact, lower, upper

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.derivations.base import Text
    from designlint.language.units import Count, Power, Ratio

#: Storage inside the servers.
LOCAL = "local-nvme"
#: Loads that a message names.
MOST_NAMED = 6


@derivation(of="Facility", kind=lower)
def least_server_power(least_pool_powers: tuple[Power | None, ...]) -> Power | None:
    """
    Known part of the maximum power of all servers. [W]

    A lower bound: of servers whose power is open only the GPUs count.
    """
    return _sum_known(least_pool_powers)


@derivation(of="Facility", kind=lower)
def least_network_power(least_switch_powers: tuple[Power | None, ...]) -> Power | None:
    """
    Minimum power of the switches of all fabrics. [W]

    A lower bound: fabrics whose switches are not counted are left out.
    """
    return _sum_known(least_switch_powers)


@derivation(of="Facility", kind=upper)
def storage_power(storage_powers: tuple[Power | None, ...], storage_kinds: tuple[Text | None, ...]) -> Power | None:
    """
    Maximum power of all storage tiers. [W]

    Drives inside the servers count as servers. Absent where the power of another tier is open.
    """
    apart = [power for power, kind in zip(storage_powers, storage_kinds, strict=True) if kind != LOCAL]
    return None if None in apart or not storage_kinds else sum(power or 0 for power in apart)


@derivation(of="Facility", kind=lower)
def least_storage_power(storage_powers: tuple[Power | None, ...]) -> Power | None:
    """
    Minimum power of the storage tiers. [W]

    A lower bound: tiers that state no power are left out.
    """
    return _sum_known(storage_powers)


@derivation(of="Facility", kind=upper)
def it_power(
    server_power: Power,
    other_power: Power | None,
    network_power: Power | None,
    storage_power: Power | None,
    least_it_power: Power | None = None,
) -> Power | None:
    """
    Maximum power of everything in the racks, equal to its heat. [W]

    Absent where a part of it is open: a design states `other_power`, or the switches of every fabric and the power of
    every storage tier; servers for management are a pool like any other.
    """
    if other_power is None and (network_power is None or storage_power is None):
        return None
    rest = other_power if other_power is not None else (network_power or 0) + (storage_power or 0)
    return max(server_power + rest, least_it_power or 0)


@derivation(of="Facility", kind=lower)
def least_it_power(
    least_pool_powers: tuple[Power | None, ...],
    gpu_counts: tuple[Count | None, ...],
    other_power: Power | None,
    least_network_power: Power | None,
    least_storage_power: Power | None,
    least_racks_power: Power | None,
    other_least_racks_powers: tuple[Power | None, ...],
) -> Power | None:
    """
    Known power of everything in the racks, equal to its heat. [W]

    A lower bound: what is open is left out. Servers without GPUs, switches and storage count at least as `other_power`, and
    everything together as much as the racks draw for which the design states the power of one.
    """
    pools = list(zip(least_pool_powers, gpu_counts, strict=True))
    with_gpus = sum(power or 0 for power, gpus in pools if gpus)
    others = sum(power or 0 for power, gpus in pools if not gpus)
    counted = others + (least_network_power or 0) + (least_storage_power or 0)
    by_rack = sum(power or 0 for power in (least_racks_power, *other_least_racks_powers))
    return max(with_gpus + max(other_power or 0, counted), by_rack) or None


@derivation(of="Facility", kind=exact.because("it only asks which loads are known"))
def uncounted_loads(
    pool_names: tuple[Text | None, ...],
    pool_powers: tuple[Power | None, ...],
    least_pool_powers: tuple[Power | None, ...],
    other_power: Power | None,
    fabric_names: tuple[Text | None, ...],
    least_switch_powers: tuple[Power | None, ...],
    storage_names: tuple[Text | None, ...],
    storage_powers: tuple[Power | None, ...],
    storage_kinds: tuple[Text | None, ...],
) -> Text:
    """
    Loads in the racks that are not counted because their power is unknown; "nothing" if all are counted.

    Assumes that a cluster has a network and storage, whether the design lists them or not.
    """
    gaps = [
        f"pool {name}" if least is None else f"the servers of pool {name} beside their GPUs"
        for name, power, least in zip(pool_names, pool_powers, least_pool_powers, strict=True)
        if power is None
    ]
    if other_power is None:
        apart = [power or kind == LOCAL or None for power, kind in zip(storage_powers, storage_kinds, strict=True)]
        gaps += _gaps("fabric", fabric_names, least_switch_powers) if fabric_names else ["the network"]
        gaps += _gaps("storage", storage_names, apart) if storage_names else ["storage"]
    shown = gaps if len(gaps) <= MOST_NAMED else [*gaps[: MOST_NAMED - 1], f"{len(gaps) - MOST_NAMED + 1} more"]
    return ", ".join(shown) or "nothing"


def _gaps(what: str, names: Sequence[str | None], values: Sequence[object]) -> list[str]:
    """What has no value, by name."""
    return [f"{what} {name}" for name, value in zip_longest(names, values) if name is not None and value is None]


def _sum_known(values: tuple[float | None, ...]) -> float | None:
    """The sum of the known values; None where none is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


@derivation(of="Facility", kind=lower)
def least_facility_power(
    least_it_power: Power, design_day_pue: Ratio | None, pue: Ratio | None, auxiliary_power: Power | None
) -> Power:
    """
    Known power of the whole facility, with all racks at their limit. [W]

    A lower bound: what is open in the racks is left out, and the yearly mean of PUE stands for the design day where
    that is not stated; without either, only the racks and the stated mean of the building's other loads count.
    """
    return max(least_it_power * (design_day_pue or pue or 1), least_it_power + (auxiliary_power or 0))
