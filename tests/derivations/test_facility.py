"""Power, racks and floors by hand: DGX H100, GB200 NVL72, and a building that was published."""

from __future__ import annotations

import pytest

from designlint.derivations import facility

H100 = 10_200.0


def test_sixty_four_dgx_h100_and_four_spares() -> None:
    """68 x 10.2 kW = 693.6 kW; 32 + 16 switches of 747 W = 35.856 kW; together 729.456 kW."""
    assert facility.server_power((68 * H100,)) == pytest.approx(693_600)
    assert facility.switch_power(32, 16, None, 747) == pytest.approx(35_856)
    assert facility.network_power((35_856.0, 0.0)) == 35_856
    assert facility.it_power(693_600, None, 35_856) == pytest.approx(729_456)


def test_other_power_stands_for_switches_storage_and_management() -> None:
    assert facility.it_power(693_600, 90_000, 35_856) == pytest.approx(783_600)
    assert facility.it_power(693_600, None, None) == 693_600


def test_a_thousand_servers_of_8_kw_and_a_quarter_on_top() -> None:
    """Steps 72 and 73 of the 195-step document: 8 MW, and 10 to 11 MW with 20 to 30 %."""
    assert facility.facility_power(8e6, 1.25) == 10e6
    assert facility.overhead_needed(10e6, 8e6) == pytest.approx(0.25)
    assert facility.free_power(10e6, 12.5e6) == pytest.approx(0.2)
    assert facility.free_power(10e6, 8e6) == pytest.approx(-0.25)
    assert facility.power_headroom(0.2) == 0.2


def test_hpn_building() -> None:
    """Alibaba HPN: a building of 18 MW holds 15,000 GPUs, 1.2 kW each with everything."""
    assert facility.facility_gpus((8 * 1875,)) == 15_000
    assert facility.facility_power(15_000 * 1_090.9, 1.1) == pytest.approx(18e6, rel=1e-3)


@pytest.mark.parametrize(
    ("server", "gpus", "gpu", "ratio"),
    [(10_200, 8, 700, 1.82), (6_500, 8, 400, 2.03), (14_300, 8, 1000, 1.79), (132_000, 72, 1200, 1.53)],
)
def test_server_over_its_gpus_as_published(server: float, gpus: int, gpu: float, ratio: float) -> None:
    """DGX H100, DGX A100, DGX B200 and a GB200 NVL72 rack."""
    assert facility.power_over_gpus(server, gpus, gpu) == pytest.approx(ratio, abs=0.005)


def test_rack_of_the_superpod() -> None:
    """Four DGX H100: 40.8 kW, 32 units, 4 x 130.45 = 521.8 kg."""
    assert facility.rack_power(4, (H100,), (8,)) == pytest.approx(40_800)
    assert facility.used_units(4, (8,), (8,)) == 32
    assert facility.mass(4, (130.45,), (8,)) == pytest.approx(521.8)


def test_rack_of_several_pools_counts_the_least_with_gpus() -> None:
    assert facility.rack_power(4, (14_300.0, 6_500.0, 800.0), (8, 8, 0)) == 26_000
    assert facility.servers_to_place((64, 16, 200), (8, 8, 0)) == 80
    assert facility.rack_power(4, (800.0,), (0,)) == 3_200


def test_places_and_area() -> None:
    assert facility.server_places(16, 4) == 64
    assert facility.racks_area(1000, 0.72) == pytest.approx(720)


def test_floor_under_an_nvl72_rack() -> None:
    """1360 kg on 0.6 m x 1.2 m."""
    assert facility.floor_load(1360, 0.72) == pytest.approx(1888.9, abs=0.1)


def test_feeds() -> None:
    """1.732 x 415 V x 60 A = 43.13 kW; 230 V x 32 A = 7.36 kW on one phase."""
    assert facility.feed_power(60, 415, 3) == pytest.approx(43_128, abs=1)
    assert facility.feed_power(32, 230, 1) == 7_360
    assert facility.feed_load(40_000, 2, 40_000) == 0.5
    assert facility.feed_load_after_loss(40_000, 2, 40_000) == 1
    assert facility.feed_load_after_loss(40_000, 3, 40_000) == 0.5
    assert facility.feed_load_after_loss(40_000, 1, 40_000) is None
