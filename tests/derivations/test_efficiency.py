"""PUE, air, water and cost by hand."""

from __future__ import annotations

import pytest
from tests.derivations.stated import stated

from designlint.derivations.facility import cooling, efficiency
from designlint.derivations.operations import ordered_costs


@pytest.mark.parametrize(
    ("cooling", "other", "chain", "pue"),
    [
        (None, None, 0.94, 1 / 0.94),
        (80e3, None, None, 1.08),
        (80e3, 10e3, 0.96, 1 / 0.96 + 0.09),
        (None, 10e3, None, None),
        (80e3, None, 0.0, None),
    ],
)
def test_pue_of_a_megawatt(cooling: float | None, other: float | None, chain: float | None, pue: float | None) -> None:
    found = efficiency.composed_pue(1e6, cooling, other, chain)
    assert found == (None if pue is None else pytest.approx(pue))


def test_what_the_chain_loses_on_the_way_to_the_racks() -> None:
    assert efficiency.distribution_loss(940e3, 0.94) == pytest.approx(60e3)
    assert efficiency.distribution_loss(1e6, 0.0) is None


def test_what_the_coolant_leaves_to_the_air() -> None:
    assert cooling.air_heat(1e6, "air", None) == 1e6
    assert cooling.air_heat(1e6, "hybrid", 850e3) == 150e3
    assert cooling.air_heat(1e6, "immersion", None) is None
    assert cooling.least_air_heat(0.9e6, "air", None) == 0.9e6
    assert cooling.least_air_heat(0.9e6, "hybrid", 0.8) == pytest.approx(0.18e6)


def test_water_of_a_megawatt() -> None:
    """1.8 L/kWh for 1000 kWh an hour are 1.8 m3 an hour: half a litre a second."""
    assert efficiency.water_demand(1.8e-3 / 3.6e6, 1e6) == pytest.approx(0.5e-3)


def test_energy_of_a_year() -> None:
    """A megawatt for 8760 h at 0.08 USD per kWh: 700,800 USD."""
    assert efficiency.yearly_energy_cost(0.8e6, 1.25, 0.08 / 3.6e6) == pytest.approx(700_800)


def test_shares_of_orders() -> None:
    """50 for GPUs, 20 for servers, 15 for switches, 5 for cables, 10 for storage."""
    prices, kinds = (50.0, 20.0, 15.0, 5.0, 10.0), ("gpu", "server", "network", "cable", "storage")
    total = stated("Procurement.ordered_cost")(prices)
    assert total == 100
    assert ordered_costs.ordered_compute_share(prices, kinds, total) == pytest.approx(0.7)
    assert ordered_costs.ordered_network_share(prices, kinds, total) == pytest.approx(0.2)
    assert ordered_costs.ordered_storage_share(prices, kinds, total) == pytest.approx(0.1)
    assert ordered_costs.ordered_storage_share((0.0,), ("gpu",), 0.0) is None
