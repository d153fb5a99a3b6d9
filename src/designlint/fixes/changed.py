"""What a change of facts does: asked while the change holds, and of no more than somebody wants to know."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from designlint.findings.model import Verdict
from designlint.fixes.weighing import NOT_CURED, harms, weigh_change
from designlint.judging import findings
from designlint.judging.asking import judge_again
from designlint.judging.judge import WORST

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from designlint.findings.model import Finding, Margin, Severity
    from designlint.fixes.weighing import Weight
    from designlint.graph.subjects import Subject
    from designlint.judging.judge import Judged
    from designlint.judging.judgement import Judgement
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


class JoinAnswers(NamedTuple):
    """What rules that join subjects answer: of some subjects, by rule and subject, or `whole` of all."""

    answers: Sequence[Judgement]
    asked: Collection[tuple[str, str]]
    whole: frozenset[str]


class Changed(Struct, frozen=True, dict=True):
    """
    What a change of facts does; it is asked first while the change holds.

    Attributes:
        judged: the design without it.
        again: the rules and subjects, by their names, whose judgements read what is changed, of rules that are no queries.
        join: asks those that are.
    """

    judged: Judged
    again: Mapping[tuple[str, str], tuple[CompiledRule, Subject]]
    join: Callable[[], JoinAnswers]

    @cached_property
    def joined(self) -> JoinAnswers:
        """What rules that join subjects answer."""
        return self.join()

    @cached_property
    def plain(self) -> list[Judgement]:
        """What all others answer."""
        graph = self.judged.design.graph
        return [one for rule, subject in self.again.values() for one in judge_again(rule, subject, graph)]

    @cached_property
    def answers(self) -> list[Judgement]:
        """All answers that were given again."""
        return [*self.plain, *self.joined.answers]

    @property
    def whole(self) -> frozenset[str]:
        """The rules that were asked of all subjects."""
        return self.joined.whole

    @cached_property
    def asked(self) -> frozenset[tuple[str, str]]:
        """The other rules that were asked again, each with a subject."""
        return frozenset((*self.again, *self.joined.asked))

    @cached_property
    def before(self) -> list[Finding]:
        """The findings that it may have touched."""
        whole, asked = self.whole, self.asked
        return [one for one in self.judged.findings if one.rule in whole or (one.rule, one.subject) in asked]

    @cached_property
    def failures(self) -> list[Failure]:
        """What fails then of what it may have touched."""
        return self._failures(self.answers)

    @cached_property
    def after(self) -> list[Finding]:
        """The findings that it may have touched as they are then."""
        return [findings.of_judgement(one.judgement, one.engine) for one in self.failures]

    @cached_property
    def verdicts(self) -> dict[tuple[str, str], Verdict]:
        """The verdicts that were given again, by rule and subject; the worst where there are several."""
        return _worst(self.answers)

    def weigh(self, mended: Sequence[Finding]) -> Weight:
        """What it comes to where it is made for some findings; what does no good is not asked about the rest."""
        before = [one for one in self.judged.findings if (one.rule, one.subject) in self.again]
        if harms(before, self._failures(self.plain), mended):
            return NOT_CURED
        rules = {one.rule for one in mended}
        verdicts = _worst(one for one in self.answers if one.rule.id in rules)
        return weigh_change(self.before, self.failures, mended, verdicts)

    def _failures(self, answers: Iterable[Judgement]) -> list[Failure]:
        return [Failure(one, self.judged.design.engine) for one in answers if one.verdict is Verdict.FAIL]


def _worst(answers: Iterable[Judgement]) -> dict[tuple[str, str], Verdict]:
    found: dict[tuple[str, str], Verdict] = {}
    for one in answers:
        key = one.rule.id, one.subject.path
        found[key] = min(one.verdict, found.get(key, one.verdict), key=WORST.index)
    return found
