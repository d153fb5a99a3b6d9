"""What reservations hold, and what the jobs that name them need at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation
from designlint.derivations.operations.partitions import Listed
from designlint.derivations.operations.queues import of_named
from designlint.language.hostlists import distinct

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Count


@derivation(of="Reservation", sources=("slurm-docs",))
def named_count(servers: tuple[Text, ...]) -> Count | None:
    """
    Number of servers that a reservation names. [1]

    Each name counts once. Absent if a list cannot be read.
    """
    return distinct(servers)


@derivation(of="Reservation", sources=("slurm-docs",), groups=(Listed,))
def reserved_stranger(listed: Listed) -> Text | None:
    """
    First server of the reservation that no pool lists; "none" if there is none.

    Absent where the reservation lists no names, its servers may be those of pools that list none, or a list cannot be read.
    """
    return listed.stranger() if listed.servers else None


@derivation(of="Reservation", sources=("slurm-docs",))
def held(count: Count | None, named_count: Count | None, flexible: Flag | None) -> Count | None:
    """
    Servers that one job of a reservation can use. [1]

    Those that are counted, else those that are named. Absent if its jobs may use others, too.
    """
    return None if flexible else count or named_count


@derivation(of="Job")
def reservation_known(reservation: Text, reservation_names: tuple[Text, ...]) -> Flag:
    """Whether the cluster has a reservation of the name that a job states. [1]"""
    return reservation in reservation_names


@derivation(of="Job")
def reservation_servers(
    reservation: Text, reservation_names: tuple[Text, ...], reservation_counts: tuple[Count | None, ...]
) -> Count | None:
    """Servers of the reservation that a job names. [1]"""
    return of_named(reservation, reservation_names, reservation_counts)


@derivation(of="Job")
def gang_servers(servers: Count | None, component_servers: Count | None) -> Count | None:
    """Servers that a job needs at the same time: those of all components, where it has several. [1]"""
    return component_servers or servers
