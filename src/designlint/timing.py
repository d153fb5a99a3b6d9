"""Where the time of a run goes: seconds by phase and by rule, counted only while somebody asks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")

#: Seconds by phase, or by the id of a rule; None while nobody asks.
spent: dict[str, float] | None = None


def start() -> None:
    """Count from now on, from nothing."""
    global spent  # noqa: PLW0603
    spent = {}


def stop() -> dict[str, float]:
    """What was counted; nothing more is."""
    global spent
    counted, spent = spent or {}, None
    return counted


def timed(name: str, work: Callable[..., Result], *arguments: Any, **named: Any) -> Result:
    """The result of a call; its time is counted under the name where somebody asks."""
    if spent is None:
        return work(*arguments, **named)
    begun = time.perf_counter()
    try:
        return work(*arguments, **named)
    finally:
        spent[name] = spent.get(name, 0.0) + time.perf_counter() - begun
