"""The words of a rule with its values filled in: for a person to read, or for YAML to hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.graph.subjects import Subject
from designlint.language.sentences import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from designlint.expressions.templates import Placeholder, Template
    from designlint.language.units import Units

    #: The kind of quantity of each value of a rule, by its name.
    Kinds: TypeAlias = Callable[[str], str]

#: How a value is rounded to what a designer would plan: `{power:up}`.
ROUNDED = ("up", "down", "near")
#: Nouns that messages count, in the plural; those whose singular is no plain cut; and verbs that follow them.
PLURALS = frozenset(
    [
        "GPUs",
        "CPUs",
        "adapters",
        "addresses",
        "appliances",
        "backups",
        "blocks",
        "busways",
        "bytes",
        "cables",
        "checkpoints",
        "chunks",
        "communicators",
        "copies",
        "cores",
        "days",
        "drives",
        "entries",
        "experts",
        "failures",
        "feeds",
        "files",
        "generators",
        "groups",
        "heads",
        "hours",
        "jobs",
        "lanes",
        "layers",
        "leaves",
        "levels",
        "limits",
        "lines",
        "links",
        "loaders",
        "micro-batches",
        "minutes",
        "modules",
        "nodes",
        "outlets",
        "parameters",
        "partitions",
        "parts",
        "places",
        "planes",
        "pods",
        "pools",
        "ports",
        "positions",
        "priorities",
        "processes",
        "queues",
        "racks",
        "rails",
        "ranks",
        "seconds",
        "sequences",
        "servers",
        "sockets",
        "spares",
        "spines",
        "stages",
        "steps",
        "supplies",
        "switches",
        "tasks",
        "threads",
        "tiers",
        "times",
        "tokens",
        "transceivers",
        "units",
        "uplinks",
        "values",
        "weights",
        "workers",
    ]
)
SINGULAR = {
    "addresses": "address", "copies": "copy", "entries": "entry", "leaves": "leaf", "micro-batches": "micro-batch",
    "priorities": "priority", "processes": "process", "supplies": "supply", "switches": "switch",
}  # fmt: skip
VERBS = {"are": "is", "do": "does", "have": "has"} | {
    one: f"{one}s" for one in ("feed", "give", "hold", "make", "need", "read", "take", "want", "write")
}

#: What does not stand between a number and its noun, as "spare" does in "1 spare server"; and how many words may.
NOT_BEFORE = frozenset([
    "a", "an", "and", "are", "at", "but", "by", "do", "each", "for", "from", "give", "have", "in", "into", "its", "make", "no",
    "not", "of", "on", "one", "or", "per", "take", "than", "that", "the", "their", "to", "two", "unless", "use", "with",
])  # fmt: skip
MOST_BEFORE = 2


def plain(fact: Any, kind: str, units: Units, *, decimal: bool = False) -> str:
    """A fact as a person reads it; `decimal` in no unit of powers of 1024."""
    if isinstance(fact, Subject):
        return fact.name if not fact.name.isdigit() or "name" in fact.facts else "/".join(fact.path.split("/")[-2:])
    if isinstance(fact, bool):
        return "true" if fact else "false"
    if isinstance(fact, int | float):
        return units.format(fact, kind, decimal=decimal) if kind in units else f"{fact:g}"
    return str(fact)


def filled_text(template: Template, kind_of: Kinds, values: Mapping[str, Any], units: Units) -> str:
    """A rule's text with its values filled in; amounts of one sentence have units of one system."""
    decimal = _mixes_units(template, kind_of, values, units)

    def written(place: Placeholder) -> str:
        fact = values.get(place.name)
        if fact is None:
            return "unknown"
        return _format_fact(fact, place.form, kind_of(place.name), units) or plain(
            fact, kind_of(place.name), units, decimal=decimal
        )

    return template.fill(written, agree_number)


def agree_number(value: str, after: str) -> str:
    """The text after a value, its noun in the singular where the value is one ("1 full rack has", not "1 full racks have")."""
    words = after.split(" ", MOST_BEFORE + 3) if value == "1" and after.startswith(" ") else []
    for at, word in enumerate(words[1 : MOST_BEFORE + 2], 1):
        noun = word.rstrip(",;:.)")
        if noun in PLURALS:
            words[at] = word.replace(noun, SINGULAR.get(noun, noun[:-1]))
            words[at + 1 : at + 2] = [VERBS.get(one, one) for one in words[at + 1 : at + 2]]
            return " ".join(words)
        if noun != word or noun in NOT_BEFORE or (noun.endswith("s") and not noun.endswith("ss")):
            break
    return after


def _mixes_units(template: Template, kind_of: Kinds, values: Mapping[str, Any], units: Units) -> bool:
    """Whether some values of a text would be shown in powers of 1000 and others in powers of 1024."""
    numbers = ((values.get(name), kind_of(name)) for name in template.names)
    shown = {units.binary(one, kind) for one, kind in numbers if isinstance(one, int | float) and kind in units}
    return {True, False} <= shown


def spell(template: Template, kind_of: Kinds, values: Mapping[str, Any], units: Units) -> str | None:
    """A value of a fix as YAML spells it, exactly; None where a value that it needs is unknown."""
    if any(values.get(name) is None for name in template.names):
        return None

    def spelled(place: Placeholder) -> str:
        fact, kind = values[place.name], kind_of(place.name)
        return _format_fact(fact, place.form, kind, units) or _exact(fact, kind, units)

    return template.fill(spelled)


def _format_fact(fact: Any, form: str, kind: str, units: Units) -> str:
    """A value in the form that its place asks for; empty where it asks for none."""
    if form in ROUNDED:
        return units.format_planned(fact, kind or "Ratio", form)
    if not form or not isinstance(fact, int | float):
        return ""
    return percent(fact, form) if form.endswith("%") else format(fact, form)


def _exact(fact: Any, kind: str, units: Units) -> str:
    if isinstance(fact, float) and (kind in ("", "Count") or not units.symbol(kind)) and fact == int(fact):
        return str(int(fact))
    whole = isinstance(fact, int) and not isinstance(fact, bool) and not units.symbol(kind).strip("1")
    return str(fact) if whole else plain(fact, kind, units)
