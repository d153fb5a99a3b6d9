"""
Changes of single facts, tried on the graph of a design in place: only what depends on them is calculated and judged again.

What changes more than facts (a part, a name, another catalogue entry, a file of its own text) is no such change, and is
tried on a copy of the files, see `designlint.fixes.proof`. The tests hold both against each other.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.findings.model import Verdict
from designlint.fixes.weighing import weighed
from designlint.graph.incremental import Dependencies, Place, statement
from designlint.judging import findings, sweeps
from designlint.judging.asking import judge, judge_again
from designlint.judging.joins import Joins
from designlint.reading import read_bytes
from designlint.rules.engine import read_by

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from designlint.findings.model import Finding, Margin, Severity
    from designlint.fixes.repairs import Repair
    from designlint.fixes.weighing import Weight
    from designlint.graph.incremental import Statement
    from designlint.graph.subjects import Fact, Subject
    from designlint.judging.judge import Judged
    from designlint.judging.judgement import Judgement
    from designlint.reading import Node
    from designlint.reading.location import Location
    from designlint.rules.engine import Engine
    from designlint.rules.rule import CompiledRule


class Failure(Struct, frozen=True, dict=True):
    """A judgement that fails then, as far as it is weighed: a finding without a word of it, read while the change holds."""

    judgement: Judgement
    engine: Engine

    @property
    def rule(self) -> str:
        """The id of the rule that is broken."""
        return self.judgement.rule.id

    @property
    def subject(self) -> str:
        """The path of what is at fault."""
        return self.judgement.subject.path

    @cached_property
    def key(self) -> tuple[str, str, str]:
        """What names it, as it names the finding."""
        return findings.key(self.judgement, self.engine)

    @cached_property
    def severity(self) -> Severity:
        """How bad it is."""
        return findings.severity(self.judgement, self.engine)

    @property
    def margin(self) -> Margin | None:
        """How far it lies beyond its limit."""
        return self.judgement.margin(self.engine.vocabulary.units)

    @cached_property
    def location(self) -> Location:
        """Where it is found."""
        return findings.location(self.judgement)


class Changed(Struct, dict=True):
    """
    What a change of facts does; it is asked while the change holds.

    Attributes:
        before: the findings that it may have touched.
        answers: what was asked again says then.
        single: the rules and subjects that were asked again; `whole` the rules that were asked of all subjects.
    """

    engine: Engine
    before: list[Finding]
    answers: list[Judgement]
    single: Collection[tuple[str, str]] = ()
    whole: frozenset[str] = frozenset()

    @cached_property
    def failures(self) -> list[Failure]:
        """What fails then of what it may have touched."""
        return [Failure(one, self.engine) for one in self.answers if one.verdict is Verdict.FAIL]

    @cached_property
    def after(self) -> list[Finding]:
        """The findings that it may have touched as they are then."""
        return [findings.of_judgement(one.judgement, self.engine) for one in self.failures]

    @cached_property
    def asked(self) -> frozenset[tuple[str, str]]:
        """The rules and subjects that were asked again."""
        return frozenset(self.single)

    @cached_property
    def verdicts(self) -> dict[tuple[str, str], Verdict]:
        """The verdicts that were given again, by rule and subject; the worst where there are several."""
        return _worst(self.answers)

    def weighed(self, mended: Sequence[Finding]) -> Weight:
        """What it comes to where it is made for some findings."""
        rules = {one.rule for one in mended}
        verdicts = _worst(one for one in self.answers if one.rule.id in rules)
        return weighed(self.before, self.failures, mended, verdicts)


def _worst(answers: Iterable[Judgement]) -> dict[tuple[str, str], Verdict]:
    found: dict[tuple[str, str], Verdict] = {}
    for one in answers:
        key = one.rule.id, one.subject.path
        found[key] = min(one.verdict, found.get(key, one.verdict), key=WORST.index)
    return found


@lru_cache(maxsize=64)  # alike jobs are mended alike
def _read(value: str) -> Node | None:
    """A value as YAML reads it."""
    return read_bytes(value.encode(), "value").root


#: The worst first.
WORST = (Verdict.FAIL, Verdict.UNKNOWN, Verdict.PASS, Verdict.NOT_APPLICABLE)


class FactTrials:
    """
    Trials on one judged design.

    Args:
        rules: the rules that are asked again; all of them where it is None.
        shown: the words that somebody reads besides; where it is None, all facts follow again.
    """

    def __init__(
        self, judged: Judged, rules: Collection[str] | None = None, shown: Collection[str] | None = None
    ) -> None:
        self.judged, self.design, self._shown = judged, judged.design, shown
        every = self.design.engine.rules
        self._last: dict[str, tuple[frozenset[tuple[int, str, str]], list[Judgement]]] = {}
        self._own: dict[tuple[str, str], list[CompiledRule]] = {}
        self._away: dict[str, dict[tuple[Subject, str], list[tuple[CompiledRule, Subject]]]] = {}
        self.rules = [one for name, one in every.items() if rules is None or name in rules]

    @cached_property
    def dependencies(self) -> Dependencies:
        """What each fact is read by."""
        plan, wanted = self.design.engine.plan, None
        if self._shown is not None:
            wanted = plan.needed({*self._shown, *(word for rule in self.rules for word in rule.words)})
        return Dependencies(plan, self.design.graph, wanted)

    @cached_property
    def reading(self) -> dict[str, list[tuple[CompiledRule, str, tuple[str, ...]]]]:
        """The rules that are conditions by the words that they read, see `Engine.reading`."""
        engine = self.design.engine
        return engine.reading if len(self.rules) == len(engine.rules) else read_by(self.rules)

    def _reading(self, word: str) -> Iterator[tuple[CompiledRule, str, tuple[str, ...]]]:
        """The ways by which rules that are no queries read a word."""
        yield from self.reading.get(word, ())
        for rule in self._sweeps:
            ways = sweeps.reading(rule.sweep, self.design.engine.vocabulary)
            yield from ((rule, cls, path) for cls, path in ways.get(word, ()))

    def _again(self, places: Iterable[Place]) -> dict[tuple[str, str], tuple[CompiledRule, Subject]]:
        """The judgements that read some places, of rules that are no queries, by rule and subject."""
        found: dict[tuple[str, str], tuple[CompiledRule, Subject]] = {}
        for place in places:
            subject, word = place
            own = self._own.get((subject.cls, word))
            if own is None:
                ways = self._reading(word)
                own = self._own[subject.cls, word] = [
                    rule for rule, cls, path in ways if len(path) == 1 and cls in subject.kinds
                ]
            for rule in own:
                found[rule.id, subject.path] = rule, subject
            away = self._away.get(word)
            if away is None:
                away = self._away[word] = self._reading_away(word)
            for rule, one in away.get(place, ()):
                found[rule.id, one.path] = rule, one
        return found

    def _reading_away(self, word: str) -> dict[tuple[Subject, str], list[tuple[CompiledRule, Subject]]]:
        """Those that read a word of another subject, by what they read."""
        found: dict[tuple[Subject, str], list[tuple[CompiledRule, Subject]]] = {}
        for rule, cls, path in self._reading(word):
            for subject, end in self.dependencies.ends(cls, path) if len(path) > 1 else ():
                found.setdefault((end, word), []).append((rule, subject))
        return found

    @cached_property
    def _sweeps(self) -> list[CompiledRule]:
        """The rules that ask about all numbers."""
        return [one for one in self.rules if one.sweep]

    @cached_property
    def joins(self) -> list[CompiledRule]:
        """The rules that join several subjects."""
        return [one for one in self.rules if one.select]

    @cached_property
    def _apart(self) -> Joins:
        """Those of them that can be asked of some subjects alone."""
        return Joins(self.design.judged, self.joins)

    def of(self, repairs: Sequence[Repair]) -> Changed | None:
        """What repairs would do, with the findings as they were then; None where they change more than facts."""
        statements = self.statements(repairs)
        if statements is None:
            return None
        with self.stated(statements) as changed:
            _ = changed.after
            return changed

    def weighed(self, repairs: Sequence[Repair], mended: Sequence[Finding]) -> Weight | None:
        """What repairs come to that would mend some findings; None where they change more than facts."""
        statements = self.statements(repairs)
        if statements is None:
            return None
        with self.stated(statements) as changed:
            return changed.weighed(mended)

    def statements(self, repairs: Sequence[Repair]) -> list[Statement] | None:
        """Repairs as facts; None where they change more than facts."""
        if self.design.bases or self.design.problems:
            return None
        changes = [one for repair in repairs for one in repair.changes]
        if any(placed.also for repair in repairs for placed in repair.placed):
            return None
        found = [self._statement(one.path, one.value) for one in changes]
        return None if not found or any(one is None for one in found) else [one for one in found if one is not None]

    def _statement(self, path: str, value: str | None) -> Statement | None:
        node = None if value is None else _read(value)
        return None if node is None and value is not None else statement(self.design.graph, path, node)

    @contextmanager
    def stated(self, statements: Iterable[Statement]) -> Iterator[Changed]:
        """The graph as it would be with these facts, and what that changes; afterwards all is as before."""
        with self.dependencies.stated(statements) as facts:
            words = {place.word for place in facts}
            again = self._again(facts)
            joins = [one for one in self.joins if not words.isdisjoint(one.words)]
            answers = [one for rule, subject in again.values() for one in judge_again(rule, subject, self.design.graph)]
            parts, rest = self._apart.again([one for one in joins if one in self._apart], facts)
            rest += [one for one in joins if one not in self._apart and one not in rest]
            answers += [one for part in parts for one in part.answers] + self._joined(rest, facts)
            touched = {*again, *((part.rule.id, subject.path) for part in parts for subject in part.subjects)}
            whole = frozenset(rule.id for rule in rest)
            before = [one for one in self.judged.findings if one.rule in whole or (one.rule, one.subject) in touched]
            yield Changed(self.design.engine, before, answers, touched, whole)

    def _joined(self, joins: Sequence[CompiledRule], facts: Mapping[Place, Fact | None]) -> list[Judgement]:
        """The answers of rules that join subjects; one whose facts are as in the trial before says what it said."""
        keys = {
            rule.id: frozenset((id(one), word, str(one.facts.get(word))) for one, word in facts if word in rule.words)
            for rule in joins
        }
        asked = [rule for rule in joins if rule.id not in self._last or self._last[rule.id][0] != keys[rule.id]]
        if asked:
            read = {word for rule in asked for word in rule.words}
            with self.design.judged.patched({place: old for place, old in facts.items() if place.word in read}):
                self._last |= {rule.id: (keys[rule.id], judge(rule, self.design.judged)) for rule in asked}
        return [one for rule in joins for one in self._last[rule.id][1]]
