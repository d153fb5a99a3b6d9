"""Words and figures as a person reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.language.values import is_number, spell_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word

#: How a form of a word reads in the column «holds».
HOLDS = {
    "part": "{kind} (mapping)",
    "parts": "list of {kind}",
    "name": "name of a {kind}",
    "names": "names of {kind}",
    "catalog": "catalogue name of a {kind}",
    "values": "list of {kind}",
}


def holds(word: Word) -> str:
    """What a word holds, in a phrase."""
    told = HOLDS.get(word.form, "{kind}").format(kind=word.kind) + " (names or mappings)" * word.bare
    if word.allowed is not None:
        told += ": " + ", ".join(f"`{one}`" for one in word.allowed) + (", or `{other: name}`" if word.open else "")
    return told


def figures(vocabulary: Vocabulary, owner: str, entry: dict[str, Any]) -> Iterator[str]:
    """The figures of a catalogue entry, a line each, with source and confidence."""
    for word, value in entry["figures"].items():
        source, confidence = entry["sources"][word]
        yield f"{word}: {display_figure(vocabulary, vocabulary.classes[owner][word], value)} ({source}, {confidence})"


def display_figure(vocabulary: Vocabulary, word: Word, value: object) -> str:
    """A figure as a person reads it, with its unit."""
    if isinstance(value, dict) and set(value) == {"model"}:
        return str(value["model"])
    if isinstance(value, dict):
        inner = vocabulary.classes[word.kind]
        return ", ".join(f"{name} {display_figure(vocabulary, inner[name], one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(display_figure(vocabulary, word, one) for one in value)
    if is_number(value) and word.kind in vocabulary.units:
        return vocabulary.units.format(value, word.kind, digits=6)
    return spell_value(value)
