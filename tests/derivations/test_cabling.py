"""Switches, ports and cables of stated counts, against the tables of the vendors' reference architectures."""

from __future__ import annotations

import pytest

from designlint.derivations.network import attachments, cabling


@pytest.mark.parametrize(
    ("servers", "managers", "leaves", "spines", "to_leaves", "to_spines"),
    [
        # RA-11333-001, table 4: one server of each unit makes room for the fabric managers
        (31, 4, 8, 4, 252, 256),
        (63, 4, 16, 8, 508, 512),
        (95, 4, 24, 16, 764, 768),
        (127, 4, 32, 16, 1020, 1024),
        # table 3
        (128, None, 32, 16, 1024, 1024),
        (256, None, 64, 32, 2048, 2048),
    ],
)
def test_dgx_h100_in_two_tiers(
    servers: int, managers: int | None, leaves: int, spines: int, to_leaves: int, to_spines: int
) -> None:
    below = attachments.ports_taken(servers * 8, managers)
    between = cabling.leaf_spine_cables(leaves, 32)
    assert (below, between) == (to_leaves, to_spines)
    assert cabling.spine_core_room(2, between, spines, 0, None, 64, 64) is None
    assert cabling.cables(below, 2, between, None, None) == to_leaves + to_spines
    assert cabling.switch_count("fat-tree", 2, leaves, spines, None) == leaves + spines


@pytest.mark.parametrize(
    ("servers", "leaves", "spines", "cores", "each_tier"),
    [(512, 128, 128, 64, 4096), (1024, 256, 256, 128, 8192), (2048, 512, 512, 256, 16384)],
)
def test_dgx_h100_in_three_tiers(servers: int, leaves: int, spines: int, cores: int, each_tier: int) -> None:
    """RA-11333-001, table 3: as many cables in every tier."""
    between = cabling.leaf_spine_cables(leaves, 32)
    above = cabling.spine_core_room(3, between, spines, cores, None, 64, 64)
    assert (servers * 8, between, above) == (each_tier,) * 3
    assert cabling.spine_core_room(3, between, spines, cores, 32, None, None) == each_tier
    assert cabling.spine_ratio(between, each_tier) == 1
    assert cabling.cables(servers * 8, 3, between, None, above) == 3 * each_tier
    assert cabling.switch_count("fat-tree", 3, leaves, spines, cores) == leaves + spines + cores


def test_dgx_a100_has_more_spines_than_it_needs() -> None:
    """RA-09950: 56 leaves, 80 spines, 28 cores of 40 ports and 1120 cables in every tier."""
    between = cabling.leaf_spine_cables(56, 20)
    assert between == cabling.spine_core_room(3, between, 80, 28, None, 40, 40) == 1120
    assert cabling.spine_core_room(3, between, 80, 28, 14, 40, 40) == 1120


def test_stated_ratio_before_room() -> None:
    """Seven to one (Meta): 1024 of the 7168 cables below."""
    assert (
        cabling.cables(7168, 3, 7168, cabling.spine_core_cables(3, 7168, 7.0, None, None), 4096) == 7168 + 7168 + 1024
    )


def test_spines_with_more_ports_down_than_up() -> None:
    """96 leaves of 32 uplinks on 64 spines take 48 ports of each and leave 16: 3072 cables below, 1024 above."""
    assert cabling.spine_core_room(3, 3072, 64, 64, None, 64, 64) == 1024
    assert cabling.spine_ratio(3072, 1024) == 3
    assert cabling.spine_core_room(3, 3072, 40, 64, None, 64, 64) == 0
    assert cabling.spine_ratio(3072, 0) is None
    assert cabling.spine_core_room(3, 3072, 64, 64, None, None, None) is None


def test_switches_that_are_not_counted() -> None:
    assert cabling.switch_count("fat-tree", None, 8, 4, None) is None
    assert cabling.switch_count("fat-tree", 2, 8, None, None) is None
    assert cabling.switch_count("fat-tree", 1, 8, None, None) == 8
    assert cabling.switch_count("torus", None, 4096, None, None) == 4096
    assert cabling.switch_count("dragonfly-plus", None, 32, 32, None) == 64
    assert cabling.cables(252, 2, None, None, None) is None
    assert cabling.cables(64, 1, None, None, None) == 64
    assert cabling.cables(64, 4, 64, 64, 64) is None


def test_scalable_units() -> None:
    """DGX H100: 127 servers in units of 32 with 8 rails; DGX B300: 64 in one unit with 16 ports in two planes."""
    assert cabling.scalable_units((127,), 32) == 4
    assert cabling.rail_leaves_needed(True, 4, 8) == 32
    assert cabling.scalable_units((64,), 64) == 1
    assert cabling.rail_leaves_needed(True, 1, 16) == 16
    assert cabling.rail_leaves_needed(False, 4, 8) is None
    assert cabling.scalable_units((127, 4), 32) is None


def test_rail_only() -> None:
    """64-port switches: 64 domains on each rail; 8 rails of a DGX H100, 72 of an NVL72 rack; 2048 with two tiers."""
    assert cabling.rail_only_capacity("rail-only", None, 64, (8,), (8,), (8,)) == 512
    assert cabling.rail_only_capacity("rail-only", 2, 64, (8,), (8,), (8,)) == 8 * 2048
    assert cabling.rail_only_capacity("rail-only", 1, 64, (4,), (4,), (72,)) == 4608
    assert cabling.rail_only_capacity("fat-tree", 1, 64, (4,), (4,), (72,)) is None
    assert cabling.rail_only_capacity("rail-only", 1, 64, (2,), (0,), (1,)) is None


@pytest.mark.parametrize(
    ("leaves", "uplinks", "leaf_spine"),
    [
        # RA-11333-001, table 4: 1 and 3 scalable units; table 3: 16
        (8, 32, 256),
        (24, 32, 768),
        (128, 32, 4096),
        # DGX A100, 140 servers: 56 leaves of 20 uplinks
        (56, 20, 1120),
    ],
)
def test_every_uplink_is_a_cable(leaves: int, uplinks: int, leaf_spine: int) -> None:
    assert cabling.leaf_spine_cables(leaves, uplinks) == leaf_spine


def test_cables_to_the_cores() -> None:
    """DGX H100 of 16 scalable units: as many again; Meta's 24K cluster has a seventh of them."""
    assert cabling.spine_core_cables(3, 4096, 1.0, None, None) == 4096
    assert cabling.spine_core_cables(3, 7168, 7.0, None, None) == 1024


def test_no_cores_no_cables() -> None:
    assert cabling.spine_core_cables(3, 7168, 7.0, 112, 32) == 3584
    assert cabling.spine_core_cables(3, None, None, 112, 32) == 3584
    assert cabling.spine_core_cables(2, 1024, 1.0, None, None) is None
    assert cabling.spine_core_cables(3, 1024, 7.0, None, None) is None


def test_each_tier_has_a_switch_of_its_own() -> None:
    """Meta's pod: 192 leaves of 64 ports below 12 chassis of 576; power of leaves and chassis apart."""
    tiers = cabling.Tiers(192, 12, None)
    assert cabling.switch_power(204, tiers, 1_000, 20_000, None) == 432_000
    assert cabling.switch_power(204, tiers, 1_000, None, None) is None
    assert cabling.least_switch_power(tiers, 700, None, None, 1_000, None, None) == 192_000
    assert cabling.least_switch_power(tiers, 700, 9_000, None, None, None, None) == 242_400
    assert cabling.least_switch_power(tiers, None, None, None, None, None, None) is None


def test_the_way_to_the_top_switches() -> None:
    """The longest cable of each tier in line: 3 m and 30 m; a run without a place, or a tier without one, leaves it open."""
    places = ("server-leaf", "leaf-spine", "leaf-spine")
    assert cabling.cables_to_the_top(places, (3.0, 20.0, 30.0), 2) == 33
    assert cabling.cables_to_the_top(places, (3.0, 20.0, 30.0), 1) == 3
    assert cabling.cables_to_the_top(places, (3.0, 20.0, 30.0), 3) is None
    assert cabling.cables_to_the_top(places, (3.0, 20.0, None), 2) is None
    assert cabling.cables_to_the_top((*places, None), (3.0, 20.0, 30.0, 5.0), 2) is None
    assert cabling.cables_to_the_top(places, (3.0, 20.0, 30.0), 4) is None


def test_the_farthest_server_of_a_disc_of_racks() -> None:
    """512 racks of 0.72 m2 cover 368.6 m2, a disc of 10.83 m; a rack reaches 1.78 m back towards the middle."""
    assert cabling.farthest_server((2048,), (4,), (0.72,)) == pytest.approx(10.833 - 1.782, abs=0.001)
    assert cabling.farthest_server((8,), (4,), (0.72,)) == 0
    assert cabling.farthest_server((2048,), (), (0.72,)) is None


@pytest.mark.parametrize(
    ("kind", "tiers", "spines", "cores"),
    [
        ("fat-tree", 1, 0, 0),
        ("fat-tree", 2, None, 0),
        ("fat-tree", 3, None, None),
        ("fat-tree", None, None, None),
        ("dragonfly", None, 0, 0),
        ("dragonfly-plus", None, None, 0),
        (None, 2, None, None),
    ],
)
def test_a_tier_that_a_network_has_not_holds_no_switches(
    kind: str | None, tiers: int | None, spines: int | None, cores: int | None
) -> None:
    assert (cabling.spines(kind, tiers), cabling.cores(kind, tiers)) == (spines, cores)
