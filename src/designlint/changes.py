"""What a change of a design means in its own terms: what it states, what follows, what rules say now that they did not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from designlint.graph.subjects import Subject
from designlint.judging import WORST, simple
from designlint.model import Severity, Verdict
from designlint.rules import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.model import Finding, Margin, Outcome
    from designlint.pipeline import Result

Place = tuple[str, str]
#: Rooms that differ by less are the same: figures are kept to twelve digits.
SLIGHT = 1e-9
#: Values that are told of a part which is wholly new, or gone.
MOST_WORDS = 4
#: What can become of a finding, in the order in which it is told.
TURNS = ("introduced", "worse", "fixed", "better")


class Statement(NamedTuple):
    """A value that one side states and the other does not, or otherwise; a whole part has no word. Empty is not stated."""

    subject: str
    word: str
    before: str
    after: str


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


class Turn(NamedTuple):
    """A finding that the change concerns: the new one or, where it is `fixed`, the old one."""

    how: str
    finding: Finding
    before: Margin | None = None


class Answer(NamedTuple):
    """A judgement that became known, or is known no longer."""

    rule: str
    subject: str
    before: Verdict
    after: Verdict


@dataclass(frozen=True, slots=True)
class Changes:
    """
    All that changed from one design to another.

    Attributes:
        file: the new design, or the old one where it is gone.
        whole: `added` or `removed` where there is only one side.
        consequences: the most important first: a verdict turned, then by how little room is left.
        kept: findings that are on both sides and no worse or better.
    """

    file: str
    whole: str
    statements: Sequence[Statement]
    consequences: Sequence[Consequence]
    turns: Sequence[Turn]
    answered: Sequence[Answer]
    unanswered: Sequence[Answer]
    kept: int

    @property
    def bad(self) -> list[Finding]:
        """The findings that the change introduces or makes worse."""
        return [one.finding for one in self.turns if one.how in ("introduced", "worse")]

    def __bool__(self) -> bool:
        return bool(
            self.whole or self.statements or self.consequences or self.turns or self.answered or self.unanswered
        )


def between(file: str, old: Result | None, new: Result | None) -> Changes:
    """The changes from one design to another, both judged with margins; None where there is no such design."""
    turns, kept = turned(old.findings if old else (), new.findings if new else ())
    whole = "added" if old is None else "removed" if new is None else ""
    statements: list[Statement] = []
    consequences: list[Consequence] = []
    if old is not None and new is not None:
        statements = list(_statements(old, new))
        consequences = _consequences(old, new)
    answers = list(_answers(old.outcomes if old else (), new.outcomes if new else ())) if not whole else []
    answered = [one for one in answers if one.before is Verdict.UNKNOWN]
    unanswered = [one for one in answers if one.after is Verdict.UNKNOWN]
    return Changes(file, whole, statements, consequences, turns, answered, unanswered, kept)


# -- findings


def turned(old: Sequence[Finding], new: Sequence[Finding]) -> tuple[list[Turn], int]:
    """The findings that came, went, or are worse or better; and how many are as they were."""
    known = {one.key: one for one in old}
    turns: list[Turn] = []
    for one in new:
        before = known.pop(one.key, None)
        how = "introduced" if before is None else moved(before.margin, one.margin)
        turns.append(Turn(how, one, None if before is None else before.margin))
    turns += [Turn("fixed", one) for one in known.values()]
    told = [one for one in turns if one.how]
    told.sort(key=lambda one: (TURNS.index(one.how), list(Severity).index(one.finding.severity)))
    return told, len(turns) - len(told)


def moved(before: Margin | None, after: Margin | None) -> str:
    """Whether a finding is `worse` or `better` by its margin; empty where it is as it was."""
    if before is None or after is None or abs(after.room - before.room) < SLIGHT:
        return ""
    return "worse" if after.room < before.room else "better"


# -- what is stated


def _statements(old: Result, new: Result) -> Iterator[Statement]:
    before, after = old.design.graph.subjects, new.design.graph.subjects
    for path in dict.fromkeys([*before, *after]):
        one, other = _written(before.get(path)), _written(after.get(path))
        if one is not None and other is not None:
            for word in dict.fromkeys([*one.facts, *other.facts]):
                yield from _restated(old, one, other, word)
        elif (gone := one or other) is not None and _written((after if one else before).get(_owner(gone))) is not None:
            said = _summary(old if one else new, gone)
            yield Statement(path, "", said if one else "", "" if one else said)


def _written(subject: Subject | None) -> Subject | None:
    """The subject, where a file states it."""
    return subject if subject is not None and subject.node is not None else None


def _owner(subject: Subject) -> str:
    return subject.owner.path if subject.owner is not None else ""


def _restated(result: Result, one: Subject, other: Subject, word: str) -> Iterator[Statement]:
    if not (_says(result, one, word) or _says(result, other, word)):
        return
    if simple(one.facts.get(word)) != simple(other.facts.get(word)):
        yield Statement(other.path, word, _text(result, one, word), _text(result, other, word))


def _says(result: Result, subject: Subject, word: str) -> bool:
    """Whether a file states a word of a subject, and it is no part of its own."""
    form = result.design.engine.vocabulary.classes[subject.cls][word].form
    return word in subject.keys and form not in ("part", "parts") and subject.origins[word].how == "stated"


def _summary(result: Result, subject: Subject) -> str:
    """The first values that a part states."""
    words = [word for word in subject.keys if word != "name" and word in subject.facts and _says(result, subject, word)]
    told = [f"{word} {_text(result, subject, word)}" for word in words]
    return ", ".join(told[:MOST_WORDS]) + (", ..." if len(told) > MOST_WORDS else "") or "stated"


def _text(result: Result, subject: Subject, word: str) -> str:
    """A fact as the file spells it, else as messages print it; empty where it is unknown."""
    node, fact = subject.keys.get(word), subject.facts.get(word)
    if fact is None:
        return ""
    if node is not None and node.kind == "scalar" and subject.origins[word].how == "stated":
        return node.text
    vocabulary = result.design.engine.vocabulary
    kind = vocabulary.classes[subject.cls][word].kind
    return ", ".join(plain(one, kind, vocabulary.units) for one in (fact if isinstance(fact, list) else [fact]))


# -- what follows


class _Judged(NamedTuple):
    """The judgements of one side that have a margin, and which facts each reads; the tightest where there are several."""

    margins: dict[Place, Margin]
    readers: dict[Place, list[Place]]


def _judged(result: Result) -> _Judged:
    margins: dict[Place, Margin] = {}
    readers: dict[Place, list[Place]] = {}
    subjects, rules = result.design.graph.subjects, result.design.engine.rules
    for one in result.outcomes:
        key = one.rule, one.subject
        if one.margin is None or (key in margins and margins[key].room <= one.margin.room):
            continue
        margins[key] = one.margin
        paths = rules[one.rule].paths
        sides = [name for name in (one.margin.name, one.margin.against) if name in paths]
        # Where neither side is a word, it is computed from those that the judgement reads.
        for name in sides if one.margin.name in paths else paths:
            for subject, word in subjects[one.subject].follow(tuple(paths[name])):
                readers.setdefault(_source(subject, word), []).append(key)
    return _Judged(margins, readers)


def _source(subject: Subject, word: str) -> Place:
    """Where a fact that was only handed on comes from."""
    while word in subject.facts and (origin := subject.origins[word]).how == "followed" and len(origin.inputs) == 1:
        subject, word = origin.inputs[0]
    return subject.path, word


def _consequences(old: Result, new: Result) -> list[Consequence]:
    before, after = _judged(old), _judged(new)
    found: dict[Place, tuple[Place, Consequence]] = {}
    for place in sorted(before.readers.keys() | after.readers.keys()):
        texts = _differing(old, new, place)
        keys = sorted({*before.readers.get(place, ()), *after.readers.get(place, ())})
        told = [(before.margins.get(key), after.margins.get(key), key) for key in keys]
        told = [one for one in told if any(margin is not None and abs(margin.room) > SLIGHT for margin in one[:2])]
        if texts is not None and told:
            first, second, key = min(told, key=lambda one: _weight(*one[:2]))
            found[place] = key, Consequence(*place, *texts, key[0], first, second)
    graph = new.design.graph.subjects
    behind = {(key, source) for place, (key, _) in found.items() for source in _sources(graph.get(place[0]), place[1])}
    last = [one for place, (key, one) in found.items() if (key, place) not in behind]
    return sorted(last, key=lambda one: _weight(one.margin_before, one.margin))


def _differing(old: Result, new: Result, place: Place) -> tuple[str, str] | None:
    """A number before and after, where it follows on both sides and differs as messages print it."""
    path, word = place
    one, other = old.design.graph.subjects.get(path), new.design.graph.subjects.get(path)
    if one is None or other is None or _says(old, one, word) or _says(new, other, word):
        return None
    texts = _text(old, one, word), _text(new, other, word)
    fact = other.facts.get(word, one.facts.get(word))
    return None if texts[0] == texts[1] or isinstance(fact, bool | str | Subject | list) else texts


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
    return not turns, len(rooms) < 2, rooms[-1]


# -- what became known


def _answers(old: Sequence[Outcome], new: Sequence[Outcome]) -> Iterator[Answer]:
    before, after = _verdicts(old), _verdicts(new)
    decided = (Verdict.PASS, Verdict.FAIL)
    for key in sorted(before.keys() & after.keys()):
        one, other = before[key], after[key]
        if (one is Verdict.UNKNOWN and other in decided) or (other is Verdict.UNKNOWN and one in decided):
            yield Answer(*key, one, other)


def _verdicts(outcomes: Sequence[Outcome]) -> dict[Place, Verdict]:
    found: dict[Place, Verdict] = {}
    for one in outcomes:
        key = one.rule, one.subject
        found[key] = min(one.verdict, found.get(key, one.verdict), key=WORST.index)
    return found
