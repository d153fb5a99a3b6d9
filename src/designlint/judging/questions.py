"""What a question about every number is made of, and how its answers name a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from designlint.language.values import is_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from designlint.graph.subjects import Graph, Subject
    from designlint.language.vocabulary import Vocabulary
    from designlint.rules.rule import CompiledRule


class WordFault(Struct, frozen=True):
    """What is wrong with one word of a subject; `values` are the words of the message."""

    subject: Subject
    word: str
    values: dict[str, Any]


#: What a question answers about one subject, and about no other; None for a number that is as it should be.
Answers: TypeAlias = "Iterator[WordFault | None]"


class Question(Struct, frozen=True):
    """
    A question that is asked of every number.

    Attributes:
        words: the words that it asks about, by class, each with what it is compared with.
        reads: the ways from the subject to what else decides the answer about a word, from what that is compared with.
        ask: the answers about some words of one subject.
    """

    words: Callable[[Vocabulary], Mapping[str, Mapping[str, Any]]]
    reads: Callable[[Any], Iterable[tuple[str, ...]]]
    ask: Callable[[CompiledRule, Subject, Mapping[str, Any], Graph], Answers]


def stated_words(subject: Subject, words: Mapping[str, Any]) -> Iterator[str]:
    """Those of some words that the design states of a subject."""
    return (name for name in words if name in subject.facts and _is_stated(subject, name))


def _is_stated(subject: Subject, name: str) -> bool:
    origin = subject.origins.get(name)
    return origin is not None and origin.how == "stated"


def text(subject: Subject, name: str, value: Any, vocabulary: Vocabulary) -> str:
    """A stated value as its file spells it; in its unit where it was changed since."""
    word, units, node = vocabulary.classes[subject.cls][name], vocabulary.units, subject.keys.get(name)
    spelt = node.text if node is not None and node.kind == "scalar" else ""
    if not is_number(value):
        return spelt or display_fact(value, word.kind, vocabulary)
    same = spelt and units.parse(spelt, word.kind) == value
    return spelt if same else units.like(value, word.kind, spelt or word.example)


def display_fact(fact: Any, kind: str, vocabulary: Vocabulary) -> str:
    """A fact as a message names it."""
    from designlint.rules.wording import plain

    return plain(fact, kind, vocabulary.units)
