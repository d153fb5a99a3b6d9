"""What remains of supplies, generators and cooling units when the redundant ones have failed."""

from __future__ import annotations

import pytest
from tests.derivations.stated import stated

from designlint.derivations.facility import cooling, nodes, redundancy


@pytest.mark.parametrize(
    ("units", "scheme", "left"),
    [
        (5, "N", 5), (5, "N+1", 4), (6, "N+2", 4), (6, "2N", 3), (7, "2N", 3), (7, "2N+1", 3), (1, "N+1", 0),
        (1, "N+2", 0), (1, "2N", 0), (6, "3N", 2), (8, "N+4", 4), (5, "0N", None), (5, "N-1", None),
        (5, "catcher", None), (5, "n+1", None), (5, "", None),
    ],
)  # fmt: skip
def test_units_that_carry_the_load(units: int, scheme: str, left: int | None) -> None:
    assert redundancy.carrying_units(units, scheme) == left
    assert redundancy.needed_modules(units, scheme) == left
    assert redundancy.needed_generators(units, scheme) == left
    assert redundancy.needed_units(units, scheme) == left


def test_power_that_remains() -> None:
    assert redundancy.lasting_power(4, 200_000) == 800_000
    assert redundancy.lasting_output(2, 400_000) == 800_000
    assert redundancy.lasting_capacity(2, 800_000) == 1_600_000
    assert redundancy.air_capacity(6, "N+1", 150_000) == 750_000
    assert redundancy.air_capacity(6, "catcher", 150_000) is None


def test_no_power_remains_known_where_the_redundancy_is_impossible() -> None:
    """N+1 of one: how many carry the load is a contradiction, not zero watts."""
    assert redundancy.lasting_power(0, 200_000) is None
    assert redundancy.lasting_apparent(0, 230_000) is None
    assert redundancy.lasting_output(0, 400_000) is None
    assert redundancy.lasting_capacity(0, 800_000) is None
    assert redundancy.air_capacity(1, "N+1", 150_000) is None


def test_apparent_power_of_the_supplies() -> None:
    """600 kW at a power factor of 0.8 are 750 kVA; motors behind the same supplies have another factor."""
    assert stated("Ups.whole_apparent")(4, 230_000) == 920_000
    assert redundancy.lasting_apparent(3, 230_000) == 690_000
    assert redundancy.apparent_load((600_000,), ("compute",), (0.8,)) == pytest.approx(750_000)
    assert redundancy.apparent_load((600_000,), ("compute",), (None,)) == 600_000
    assert redundancy.apparent_load((600_000,), ("compute", "cooling"), (0.8,)) == 600_000
    assert redundancy.most_apparent_load((800_000,), ("compute",), (0.8,)) == pytest.approx(1_000_000)
    assert redundancy.most_apparent_load((800_000,), ("compute", "cooling"), (0.8,)) is None


def test_what_stands_behind() -> None:
    assert redundancy.carries_compute(("compute", "network"))
    assert not redundancy.carries_compute(("storage",))
    assert redundancy.drives_compute(("compute",))
    assert redundancy.drives_cooling(("cooling",))
    assert not redundancy.drives_cooling(())


def test_heat_in_the_coolant() -> None:
    """90 % of 144 trays of 7.3 kW: 946.08 kW."""
    assert cooling.liquid_heat(144 * 7_300, "direct-liquid", 0.9) == pytest.approx(946_080)
    assert cooling.liquid_heat(144 * 7_300, "hybrid", 0.9) == pytest.approx(946_080)
    assert cooling.liquid_heat(144 * 7_300, "air", 0.9) is None


def test_gpus_on_cold_plates_heat_the_coolant_where_its_share_is_open() -> None:
    assert nodes.least_coolant_heat(144, 4, 1200, 7_300, "hybrid") == 144 * 4_800
    assert nodes.least_coolant_heat(144, 4, 1200, 4_000, "liquid") == 144 * 4_000
    assert nodes.least_coolant_heat(144, 4, 1200, 7_300, "air") is None
    assert cooling.least_liquid_heat(1e6, "direct-liquid", None, (600e3, None)) == 600e3
    assert cooling.least_liquid_heat(1e6, "direct-liquid", 0.9, (600e3,)) == 900e3
    assert cooling.least_liquid_heat(1e6, "rear-door", None, (600e3,)) is None


def test_all_units_together() -> None:
    """Redundant units included: what no redundancy can exceed."""
    assert stated("Ups.whole_power")(5, 500e3) == 2.5e6
    assert stated("Generators.whole_output")(3, 1.25e6) == 3.75e6
    assert stated("Cooling.whole_air_capacity")(18, 100e3) == 1.8e6
    assert stated("CoolantDistribution.whole_capacity")(3, 700e3) == 2.1e6


def test_the_air_of_redundant_units_does_not_count() -> None:
    """Eight units of 2.5 m3/s, one of them redundant."""
    assert redundancy.hall_airflow(8, "N+1", 2.5) == 17.5
    assert redundancy.hall_airflow(1, "N+1", 2.5) is None


def test_transformers_carry_what_is_left_of_them() -> None:
    assert redundancy.lasting_transformers(3, "N+1", 2.5e6) == 5e6
    assert redundancy.lasting_transformers(1, "N+1", 2.5e6) is None
    assert stated("Transformers.whole_transformers")(3, 2.5e6) == 7.5e6
