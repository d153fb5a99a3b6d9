"""What all pools add up to."""

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


@derivation(of="Scheduler", sources=("slurm-docs",))
def scale_up_block(scale_up_domains: tuple[Count, ...], gpus_per_server: tuple[Count, ...]) -> Count:
    """
    Servers of the smallest scale-up domain that reaches beyond a server; 1 where none does. [1]

    Assumes that a domain is made of whole servers.
    """
    joined = [domain // gpus for domain, gpus in zip(scale_up_domains, gpus_per_server, strict=True) if gpus]
    return min((servers for servers in joined if servers > 1), default=1)


@derivation(of="Observability")
def longest_run(run_deadlines: tuple[Duration, ...]) -> Duration:
    """
    Time that the longest job may take. [s]

    Assumes that every job takes all the time until its deadline.
    """
    return max(run_deadlines)
