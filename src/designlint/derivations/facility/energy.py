"""How much energy a run takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate

if TYPE_CHECKING:
    from designlint.language.units import Count, Duration, Energy, Power, Ratio


@derivation(of="Workload", sources=("patterson-2021",), kind=estimate())
def server_energy(servers: Count, server_draw: Power, run_time: Duration) -> Energy:
    """
    Energy of the job's servers during the run, at their stated power. [J]

    Assumes that the power holds all the time: an upper bound where it is the most that a server draws. Switches and
    storage are not included.
    """
    return servers * server_draw * run_time


@derivation(of="Workload", sources=("patterson-2021",), kind=estimate())
def run_energy(server_energy: Energy, site_pues: tuple[Ratio, ...]) -> Energy:
    """
    Energy of the run at the facility's meter. [J]

    Assumes the yearly mean PUE; switches and storage are not included.
    """
    return server_energy * max(site_pues)
