"""The words of a rule with its values filled in: for a person to read, or for YAML to hold."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

from designlint.graph.subjects import Subject

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.rules import Rule
    from designlint.units import Units

#: How a value is rounded to what a designer would plan: `{power:up}`.
ROUNDED = ("up", "down", "near")


class _Words(string.Formatter):
    """Fills `{name}`, `{name:.1f}` and `{name:up}` in a rule's text; nothing else that `str.format` could reach."""

    def __init__(self, rule: Rule, units: Units) -> None:
        self.rule, self.units = rule, units

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, str]:
        return (field_name, kwargs.get(field_name)), field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        name, fact = value
        if fact is None:
            return "unknown"
        if format_spec in ROUNDED:
            return self.units.planned(fact, self.rule.kind(name) or "Ratio", format_spec)
        if format_spec and isinstance(fact, int | float):
            return format(fact, format_spec)
        return plain(fact, self.rule.kind(name), self.units)

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        return value


def plain(fact: Any, kind: str, units: Units) -> str:
    """A fact as a person reads it."""
    if isinstance(fact, Subject):
        return fact.name
    if isinstance(fact, bool):
        return "true" if fact else "false"
    if isinstance(fact, int | float):
        return units.format(fact, kind) if kind in units else f"{fact:g}"
    return str(fact)


def fields(template: str) -> list[str]:
    """The names in braces of a rule's text."""
    return [name for _, name, _, _ in string.Formatter().parse(template) if name]


def general(template: str) -> str:
    """A rule's text with the names of its values in asterisks."""
    parts = string.Formatter().parse(template)
    return "".join(f"{text}*{name}*" if name else text for text, name, _, _ in parts)


def tell(template: str, rule: Rule, values: Mapping[str, Any], units: Units) -> str:
    """A rule's text with its values filled in."""
    return _Words(rule, units).vformat(template, (), values)


def spell(template: str, rule: Rule, values: Mapping[str, Any], units: Units) -> str | None:
    """A value of a fix as YAML spells it, exactly; None where a value that it needs is unknown."""
    if any(values.get(name) is None for name in fields(template)):
        return None
    return _Values(rule, units).vformat(template, (), values)


class _Values(_Words):
    """Fills the same in a value of a fix, as exactly as YAML can hold it."""

    def format_field(self, value: Any, format_spec: str) -> str:
        name, fact = value
        return (
            super().format_field(value, format_spec) if format_spec else _exact(fact, self.rule.kind(name), self.units)
        )


def _exact(fact: Any, kind: str, units: Units) -> str:
    if isinstance(fact, float) and (kind in ("", "Count") or not units.symbol(kind)) and fact == int(fact):
        return str(int(fact))
    whole = isinstance(fact, int) and not isinstance(fact, bool) and not units.symbol(kind).strip("1")
    return str(fact) if whole else plain(fact, kind, units)
