"""What hover and completion say about words, values and catalogue entries, in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.language.reference import figures, holds
from designlint.language.values import spell_value

if TYPE_CHECKING:
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word


def meaning(word: Word, owner: str, vocabulary: Vocabulary) -> str:
    """A word of a class: what it holds, what it means, its unit, bounds, default and an example."""
    told = [
        ("unit", vocabulary.units.symbol(word.kind) if word.kind in vocabulary.units else ""),
        ("at least", _number(word, word.least, vocabulary)),
        ("at most", _number(word, word.most, vocabulary)),
        ("default", "" if word.default is None else spell_value(word.default)),
        ("example", word.example),
    ]
    facts = " · ".join(f"{name} `{text}`" for name, text in told if text)
    return "\n\n".join(filter(None, (f"**{word.name}** of {owner}: {holds(word)}", word.comment, facts)))


def entry(kind: str, name: str, vocabulary: Vocabulary) -> str:
    """A catalogue entry with its figures and their sources."""
    found = vocabulary.catalog[kind][name]
    return "\n".join([f"**{name}**: {found['label']}\n", *(f"- {line}" for line in figures(vocabulary, kind, found))])


def catalogue_class(word: Word, vocabulary: Vocabulary) -> str:
    """The class whose catalogue entries are values of a word; empty where none are."""
    if word.form == "catalog":
        return word.kind
    model = vocabulary.classes.get(word.kind, {}).get("model") if word.form == "part" else None
    return word.kind if model is not None and model.form == "catalog" else ""


def _number(word: Word, value: float | None, vocabulary: Vocabulary) -> str:
    return "" if value is None else vocabulary.units.like(value, word.kind, word.example)
