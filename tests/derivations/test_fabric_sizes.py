"""Switch counts of fabrics of stated size, against the tables of the vendors' reference architectures."""

from __future__ import annotations

import pytest
from tests.derivations.stated import stated

from designlint.derivations.network import fabric
from designlint.derivations.network.oversubscription import oversubscription


@pytest.mark.parametrize(
    ("leaves", "uplinks", "radix", "planes", "spines"),
    [
        # RA-11333-001, tables of the compute fabric: 1 to 8 scalable units
        (8, 32, 64, 1, 4),
        (16, 32, 64, 1, 8),
        (24, 32, 64, 1, 16),
        (32, 32, 64, 1, 16),
        (64, 32, 64, 1, 32),
        # DGX B300 with XDR, 144-port switches
        (32, 72, 144, 1, 18),
        (64, 72, 144, 1, 36),
        # DGX B300 with Spectrum-X, two planes of 128-port switches
        (16, 64, 128, 2, 8),
        (256, 64, 128, 2, 128),
        # 9 spines are needed, a leaf has 8 uplinks
        (72, 8, 64, 1, None),
    ],
)
def test_spines_as_published(leaves: int, uplinks: int, radix: int, planes: int, spines: int | None) -> None:
    assert fabric.spines_for_uplinks(leaves, uplinks, radix, 2, planes) == spines


def test_spines_of_three_tiers_are_wired_in_groups() -> None:
    assert fabric.spines_for_uplinks(128, 32, 64, 3, 1) is None


def test_dgx_h100_of_16_scalable_units() -> None:
    """RA-11333-001: 512 servers of 8 ports take 128 leaves, 128 spines and 64 cores."""
    assert fabric.leaves_needed(4096, 64, 3, 1) == 128
    assert fabric.spines_needed(4096, 64, 3, 1) == 128
    assert fabric.cores_needed(4096, 64, 3, 1) == 64


def test_two_tiers_have_no_cores() -> None:
    assert fabric.spines_needed(1016, 64, 2, 1) == 16
    assert fabric.cores_needed(1016, 64, 2, 1) is None
    assert fabric.spines_needed(32, 64, 1, 1) is None


def test_ports_are_split() -> None:
    """MegaScale: 64 hosts at 200 Gbit/s take 32 of 64 ports at 400 Gbit/s; SN5600: 64 ports of 800 as 128 of 400."""
    assert fabric.leaf_ports_used(64, 32, 400e9, 200e9, 400e9, None) == 64
    assert fabric.radix(64, 800e9, 400e9) == 128
    assert fabric.spine_uplink_radix(64, 400e9, 400e9, 200e9) == fabric.core_uplink_radix(64, 400e9, 400e9, 200e9) == 64
    assert fabric.spine_uplink_radix(64, 400e9, None, 200e9) == 128
    assert fabric.spine_radix(576, 400e9, 200e9) == fabric.core_radix(576, 400e9, 200e9) == 1152
    assert fabric.radix(64, 400e9, 800e9) == 64


def test_splitting_is_open_without_rates() -> None:
    assert fabric.radix(64, 800e9, None) is None
    assert fabric.spine_uplink_radix(64, 800e9, None, None) is None
    assert fabric.radix(64, None, None) == 64


@pytest.mark.parametrize(
    ("stated", "fabric_rate", "switch", "ratio"),
    [(None, 400e9, 400e9, 2), (None, 200e9, 400e9, None), (None, 400e9, None, 2), (400e9, 400e9, 400e9, 2)],
)
def test_ratio_with_the_rates_of_fabric_and_switch(
    stated: float | None, fabric_rate: float, switch: float | None, ratio: float | None
) -> None:
    rate = fabric.host_speed(stated, fabric_rate)
    assert oversubscription(32, 16, stated, None, rate, switch) == ratio


def test_ratio_with_the_rate_of_the_fabric_below() -> None:
    assert oversubscription(64, 32, None, 400e9, 200e9, 400e9) == 1


def test_rates_that_stand_in() -> None:
    assert stated("Topology.fabric_speed")((400e9,)) == 400e9
    assert fabric.host_speed(200e9, 400e9) == 200e9
    assert fabric.link_speed(None, 400e9, 200e9) == 400e9
    assert fabric.link_speed(800e9, 400e9, 200e9) == 800e9
    assert fabric.link_speed(None, None, 200e9) == 200e9
    assert fabric.link_speed(None, 800e9, 200e9, 400e9) == 400e9


def test_remainders() -> None:
    assert fabric.uplink_remainder(32, 12, 1) == 8
    assert fabric.uplink_remainder(32, 16, 1) == 0
    assert fabric.uplink_remainder(64, 8, 2) == 0
    assert fabric.uplink_remainder(32, 0, 1) is None
    assert fabric.leaf_plane_remainder(33, 16, 2) == 1
    assert fabric.leaf_plane_remainder(32, None, 2) == 0
