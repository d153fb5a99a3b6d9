"""Numbers, shares and lists as sentences for people have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Everything, in percent.
WHOLE = 100

#: Digits that a share close to the whole may need: availability is stated with up to five nines.
MOST_DIGITS = 6


def percent(share: float, form: str = ".0%") -> str:
    """A share in percent, in a form that Python has for it; what falls short of the whole keeps the digits that show it."""
    forms = (form, *(f".{digits}%" for digits in range(1, MOST_DIGITS + 1)))
    texts = (f"{share:{one}}"[:-1] for one in forms)
    return next((text for text in texts if share >= 1 or float(text) < WHOLE), f"{share:{form}}"[:-1]) + " %"


def many(number: int, noun: str) -> str:
    """A number with its noun, which takes an "s" in the plural ("1 rule", "2 rules")."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def series(items: Sequence[str]) -> str:
    """Items of one sentence: "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def cut(items: Sequence[str], most: int, between: str = ", ") -> str:
    """The first items of a long list, and the number of the others: "a, b and 3 more"."""
    return between.join(items[:most]) + (f" and {len(items) - most:,} more" if len(items) > most else "")
