"""
Changes of single facts, tried on the graph of a design in place: only what depends on them is calculated and judged again.

What changes more than facts (a part, a name, another catalogue entry, a file of its own text) is no such change, and is
tried on a copy of the files, see `designlint.fixes.proof`. The tests hold both against each other.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from designlint.fixes.changed import Changed, JoinAnswers
from designlint.graph.incremental import Dependencies, Place, statement
from designlint.judging import sweeps
from designlint.judging.asking import judge
from designlint.judging.doubts import deciding_words
from designlint.judging.joins import Joins
from designlint.reading import read_bytes
from designlint.rules.engine import read_by

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from designlint.findings.model import Finding
    from designlint.fixes.repairs import Repair
    from designlint.fixes.weighing import Weight
    from designlint.graph.incremental import StatedFact
    from designlint.graph.subjects import Fact, Subject
    from designlint.judging.judge import Judged
    from designlint.judging.judgement import Judgement
    from designlint.reading import Node
    from designlint.rules.rule import CompiledRule


@lru_cache(maxsize=64)  # alike jobs are mended alike
def _parse_value(value: str) -> Node | None:
    """A value as YAML reads it."""
    return read_bytes(value.encode(), "value").root


class FactTrials:
    """
    Trials on one judged design.

    Args:
        rules: the rules that are asked again; all of them where it is None.
        shown: the words that somebody reads besides; where it is None, all facts follow again that followed before.
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
        plan, wanted = self.design.engine.plan, self.design.steps
        if self._shown is not None:
            read = deciding_words(self.rules, self.design.engine.vocabulary)
            wanted = plan.needed_steps({*self._shown, *read})
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
        with self.assuming(statements) as changed:
            _ = changed.answers, changed.after
            return changed

    def weigh(self, repairs: Sequence[Repair], mended: Sequence[Finding]) -> Weight | None:
        """What repairs come to that would mend some findings; None where they change more than facts."""
        statements = self.statements(repairs)
        if statements is None:
            return None
        with self.assuming(statements) as changed:
            return changed.weigh(mended)

    def statements(self, repairs: Sequence[Repair]) -> list[StatedFact] | None:
        """Repairs as facts; None where they change more than facts."""
        if self.design.bases or self.design.problems:
            return None
        changes = [one for repair in repairs for one in repair.changes]
        if any(placed.also for repair in repairs for placed in repair.placed):
            return None
        found = [self._statement(one.path, one.value) for one in changes]
        return None if not found or any(one is None for one in found) else [one for one in found if one is not None]

    def _statement(self, path: str, value: str | None) -> StatedFact | None:
        node = None if value is None else _parse_value(value)
        return None if node is None and value is not None else statement(self.design.graph, path, node)

    @contextmanager
    def assuming(self, statements: Iterable[StatedFact]) -> Iterator[Changed]:
        """The graph as it would be with these facts, and what that changes; afterwards all is as before."""
        with self.dependencies.assuming(statements) as facts:
            yield Changed(self.judged, self._again(facts), lambda: self._join(facts))

    def _join(self, facts: Mapping[Place, Fact | None]) -> JoinAnswers:
        """What rules that join subjects answer again."""
        words = {place.word for place in facts}
        joins = [one for one in self.joins if not words.isdisjoint(one.words)]
        parts, rest = self._apart.again([one for one in joins if one in self._apart], facts)
        rest += [one for one in joins if one not in self._apart and one not in rest]
        answers = [one for part in parts for one in part.answers] + self._judge_joins(rest, facts)
        asked = {(part.rule.id, subject.path) for part in parts for subject in part.subjects}
        return JoinAnswers(answers, asked, frozenset(rule.id for rule in rest))

    def _judge_joins(self, joins: Sequence[CompiledRule], facts: Mapping[Place, Fact | None]) -> list[Judgement]:
        """The answers of rules that join subjects; one whose facts are as in the trial before says what it said."""
        keys = {
            rule.id: frozenset((id(one), word, str(one.facts.get(word))) for one, word in facts if word in rule.words)
            for rule in joins
        }
        asked = [rule for rule in joins if rule.id not in self._last or self._last[rule.id][0] != keys[rule.id]]
        if asked:
            read = {word for rule in asked for word in rule.words}
            with self.design.judged.patching({place: old for place, old in facts.items() if place.word in read}):
                self._last |= {rule.id: (keys[rule.id], judge(rule, self.design.judged)) for rule in asked}
        return [one for rule in joins for one in self._last[rule.id][1]]
