"""What all pools, and all jobs, come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.units import Count, Duration


@derivation(of="Design")
def cluster_gpus(pool_sizes: tuple[Count, ...]) -> Count:
    """
    GPUs in service in all pools. [1]

    Spare servers are not counted.
    """
    return sum(pool_sizes)


@derivation(of="Design")
def cluster_servers(pool_counts: tuple[Count, ...]) -> Count:
    """
    Servers in service in all pools. [1]

    Spare servers are not counted, servers without GPUs are.
    """
    return sum(pool_counts)


@derivation(of="Observability")
def longest_run(run_deadlines: tuple[Duration, ...]) -> Duration:
    """
    Time that the longest job may take. [s]

    Assumes that every job takes all the time until its deadline.
    """
    return max(run_deadlines)
