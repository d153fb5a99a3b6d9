"""Racks, floors and feeds by hand: DGX H100 and GB200 NVL72, and racks of several pools."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.derivations.stated import stated

from designlint.derivations.facility import feeds, racks

H100 = 10_200.0


def test_rack_of_the_superpod() -> None:
    """Four DGX H100: 40.8 kW, 32 units, 4 x 130.45 = 521.8 kg."""
    assert racks.least_equipment_power(4, None, (H100,), (8,), (64,), None) == pytest.approx(40_800)
    assert racks.rack_power(4, (H100,), (8,), None, None, 40_800) == pytest.approx(40_800)
    assert racks.least_used_units(4, None, (8,), (8,), (64,)) == racks.used_units(4, (8,), (8,)) == 32
    assert racks.least_mass(racks.least_servers_mass(4, None, (130.45,), (8,), (64,)), None) == pytest.approx(521.8)
    assert racks.least_mass(521.8, 900) == 900


def test_a_small_pool_takes_no_more_places_than_it_has_servers() -> None:
    """Two servers of 1 kW and two of 10.2 kW in the fullest rack; 64 in 17 racks are four in one of them."""
    pools = ((H100, 1_000.0), (8, 1), (64, 2))
    assert racks.least_equipment_power(4, None, *pools, None) == pytest.approx(22_400)
    assert racks.least_equipment_power(4, 17, *pools, None) == pytest.approx(40_800)
    assert racks.rack_power(4, pools[0], pools[1], None, None, 22_400) == pytest.approx(40_800)


def test_pools_without_gpus_stand_elsewhere_unless_they_are_all() -> None:
    assert racks.least_equipment_power(4, None, (14_300.0, 800.0), (8, 0), (64, 200), None) == pytest.approx(57_200)
    assert racks.least_equipment_power(4, None, (800.0,), (0,), (200,), None) == pytest.approx(3_200)
    assert racks.servers_to_place((64, 16, 200), (8, 8, 0)) == 80
    assert racks.servers_to_place((200,), (0,)) == 200


def test_a_pool_of_unknown_power_leaves_the_most_open() -> None:
    assert racks.rack_power(4, (H100, None), (8, 8), None, None, 1.0) is None
    assert racks.least_equipment_power(4, None, (H100, None), (8, 8), (64, 2), None) == pytest.approx(20_400)


def test_racks_without_servers_draw_what_is_stated() -> None:
    assert (
        racks.least_rack_power(12_000, racks.least_equipment_power(None, 8, (), (), (), None), None, (), (), None)
        == 12_000
    )
    assert racks.least_rack_power(12_000, 14_000, None, (), (), None) == 14_000
    assert racks.rack_power(None, (), (), 12_000, None, 12_000) == 12_000
    assert racks.rack_power(None, (), (), None, None, 0.0) is None


@given(
    st.lists(st.tuples(st.floats(100, 20_000), st.integers(1, 40)), min_size=1, max_size=4),
    st.integers(1, 6),
    st.randoms(use_true_random=False),
)
def test_some_rack_holds_what_is_said_however_servers_are_dealt_out(
    pools: list[tuple[float, int]], places: int, chance: object
) -> None:
    servers = [power for power, size in pools for _ in range(size)]
    chance.shuffle(servers)  # type: ignore[attr-defined]
    dealt = [servers[at : at + places] for at in range(0, len(servers), places)]
    if len(dealt[0]) == places:
        least = racks.least_of_fullest([(power, size) for power, size in pools], places, len(dealt))
        assert least <= max(map(sum, dealt)) * (1 + 1e-9)


def test_servers_without_a_place_stand_in_no_rack() -> None:
    """127 servers in 16 racks of 4 places: 63 have none, and no rack holds 8."""
    assert racks.least_of_fullest([(10_000, 127)], 4, 16) == 40_000
    assert racks.least_of_fullest([(10_000, 127)], None, 16) == 80_000


def test_places_and_area() -> None:
    assert stated("Racks.server_places")(16, 4) == 64
    assert stated("Racks.racks_area")(1000, 0.72) == pytest.approx(720)
    assert racks.all_racks_area(720, (28.8, None)) == pytest.approx(748.8)


def test_floor_under_an_nvl72_rack() -> None:
    """1360 kg on 0.6 m x 1.2 m."""
    assert (
        stated("Racks.floor_load")(1360, 0.72)
        == stated("Racks.least_floor_load")(1360, 0.72)
        == pytest.approx(1888.9, abs=0.1)
    )


# ---- Feeds


def test_feeds() -> None:
    """1.732 x 415 V x 60 A = 43.13 kVA; 230 V x 32 A = 7.36 kVA on one phase."""
    assert feeds.feed_power(60, 415, 3) == pytest.approx(43_128, abs=1)
    assert feeds.feed_power(32, 230, 1) == 7_360
    assert feeds.feed_power(250, 400, 0) == 100_000  # direct current
    assert stated("Racks.feed_load")(40_000, 2, 40_000) == 0.5
    assert feeds.apparent_power(36_000, (0.9,), 3) == pytest.approx(40_000)
    assert feeds.apparent_power(36_000, (None,), None) == 36_000
    assert feeds.apparent_power(36_000, (0.9,), 0) == 36_000  # direct current


@pytest.mark.parametrize(
    ("count", "redundancy", "lost"),
    [(2, "2N", 1), (4, "2N", 2), (3, "2N", 2), (3, "N+1", 1), (4, None, 1), (1, "2N", None)],
)
def test_a_path_takes_its_feeds_with_it(count: int, redundancy: str | None, lost: int | None) -> None:
    assert feeds.feeds_lost(count, (redundancy,)) == lost


def test_what_remains_carries_the_rack() -> None:
    assert feeds.feed_load_after_loss(0.5, 2, 1) == 1
    assert feeds.feed_load_after_loss(0.4, 4, 2) == 0.8
    assert feeds.feed_load_after_loss(0.4, 1, 1) is None
    assert stated("Racks.most_feed_load")(0.4, 40_000, 20_000) == 0.8
    assert feeds.most_feed_load_after_loss(0.8, 0.4, 0.6, 4, (None,)) is None
    assert feeds.most_feed_load_after_loss(0.8, 0.4, 0.6, 4, ("2N",)) == pytest.approx(1.2)


@pytest.mark.parametrize(
    ("supplies", "count", "lost", "dark"),
    [(6, 2, 1, 3), (6, 3, 1, 2), (6, 4, 2, 3), (6, 4, 1, 2), (4, 2, 1, 2), (2, 3, 1, 1)],
)
def test_supplies_that_go_dark_with_a_path(supplies: int, count: int, lost: int, dark: int) -> None:
    """DGX H100: six supplies, of which two may fail."""
    assert feeds.supplies_lost(supplies, (count,), (lost,)) == dark


def test_imbalance_of_phases() -> None:
    """45, 38 and 52 A have a mean of 45 A; the second and the third are 7 A off it."""
    assert feeds.phase_imbalance((45, 38, 52)) == pytest.approx(7 / 45)
    assert feeds.phase_imbalance((40, 40, 40)) == 0
    assert feeds.phase_imbalance((40, 40)) is None
    assert feeds.listed_phases((40, 40)) == 2
    assert feeds.listed_phases(()) is None
    assert feeds.phase_imbalance((0, 0, 0)) is None
    assert feeds.busiest_phase((45, 38, 52)) == 52
    assert feeds.busiest_phase(()) is None


@pytest.mark.parametrize(
    ("servers", "full"), [((144,), 8), ((140,), 4), ((120,), 1), ((None,), 1), ((72, 72), 1), ((200,), 8)]
)
def test_only_racks_that_are_surely_full_draw_their_stated_power(servers: tuple[int | None, ...], full: int) -> None:
    """140 trays in 8 racks of 18 places leave 4 places free: at least 4 racks are full."""
    each = 142_200.0
    unknown = (None,) * len(servers)
    assert racks.least_racks_power(each, 8, 18, servers, (4,) * len(servers), unknown, None) == full * each


def test_a_rack_without_servers_draws_its_stated_power_at_least_once() -> None:
    assert racks.least_racks_power(22_000.0, 3, None, (), (), (), None) == 22_000


@pytest.mark.parametrize(
    ("stated", "others", "drawn"), [(44_000, None, 23_000), (44_000, 2_000, 25_000), (20_000, None, 20_000)]
)
def test_a_budget_for_racks_is_not_taken_to_be_drawn(stated: float, others: float | None, drawn: float) -> None:
    """Two servers of 11.5 kW a rack draw at most 23 kW, whatever the rack may draw."""
    assert racks.least_rack_power(stated, 4_000, 2, (11_500.0,), (8,), others) == drawn
    assert racks.least_racks_power(stated, 16, 2, (32,), (8,), (11_500.0,), others) == 16 * drawn


def test_phase_currents_add_up_to_the_power_of_a_feed() -> None:
    """3 x 41 A x 415 V / sqrt 3 = 29.47 kVA; half of four feeds carry 40.8 kVA with 20.4 kVA each."""
    assert feeds.phases_power((41.0, 41.0, 41.0), 415.0, 3) == pytest.approx(29_471, abs=1)
    assert feeds.phases_power((30.0,), 230.0, 1) == pytest.approx(6_900)
    assert feeds.phases_power((41.0, 41.0), 415.0, 3) is None
    assert stated("Racks.least_feed_power")(40_800.0, 4, 2) == 20_400
    assert stated("Racks.least_feed_power")(40_800.0, 2, 1) == 40_800


def test_outlets_of_three_phases_have_the_voltage_to_neutral() -> None:
    assert feeds.outlet_voltage((480.0,), 3) == pytest.approx(277.1, abs=0.1)
    assert feeds.outlet_voltage((480.0,), 1) is None
    assert feeds.outlet_voltage((), 3) is None


def test_the_largest_inlet_needs_all_inlets() -> None:
    assert feeds.largest_inlet(("c14", "c20", "busbar")) == "c20"
    assert feeds.largest_inlet(("c14", None)) is None
    assert feeds.largest_inlet(("c20", None)) == "c20"
    assert feeds.largest_inlet(("busbar",)) is None


def test_supplies_and_door_of_the_fullest_rack() -> None:
    """Four servers of six supplies; of ten servers, eight fill a rack."""
    assert racks.rack_supplies(4, None, (6,), (8,), (64,)) == 24
    assert racks.rack_supplies(8, 3, (6,), (8,), (10,)) == 48
    assert racks.rack_supplies(4, 16, (None,), (8,), (64,)) is None
    assert racks.door_heat(40_800.0, (0.9,)) == pytest.approx(36_720)
    assert racks.door_heat(40_800.0, ()) is None


def test_busways_of_one_path_carry_their_current() -> None:
    """4 x 630 A x 400 V x sqrt 3 = 1.746 MVA."""
    assert feeds.busways_output(8, 630.0, 400.0, "2N") == pytest.approx(1.746e6, rel=1e-3)
    assert feeds.busways_output(4, 630.0, 400.0, None) == pytest.approx(1.746e6, rel=1e-3)
