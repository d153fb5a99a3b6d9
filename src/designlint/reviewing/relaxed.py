"""Requirements that a change relaxes: values that the design is held against, without whose change a rule would fail."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from designlint.comparing.changes import changed_statements
from designlint.findings.model import Severity
from designlint.fixes.trial import FactTrials
from designlint.graph.incremental import StatedFact
from designlint.judging.judge import Judged

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from designlint.comparing.changes import ChangedStatement
    from designlint.design.design import Design
    from designlint.findings.model import Finding

#: Changed requirements that are tried.
MOST_TRIED = 200


class RelaxedRequirement(NamedTuple):
    """
    A requirement that a change states otherwise.

    Attributes:
        path: of the part that states it.
        before: as it was spelled; empty where it was not stated.
        after: as it is spelled; empty where it is not stated.
        rules: those that would fail with the former value.
    """

    path: str
    word: str
    before: str
    after: str
    rules: list[str]


def find_relaxed(before: Design, design: Design, found: Sequence[Finding]) -> Iterator[RelaxedRequirement]:
    """
    The requirements without whose change rules would fail that do not.

    One that grows no faster than the number of servers in service grows with the cluster: a rule counts only where it would
    fail without the added servers, too.

    Args:
        found: the findings on the design now, those that are accepted included.
    """
    every = list(changed_statements(before, design))
    changes = [one for one in every if _requires(design, one)][:MOST_TRIED]
    if not changes:
        return
    growth = [one for one in every if one.word == "count" and _growth(before, design, one) > 1]
    trials = FactTrials(Judged(design, found), _judging(design))
    failing = {(one.rule, one.subject) for one in found}
    alone = [_failing(trials, before, [one]) - failing for one in changes]
    together = _failing(trials, before, changes) - failing - set().union(*alone) if len(changes) > 1 else set()
    for one, more in zip(changes, alone, strict=True):
        failed = more | together
        if failed and growth and 1 < _growth(before, design, one) <= _additions(before, design):
            failed &= _failing(
                trials, before, [one, *growth]
            )  # what fails only with the added servers is no fault of the change
        if rules := sorted({rule for rule, _ in failed}):
            yield RelaxedRequirement(one.subject, one.word, one.before, one.after, rules)


def _requires(design: Design, change: ChangedStatement) -> bool:
    """Whether a change is one of a requirement of a part that is still there."""
    subject = design.graph.subjects.get(change.subject)
    word = None if subject is None else design.engine.vocabulary.classes[subject.cls].get(change.word)
    return word is not None and word.requirement


def _growth(before: Design, design: Design, change: ChangedStatement) -> float:
    """How many times as large a stated number is as it was; without end where it is no number of a part that is still there."""
    subjects = (one.graph.subjects.get(change.subject) for one in (before, design))
    then, now = (None if one is None else one.number(change.word) for one in subjects)
    return now / then if then and now else math.inf


def _additions(before: Design, design: Design) -> float:
    """How many times as many servers are in service as there were."""
    then, now = (one.graph.by_class["Design"][0].number("cluster_servers") for one in (before, design))
    return now / then if then and now else 1.0


def _judging(design: Design) -> Collection[str]:
    """The rules that hold a design against its requirements, and do not doubt these."""
    rules = design.engine.rules.values()
    return {one.id for one in rules if not (one.built_in or one.texts.claim or one.severity is Severity.INFO)}


def _failing(trials: FactTrials, before: Design, changes: Sequence[ChangedStatement]) -> set[tuple[str, str]]:
    """The rules that fail, each with its subject, where requirements are as they were."""
    then, now = before.graph.subjects, trials.design.graph.subjects
    former = [StatedFact(now[one.subject], one.word, then[one.subject].facts.get(one.word)) for one in changes]
    with trials.assuming(former) as changed:
        return {(one.rule, one.subject) for one in changed.failures if one.severity is not Severity.INFO}
