"""Fat trees and leaves against published fabrics."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.derivations.stated import stated

from designlint.derivations.network import fabric
from designlint.derivations.network.oversubscription import least_oversubscription, oversubscription


def test_ports_of_one_speed() -> None:
    assert oversubscription(32, 32, None, None) == 1
    assert oversubscription(48, 16, None, None) == 3


def test_bandwidth_counts_not_ports() -> None:
    """MegaScale, section 3.6: 64 ports of 200 Gbit/s down, 32 of 400 Gbit/s up."""
    assert oversubscription(64, 32, 200e9, 400e9) == 1


def test_uplinks_run_no_faster_than_the_spines() -> None:
    """Leaves of 800 Gbit/s below spines of 400; a stated rate of the uplinks counts, and faster spines change nothing."""
    assert oversubscription(32, 32, None, None, 800e9, 800e9, 400e9) == 2
    assert oversubscription(32, 32, None, None, 400e9, 400e9, 800e9) == 1
    assert oversubscription(32, 32, 800e9, 800e9, 800e9, 800e9, 400e9) == 1


def test_more_up_than_down() -> None:
    """RDMA over Ethernet for Distributed Training at Meta Scale: 16 down, 18 up."""
    assert oversubscription(16, 18, 400e9, 400e9) == pytest.approx(0.889, abs=0.001)


@pytest.mark.parametrize(("uplinks", "down", "up"), [(0, None, None), (16, 400e9, None), (16, None, 400e9)])
def test_no_ratio_without_both_sides(uplinks: int, down: float | None, up: float | None) -> None:
    assert oversubscription(32, uplinks, down, up) is None


@pytest.mark.parametrize(
    ("kind", "tiers", "radix", "planes", "ports"),
    [
        # Al-Fares 2008: k^2 / 2 for two tiers, k^3 / 4 for three
        ("fat-tree", 1, 64, 1, 64),
        ("fat-tree", 2, 64, 1, 2048),
        ("fat-tree", 3, 64, 1, 65536),
        ("fat-tree", 3, 48, 1, 27648),
        ("fat-tree", 2, 64, 8, 16384),
        ("single-switch", None, 64, 1, 64),
        ("fat-tree", None, 64, 1, None),
        ("dragonfly", 2, 64, 1, None),
    ],
)
def test_capacity_of_fat_trees(kind: str, tiers: int | None, radix: int, planes: int, ports: int | None) -> None:
    each = fabric.plane_capacity(kind, tiers, radix, radix, radix, None)
    assert (None if each is None else fabric.fat_tree_capacity(each, planes)) == ports


def test_capacity_with_chassis_above_the_leaves() -> None:
    """Leaves of 64 ports give 32 to hosts; a chassis of 576 joins 576 of them; a core of 576 joins 288 of those halves."""
    assert fabric.plane_capacity("fat-tree", 2, 64, 576, None, None) == 32 * 576
    assert fabric.plane_capacity("fat-tree", 3, 64, 576, 288, None) == 32 * 288 * 288
    assert fabric.plane_capacity("fat-tree", 2, 64, None, None, None) is None
    assert fabric.plane_capacity("fat-tree", 4, 64, 64, 64, None) is None


def test_a_leaf_with_ports_for_uplinks_gives_all_others_to_hosts() -> None:
    assert fabric.plane_capacity("fat-tree", 2, 48, 64, None, 100e9) == 48 * 64
    assert fabric.leaf_ports_used(48, 6, 25e9, 25e9, 100e9, 100e9) == 48
    assert fabric.leaf_ports_used(48, 6, 25e9, 25e9, 100e9, None) == 54


def test_dgx_h100_superpod() -> None:
    """RA-11333-001, table of 4 scalable units: 127 servers of 8 ports and 64-port switches take 32 leaves."""
    assert fabric.leaves_needed(127 * 8, 64, 2, 1) == 32
    assert stated("Topology.leaf_capacity")(32, 32) == 1024


@pytest.mark.parametrize(
    ("ports", "tiers", "planes", "leaves"),
    [(32, 2, 1, 1), (33, 2, 1, 2), (64, 1, 1, 1), (64, 2, 2, 2), (66, 2, 2, 4)],
)
def test_leaves_at_the_edge(ports: int, tiers: int, planes: int, leaves: int) -> None:
    assert fabric.leaves_needed(ports, 64, tiers, planes) == leaves


@pytest.mark.parametrize(
    ("tiers", "spines", "cores", "least"),
    [
        (None, 4, None, 2),
        (None, 4, 8, 3),
        (None, None, 8, 3),
        (3, 4, None, 3),
        (None, 0, None, None),
        (None, None, 0, None),
    ],
)
def test_spines_and_cores_say_how_many_tiers_there_are_at_least(
    tiers: int | None, spines: int | None, cores: int | None, least: int | None
) -> None:
    assert fabric.least_tiers(tiers, spines, cores) == least


@given(st.integers(1, 100_000), st.sampled_from([32, 40, 64, 128]), st.integers(1, 8))
def test_leaves_offer_a_port_to_every_host(ports: int, radix: int, planes: int) -> None:
    leaves = fabric.leaves_needed(ports, radix, 2, planes)
    assert leaves * radix // 2 >= ports
    assert (leaves - planes) * radix // 2 < ports


def test_one_leaf_carries_the_mean_of_the_hosts_at_least() -> None:
    """102,400 ports of 400 Gbit/s over 1,600 leaves, whose uplinks run at the rate of the ports where none is stated."""
    assert least_oversubscription((102400 * 400e9,), 1600, 16, None, None, 800e9) == 2
    assert least_oversubscription((51200 * 400e9, 51200 * 400e9), 1600, 16, 400e9, None, 800e9) == 4
    assert least_oversubscription((102400 * 400e9,), 1600, 16, None, 1600e9, 800e9) == 1
    assert least_oversubscription((102400 * 400e9,), 1600, 16, None, None, None) is None
    assert least_oversubscription((102400 * 400e9,), 1600, 0, None, None, 800e9) is None
