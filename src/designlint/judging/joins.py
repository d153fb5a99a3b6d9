"""Rules that join subjects, asked again when facts change: only of the subjects whose answers read one of them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.expressions.evaluation import AddressError
from designlint.expressions.selects.noting import NotedRun, affected_reads, answer_inner, renew_answers
from designlint.findings.model import Verdict
from designlint.judging.judgement import of_rows, order_judgements

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from designlint.expressions.selects.evaluation import Select
    from designlint.expressions.selects.noting import Inner, Read
    from designlint.graph.asking import AskedGraph
    from designlint.graph.subjects import Subject
    from designlint.judging.judgement import Judgement
    from designlint.rules.rule import CompiledRule


class ChangedAnswers(NamedTuple):
    """What a rule answers about those subjects whose answers may be others now; what fails comes first, in its order."""

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

    def again(
        self, rules: Iterable[CompiledRule], facts: Mapping[Any, Any]
    ) -> tuple[list[ChangedAnswers], list[CompiledRule]]:
        """
        What changes of facts do to some of the rules, and the rules that only an engine of SPARQL can say it of.

        Args:
            facts: what stood before where facts are others now, by subject and word.
        """
        found: list[ChangedAnswers] = []
        left: list[CompiledRule] = []
        rules = list(rules)
        words = {word for rule in rules for word in rule.words}
        by_word: dict[str, set[Read]] = {}
        for (subject, word), before in facts.items():
            if word in words:
                by_word.setdefault(word, set()).update(affected_reads(subject, word, before, subject.facts.get(word)))
        with self.asked.others(by_word.keys()):
            for rule in rules:
                changed: set[Read] = set().union(*(by_word[word] for word in by_word.keys() & rule.words))
                try:
                    found.append(self._rules[rule.id].again(changed, facts))
                except AddressError:
                    del self._rules[rule.id]
                    left.append(rule)
        return found, left


class _Join:
    """
    One rule over one graph.

    Attributes:
        subjects: by subject, what the rule answers of the graph as it was first, and what the answer reads.
        inner: the same of inner queries.
    """

    def __init__(self, rule: CompiledRule, asked: AskedGraph) -> None:
        self.rule, self.asked = rule, asked
        self.subjects: dict[Subject, tuple[list[tuple[Any, ...]], set[Read]]] = {}
        self.inner: dict[Any, Inner] = {}

    def again(self, changed: set[Read], facts: Mapping[Any, Any]) -> ChangedAnswers:
        """
        What it answers now about the subjects whose answers read what is changed.

        Args:
            changed: all that may have been read of the facts that are others now; what inner queries answer comes to it.
            facts: what stood there first, by subject and word.
        """
        select: Select = self.rule.joined  # type: ignore[assignment]  # see `_apart`
        inner = renew_answers(self.asked.index, self.inner, changed)
        found: dict[Subject, list[tuple[Any, ...]]] = {}
        for subject in self.asked.graph.by_class.get(self.rule.about, ()):
            known = self.subjects.get(subject)
            if known is not None and known[1].isdisjoint(changed):
                continue
            run, asked = NotedRun(self.asked.index, inner), len(inner)
            rows = select.answered(run, subject)
            if len(inner) > asked:
                changed |= self._met(dict(islice(inner.items(), asked, None)), changed, facts)
            if known is None and run.reads.isdisjoint(changed):
                self.subjects[subject] = rows, run.reads
            else:
                found[subject] = rows
        every = [row for rows in found.values() for row in rows]
        answers = of_rows(self.rule, self.asked, select.names, every)
        failing = order_judgements([one for one in answers if one.verdict is Verdict.FAIL], self.asked)
        return ChangedAnswers(
            self.rule, found.keys(), [*failing, *(one for one in answers if one.verdict is not Verdict.FAIL)]
        )

    def _met(self, inner: Mapping[Any, Inner], changed: set[Read], facts: Mapping[Any, Any]) -> set[Read]:
        """Inner queries that were first asked now are asked of the graph as it was first; their rows that are others now."""
        with self.asked.undone(facts):
            for query, one in inner.items():
                if not one.reads.isdisjoint(changed):
                    self.inner[query] = answer_inner(query, self.asked.index, self.inner)
                    changed = changed | self.inner[query].differing(query, one)
                else:
                    self.inner[query] = one
        return changed


def _apart(rule: CompiledRule) -> bool:
    """Whether each subject has its own rows."""
    return rule.joined is not None and rule.joined.leading == "focus"
