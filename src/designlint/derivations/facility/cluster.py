"""What all pools, and all jobs, come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower
from designlint.language.hostlists import HostListError, find_repeated

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count, Length, Power


@derivation(of="Facility", kind=lower)
def largest_job_power(job_powers: tuple[Power | None, ...]) -> Power | None:
    """
    Power of the GPUs of the largest job. [W]

    A lower bound: jobs whose GPUs are open are left out.
    """
    return max((one for one in job_powers if one is not None), default=None)


@derivation(of="Facility")
def cluster_gpu_power(gpu_counts: tuple[Count, ...], pool_gpu_powers: tuple[Power, ...]) -> Power | None:
    """
    Thermal design power of the GPUs in service in all pools. [W]

    What one job over all of them makes swing. Absent unless the GPUs of each pool are known.
    """
    same = len(gpu_counts) == len(pool_gpu_powers)
    return sum(gpus * power for gpus, power in zip(gpu_counts, pool_gpu_powers, strict=True)) if same else None


@derivation(of="Fabric", kind=lower)
def managed_devices(
    managed_servers: tuple[Count | None, ...], managed_switches: tuple[Count | None, ...]
) -> Count | None:
    """
    Management ports of servers and of the switches of all fabrics. [1]

    A lower bound: what is not counted is left out, and so are storage servers, power distribution and coolant units.
    """
    return sum(one or 0 for one in (*managed_servers, *managed_switches)) or None


@derivation(of="Fabric", kind=lower)
def longest_cable(run_lengths: tuple[Length | None, ...]) -> Length | None:
    """
    Longest cable of all runs. [m]

    A lower bound: runs of unknown length are left out.
    """
    return max((one for one in run_lengths if one is not None), default=None)


@derivation(of="Generators", kind=lower)
def largest_step(carried_load: tuple[Power, ...], load_stages: Count) -> Power | None:
    """
    Load that one of the steps brings. [W]

    A lower bound: the steps are at best equal. Absent where nothing is known of the load.
    """
    return carried_load[0] / load_stages if len(carried_load) == 1 and load_stages else None


@derivation(of="Design", sources=("slurm-docs",))
def doubled_servers(server_lists: tuple[Text | None, ...]) -> Text | None:
    """
    Names of servers that pools list more than once, separated by commas; `none` if there are none.

    Absent where a list is not to be read.
    """
    try:
        return ",".join(sorted(find_repeated(tuple(one for one in server_lists if one)))) or "none"
    except HostListError:
        return None
