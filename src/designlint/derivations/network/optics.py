"""Runs of cable with a transceiver at each end: how many of each, how far they reach, what they plug into."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Count, DataRate, Length


@derivation(of="CableRun")
def tier_links(
    between: Text,
    fabric_host_ports: tuple[Count | None, ...],
    fabric_leaf_spine_cables: tuple[Count | None, ...],
    fabric_spine_core_cables: tuple[Count | None, ...],
) -> Count | None:
    """
    Links between the two tiers that the run joins. [1]

    Those to managers, gateways and storage are left out: runs may not list them.
    """
    counted = {
        "server-leaf": fabric_host_ports,
        "leaf-spine": fabric_leaf_spine_cables,
        "spine-core": fabric_spine_core_cables,
    }.get(between, ())
    return counted[0] if len(counted) == 1 else None


@derivation(of="CableRun")
def speed(
    between: Text | None, fabric_rates: tuple[DataRate, ...], fabric_uplink_speeds: tuple[DataRate | None, ...]
) -> DataRate | None:
    """
    Line rate of one cable, where the run states none. [bit/s]

    That of the uplinks between leaves and spines, otherwise that of the fabric's host ports. Absent above the spines where
    uplinks run at another rate than host ports: there the rate is open.
    """
    host, uplink = min(fabric_rates), max((one or 0 for one in fabric_uplink_speeds), default=0)
    if between == "leaf-spine":
        return uplink or host
    return None if between == "spine-core" and uplink not in (0, host) else host


@derivation(of="CableRun")
def cables(
    between: Text, tier_links: Count, fabric_ports_taken: tuple[Count | None, ...], fabric_runs: tuple[Text | None, ...]
) -> Count | None:
    """
    Cables of the run: one for each link between its two tiers, and one to each manager, gateway and storage port. [1]

    Assumes one cable a link; twin-port cables, which hold two links, state their own numbers. Absent where several runs
    join the same tiers, or may.
    """
    if fabric_runs.count(between) != 1 or None in fabric_runs:
        return None
    return _most_links(between, tier_links, fabric_ports_taken)


def _most_links(between: Text, tier_links: Count, fabric_ports_taken: tuple[Count | None, ...]) -> Count:
    """Links between the two tiers, those to managers, gateways and storage among them. [1]"""
    others = [one for one in fabric_ports_taken if one is not None]
    return max(others, default=tier_links) if between == "server-leaf" else tier_links


@derivation(of="CableRun")
def expected_cables(
    between: Text,
    cables: Count,
    tier_links: Count,
    fabric_ports_taken: tuple[Count | None, ...],
    fabric_runs: tuple[Text | None, ...],
) -> Count | None:
    """
    Cables that the run has by the rest of the design. [1]

    Between servers and leaves the number nearest to the stated one: cables to managers, gateways and storage may be counted or
    not. Absent where several runs join the same tiers, or may.
    """
    if fabric_runs.count(between) != 1 or None in fabric_runs:
        return None
    return max(tier_links, min(cables, _most_links(between, tier_links, fabric_ports_taken)))


@derivation(of="CableRun")
def optic(lower_optic: Text | None, upper_optic: Text | None) -> Text | None:
    """Optics of a run whose two ends have the same; absent where they differ."""
    return lower_optic if lower_optic == upper_optic else None


@derivation(of="CableRun")
def medium(optic_fibre: Text | None, lower_fibre: Text | None, upper_fibre: Text | None) -> Text | None:
    """Fibre that the optics of a run use, or the transceivers at both ends; absent where they differ."""
    return optic_fibre or (lower_fibre if lower_fibre == upper_fibre else None)


@derivation(of="CableRun", kind=lower)
def link_rate(
    between: Text,
    fabric_uplink_speeds: tuple[DataRate | None, ...],
    fabric_port_speeds: tuple[DataRate | None, ...],
    fabric_runs: tuple[Text | None, ...],
) -> DataRate | None:
    """
    Line rate of a link between two tiers: of uplinks, or of the slowest ports of servers. [bit/s]

    A lower bound of what a cable carries: twin-port cables hold two links. Absent between spines and cores, where a rate is
    open, and where several runs join servers to leaves: some may lead to gateways.
    """
    alone = fabric_runs.count(between) == 1 and None not in fabric_runs
    rates = {
        "leaf-spine": fabric_uplink_speeds and (max(one or 0 for one in fabric_uplink_speeds) or None,),
        "server-leaf": fabric_port_speeds if alone else (),
    }.get(between, ())
    known = [one for one in rates if one is not None]
    return min(known) if known and len(known) == len(rates) else None


@derivation(of="CableRun")
def lower_cage(
    between: Text,
    lower_form: Text | None,
    cables: Count | None,
    tier_links: Count | None,
    adapter_cages: tuple[Text | None, ...],
    leaf_cages: tuple[Text | None, ...],
    spine_cages: tuple[Text | None, ...],
) -> Text | None:
    """
    Cages that the end nearer to the servers plugs into.

    Where one run leads to all servers and their adapters have several kinds, the one that differs most from its transceivers.
    Absent where the kind is open, or several runs may share the kinds.
    """
    cages = {"server-leaf": adapter_cages, "leaf-spine": leaf_cages, "spine-core": spine_cages}.get(between, ())
    if _same(cages) or lower_form is None or cables is None or tier_links is None or cables < tier_links:
        return _same(cages)
    others = [cage for cage in cages if cage is not None and cage != lower_form]
    return min(others, key=lambda cage: cage[:4] == lower_form[:4], default=None)


@derivation(of="Nic")
def cage_choices(cages: tuple[Text, ...], cage: Text | None) -> Text | None:
    """Cage types that an adapter is sold with, as one text; absent where the design states which one it has."""
    return ",".join(cages) or None if cage is None else None


@derivation(of="CableRun", sources=("linkx-connectors",))
def fits_adapters(between: Text, lower_form: Text, adapter_cage_choices: tuple[Text | None, ...]) -> Flag | None:
    """
    Whether the transceivers at the servers fit a cage that the adapters are sold with. [1]

    Absent where an adapter, or what it is sold with, is not known, and for small forms (SFP), in which adapters of one
    name have slower versions. Cages take the older forms of their size.
    """
    if between != "server-leaf" or not adapter_cage_choices or None in adapter_cage_choices:
        return None
    cages = {cage for one in adapter_cage_choices if one is not None for cage in one.split(",")}
    fits = any(cage == lower_form or (cage.startswith("qsfp") and lower_form.startswith("qsfp")) for cage in cages)
    return None if not fits and lower_form.startswith("sfp") else fits


@derivation(of="CableRun")
def upper_cage(
    between: Text,
    leaf_cages: tuple[Text | None, ...],
    spine_cages: tuple[Text | None, ...],
    core_cages: tuple[Text | None, ...],
) -> Text | None:
    """
    Cage type at the end farther from the servers.

    Absent where the kind of one is open.
    """
    return _same({"server-leaf": leaf_cages, "leaf-spine": spine_cages, "spine-core": core_cages}.get(between, ()))


def _same(cages: tuple[str | None, ...]) -> str | None:
    """The one kind of all cages; None where there are several or none."""
    return cages[0] if len(set(cages)) == 1 else None


@derivation(of="CableRun", sources=("linkx-transceivers",))
def optical_reach(lower_reach: Length, upper_reach: Length) -> Length:
    """Reach of the transceiver with the shorter reach. [m]"""
    return min(lower_reach, upper_reach)


@derivation(of="CableRun", sources=("linkx-transceivers",))
def lower_transceivers(cables: Count, lower_ports: Count) -> Count | None:
    """
    Transceivers at the end nearer to the servers: one for as many cables as it has ports. [1]

    Assumes that a splitter has its single end at the other end.
    """
    return math.ceil(cables / lower_ports) if lower_ports else None


@derivation(of="CableRun", sources=("linkx-transceivers",))
def upper_transceivers(cables: Count, upper_ports: Count, upper_rate: DataRate, speed: DataRate) -> Count | None:
    """
    Transceivers at the end farther from the servers. [1]

    A port that is faster than the run is split: one of 400 Gbit/s serves two cables of 200 Gbit/s.
    """
    split = int(upper_rate // speed) if speed > 0 else 0
    return math.ceil(cables / (upper_ports * split)) if split and upper_ports else None
