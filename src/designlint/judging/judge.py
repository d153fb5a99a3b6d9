"""What the rules say of a design, and of a changed one with no more work than the change asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from designlint.findings.model import Verdict
from designlint.findings.timing import time_call
from designlint.graph.assumptions import deciding
from designlint.graph.subjects import Subject
from designlint.judging import findings
from designlint.judging.asking import judge
from designlint.judging.doubts import sure_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from designlint.design.design import Design
    from designlint.findings.model import Finding, Problem
    from designlint.graph.subjects import Graph
    from designlint.judging.judgement import Judgement
    from designlint.rules.rule import CompiledRule


class Fault(Struct, frozen=True, eq=False):
    """A finding, with what it comes from: a judgement, or a problem of text or shape."""

    finding: Finding
    cause: Judgement | Problem

    @property
    def rule(self) -> str:
        """The id of the rule that is broken."""
        return self.finding.rule


class Judged(Struct, frozen=True):
    """
    A design and what is wrong with it, before anybody waives any of it.

    Attributes:
        verdicts: of the rules that were asked, by rule and subject; the worst where there are several.
    """

    design: Design
    findings: Sequence[Finding]
    verdicts: Mapping[tuple[str, str], Verdict] = field(default_factory=dict)


#: The worst first.
WORST = (Verdict.FAIL, Verdict.UNKNOWN, Verdict.PASS, Verdict.NOT_APPLICABLE)


def judgements(design: Design) -> Iterator[tuple[CompiledRule, list[Judgement]]]:
    """What every rule answers about a design."""
    asked = design.judged
    for rule in design.engine.judging:
        yield rule, time_call(rule.id, judge, rule, asked)


def faults(design: Design, judgements: Sequence[Judgement]) -> list[Fault]:
    """What failed, as findings."""
    fail, engine = Verdict.FAIL, design.engine
    return [Fault(findings.of_judgement(one, engine), one) for one in judgements if one.verdict is fail]


def problems(design: Design) -> list[Fault]:
    """What is wrong with the text and the shape, as findings."""
    return [Fault(findings.of_problem(one, design.engine), one) for one in design.problems]


def of_rule(design: Design, rule: str) -> list[Fault]:
    """What one rule finds in a design."""
    stated = design.engine.rules[rule]
    if stated.built_in:
        return [one for one in problems(design) if one.rule == rule]
    return faults(design, judge(stated, design.judged))


def judge_design(design: Design) -> Judged:
    """A design with what every rule finds in it."""
    return _judge_rules(design, design, [])


def rejudge_design(before: Judged, design: Design) -> Judged:
    """A changed design: only rules that read what differs are asked again, the others say what they said."""
    differing = touched_words(before.design.graph, design.graph)
    settled, found = not differing.isdisjoint(deciding(design.engine.vocabulary)), {one.rule for one in before.findings}
    every, again = design.engine.rules, {name for word in differing for name in design.engine.by_word.get(word, ())}
    for name in found & every.keys():  # how severe it is may change
        if settled or not differing.isdisjoint(sure_words(every[name])):
            again.add(name)
    asked = replace(design, engine=replace(design.engine, rules={name: every[name] for name in every if name in again}))
    kept = [one for one in before.findings if one.rule in every and one.rule not in again]
    return _judge_rules(design, asked, [one for one in kept if not every[one.rule].built_in])


def _judge_rules(design: Design, asked: Design, kept: list[Finding]) -> Judged:
    """What was kept, what is wrong with the shape, and what the rules of `asked` answer."""
    verdicts: dict[tuple[str, str], Verdict] = {}
    found = kept + [one.finding for one in problems(design)]
    for rule, answers in judgements(asked):
        found += [one.finding for one in faults(design, answers)]
        for one in answers:
            key = rule.id, one.subject.path
            verdicts[key] = min(one.verdict, verdicts.get(key, one.verdict), key=WORST.index)
    return Judged(design, found, verdicts)


def touched_words(before: Graph, after: Graph) -> set[str]:
    """The words whose facts differ or are newly stated, and classes of which there are others: all that a query could notice."""
    names: set[str] = set()
    for path in before.subjects.keys() | after.subjects.keys():
        old, new = before.subjects.get(path), after.subjects.get(path)
        if old is None or new is None or old.cls != new.cls:
            for one in filter(None, (old, new)):
                names.update(one.kinds, one.facts)
            continue
        names.update(old.keys.keys() ^ new.keys.keys())  # stated or calculated: a finding may be a note for that
        if old.unread != new.unread:
            names.update(old.unread ^ new.unread)
        if old.facts != new.facts:
            words = old.facts.keys() | new.facts.keys()
            names.update(word for word in words if simple(old.facts.get(word)) != simple(new.facts.get(word)))
    return names


def simple(fact: Any) -> Any:
    """A fact without its graph, so that those of two graphs compare."""
    if isinstance(fact, list):
        return [simple(one) for one in fact]
    return (fact.path,) if isinstance(fact, Subject) else fact
