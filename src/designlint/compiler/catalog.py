"""The catalogue files as plain data: every figure in its canonical unit, with its source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.compiler.turtle import Turtle
from designlint.language import resources
from designlint.language.values import ValueFault, accept, spell_value
from designlint.language.vocabulary import CATALOG

if TYPE_CHECKING:
    from designlint.language.vocabulary import Vocabulary


def compile_catalog(vocabulary: Vocabulary) -> dict[str, Any]:
    """
    Entries, other spellings and notes, by class.

    Raises:
        AuthoringError: an unknown word, a value the word may not hold, a spelling used twice.
    """
    catalog: dict[str, dict[str, Any]] = {}
    aliases: dict[str, dict[str, str]] = {}
    notes: dict[str, dict[str, str]] = {}
    for path in resources.files(resources.ontology("catalog"), ".ttl"):
        file = Turtle(path)
        for subject, facts in file.subjects.items():
            if not subject.startswith(CATALOG):
                continue
            name, owner = subject.removeprefix(CATALOG), file.values(facts["type"])[0]
            if owner not in vocabulary.classes:
                raise file.error(f"`{name}` is of the unknown class {owner}", name)
            catalog.setdefault(owner, {})[name] = _entry(owner, name, facts, file, vocabulary)
            if note := " ".join(file.values(facts.get("comment", []))):
                notes.setdefault(owner, {})[name] = note
            for spelling in (name, *file.values(facts.get("altLabel", []))):
                known = aliases.setdefault(owner, {}).setdefault(spelling.lower(), name)
                if known != name:
                    raise file.error(f"`{spelling}` names both {known} and {name}", spelling)
    return {"catalog": catalog, "aliases": aliases, "notes": notes}


def _entry(owner: str, name: str, facts: dict[str, list[Any]], file: Turtle, vocabulary: Vocabulary) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    sources: dict[str, list[str]] = {}
    for block in file.values(facts.get("figures", [])):
        stated = [str(block.pop(key, [""])[0]) for key in ("source", "confidence")]
        block.pop("comment", None)
        for word, raw in block.items():
            figures[word] = _value(owner, word, raw, file, vocabulary)
            sources[word] = stated
    return {"label": file.values(facts.get("label", [name]))[0], "figures": figures, "sources": sources}


def _value(owner: str, name: str, raw: list[Any], file: Turtle, vocabulary: Vocabulary) -> Any:
    word = vocabulary.classes[owner].get(name)
    if word is None or not word.written:
        raise file.error(f"{owner} has no word `{name}`", f":{name} ")
    if word.form in ("part", "parts"):
        nested = [_part(word.kind, one, file, vocabulary) for one in raw]
        return nested if word.form == "parts" else nested[0]
    values = [accept(word, one, spell_value(one), vocabulary.units) for one in raw]
    for value in values:
        if isinstance(value, ValueFault):
            raise file.error(f"`{name}`: {value.rule.removeprefix('shape/')}, {value.values}", str(raw[0]))
    return values if word.form == "values" else values[0]


def _part(owner: str, raw: Any, file: Turtle, vocabulary: Vocabulary) -> dict[str, Any]:
    if isinstance(raw, str):
        return {"model": raw}
    return {name: _value(owner, name, value, file, vocabulary) for name, value in raw.items()}
