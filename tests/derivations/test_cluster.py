"""Sums over pools, and the block that a scheduler should place by, worked by hand."""

from __future__ import annotations

import pytest

from designlint.derivations import cluster


def test_pools_add_up() -> None:
    assert cluster.cluster_gpus((4096, 72, 0)) == 4168
    assert cluster.cluster_servers((512, 18, 4)) == 534


@pytest.mark.parametrize(
    ("domains", "gpus", "servers"),
    [
        ((72,), (4,), 18),  # GB200 NVL72: 18 trays of 4 GPUs
        ((72, 8), (4, 8), 18),  # beside a pool whose domain is one server
        ((72, 32), (4, 8), 4),
        ((8,), (8,), 1),
        ((2,), (8,), 1),  # bridged pairs in one server
        ((1,), (0,), 1),  # servers without GPUs
        ((), (), 1),
    ],
)
def test_block_is_the_smallest_domain_beyond_a_server(
    domains: tuple[int, ...], gpus: tuple[int, ...], servers: int
) -> None:
    assert cluster.scale_up_block(domains, gpus) == servers


def test_longest_run() -> None:
    assert cluster.longest_run((30.0, 90.0, 7.0)) == 90.0
