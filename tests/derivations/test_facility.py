"""Power from servers to the utility by hand: DGX H100, a building that was published, and what is open in a sum."""

from __future__ import annotations

import pytest
from tests.derivations.stated import stated

from designlint.derivations.facility import facility, protected

H100 = 10_200.0


def test_sixty_four_dgx_h100_and_four_spares() -> None:
    """68 x 10.2 kW = 693.6 kW; 48 switches of 1720 W = 82.56 kW; 30 kW of storage; together 806.16 kW."""
    assert stated("Facility.server_power")((68 * H100,)) == pytest.approx(693_600)
    assert stated("Facility.network_power")((82_560.0, 0.0)) == 82_560
    assert facility.storage_power((30_000.0, None), ("lustre", "local-nvme")) == 30_000
    assert facility.it_power(693_600, None, 82_560, 30_000) == pytest.approx(806_160)


def test_other_power_stands_for_switches_storage_and_management() -> None:
    assert facility.it_power(693_600, 90_000, 82_560, None) == pytest.approx(783_600)


@pytest.mark.parametrize(("network", "storage"), [(None, 30_000), (82_560, None), (None, None)])
def test_racks_with_an_open_load_are_not_summed_up(network: float | None, storage: float | None) -> None:
    assert facility.it_power(693_600, None, network, storage) is None


def test_what_is_known_of_the_racks_is_summed_up() -> None:
    """A pool of unknown power and a tier of unknown power are left out; the rest counts."""
    assert facility.least_it_power((693_600, None), (512, None), None, 82_560, None, None, ()) == pytest.approx(776_160)
    assert facility.least_network_power((82_560.0, None)) == 82_560
    assert facility.least_network_power((None,)) is None
    assert facility.least_server_power((None, 693_600)) == 693_600
    assert facility.least_it_power((None,), (None,), None, None, None, None, ()) is None


def test_other_power_and_what_it_covers_are_not_added_twice() -> None:
    """90 kW cover 82.56 kW of switches; servers without GPUs of 20 kW are covered, too, as long as the sum is below."""
    assert facility.least_it_power((693_600, 5_000), (512, 0), 90_000, 82_560, None, None, ()) == pytest.approx(783_600)
    assert facility.least_it_power((693_600, 20_000), (512, 0), 90_000, 82_560, None, None, ()) == pytest.approx(
        796_160
    )


def test_racks_draw_what_the_design_states_of_one() -> None:
    """Eight full racks of 142.2 kW, and at least one of 22 kW, draw more than the trays by the lowest published budget."""
    known = facility.least_it_power((959_040,), (576,), 90_000, None, None, 1_137_600, (22_000, None))
    assert known == pytest.approx(1_159_600)
    assert facility.least_it_power((959_040,), (576,), 90_000, None, None, 500_000, ()) == pytest.approx(1_049_040)


def test_what_is_not_counted_is_named() -> None:
    pools, fabrics, tiers = ("train", "login"), ("compute", "storage"), ("scratch", "local")
    told = facility.uncounted_loads(
        pools, (1.0, None), (1.0, None), None, fabrics, (2.0, None), tiers, (None, None), ("lustre", "local-nvme")
    )
    assert told == "pool login, fabric storage, storage scratch"
    assert (
        facility.uncounted_loads(
            ("train",), (1.0,), (1.0,), 5.0, fabrics, (None, None), tiers, (None, None), (None, None)
        )
        == "nothing"
    )
    assert facility.uncounted_loads(("train",), (1.0,), (1.0,), None, (), (), (), (), ()) == "the network, storage"
    many = tuple(f"n{at}" for at in range(9))
    assert facility.uncounted_loads(many, (None,) * 9, (None,) * 9, 5.0, (), (), (), (), ()).endswith("pool n4, 4 more")
    told = facility.uncounted_loads(("train",), (None,), (1.0,), 5.0, (), (), (), (), ())
    assert told == "the servers of pool train beside their GPUs"


def test_a_thousand_servers_of_8_kw_and_a_quarter_on_top() -> None:
    """Steps 72 and 73 of the 195-step document: 8 MW, and 10 to 11 MW with 20 to 30 %."""
    assert stated("Facility.facility_power")(8e6, 1.25) == 10e6
    assert stated("Facility.overhead_needed")(10e6, 8e6) == pytest.approx(0.25)
    assert stated("Facility.free_power")(10e6, 12.5e6) == pytest.approx(0.2)
    assert stated("Facility.most_free_power")(10e6, 8e6) == pytest.approx(-0.25)
    assert stated("Facility.power_headroom")(0.2) == 0.2


def test_the_design_day_counts_before_the_yearly_mean_and_that_before_nothing() -> None:
    assert facility.least_facility_power(10e6, 1.3, 1.1, 0.1e6) == pytest.approx(13e6)
    assert facility.least_facility_power(10e6, None, 1.1, None) == pytest.approx(11e6)
    assert facility.least_facility_power(10e6, None, None, None) == 10e6
    assert (
        facility.least_facility_power(10e6, None, 1.1, 5e6) == 15e6
    )  # the rest of the building alone exceeds the mean


def test_hpn_building() -> None:
    """Alibaba HPN: a building of 18 MW holds 15,000 GPUs, 1.2 kW each with everything."""
    assert stated("Facility.facility_gpus")((8 * 1875,)) == 15_000
    assert stated("Facility.facility_power")(15_000 * 1_090.9, 1.1) == pytest.approx(18e6, rel=1e-3)


@pytest.mark.parametrize(
    ("server", "gpus", "gpu", "ratio"),
    [(10_200, 8, 700, 1.82), (6_500, 8, 400, 2.03), (14_300, 8, 1000, 1.79), (132_000, 72, 1200, 1.53)],
)
def test_server_over_its_gpus_as_published(server: float, gpus: int, gpu: float, ratio: float) -> None:
    """DGX H100, DGX A100, DGX B200 and a GB200 NVL72 rack."""
    assert stated("NodePool.power_over_gpus")(server, gpus, gpu) == pytest.approx(ratio, abs=0.005)


# ---- Loads behind supplies and generators

KNOWN = protected.KnownLoads(650_000, 80_000, None, None, None)
ALL = protected.LoadTotals(650_000, 80_000, None, None)


def test_only_what_is_protected_is_carried() -> None:
    assert protected.least_ups_load(("compute",), KNOWN, 90_000, "dry-cooler", "dry-cooler") == 650_000
    cooled = ("compute", "network", "storage", "cooling")
    assert protected.least_ups_load(cooled, KNOWN, 90_000, "dry-cooler", "dry-cooler") == 820_000
    assert protected.least_ups_load(cooled, KNOWN, 90_000, "dry-cooler", "chiller") == 730_000  # chillers may wait
    assert protected.least_ups_load(cooled, KNOWN, 90_000, None, None) == 730_000
    assert protected.cooled_ups_load(cooled, KNOWN, 90_000) == 820_000
    assert protected.cooled_ups_load(("compute",), KNOWN, 90_000) is None
    assert protected.least_ups_load(("management",), KNOWN, None, None, None) == 0


def test_other_power_counts_at_least_where_all_of_it_is_protected() -> None:
    known = protected.KnownLoads(650_000, 80_000, None, 120_000, None)
    assert protected.least_ups_load(("network", "storage", "management"), known, None, None, None) == 120_000
    assert protected.least_ups_load(("network", "storage"), known, None, None, None) == 80_000


def test_a_load_that_is_open_leaves_the_most_open() -> None:
    assert protected.ups_load(("compute", "network"), ALL, None, None, None) == 730_000
    assert protected.ups_load(("compute", "storage"), ALL, None, None, None) is None
    assert protected.ups_load(("compute", "cooling"), ALL, None, None, None) is None
    assert protected.ups_load(("compute", "cooling"), ALL, 1_000_000, 800_000, None) == 850_000


def test_generators_carry_losses_with_the_cooling() -> None:
    known = protected.KnownLoads(650_000, 80_000, None, None, 730_000)
    assert protected.least_generator_load(("compute", "cooling"), known, 900_000) == 820_000
    assert protected.least_generator_load(("compute",), known, 900_000) == 650_000


def test_power_of_the_cooling_is_told_from_losses() -> None:
    """1 MW at a PUE of 1.3 and 95 %: 1.3 - 1/0.95 = 0.2474 of it, less 40 kW of light."""
    assert protected.cooling_draw(None, 1e6, 1.3, 1.2, 0.95, 40_000) == pytest.approx(207_368, abs=1)
    assert protected.cooling_draw(250_000, 1e6, 1.3, None, None, None) == 250_000
    assert protected.cooling_draw(None, 1e6, 1.3, None, None, None) is None
