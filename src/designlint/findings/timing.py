"""Where the time of a run goes: seconds of CPU by phase and by rule, counted only while somebody asks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


class _Clock:
    """The calls that are being timed, outermost first, and what was counted; `spent` is None while nobody asks."""

    def __init__(self) -> None:
        self.spent: dict[str, float] | None = None
        self.depth = 0


CLOCK = _Clock()


def start() -> None:
    """Count from now on, from nothing."""
    CLOCK.spent = {}


def stop() -> dict[str, float]:
    """What was counted; nothing more is."""
    counted, CLOCK.spent = CLOCK.spent or {}, None
    return counted


def time_call(name: str, work: Callable[..., Result], *arguments: Any, **named: Any) -> Result:
    """The result of a call; where somebody asks, its time is counted under the name, and within another call's not again."""
    if CLOCK.spent is None or CLOCK.depth:
        return work(*arguments, **named)
    begun = time.process_time()
    CLOCK.depth = 1
    try:
        return work(*arguments, **named)
    finally:
        CLOCK.depth = 0
        CLOCK.spent[name] = CLOCK.spent.get(name, 0.0) + time.process_time() - begun
