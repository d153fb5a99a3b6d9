"""
Changes of single facts, tried on the graph of a design in place: only what depends on them is calculated and judged again.

What changes more than facts (a part, a name, another catalogue entry, a file of its own text) is no such change, and is
tried on a copy of the files, see `designlint.fixes.proof`. The tests hold both against each other.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.findings.model import Verdict
from designlint.graph.incremental import Dependencies, Place, statement
from designlint.judging import findings, sweeps
from designlint.judging.asking import judge, judge_again
from designlint.judging.joins import Joins
from designlint.reading import read_bytes
from designlint.rules.engine import read_by

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from designlint.findings.model import Finding, Severity
    from designlint.fixes.repairs import Repair
    from designlint.graph.incremental import Statement
    from designlint.graph.subjects import Fact, Subject
    from designlint.judging.judge import Judged
    from designlint.judging.judgement import Judgement
    from designlint.rules.engine import Engine
    from designlint.rules.rule import CompiledRule


class Changed(Struct, dict=True):
    """
    What a change of facts does.

    Attributes:
        before: the findings that it may have touched.
        failing: the judgements that fail then; they read facts, so they hold as long as the change does.
        verdicts: the verdicts that were given again, by rule and subject; the worst where there are several.
        asked: the rules and subjects that were asked again; `whole` the rules that were asked of all subjects.
    """

    engine: Engine
    before: list[Finding]
    failing: list[Judgement]
    verdicts: dict[tuple[str, str], Verdict]
    asked: frozenset[tuple[str, str]] = frozenset()
    whole: frozenset[str] = frozenset()

    @cached_property
    def after(self) -> list[Finding]:
        """The findings that it may have touched as they are then; asked for first while the change holds."""
        return [findings.of_judgement(one, self.engine) for one in self.failing]

    def severities(self) -> Iterator[Severity]:
        """How bad those findings are, without a word of them."""
        return (findings.severity(one, self.engine) for one in self.failing)


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
        self._away: dict[str, dict[Place, list[tuple[CompiledRule, Subject]]]] = {}
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

    def readers(self, place: Place) -> list[tuple[CompiledRule, Subject]]:
        """The judgements that read a place, of rules that are no queries."""
        subject, word = place
        own = self._own.get((subject.cls, word))
        if own is None:
            ways = self._reading(word)
            own = self._own[subject.cls, word] = [
                rule for rule, cls, path in ways if len(path) == 1 and cls in subject.kinds
            ]
        away = self._away.get(word)
        if away is None:
            away = self._away[word] = self._reading_away(word)
        return [*((rule, subject) for rule in own), *away.get(place, ())]

    def _reading_away(self, word: str) -> dict[Place, list[tuple[CompiledRule, Subject]]]:
        """Those that read a word of another subject, by what they read."""
        found: dict[Place, list[tuple[CompiledRule, Subject]]] = {}
        for rule, cls, path in self._reading(word):
            for subject, end in self.dependencies.ends(cls, path) if len(path) > 1 else ():
                found.setdefault(Place(end, word), []).append((rule, subject))
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
        """What repairs would do; None where they change more than facts."""
        if self.design.bases or self.design.problems:
            return None
        changes = [one for repair in repairs for one in repair.changes]
        if any(placed.also for repair in repairs for placed in repair.placed):
            return None
        statements = [self._statement(one.path, one.value) for one in changes]
        if not statements or any(one is None for one in statements):
            return None
        with self.stated([one for one in statements if one is not None]) as changed:
            _ = changed.after
            return changed

    def _statement(self, path: str, value: str | None) -> Statement | None:
        node = None if value is None else read_bytes(value.encode(), "value").root
        return None if node is None and value is not None else statement(self.design.graph, path, node)

    @contextmanager
    def stated(self, statements: Iterable[Statement]) -> Iterator[Changed]:
        """The graph as it would be with these facts, and what that changes; afterwards all is as before."""
        with self.dependencies.stated(statements) as facts:
            words = {place.word for place in facts}
            again = {(rule.id, one): (rule, one) for place in facts for rule, one in self.readers(place)}.values()
            joins = [one for one in self.joins if not words.isdisjoint(one.words)]
            answers = [one for rule, subject in again for one in judge_again(rule, subject, self.design.graph)]
            parts, rest = self._apart.again([one for one in joins if one in self._apart], facts)
            rest += [one for one in joins if one not in self._apart and one not in rest]
            answers += [one for part in parts for one in part.answers] + self._joined(rest, facts)
            failing = [one for one in answers if one.verdict is Verdict.FAIL]
            touched = {(rule.id, subject.path) for rule, subject in again}
            touched |= {(part.rule.id, subject.path) for part in parts for subject in part.subjects}
            whole = frozenset(rule.id for rule in rest)
            before = [one for one in self.judged.findings if one.rule in whole or (one.rule, one.subject) in touched]
            verdicts: dict[tuple[str, str], Verdict] = {}
            for one in answers:
                key = one.rule.id, one.subject.path
                verdicts[key] = min(one.verdict, verdicts.get(key, one.verdict), key=WORST.index)
            yield Changed(self.design.engine, before, failing, verdicts, frozenset(touched), whole)

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
