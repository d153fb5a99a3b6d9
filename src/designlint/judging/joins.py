"""Rules that join subjects, asked again when facts change: only of the subjects whose answers read one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.expressions.evaluation import AddressError
from designlint.expressions.selects.noting import NotedRun, affected
from designlint.judging.judgement import of_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from designlint.expressions.selects.evaluation import Select
    from designlint.graph.asking import AskedGraph
    from designlint.graph.subjects import Subject
    from designlint.judging.judgement import Judgement
    from designlint.rules.rule import CompiledRule


class Again(NamedTuple):
    """What a rule answers about those subjects whose answers may be others now."""

    rule: CompiledRule
    subjects: Collection[Subject]
    answers: list[Judgement]


class Joins:
    """
    Rules that join subjects, over one graph.

    Args:
        asked: the graph; its facts may be changed for a while, its subjects and references stay.
    """

    def __init__(self, asked: AskedGraph, rules: Iterable[CompiledRule]) -> None:
        self.asked = asked
        apart = [one for one in rules if asked.recall is None and _apart(one)]
        self._rules = {one.id: _Join(one, asked) for one in apart}

    def __contains__(self, rule: CompiledRule) -> bool:
        """Whether a rule can be asked of some subjects alone."""
        return rule.id in self._rules

    def again(self, rules: Iterable[CompiledRule], facts: Mapping[Any, Any]) -> tuple[list[Again], list[CompiledRule]]:
        """
        What changes of facts do to some of the rules, and the rules that only an engine of SPARQL can say it of.

        Args:
            facts: what stood before where facts are others now, by subject and word.
        """
        found: list[Again] = []
        left: list[CompiledRule] = []
        reads: dict[str, list[Any]] = {}
        for (subject, word), before in facts.items():
            reads.setdefault(word, []).extend(affected(subject, word, before, subject.facts.get(word)))
        with self.asked.others(reads.keys()):
            for rule in rules:
                changed = {one for word in reads.keys() & rule.words for one in reads[word]}
                try:
                    found.append(self._rules[rule.id].again(changed))
                except AddressError:
                    del self._rules[rule.id]
                    left.append(rule)
        return found, left


class _Join:
    """
    One rule over one graph.

    Attributes:
        reads: by subject, what its answer reads of the facts as they were first; of the others it is not known yet.
        kept: what inner queries answer then, and what they read.
    """

    def __init__(self, rule: CompiledRule, asked: AskedGraph) -> None:
        self.rule, self.asked = rule, asked
        self.reads: dict[Subject, set[Any]] = {}
        self.kept: dict[Any, Any] = {}

    def again(self, changed: set[Any]) -> Again:
        """What it answers about the subjects whose answers read what has changed."""
        select: Select = self.rule.joined  # type: ignore[assignment]  # see `_apart`
        kept = {query: one for query, one in self.kept.items() if one[1].isdisjoint(changed)}
        rows: list[tuple[Any, ...]] = []
        subjects: list[Subject] = []
        for subject in self.asked.graph.by_class.get(self.rule.about, ()):
            known = self.reads.get(subject)
            if known is not None and known.isdisjoint(changed):
                continue
            run = NotedRun(self.asked.index, kept)
            rows += select.answered(run, subject)
            subjects.append(subject)
            if known is None and run.reads.isdisjoint(changed):
                self.reads[subject] = run.reads
        self.kept |= {query: one for query, one in kept.items() if one[1].isdisjoint(changed)}
        return Again(self.rule, subjects, of_rows(self.rule, self.asked, select.names, rows))


def _apart(rule: CompiledRule) -> bool:
    """Whether each subject has its own rows."""
    return rule.joined is not None and rule.joined.leading == "focus"
