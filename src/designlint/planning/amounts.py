"""Amounts of a plan in words: times of a run, GPU hours, shares."""

from __future__ import annotations

from math import ceil, floor, log10

from designlint.language.sentences import percent
from designlint.language.units import YEAR

DAY, HOUR = 86400.0, 3600.0
#: Days below which times are told in hours.
LEAST_DAYS = 0.95


def days(seconds: float, longest: float = 0.0, *, up: bool = False) -> str:
    """
    A time in days; in years or hours where it, or the longest that it stands beside, is above two years or below a day.

    Args:
        up: rounded up, so that what takes the time fits into it.
    """
    count, most = seconds / DAY, max(seconds, longest)
    if most > 2 * YEAR:
        return f"{_round_up(seconds / YEAR, 3, up=up):.3g} years"
    if most < LEAST_DAYS * DAY:
        return f"{_round_up(count * DAY / HOUR, 2, up=up):.2g} hours"
    count = ceil(count * (1 if count >= 10 else 10)) / (1 if count >= 10 else 10) if up else count
    told = f"{count:.0f}" if count >= 10 else f"{count:.1f}".removesuffix(".0")
    return f"{told} {'day' if told == '1' else 'days'}"


def _round_up(number: float, digits: int, *, up: bool) -> float:
    """A number that is not below another and has few digits; the other one itself where it need not be."""
    if not up or number <= 0:
        return number
    scale = 10.0 ** (digits - 1 - floor(log10(number)))
    return ceil(number * scale) / scale


def step_time(seconds: float, digits: int = 3) -> str:
    """A time of a step or of a part of it, without its unit, in few digits and without an exponent where it is long."""
    return f"{float(f'{seconds:.{digits}g}'):g}"


def whole_share(share: float) -> str:
    """A share in percent, which is not rounded up to all of it."""
    return percent(share) if share < 0.985 else percent(int(share * 1000) / 1000, ".1%")


def hours(seconds: float, *, up: bool = False) -> str:
    """
    A time of GPUs in hours, rounded to three digits.

    Args:
        up: rounded up, so that what takes the time fits into it.
    """
    count = _round_up(seconds / HOUR, 3, up=up)
    for unit, name in ((1e9, "billion "), (1e6, "million ")):
        if count >= unit:
            return f"{count / unit:.3g} {name}GPU hours"
    return f"{float(f'{count:.3g}'):.0f} GPU hours"
