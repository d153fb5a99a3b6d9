"""Whether a scalar of a design, or of the catalogue, is a value that a word may hold; and which value."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeGuard

from msgspec import Struct, field

from designlint.language.quantities import BadQuantity, read_quantity
from designlint.language.suggestions import beginning_alike, fold_name, same_numbers, value_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from designlint.language.units import Units
    from designlint.language.words import Word

#: The key under which a design names a value outside an open set.
OTHER = "other"
#: A name that stands in braces without quotes.
NAME = re.compile(r"[A-Za-z][A-Za-z0-9._+/-]{1,60}")
#: The value of a set by which a design says that there is nothing of the kind.
NONE = "none"
DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
TRUTHS = {
    "true": "true",
    "false": "false",
    "yes": "true",
    "on": "true",
    "y": "true",
    "no": "false",
    "off": "false",
    "n": "false",
}

THOUSANDS = re.compile(r"[0-9.] *(?:k|K|thousand) *\Z")

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


def spell_value(value: object) -> str:
    """A value as the design language spells it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


class ValueFault(Struct, frozen=True):
    """Why a value is refused: the rule it breaks and what the rule's message shows."""

    rule: str
    values: dict[str, Any] = field(default_factory=dict)


def accept(
    word: Word, raw: bool | int | float | str | None, text: str, units: Units, *, explain: bool = True
) -> bool | int | float | str | ValueFault:
    """
    The value in the canonical unit, or the fault.

    Args:
        raw: the scalar as YAML types it.
        text: the scalar as the file spells it.
        explain: whether the right spelling of a quantity is searched for.
    """
    if word.kind in ("Text", "Principle") or word.form == "catalog":
        value: bool | int | float | str | ValueFault = text
    elif word.kind == "Flag":
        value = raw if isinstance(raw, bool) else _not_a_flag(word, text)
    elif word.kind == "Date":
        value = (
            text
            if is_date(text)
            else ValueFault("shape/wrong-type", _describe_problem(word, text, "a date such as 2026-11-20"))
        )
    else:
        value = _quantity(word, raw, text, units, explain=explain)
    return value if isinstance(value, ValueFault) else _in_range(word, value, text, units)


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


def _describe_problem(word: Word, text: str, wanted: str, proposal: str | None = None) -> dict[str, Any]:
    return {"word": word.name, "text": text[:80], "wanted": wanted, "proposal": proposal or ""}


def _not_a_flag(word: Word, text: str) -> ValueFault:
    return ValueFault("shape/wrong-type", _describe_problem(word, text, "true or false", TRUTHS.get(text.lower())))


def _quantity(
    word: Word, raw: bool | int | float | str | None, text: str, units: Units, *, explain: bool
) -> int | float | ValueFault:
    if raw is None or isinstance(raw, bool):
        return ValueFault("shape/wrong-type", _describe_problem(word, text, f"a value such as {word.example}"))
    if not explain and isinstance(raw, str) and read_quantity(raw.strip(), units.kind(word.kind)) is None:
        return ValueFault("shape/wrong-type", _describe_problem(word, text, f"a value such as {word.example}"))
    value = units.parse(raw, word.kind, like=word.example or None)
    if not isinstance(value, BadQuantity):
        return _ambiguous(word, value, text) if word.digits and THOUSANDS.search(text) else value
    rule = QUANTITY_RULES[value.code]
    values = _describe_problem(word, text, f"a value such as {word.example}", value.proposal)
    respelled = {"respelled": value.proposal} if value.same else {}
    return ValueFault(rule, values | respelled | {"why": value.text})


def _ambiguous(word: Word, value: float, text: str) -> ValueFault:
    """A count in thousands that may be meant in powers of two: 8k tokens are 8000 or 8192."""
    ways = f"{value:.0f} or {value / 1000 * 1024:.0f}"
    return ValueFault(
        "shape/wrong-unit", _describe_problem(word, text, f"it in digits: {ways}") | {"why": f"that may mean {ways}"}
    )


def _in_range(
    word: Word, value: bool | int | float | str, text: str, units: Units
) -> bool | int | float | str | ValueFault:
    if word.allowed is not None and value not in word.allowed:
        meant = value_for(word, text) or (
            NONE if NONE in word.allowed and TRUTHS.get(text.lower()) == "false" else None
        )
        several = (
            beginning_alike(word, text) if meant is None else []
        )  # `infiniband`: which generation is what is missing
        choice = ("one of " if len(word.allowed) > 1 else "") + ", ".join(map(str, several or word.allowed))
        otherwise = f", or {{{OTHER}: {text[:80]}}} if it is none of these" if word.open and not several else ""
        named = f"{{{OTHER}: {text}}}" if otherwise and not meant and NAME.fullmatch(text) else ""
        shown = _describe_problem(word, text, choice, meant)
        return ValueFault("shape/not-allowed-value", shown | {"otherwise": otherwise, "named": named})
    if isinstance(value, str | bool):
        return value
    least = 0 if word.least is None and word.kind not in ("Temperature",) else word.least
    if least is not None and value < least:
        return ValueFault(
            "shape/out-of-range",
            _describe_problem(word, text, f"at least {units.like(least, word.kind, word.example)}"),
        )
    if word.most is not None and value > word.most:
        return ValueFault(
            "shape/out-of-range",
            _describe_problem(word, text, f"at most {units.like(word.most, word.kind, word.example)}"),
        )
    return value


#: Letters and signs that show nothing.
BLANK = frozenset("\u2800\u3164\u115f\u1160\uffa0")


def visible(text: str) -> bool:
    """Whether a text has a letter or digit that can be seen: a reason of blanks is none."""
    return any(one.isalnum() and one not in BLANK for one in text)


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a number, and no truth value, which Python counts among its whole numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def closest(name: str, choices: list[str]) -> str | None:
    """The choice that a misspelling most likely meant, or None."""
    found = nearest(name, choices, most=1)
    return found[0] if found else None


def instead(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """How a message ends that refuses a name: with the known one that it most likely meant, or otherwise."""
    near = closest(name, list(known))
    return f"; did you mean `{near}`?" if near else otherwise


def nearest(name: str, choices: list[str], most: int = 3, alike: float = 0.6) -> list[str]:
    """The choices that are spelt most like a name, best first; `alike` is the least similarity, from 0 to 1."""
    return list(_nearest(name[:80], tuple(choices), most, alike))


def nearest_entries(name: str, choices: list[str], alike: float) -> list[str]:
    """The names of catalogue entries that a name may be a slip of, best first: none of another number."""
    return [one for one in nearest(name, choices, alike=alike) if same_numbers(name, one)]


def wider_entries(name: str, spellings: Mapping[str, str]) -> list[str]:
    """The catalogue entries of whose names a name is a part, as a GPU's without its memory."""
    sought = f"_{fold_name(name[:80])}_"
    return sorted({entry for one, entry in spellings.items() if sought in f"_{fold_name(one)}_"})


def related_entries(name: str, spellings: Mapping[str, str]) -> list[str]:
    """The catalogue entries of whose names a name is a part; else the one that it names and more."""
    if wider := wider_entries(name, spellings):
        return wider
    sought = f"_{fold_name(name[:80])}_"
    held = max((one for one in spellings if f"_{fold_name(one)}_" in sought), key=len, default=None)
    return [] if held is None else [spellings[held]]


@lru_cache(maxsize=1024)  # one slip stands in many places, and is read again with every fix that is tried
def _nearest(name: str, choices: tuple[str, ...], most: int, alike: float) -> tuple[str, ...]:
    import difflib

    lowered = {choice.lower().replace("-", "_"): choice for choice in choices}
    found = difflib.get_close_matches(name.lower().replace("-", "_"), lowered, n=most, cutoff=alike)
    return tuple(lowered[one] for one in found)
