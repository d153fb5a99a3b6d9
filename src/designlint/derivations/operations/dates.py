"""Dates of the plan: when orders arrive, when they had to be placed, how long acceptance may take."""

from __future__ import annotations

import datetime
import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.derivations.base import Date, Text
    from designlint.language.units import Duration


@derivation(of="Order")
def arrival(ordered: Date, lead_time: Duration, delivered: Date | None) -> Date | None:
    """
    Day of delivery.

    The stated day where the goods have arrived; else the lead time runs from the day of the order, a begun day
    counted whole. Absent where a date is not in the calendar.
    """
    return delivered or _later(ordered, lead_time)


@derivation(of="Order")
def delivery_time(ordered: Date, delivered: Date) -> Duration | None:
    """
    Time from the order to its delivery. [s]

    Absent where the delivery comes first, or a date is not in the calendar.
    """
    first, last = _day(ordered), _day(delivered)
    return None if first is None or last is None or last < first else (last - first).total_seconds()


@derivation(of="Order")
def order_by(needed: Date, lead_time: Duration) -> Date | None:
    """
    Latest order date for delivery in time.

    A begun day of lead time is counted whole. Absent where the date is not in the calendar.
    """
    return _later(needed, -lead_time)


@derivation(of="Order")
def milestone(
    category: Text,
    plan_power_ready: tuple[Date | None, ...],
    plan_cooling_ready: tuple[Date | None, ...],
    plan_network_ready: tuple[Date | None, ...],
    plan_storage_ready: tuple[Date | None, ...],
    plan_gpus_ready: tuple[Date | None, ...],
    plan_launch: tuple[Date | None, ...],
) -> Date | None:
    """
    Date on which the schedule needs what the order delivers.

    That of its own part of the schedule, else the first day of production; absent for spares and software, which may
    come later, and where the schedule states neither.
    """
    own = {
        "gpu": plan_gpus_ready, "server": plan_gpus_ready, "network": plan_network_ready, "cable": plan_network_ready,
        "storage": plan_storage_ready, "power": plan_power_ready, "cooling": plan_cooling_ready,
    }.get(category)  # fmt: skip
    days = [] if own is None else [one for one in (*own, *plan_launch) if one]
    return days[0] if days else None


@derivation(of="Procurement")
def facility_ready(facility_started: Date, facility_lead_time: Duration) -> Date | None:
    """
    Day on which power and cooling are built.

    The lead time runs from the start of the work, a begun day counted whole. Absent where the date is not in the
    calendar.
    """
    return _later(facility_started, facility_lead_time)


@derivation(of="Procurement")
def acceptance_time(gpus_ready: Date, launch: Date) -> Duration | None:
    """
    Time between installation of the GPU servers and production. [s]

    Absent where production begins first, or a date is not in the calendar.
    """
    first, last = _day(gpus_ready), _day(launch)
    if first is None or last is None or last < first:
        return None
    return (last - first).total_seconds()


def _later(date: str, duration: float) -> str | None:
    """The date so many seconds later, or earlier where they are negative; whole days, rounded away from the date."""
    day = _day(date)
    days = math.copysign(math.ceil(abs(duration) / datetime.timedelta(days=1).total_seconds()), duration)
    try:
        return None if day is None else (day + datetime.timedelta(days=days)).isoformat()
    except OverflowError:
        return None


def _day(date: str) -> datetime.date | None:
    """The day of a date as designs write it; None where the calendar has no such day."""
    try:
        return datetime.date.fromisoformat(date)
    except ValueError:
        return None
