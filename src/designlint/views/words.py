"""The words of the design language as a person looks them up: a class whole, else the words that match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.configuration import engine
from designlint.language.reference import holds
from designlint.language.values import nearest
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word

#: Words of a search that are listed.
MOST = 60


def text(sought: Sequence[str]) -> str:
    """A class with its words, or the words that match; all classes where nothing is sought. Raises UsageError."""
    vocabulary = engine.shipped_engine().vocabulary
    if not sought:
        return "\n".join(
            f"{name}: {told}" for name, told in sorted(vocabulary.comments.items()) if name in vocabulary.classes
        )
    name = next((one for one in vocabulary.classes if [one.lower()] == [word.lower() for word in sought]), None)
    if name is not None:
        return "\n".join([f"{name}: {vocabulary.comments[name]}", *_class(vocabulary, name)])
    found = list(dict.fromkeys(_matching(vocabulary, sought)))
    if not found:
        known = sorted({*vocabulary.classes, *(word for words in vocabulary.classes.values() for word in words)})
        near = nearest(" ".join(sought), known)
        hint = f"; near it: {', '.join(near)}" if near else ""
        raise UsageError(f"no word matches {' '.join(sought)}{hint}")
    more = [f"... and {len(found) - MOST} more"] if len(found) > MOST else []
    return "\n".join([*found[:MOST], *more])


def _class(vocabulary: Vocabulary, name: str) -> Iterator[str]:
    """The words that a design writes of a class, then those that are computed."""
    words = vocabulary.classes[name].values()
    yield from (f"  {_line(vocabulary, one)}" for one in words if one.written)
    yield from (f"  {_line(vocabulary, one)}" for one in words if not one.written)


def _matching(vocabulary: Vocabulary, sought: Sequence[str]) -> Iterator[str]:
    """The words of that name; where there is none, those whose name, class, meaning or values have every word sought."""
    every = [
        (cls, one) for cls, words in sorted(vocabulary.classes.items()) for one in words.values() if one.owner == cls
    ]
    named = [(cls, one) for cls, one in every if [one.name] == list(sought)]
    for cls, one in named or every:
        said = f"{cls} {one.name} {one.comment} {' '.join(map(str, one.allowed or ()))}".lower()
        if named or all(word.lower() in said for word in sought):
            yield f"{cls}/{_line(vocabulary, one)}"


def _line(vocabulary: Vocabulary, one: Word) -> str:
    if not one.written:
        unit = vocabulary.units.symbol(one.kind) or one.kind
        return f"{one.name} (computed, {unit}): {one.comment}"
    example = f" Example: {one.example}" if one.example else ""
    required = ", required" if one.required else ""
    return f"{one.name} ({holds(one).replace('`', '')}{required}): {one.comment}{example}"
