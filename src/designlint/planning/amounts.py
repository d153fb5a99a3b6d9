"""Amounts of a plan in words: times of a run, GPU hours, shares."""

from __future__ import annotations

from designlint.language.units import YEAR

DAY, HOUR = 86400.0, 3600.0
#: Days below which times are told in hours.
LEAST_DAYS = 0.95


def days(seconds: float, longest: float = 0.0) -> str:
    """A time in days; in years or hours where it, or the longest that it stands beside, is above two years or below a day."""
    count, most = seconds / DAY, max(seconds, longest)
    if most > 2 * YEAR:
        return f"{seconds / YEAR:.3g} years"
    if most < LEAST_DAYS * DAY:
        return f"{count * DAY / HOUR:.2g} hours"
    told = f"{count:.0f}" if count >= 10 else f"{count:.1f}".removesuffix(".0")
    return f"{told} {'day' if told == '1' else 'days'}"


def whole_share(share: float) -> str:
    """A share in percent, which is not rounded up to all of it."""
    return f"{share:.0%}" if share < 0.985 else f"{int(share * 1000) / 1000:.1%}"


def hours(seconds: float) -> str:
    """A time of GPUs in hours, rounded to three digits."""
    count = seconds / HOUR
    for unit, name in ((1e9, "billion "), (1e6, "million ")):
        if count >= unit:
            return f"{count / unit:.3g} {name}GPU hours"
    return f"{float(f'{count:.3g}'):.0f} GPU hours"
