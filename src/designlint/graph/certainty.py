"""What a fact of a design is: exact where it is stated or calculated so, else a bound or an estimate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.language.kinds import exact

if TYPE_CHECKING:
    from designlint.graph.subjects import Subject
    from designlint.language.kinds import Kind
    from designlint.language.vocabulary import Vocabulary


def certainty(subject: Subject, word: str, vocabulary: Vocabulary) -> Kind:
    """What a fact is; a fact that is followed is what it leads to is."""
    origin, stated = subject.origins.get(word), vocabulary.classes[subject.cls].get(word)
    if origin is None or stated is None or origin.how not in ("derived", "followed"):
        return exact
    if origin.how == "followed" and len(origin.inputs) == 1:
        end, last = origin.inputs[0]
        return certainty(end, last, vocabulary)
    return stated.certainty
