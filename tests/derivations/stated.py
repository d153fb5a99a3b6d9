"""The equations that the vocabulary states, as functions of plain numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.configuration import engine

if TYPE_CHECKING:
    from collections.abc import Callable


def stated(word: str) -> Callable[..., Any]:
    """What the vocabulary says that a word of a class equals, such as `Ups.whole_power`."""
    plan = engine.shipped_engine().plan
    number = next(at for at, one in enumerate(plan.steps) if f"{one['of']}.{one['word']}" == word)
    assert "equals" in plan.steps[number], word
    return plan.function(number)
