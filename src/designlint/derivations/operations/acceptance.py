"""What a collective test can show at most, given the ports of the servers that take part."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, upper
from designlint.language.purposes import TRAINING

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bandwidth, Count, DataRate, Ratio


@derivation(of="CollectiveTest")
def meshed(gpu_mesh: Flag | None) -> Flag:
    """Whether the GPUs of a server are known to be connected pairwise, without a switch."""
    return bool(gpu_mesh)


@derivation(of="CollectiveTest")
def worst_leaf_ratio(fabric_purposes: tuple[Text | None, ...], leaf_ratios: tuple[Ratio | None, ...]) -> Ratio | None:
    """
    Highest oversubscription at the leaves of the fabrics that carry training. [1]

    Assumes that the test uses those; a converged fabric carries training only where there is none for compute. Absent
    where the purpose of a fabric is open, or the uplinks of one of those.
    """
    counted = ("compute",) if "compute" in fabric_purposes else TRAINING
    ratios = [ratio for purpose, ratio in zip(fabric_purposes, leaf_ratios, strict=True) if purpose in counted]
    known = [ratio for ratio in ratios if ratio is not None]
    return max(known) if known and len(known) == len(ratios) and None not in fabric_purposes else None


@derivation(of="CollectiveTest", kind=upper)
def server_network_rate(
    network_rates: tuple[DataRate | None, ...], fabric_purposes: tuple[Text | None, ...]
) -> DataRate | None:
    """
    Line rate of one server into the fabrics that may carry training. [bit/s]

    Line rate, headers included. Fabrics for storage or management only are left out, but where there is no other; absent where
    the rate into one that counts is open.
    """
    lines = zip(network_rates, fabric_purposes, strict=True)
    training = [rate for rate, purpose in lines if purpose is None or purpose in TRAINING]
    counted = [rate for rate in training or network_rates if rate is not None]
    return sum(counted) if counted and len(counted) == len(training or network_rates) else None


@derivation(of="AllReduceTest", kind=upper)
def switches_reduce(reductions: tuple[Flag, ...]) -> Flag:
    """
    Whether some fabric of the servers might reduce collectives inside its switches.

    Assumes that the test may use any fabric of the servers.
    """
    return any(reductions)


@derivation(of="AllReduceTest", sources=("nccl-tests",), kind=upper)
def bus_bandwidth_limit(
    nodes: Count,
    gpus_per_server: Count,
    scale_up_domain: Count,
    server_network_rate: DataRate,
    switches_reduce: Flag | None,
) -> Bandwidth | None:
    """
    Bus bandwidth of all-reduce that the servers' ports cannot exceed. [B/s]

    Each scale-up domain must send the sum of its GPUs once, and once more for each other domain unless switches
    reduce; the scale-up network itself is taken as free. With all domains counted, that is 2 (domains - 1)
    messages without switches that reduce, and one message per domain with them, or where nothing says that they
    do not. Absent within one domain, where no port limits.
    """
    ranks = nodes * gpus_per_server
    domains = math.ceil(ranks / scale_up_domain)
    if domains < 2:
        return None
    messages = 2 * (domains - 1) if switches_reduce is False else domains
    return 2 * (ranks - 1) / ranks * nodes * server_network_rate / 8 / messages


@derivation(of="AllGatherTest", sources=("nccl-tests",), kind=upper)
def gather_limit(
    nodes: Count, server_gpus: Count, scale_up_domain: Count, server_network_rate: DataRate
) -> Bandwidth | None:
    """
    Bus bandwidth of all-gather that the servers' ports cannot exceed. [B/s]

    Each scale-up domain must receive once what the GPUs outside it hold; the scale-up network itself is taken as free. Absent
    within one domain, where no port limits.
    """
    ranks, servers = nodes * server_gpus, scale_up_domain / server_gpus if server_gpus else 0
    if ranks <= scale_up_domain or servers < 1:
        return None
    return (ranks - 1) / (ranks - scale_up_domain) * servers * server_network_rate / 8


@derivation(of="AllToAllTest", sources=("nccl-tests",), kind=upper)
def exchange_limit(
    nodes: Count, server_gpus: Count, scale_up_domain: Count, server_network_rate: DataRate
) -> Bandwidth | None:
    """
    Bus bandwidth of all-to-all that the servers' ports cannot exceed. [B/s]

    Each GPU must send to every GPU outside its scale-up domain through the ports of its server; the scale-up network itself is
    taken as free. Absent within one domain, where no port limits.
    """
    ranks = nodes * server_gpus
    if ranks <= scale_up_domain or server_gpus < 1:
        return None
    return (ranks - 1) / (ranks - scale_up_domain) * server_network_rate / 8 / server_gpus


@derivation(of="Measurement")
def spares_known(pool_spares: tuple[Count | None, ...]) -> Flag:
    """Whether every pool states its spares."""
    return None not in pool_spares


@derivation(of="Measurement", sources=("nccl-tests",), kind=upper)
def result_limit(
    test: Text,
    servers: Count,
    server_gpus: Count,
    scale_up_domain: Count,
    network_rates: tuple[DataRate, ...],
    reductions: tuple[Flag | None, ...],
) -> Bandwidth | None:
    """
    Bus bandwidth of the test that the servers' ports cannot exceed. [B/s]

    Assumes that all GPUs of the servers took part, and that switches reduce where nothing says that they do not. Absent for
    other collectives and within one scale-up domain.
    """
    rate = sum(network_rates)
    if test in ("all_reduce", "all-reduce"):
        reduce = False if reductions and all(one is False for one in reductions) else None
        return bus_bandwidth_limit(servers, server_gpus, scale_up_domain, rate, reduce)
    if test in ("all_gather", "all-gather", "reduce_scatter"):
        return gather_limit(servers, server_gpus, scale_up_domain, rate)
    if test in ("alltoall", "all_to_all", "all-to-all"):
        return exchange_limit(servers, server_gpus, scale_up_domain, rate)
    return None


@derivation(of="Acceptance")
def best_read(read_results: tuple[Bandwidth | None, ...]) -> Bandwidth | None:
    """
    Highest measured aggregate sequential read bandwidth. [B/s]

    Assumes nothing: the greatest of the results. Absent where no result states one.
    """
    return max((one for one in read_results if one is not None), default=None)


@derivation(of="Acceptance")
def best_write(write_results: tuple[Bandwidth | None, ...]) -> Bandwidth | None:
    """
    Highest measured aggregate sequential write bandwidth. [B/s]

    Assumes nothing: the greatest of the results. Absent where no result states one.
    """
    return max((one for one in write_results if one is not None), default=None)


@derivation(of="Acceptance")
def split_scale(training_scales: tuple[Count, ...], pool_server_gpus: tuple[Count, ...]) -> Count | None:
    """
    First test job that fills no whole number of servers of any pool; 0 if there is none. [1]

    Jobs within one server may take part of it. Absent where no pool has GPUs.
    """
    servers = [gpus for gpus in pool_server_gpus if gpus]
    if not servers:
        return None
    split = (one for one in training_scales if all(one > gpus and one % gpus for gpus in servers))
    return next(split, 0)
