"""Dates worked on the calendar, leap years and slips of the pen included."""

from __future__ import annotations

import pytest

from designlint.derivations.operations import dates

DAY = 86400.0


@pytest.mark.parametrize(
    ("ordered", "days", "arrival"),
    [
        ("2026-07-01", 270, "2027-03-28"),
        ("2028-02-28", 1, "2028-02-29"),  # a leap year
        ("2027-02-28", 1, "2027-03-01"),
        ("2026-12-31", 0.5, "2027-01-01"),  # a begun day counts
        ("2026-12-31", 0, "2026-12-31"),
    ],
)
def test_arrival(ordered: str, days: float, arrival: str) -> None:
    assert dates.arrival(ordered, days * DAY, None) == arrival


def test_what_was_delivered_has_arrived() -> None:
    assert dates.arrival("2026-07-01", 270 * DAY, "2027-03-20") == "2027-03-20"


@pytest.mark.parametrize(
    ("needed", "days", "due"), [("2027-04-01", 270, "2026-07-05"), ("2027-04-01", 0.5, "2027-03-31")]
)
def test_last_day_to_order(needed: str, days: float, due: str) -> None:
    assert dates.order_by(needed, days * DAY) == due


def test_order_on_the_last_day_arrives_in_time() -> None:
    assert dates.arrival(dates.order_by("2027-04-01", 100.5 * DAY) or "", 100.5 * DAY, None) == "2027-04-01"


def test_facility() -> None:
    assert dates.facility_ready("2026-01-15", 450 * DAY) == "2027-04-10"


@pytest.mark.parametrize(
    ("installed", "launch", "days"), [("2027-05-01", "2027-06-01", 31), ("2027-05-01", "2027-05-01", 0)]
)
def test_time_for_acceptance(installed: str, launch: str, days: int) -> None:
    assert dates.acceptance_time(installed, launch) == days * DAY


@pytest.mark.parametrize(("installed", "launch"), [("2027-06-01", "2027-05-01"), ("2027-02-30", "2027-05-01")])
def test_no_time_for_acceptance(installed: str, launch: str) -> None:
    assert dates.acceptance_time(installed, launch) is None


def test_dates_beyond_the_calendar() -> None:
    assert dates.arrival("2027-02-30", DAY, None) is None
    assert dates.arrival("9999-12-31", 2 * DAY, None) is None
    assert dates.order_by("0001-01-01", 2 * DAY) is None
    assert dates.facility_ready("2026-01-01", 1e30) is None


@pytest.mark.parametrize(
    ("ordered", "delivered", "days"), [("2026-01-01", "2026-04-02", 91), ("2026-01-01", "2026-01-01", 0)]
)
def test_time_of_delivery(ordered: str, delivered: str, days: float) -> None:
    assert dates.delivery_time(ordered, delivered) == days * DAY


def test_what_was_delivered_before_it_was_ordered_took_no_time_that_is_known() -> None:
    assert dates.delivery_time("2026-04-02", "2026-01-01") is None
