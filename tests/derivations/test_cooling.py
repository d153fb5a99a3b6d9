"""Dew point, sinks and flow by hand."""

from __future__ import annotations

import pytest

from designlint.derivations.facility import cooling


@pytest.mark.parametrize(
    ("air", "humidity", "dew"), [(25, 0.5, 13.9), (25, 0.6, 16.7), (20, 1.0, 20.0), (30, 0.4, 14.9)]
)
def test_dew_points_of_tables(air: float, humidity: float, dew: float) -> None:
    assert cooling.dew_point(air, humidity) == pytest.approx(dew, abs=0.1)


def test_dry_air_has_no_dew_point() -> None:
    assert cooling.dew_point(25, 0.0) is None


def test_the_air_has_the_sink_of_the_coolant_unless_it_has_its_own() -> None:
    assert cooling.air_sink(None, "dry-cooler") == "dry-cooler"
    assert cooling.air_sink("chiller", "dry-cooler") == "chiller"
    assert cooling.air_sink(None, None) is None


def test_flow_that_remains() -> None:
    assert cooling.lasting_flow(2, 0.01) == pytest.approx(0.02)
    assert cooling.lasting_flow(0, 0.01) is None
