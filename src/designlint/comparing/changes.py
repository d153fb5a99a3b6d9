"""What a change of a design means in its own terms: what it states, what follows, what rules say now that they did not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from designlint.comparing import consequences
from designlint.comparing.consequences import Consequence, Place, says, spell_fact
from designlint.findings.model import Verdict
from designlint.judging.judge import WORST, simple
from designlint.language.sentences import cut
from designlint.language.units import NOISE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.design.design import Design
    from designlint.findings.model import Finding, Margin, Outcome
    from designlint.graph.subjects import Subject
    from designlint.judging.result import Result

#: Values that are told of a part which is wholly new, or gone.
MOST_WORDS = 4
#: What can become of a finding, in the order in which it is told.
TURNS = ("introduced", "worse", "fixed", "better")


class ChangedStatement(NamedTuple):
    """A value that one side states and the other does not, or otherwise; a whole part has no word. Empty is not stated."""

    subject: str
    word: str
    before: str
    after: str


class FindingChange(NamedTuple):
    """A finding that the change concerns: the new one or, where it is `fixed`, the old one."""

    how: str
    finding: Finding
    before: Margin | None = None


class ChangedKnowledge(NamedTuple):
    """A judgement that became known, or is known no longer."""

    rule: str
    subject: str
    before: Verdict
    after: Verdict


class Changes(Struct, frozen=True):
    """
    All that changed from one design to another.

    Attributes:
        file: the new design, or the old one where it is gone.
        whole: `added` or `removed` where there is only one side.
        consequences: the most important first: a verdict changed, then by how little room is left.
        kept: findings that are on both sides and no worse or better.
    """

    file: str
    whole: str
    statements: Sequence[ChangedStatement]
    consequences: Sequence[Consequence]
    turns: Sequence[FindingChange]
    answered: Sequence[ChangedKnowledge]
    unanswered: Sequence[ChangedKnowledge]
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
    turns, kept = finding_changes(old.findings if old else (), new.findings if new else ())
    whole = "added" if old is None else "removed" if new is None else ""
    statements: list[ChangedStatement] = []
    follows: list[Consequence] = []
    if old is not None and new is not None:
        statements = list(changed_statements(old.design, new.design))
        follows = consequences.of(old, new)
    answers = list(_answers(old.outcomes if old else (), new.outcomes if new else ())) if not whole else []
    answered = [one for one in answers if one.before is Verdict.UNKNOWN]
    unanswered = [one for one in answers if one.after is Verdict.UNKNOWN]
    return Changes(file, whole, statements, follows, turns, answered, unanswered, kept)


# -- findings


def finding_changes(old: Sequence[Finding], new: Sequence[Finding]) -> tuple[list[FindingChange], int]:
    """The findings that came, went, or are worse or better; and how many are as they were."""
    known = {one.key: one for one in old}
    turns: list[FindingChange] = []
    for one in new:
        before = known.pop(one.key, None)
        how = "introduced" if before is None else margin_change(before.margin, one.margin)
        turns.append(FindingChange(how, one, None if before is None else before.margin))
    turns += [FindingChange("fixed", one) for one in known.values()]
    told = [one for one in turns if one.how]
    told.sort(key=lambda one: (TURNS.index(one.how), one.finding.severity.rank))
    return told, len(turns) - len(told)


def margin_change(before: Margin | None, after: Margin | None) -> str:
    """Whether a finding is `worse` or `better` by its margin; empty where it is as it was."""
    if before is None or after is None or abs(after.room - before.room) < NOISE:
        return ""
    return "worse" if after.room < before.room else "better"


# -- what is stated


def changed_statements(old: Design, new: Design) -> Iterator[ChangedStatement]:
    """What one design states and another does not, or otherwise."""
    before, after = old.graph.subjects, new.graph.subjects
    for path in dict.fromkeys([*before, *after]):
        one, other = _stated_subject(before.get(path)), _stated_subject(after.get(path))
        if one is not None and other is not None:
            for word in dict.fromkeys([*one.facts, *other.facts]):
                yield from _compare_statement(old, one, other, word)
        elif (gone := one or other) is not None and _stated_subject(
            (after if one else before).get(_owner(gone))
        ) is not None:
            said = _summary(old if one else new, gone)
            yield ChangedStatement(path, "", said if one else "", "" if one else said)


def _stated_subject(subject: Subject | None) -> Subject | None:
    """The subject, where a file states it."""
    return subject if subject is not None and subject.node is not None else None


def _owner(subject: Subject) -> str:
    return subject.owner.path if subject.owner is not None else ""


def _compare_statement(design: Design, one: Subject, other: Subject, word: str) -> Iterator[ChangedStatement]:
    if not (says(design, one, word) or says(design, other, word)):
        return
    if simple(one.facts.get(word)) != simple(other.facts.get(word)):
        yield ChangedStatement(other.path, word, spell_fact(design, one, word), spell_fact(design, other, word))


def _summary(design: Design, subject: Subject) -> str:
    """The first values that a part states."""
    words = [word for word in subject.keys if word != "name" and word in subject.facts and says(design, subject, word)]
    told = [f"{word} {spell_fact(design, subject, word)}" for word in words]
    return cut(told, MOST_WORDS) or "stated"


# -- what became known


def _answers(old: Sequence[Outcome], new: Sequence[Outcome]) -> Iterator[ChangedKnowledge]:
    before, after = _verdicts(old), _verdicts(new)
    decided = (Verdict.PASS, Verdict.FAIL)
    for key in sorted(before.keys() & after.keys()):
        one, other = before[key], after[key]
        if (one is Verdict.UNKNOWN and other in decided) or (other is Verdict.UNKNOWN and one in decided):
            yield ChangedKnowledge(*key, one, other)


def _verdicts(outcomes: Sequence[Outcome]) -> dict[Place, Verdict]:
    found: dict[Place, Verdict] = {}
    for one in outcomes:
        key = one.rule, one.subject
        found[key] = min(one.verdict, found.get(key, one.verdict), key=WORST.index)
    return found
