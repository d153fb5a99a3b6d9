"""What facts rest on that no design states and no source gives: defaults of the language, taken where a word is left out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from designlint.graph.subjects import Subject

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.language.vocabulary import Vocabulary


def assumptions(places: Iterable[tuple[Subject, str]], vocabulary: Vocabulary) -> list[tuple[Subject, str]]:
    """
    The defaults that facts at these places follow from, each once, the nearest first.

    A part that exists by default is none, since nothing is known of it; nor is a default that says what a word means.
    """
    found: list[tuple[Subject, str]] = []
    waiting, seen = list(places), set[tuple[Subject, str]]()
    for subject, word in waiting:
        origin = subject.origins.get(word)
        if origin is None or (subject, word) in seen:
            continue
        seen.add((subject, word))
        if origin.how == "default" and is_assumed(subject, word, vocabulary):
            found.append((subject, word))
        waiting += origin.inputs
    return found


def is_assumed(subject: Subject, name: str, vocabulary: Vocabulary) -> bool:
    """Whether a default says more than what its word means, and could change something."""
    word = vocabulary.classes[subject.cls][name]
    if word.defines or isinstance(subject.facts[name], Subject):
        return False
    if word.settled_by and any(
        one is not None and one.facts.get(word.settled_by) is True for one in (subject, subject.owner)
    ):
        return False
    if subject.owner is None:
        return True
    if not word.idle_without:
        return True
    path = vocabulary.path(subject.owner.cls, word.idle_without)
    ends = subject.owner.follow(path) if path else ()
    return any(one.facts.get(last, 1) != 1 for one, last in ends)


@lru_cache(maxsize=4)
def deciding(vocabulary: Vocabulary) -> frozenset[str]:
    """The words that decide whether a default is assumed."""
    words = [word for known in vocabulary.classes.values() for word in known.values()]
    found = {word.settled_by for word in words} | {word.idle_without.rpartition("/")[2] for word in words}
    return frozenset(found - {""})
