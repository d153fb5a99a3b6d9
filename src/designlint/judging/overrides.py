"""Figures of named parts that a design states itself, held against those of the catalogue."""

from __future__ import annotations

from functools import cache
from math import inf, prod
from typing import TYPE_CHECKING, Any

from designlint.judging.questions import WordFault, display_fact, stated_words, text
from designlint.language.values import is_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from designlint.graph.subjects import Graph, Subject
    from designlint.judging.questions import Answers
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word
    from designlint.rules.rule import CompiledRule

#: A class of the catalogue, and the way from its part to a figure.
Way = tuple[str, tuple[str, ...]]


def compare_catalogue(rule: CompiledRule, subject: Subject, words: Mapping[str, Any], graph: Graph) -> Answers:
    """Whether the figures that a design states beside a catalogue name are those of the part."""
    limits, vocabulary = rule.limits, graph.vocabulary
    for name, figure, entry in _overridden(subject, words, vocabulary, limits["divided"]):
        latitude = vocabulary.classes[subject.cls][name].latitude
        off = _deviation(subject, name, figure, vocabulary)
        exact = vocabulary.classes[subject.cls][name].kind == "Count" and figure < limits["exact"]
        at_fault = off > (0 if exact else limits["slack"]) and not (latitude == "fixed" and off >= limits["factor"] - 1)
        yield _override(subject, name, figure, entry, vocabulary) if at_fault else None


def impossible(rule: CompiledRule, subject: Subject, words: Mapping[str, Any], graph: Graph) -> Answers:
    """Whether a figure that a part is known by is, but for variants sold under its name, that of the part."""
    vocabulary = graph.vocabulary
    for name, figure, entry in _overridden(subject, words, vocabulary, rule.limits["divided"]):
        if vocabulary.classes[subject.cls][name].latitude == "fixed":
            at_fault = _deviation(subject, name, figure, vocabulary) >= rule.limits["factor"] - 1
            yield _override(subject, name, figure, entry, vocabulary) if at_fault else None


@cache
def figures(vocabulary: Vocabulary) -> dict[Way, dict[str, Any]]:
    """The figures of all parts by class, by the way to them, and by part."""
    found: dict[Way, dict[str, Any]] = {}
    for cls, entries in vocabulary.catalog.items():
        for name, entry in entries.items():
            for path, figure in _flat(entry["figures"]):
                found.setdefault((cls, path), {})[name] = figure
    return found


def _flat(figures: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, figure in figures.items():
        if isinstance(figure, dict):
            yield from (((name, *path), one) for path, one in _flat(figure))
        else:
            yield (name,), figure


@cache
def words(vocabulary: Vocabulary) -> dict[str, dict[str, list[Way]]]:
    """The words of figures that a buyer does not choose, by the class that has them, with the ways to them."""
    found: dict[str, dict[str, list[Way]]] = {}
    for cls, path in figures(vocabulary):
        owner, word = describe_word(vocabulary, cls, path)
        if word.latitude != "chosen":
            found.setdefault(owner, {}).setdefault(word.name, []).append((cls, path))
    return found


def describe_word(vocabulary: Vocabulary, cls: str, path: tuple[str, ...]) -> tuple[str, Word]:
    """The class that has the word at the end of a way, and the word."""
    for step in path[:-1]:
        cls = vocabulary.classes[cls][step].kind
    return cls, vocabulary.classes[cls][path[-1]]


def reads(_: list[Way]) -> Iterator[tuple[str, ...]]:
    """Nothing else decides: the name of a part never changes in place."""
    return iter(())


def port_divisions(most: float) -> list[int]:
    """Into how many ports hardware divides one that it divides into so many at most: each time into halves."""
    return [2**halvings for halvings in range(1, int(most).bit_length())]


def _overridden(
    subject: Subject, words: Mapping[str, Any], vocabulary: Vocabulary, divided: float
) -> Iterator[tuple[str, Any, str]]:
    """
    The figures that a design states itself, each with that of the catalogue and the entry that has it.

    Args:
        divided: ports that hardware makes of one at most.
    """
    for name in stated_words(subject, words):
        for cls, path in words[name]:
            owner = _owner(subject, path)
            model = None if owner is None or cls not in owner.kinds else owner.facts.get("model")
            part: Any = vocabulary.catalog[cls].get(model, {}).get("figures") if isinstance(model, str) else None
            for step in path[:-1]:
                part = part.get(step) if isinstance(part, dict) else None
            figure = part.get(path[-1]) if isinstance(part, dict) else None
            if figure is not None:
                split = _is_split(subject, name, part, vocabulary, divided)
                yield name, subject.facts[name] if split else figure, str(model)


def _is_split(subject: Subject, name: str, part: Mapping[str, Any], vocabulary: Vocabulary, divided: float) -> bool:
    """Whether the figure is, or may be, that of the part divided otherwise: twice the ports at half the rate."""
    other = vocabulary.classes[subject.cls][name].splits
    figures: list[list[Any]] = [[facts.get(one) for one in (name, other)] for facts in (subject.facts, part)]
    if not other or not all(is_number(one) for pair in figures for one in pair):
        return False
    if not any(stated_words(subject, {other: None})):
        return _deviation(subject, name, part[name], vocabulary) + 1 in port_divisions(divided)
    return bool(prod(figures[0]) == prod(figures[1]))


def _owner(subject: Subject, path: tuple[str, ...]) -> Subject | None:
    """The subject from which a way leads to a word of this one; None where there is none."""
    owner: Subject | None = subject
    for step in reversed(path[:-1]):
        if owner is None or owner.owner is None or owner.owner.facts.get(step) is not owner:
            return None
        owner = owner.owner
    return owner


def _deviation(subject: Subject, name: str, figure: Any, vocabulary: Vocabulary) -> float:
    """By which share the larger of the stated and the catalogue's figure exceeds the other; of other values 0 or infinity."""
    own: Any = subject.facts.get(name)
    word = vocabulary.classes[subject.cls][name]
    if is_number(own) and is_number(figure):
        least, most = sorted((abs(own), abs(figure)))
        return most / least - 1 if least else float(most > 0) * inf
    if word.form == "catalog" and isinstance(own, str):
        ours, other = (vocabulary.catalogue_name(word.kind, str(one)) for one in (own, figure))
        return inf if ours and other and ours != other else 0
    return 0


def _override(subject: Subject, name: str, figure: Any, entry: str, vocabulary: Vocabulary) -> WordFault:
    kind, spelt = vocabulary.classes[subject.cls][name].kind, text(subject, name, subject.facts.get(name), vocabulary)
    exact = vocabulary.units.like(figure, kind, spelt) if is_number(figure) else str(figure)
    told = {
        "word": name,
        "value": spelt,
        "entry": entry,
        "figure": display_fact(figure, kind, vocabulary),
        "exact": exact,
    }
    return WordFault(subject, name, told)
