"""Axes: where values stand, and round values to mark."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import TYPE_CHECKING

from designlint.language.units import NOISE

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Steps that people count in, in seconds.
TIMES = (
    1,
    2,
    5,
    10,
    20,
    30,
    60,
    120,
    300,
    600,
    1200,
    1800,
    3600,
    7200,
    14400,
    28800,
    43200,
    86400,
    172800,
    345600,
    604800,
)


def steps(most: float, wanted: int = 5) -> list[float]:
    """Round values from 0 on that cover so much, about as many as wanted."""
    raw = most / wanted
    power = 10.0 ** floor(log10(raw))
    step = next(one * power for one in (1, 2, 2.5, 5, 10) if one * power >= raw * 0.999)
    return [number * step for number in range(ceil(most / step - NOISE) + 1)]


def times(least: float, most: float) -> Sequence[float]:
    """Times between two that people count in; powers of ten where these are outside of what people do."""
    found = [float(one) for one in TIMES if least <= one <= most]
    return found or [10.0**one for one in range(ceil(log10(least)), floor(log10(most)) + 1)]
