"""Rules that join subjects, asked again when facts change: only of the subjects whose answers read one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.expressions.evaluation import AddressError
from designlint.expressions.selects.noting import NotedRun, affected, renew
from designlint.judging.judgement import of_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from designlint.expressions.selects.evaluation import Select
    from designlint.expressions.selects.noting import Inner, Read
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
        by_word: dict[str, dict[Any, Any]] = {}
        for place, before in facts.items():
            by_word.setdefault(place[1], {})[place] = before
        with self.asked.others(by_word.keys()):
            for rule in rules:
                read = {
                    place: before for word in by_word.keys() & rule.words for place, before in by_word[word].items()
                }
                try:
                    found.append(self._rules[rule.id].again(read))
                except AddressError:
                    del self._rules[rule.id]
                    left.append(rule)
        return found, left


class _Join:
    """
    One rule over one graph.

    Attributes:
        facts: what stood where when it was last asked, where that was not what stood there first.
        subjects: by subject, what the rule answered then, and what the answer read.
        inner: the same of inner queries.
    """

    def __init__(self, rule: CompiledRule, asked: AskedGraph) -> None:
        self.rule, self.asked = rule, asked
        self.facts: dict[Any, Any] = {}
        self.subjects: dict[Subject, tuple[list[tuple[Any, ...]], set[Read]]] = {}
        self.inner: dict[Any, Inner] = {}

    def again(self, first: Mapping[Any, Any]) -> Again:
        """
        What it answers about the subjects whose answers read what is no longer as it was first.

        Args:
            first: what stood there first, by subject and word.
        """
        now = {place: place[0].facts.get(place[1]) for place in (*first, *self.facts)}
        last = {place: self.facts.get(place) if place in self.facts else first[place] for place in now}
        self.facts = {place: now[place] for place in first}
        changed, index = _read(last, now), self.asked.index
        renew(index, self.inner, changed)
        select: Select = self.rule.joined  # type: ignore[assignment]  # see `_apart`
        for subject in self.asked.graph.by_class.get(self.rule.about, ()):
            known = self.subjects.get(subject)
            if known is None or not known[1].isdisjoint(changed):
                run = NotedRun(index, self.inner)
                self.subjects[subject] = select.answered(run, subject), run.reads
        return self._differing(_read(first, now), select)

    def _differing(self, changed: set[Read], select: Select) -> Again:
        """The answers that read what has changed, as they are now."""
        for query, one in self.inner.items():
            if not one.reads.isdisjoint(changed):
                changed.add(query)
        found = {one: rows for one, (rows, reads) in self.subjects.items() if not reads.isdisjoint(changed)}
        rows = [row for some in found.values() for row in some]
        return Again(self.rule, found.keys(), of_rows(self.rule, self.asked, select.names, rows))


def _read(before: Mapping[Any, Any], now: Mapping[Any, Any]) -> set[Read]:
    """All that may have been read of the facts that are others now, by subject and word."""
    return {one for (at, word), fact in before.items() for one in affected(at, word, fact, now[at, word])}


def _apart(rule: CompiledRule) -> bool:
    """Whether each subject has its own rows."""
    return rule.joined is not None and rule.joined.leading == "focus"
