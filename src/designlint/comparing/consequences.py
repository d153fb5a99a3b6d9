"""What follows from a change: numbers that rules compare with a limit, and how much room they leave now."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.graph.subjects import Subject
from designlint.language.units import NOISE
from designlint.rules.wording import plain

if TYPE_CHECKING:
    from designlint.design.design import Design
    from designlint.findings.model import Margin
    from designlint.judging.result import Result

#: A node and a word of it, or a rule and what it judges.
Place = tuple[str, str]


class Consequence(NamedTuple):
    """
    A fact that follows and that rules judge.

    Attributes:
        rule: the judgement nearest to its limit that reads it, and its margin on both sides.
    """

    subject: str
    word: str
    before: str
    after: str
    rule: str
    margin_before: Margin | None
    margin: Margin | None


def says(design: Design, subject: Subject, word: str) -> bool:
    """Whether a file states a word of a subject, and it is no part of its own."""
    form = design.engine.vocabulary.classes[subject.cls][word].form
    return word in subject.keys and form not in ("part", "parts") and _is_stated(subject, word)


def _is_stated(subject: Subject, word: str) -> bool:
    """Whether a word is not filled in from elsewhere; what is misspelt is stated all the same, though no fact."""
    return word not in subject.origins or subject.origins[word].how == "stated"


def spell_fact(design: Design, subject: Subject, word: str) -> str:
    """A fact as the file spells it, else as messages print it; empty where it is unknown."""
    node, fact = subject.keys.get(word), subject.facts.get(word)
    if node is not None and node.kind == "scalar" and _is_stated(subject, word):
        return node.text
    if fact is None:
        return ""
    vocabulary = design.engine.vocabulary
    kind = vocabulary.classes[subject.cls][word].kind
    return ", ".join(plain(one, kind, vocabulary.units) for one in (fact if isinstance(fact, list) else [fact]))


class _Margins(NamedTuple):
    """
    The judgements of one side that have a margin, the tightest of each rule and subject.

    Attributes:
        readers: by fact, the judgements that compare it.
    """

    margins: dict[Place, Margin]
    readers: dict[Place, list[Place]]


def _judge_margins(result: Result) -> _Margins:
    margins: dict[Place, Margin] = {}
    readers: dict[Place, list[Place]] = {}
    subjects, rules = result.design.graph.subjects, result.design.engine.rules
    for one in result.outcomes:
        key = one.rule, one.subject
        if one.margin is None or (key in margins and margins[key].room <= one.margin.room):
            continue
        margins[key] = one.margin
    for (rule, path), margin in margins.items():
        paths = rules[rule].paths
        # What a rule computes itself has no name that a reader knows; the facts that it is computed from have.
        for name in (margin.name, margin.against) if margin.name in paths else paths:
            for subject, word in subjects[path].follow(tuple(paths[name])) if name in paths else ():
                readers.setdefault(_source(subject, word), []).append((rule, path))
    return _Margins(margins, readers)


def _source(subject: Subject, word: str) -> Place:
    """Where a fact that was only handed on comes from."""
    while word in subject.facts and (origin := subject.origins[word]).how == "followed" and len(origin.inputs) == 1:
        subject, word = origin.inputs[0]
    return subject.path, word


def of(old: Result, new: Result) -> list[Consequence]:
    before, after = _judge_margins(old), _judge_margins(new)
    found: dict[Place, tuple[Place, Consequence]] = {}
    for place in sorted(before.readers.keys() | after.readers.keys()):
        texts = _differing(old, new, place)
        keys = sorted({*before.readers.get(place, ()), *after.readers.get(place, ())})
        told = [(before.margins.get(key), after.margins.get(key), key) for key in keys]
        told = [one for one in told if any(margin is not None and abs(margin.room) > NOISE for margin in one[:2])]
        if texts is not None and told:
            first, second, key = min(told, key=lambda one: _weight(*one[:2]))
            found[place] = key, Consequence(*place, *texts, key[0], first, second)
    graphs = old.design.graph.subjects, new.design.graph.subjects
    behind = {
        (key, source)
        for (path, word), (key, _) in found.items()
        for graph in graphs
        for source in _sources(graph.get(path), word)
    }
    last = [one for place, (key, one) in found.items() if (key, place) not in behind]
    return sorted(last, key=lambda one: _weight(one.margin_before, one.margin))


def _differing(old: Result, new: Result, place: Place) -> tuple[str, str] | None:
    """A number before and after, where it follows on both sides and differs as messages print it."""
    path, word = place
    one, other = old.design.graph.subjects.get(path), new.design.graph.subjects.get(path)
    if one is None or other is None or says(old.design, one, word) or says(new.design, other, word):
        return None
    fact = other.facts.get(word, one.facts.get(word))
    number = not isinstance(fact, bool | str | Subject | list)
    texts = spell_fact(old.design, one, word), spell_fact(new.design, other, word)
    return texts if number and texts[0] != texts[1] else None


def _sources(subject: Subject | None, word: str) -> set[Place]:
    """All facts that a fact came from."""
    found: set[Place] = set()
    waiting = [] if subject is None or word not in subject.facts else list(subject.origins[word].inputs)
    while waiting:
        one, name = waiting.pop()
        if (one.path, name) not in found:
            found.add((one.path, name))
            waiting += one.origins[name].inputs
    return found


def _weight(before: Margin | None, after: Margin | None) -> tuple[bool, bool, float]:
    """What sorts the weightiest first: a verdict that turns, a room that is known on both sides, then the least room."""
    rooms = [one.room for one in (before, after) if one is not None]
    turns = len(rooms) == 2 and (rooms[0] < 0) is not (rooms[1] < 0)
    return not turns, len(rooms) < 2, min(rooms)
