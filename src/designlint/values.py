"""Whether a scalar of a design, or of the catalogue, is a value that a word may hold; and which value."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from designlint.units import BadQuantity, Units

if TYPE_CHECKING:
    from designlint.vocabulary import Word

DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
TRUTHS = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}

#: Faults of a quantity, by the code that `units` gives them.
QUANTITY_RULES = {
    "missing-unit": "shape/missing-unit",
    "unknown-unit": "shape/wrong-unit",
    "wrong-kind": "shape/wrong-unit",
    "not-a-number": "shape/wrong-type",
    "not-whole": "shape/wrong-type",
    "not-finite": "shape/out-of-range",
    "out-of-range": "shape/out-of-range",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a value is refused: the rule it breaks and what the rule's message shows."""

    rule: str
    values: dict[str, Any] = field(default_factory=dict)


def accept(
    word: Word, raw: bool | int | float | str | None, text: str, units: Units
) -> bool | int | float | str | Fault:
    """
    The value in the canonical unit, or the fault.

    Args:
        raw: the scalar as YAML types it.
        text: the scalar as the file spells it.
    """
    if word.kind in ("Text", "Principle") or word.form == "catalog":
        value: bool | int | float | str | Fault = text
    elif word.kind == "Flag":
        value = raw if isinstance(raw, bool) else _not_a_flag(word, text)
    elif word.kind == "Date":
        value = text if is_date(text) else Fault("shape/wrong-type", _shown(word, text, "a date such as 2026-11-20"))
    else:
        value = _quantity(word, raw, text, units)
    return value if isinstance(value, Fault) else _in_range(word, value, text, units)


def is_date(text: str) -> bool:
    """Whether a text is a day of the calendar, as 2026-11-20."""
    if not DATE.fullmatch(text):
        return False
    from datetime import date

    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _shown(word: Word, text: str, wanted: str, proposal: str | None = None) -> dict[str, Any]:
    return {"word": word.name, "text": text[:80], "wanted": wanted, "proposal": proposal or ""}


def _not_a_flag(word: Word, text: str) -> Fault:
    return Fault("shape/wrong-type", _shown(word, text, "true or false", TRUTHS.get(text.lower())))


def _quantity(word: Word, raw: bool | int | float | str | None, text: str, units: Units) -> int | float | Fault:
    if raw is None or isinstance(raw, bool):
        return Fault("shape/wrong-type", _shown(word, text, f"a value such as {word.example}"))
    value = units.parse(raw, word.kind, like=word.example or None)
    if not isinstance(value, BadQuantity):
        return value
    rule = QUANTITY_RULES[value.code]
    values = _shown(word, text, f"a value such as {word.example}", value.proposal)
    respelled = {"respelled": value.proposal} if value.same else {}
    return Fault(rule, values | respelled | {"why": value.text})


def _in_range(word: Word, value: bool | int | float | str, text: str, units: Units) -> bool | int | float | str | Fault:
    if word.allowed is not None and not word.open and value not in word.allowed:
        close = closest(str(value), [str(one) for one in word.allowed])
        choice = ", ".join(str(one) for one in word.allowed)
        return Fault("shape/not-allowed-value", _shown(word, text, choice, close))
    if isinstance(value, str | bool):
        return value
    least = 0 if word.least is None and word.kind not in ("Temperature",) else word.least
    if least is not None and value < least:
        return Fault("shape/out-of-range", _shown(word, text, f"at least {units.like(least, word.kind, word.example)}"))
    if word.most is not None and value > word.most:
        return Fault(
            "shape/out-of-range", _shown(word, text, f"at most {units.like(word.most, word.kind, word.example)}")
        )
    return value


def closest(name: str, choices: list[str]) -> str | None:
    """The choice that a misspelling most likely meant, or None."""
    import difflib

    lowered = {choice.lower().replace("-", "_"): choice for choice in choices}
    found = difflib.get_close_matches(name.lower().replace("-", "_")[:80], lowered, n=1, cutoff=0.6)
    return lowered[found[0]] if found else None
