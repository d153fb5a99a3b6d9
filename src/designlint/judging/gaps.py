"""What unknowns wait for; one that waits for what a sound design need not have has nothing to judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.findings.model import Verdict
from designlint.graph.remembered import Gap
from designlint.language.purposes import MANAGEMENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.design.design import Design
    from designlint.graph.subjects import Subject
    from designlint.judging.judgement import Judgement

#: How the path of a job's fact begins.
JOBS = "workloads/"
#: Stand for the facts that are waited for where a sound design need not have one of them, and where a job that serves has none.
NEEDLESS, OF_TRAINING = ("needless",), ("of training",)
#: What an unknown comes to that waits for such facts, and one that waits for nothing.
INAPPLICABLE, OPEN = Gap(Verdict.NOT_APPLICABLE, ()), Gap(Verdict.UNKNOWN, ())


class Gaps:
    """What the unknowns of one design wait for, each fact looked for once for all rules that read it."""

    def __init__(self, design: Design) -> None:
        self._plan, self._graph, self._recall = design.engine.plan, design.graph, design.judged.recall
        self._optional = design.engine.vocabulary.optional
        self._only_trained = design.engine.vocabulary.only_trained
        self._serving = any(one.facts.get("kind") == "inference" for one in design.graph.by_class.get("Workload", ()))
        self._asked: dict[tuple[str, str], list[str]] = {}
        self._absent: dict[str, Gap | None] = {}
        self._lacks: dict[Subject, dict[Sequence[str], Sequence[str]]] = {}

    def of(self, judgement: Judgement) -> Gap:
        """What an unknown comes to."""
        if self._recall is None:
            return self._find(judgement)
        rule, subject = judgement.rule, judgement.subject
        known = tuple(judgement.values) if rule.select else ()
        job = self._graph.by_class["Workload"][0]
        key = rule.id, known, subject.facts.get("purpose"), job.facts.get("kind"), bool(self._graph.unread)
        return self._recall.gap(key, subject, lambda: self._find(judgement))

    def missing(self, judgement: Judgement) -> tuple[str, ...]:
        """The facts that an unknown waits for, as paths in the design."""
        subject = judgement.subject
        facts = (self._plan.lacks(subject, path, self._asked) for path in _ways(judgement))
        return tuple(dict.fromkeys(fact for some in facts for fact in some))

    def absent(self, about: str) -> Gap | None:
        """What a rule about a class of which there is nothing comes to: unknown where the design could have stated it."""
        if about not in self._absent:
            self._absent[about] = self._find_absent(about)
        return self._absent[about]

    def _find_absent(self, about: str) -> Gap | None:
        vocabulary = self._graph.vocabulary
        for word in vocabulary.classes["Design"].values():
            if word.form == "parts" and about in vocabulary.reachable(word.kind):
                needless = word.name in self._graph.root.facts or word.optional
                return INAPPLICABLE if needless else Gap(Verdict.UNKNOWN, (word.name,))
        return None

    def _find(self, judgement: Judgement) -> Gap:
        subject = judgement.subject
        stated, known = subject.facts, self._lacks.get(subject)
        if known is None:
            known = self._lacks[subject] = {}
        found: list[str] = []
        served = False
        for path in _ways(judgement):
            if len(path) == 1 and path[0] in stated:
                continue
            facts = known.get(path)  # many rules read one word
            if facts is None:
                facts = known[path] = self._lacking_facts(subject, path)
            if facts is NEEDLESS:
                return INAPPLICABLE
            if facts is OF_TRAINING:
                served = True
            elif facts:
                found += facts
        if not found:
            return INAPPLICABLE if served else OPEN
        return Gap(Verdict.UNKNOWN, tuple(dict.fromkeys(found)), _weight(judgement))

    def _lacking_facts(self, subject: Subject, path: Sequence[str]) -> Sequence[str]:
        """The facts that the one at the end of a path waits for, as far as the design may have them, or what stands for them."""
        facts = self._plan.lacks(subject, path, self._asked)
        if self._graph.unread:  # what stands there may be any of them
            return facts
        for one in facts:
            if one.rpartition("/")[2] in self._optional:
                return NEEDLESS
        if self._serving and facts:
            return [one for one in facts if not self._is_of_training(one)] or OF_TRAINING
        return facts

    def _is_of_training(self, fact: str) -> bool:
        """Whether a missing fact is one that an inference job does not have."""
        if not fact.startswith(JOBS):
            return False
        path = fact[: fact.find("/", len(JOBS))]
        job = self._graph.subjects.get(path)
        if job is None or job.facts.get("kind") != "inference":
            return False
        return not self._only_trained.isdisjoint(fact[len(path) + 1 :].split("/"))


def _ways(judgement: Judgement) -> Sequence[tuple[str, ...]]:
    """The ways to the words that might decide it."""
    rule = judgement.rule
    if rule.select and (known := judgement.values):
        return [rule.paths[name] for name in rule.needs if name not in known]
    return rule.lacked


def _weight(judgement: Judgement) -> int:
    """What an unknown could turn out to be, see `Outcome`."""
    subject, rule = judgement.subject, judgement.rule
    if subject.facts.get("purpose") in MANAGEMENT:
        return 0
    if rule.aims and any(word in one.facts for path in rule.aims for one, word in subject.follow(path)):
        return 4
    return 3 - rule.severity.rank
