"""What a phrase says by the words of a part: `rail-optimized leaf-spine` is the kind of a topology and a property of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.graph.fitting import meaningful, pieces_of
from designlint.language.suggestions import fold_name, known_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word

#: A number before what it counts, or behind: `3-tier`, `tp8`, `TP=8`.
COUNTING = (
    re.compile(r"(?P<count>[1-9]\d{0,3})[- ](?P<one>[a-z]+)", re.IGNORECASE),
    re.compile(r"(?P<one>[a-z]+)[=:-]?(?P<count>[1-9]\d{0,3})", re.IGNORECASE),
)
LONGEST = 120


def words_in(vocabulary: Vocabulary, cls: str, text: str) -> dict[str, str]:
    """The words of a class with the values that a phrase gives them; empty where a piece of it is not understood for sure."""
    rest = meaningful(vocabulary, pieces_of(text[:LONGEST]))
    told: dict[str, str] = {}
    unread: list[str] = []
    while rest:
        for length in range(len(rest), 0, -1):
            if facts := _facts(vocabulary, cls, " ".join(rest[:length])):
                break
        if any(told.get(name, value) != value for name, value in facts.items()):
            return {}
        told |= facts
        unread += [] if facts else rest[:1]
        rest = rest[length:]
    return told if all(_begins(one, told.values()) for one in unread) else {}


def _facts(vocabulary: Vocabulary, cls: str, text: str) -> dict[str, str]:
    """What a name says: the value of a closed set of one word, that a property is there, or how many of something there are."""
    if counted := next(filter(None, (form.fullmatch(text) for form in COUNTING)), None):
        found = [one for one in _find_words(vocabulary, cls, counted["one"]) if one.kind == "Count"]
        if found:
            return {found[0].name: counted["count"]} if len(found) == 1 else {}
    values = {one.name: value for one in vocabulary.classes[cls].values() if (value := _value(one, text))}
    flags = [one.name for one in _find_words(vocabulary, cls, text) if one.kind == "Flag"]
    return (values | dict.fromkeys(flags, "true")) if len(values) < 2 and len(flags) < 2 else {}


def _find_words(vocabulary: Vocabulary, cls: str, name: str) -> list[Word]:
    return [vocabulary.classes[cls][one] for one in known_words(vocabulary, cls, name)]


def _value(word: Word, text: str) -> str | None:
    """The value of a word's closed set that has this name, or that people call so."""
    if word.form != "value" or not word.written or not word.allowed:
        return None
    name = fold_name(text)
    return word.synonyms.get(name) or next((str(one) for one in word.allowed if fold_name(str(one)) == name), None)


def _begins(piece: str, values: Iterable[str]) -> bool:
    """Whether a piece only says again how one of the values begins: `NDR InfiniBand`."""
    return any(fold_name(one).startswith(f"{fold_name(piece)}_") for one in values)
