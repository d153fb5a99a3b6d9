"""What a changed design says of itself that a reviewer accepts: new waivers, removed facts, relaxed requirements."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.design.design import Design, read_design
from designlint.findings.model import Finding, Problem, Verdict
from designlint.judging.findings import of_problem, spot
from designlint.language.sentences import cut
from designlint.reading.location import Location
from designlint.reviewing.relaxed import find_relaxed
from designlint.suppressions.waivers import conditions
from designlint.suppressions.waivers.effects import Waivers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from designlint.findings.report import Report
    from designlint.graph.subjects import Subject
    from designlint.judging.result import Result
    from designlint.reading import Document
    from designlint.rules.engine import Engine

#: Where a finding stands that was nowhere.
NOWHERE = Location("", 0, 0, 0, 0)
#: Facts that are named, and rules that one of them names.
MOST_FACTS, MOST_RULES = 20, 3
#: Facts that are asked for the names which one came from.
MOST_ORIGINS = 100


class Reviewed:
    """
    A design beside itself as it was.

    Args:
        report: of the design now.
        before: the design then; None for a new one.
        opened: reads the design now once more, where its places are needed.
        former: the design then, under its former name where it had another; waivers of another file do not hold.
    """

    def __init__(
        self,
        report: Report,
        before: Result | None,
        engine: Engine,
        opened: Callable[[], Document],
        former: Result | None,
    ) -> None:
        self.report, self.before, self.engine, self.opened = report, before, engine, opened
        self.former = former

    def judge_change(self) -> Report:
        """The report by the waivers as they were, with a finding for each that is new, for what is gone and what is relaxed."""
        counting = [one for one in self.report.accepted if _is_waived(one) and not self._is_held(one)]
        made = [*self._waivers(counting), *self._removed_facts(), *self._relaxed_requirements()]
        file = self.report.files[0]
        found = [replace(of_problem(one, self.engine), design=file) for one in made]
        standards = {one.rule: self.engine.rules[one.rule].standard for one in found}
        return replace(
            self.report,
            findings=[*self.report.findings, *(replace(one, accepted=None) for one in counting), *found],
            accepted=[one for one in self.report.accepted if one not in counting],
            standards={**self.report.standards, **standards},
        )

    @cached_property
    def design(self) -> Design:
        """The design now, with places."""
        return read_design(self.opened(), self.engine)

    # -- waivers

    @cached_property
    def waivers(self) -> Waivers | None:
        """The waivers of the design then."""
        return None if self.before is None else Waivers(self.before.design)

    def _is_held(self, finding: Finding) -> bool:
        """Whether a waiver of then holds a finding of now."""
        if self.before is None or self.waivers is None:
            return False
        subject = self.design.graph.subjects.get(finding.subject)
        stated = (one.stated.get("while") for one in self.waivers.of(_then(finding, self.before)))
        return any(one is None or not conditions.unmet(one, finding, subject, self.engine) for one in stated)

    def _waivers(self, counting: list[Finding]) -> Iterator[Problem]:
        for one in counting:
            if one.accepted is not None and one.accepted.location is not None:
                values = {"rule": one.rule, "reason": one.accepted.reason}
                yield self._at("review/waiver-added", one.accepted.location, values)

    def _at(self, fault: str, at: Location, values: dict[str, str]) -> Problem:
        """A problem at a place of the design or of what it extends."""
        document = next(one for one in (self.design.document, *self.design.others) if one.file == at.file)
        start, end = document.offset(at.line, at.column), document.offset(at.end_line, at.end_column)
        return Problem(fault, document, start, end, values)

    # -- facts

    def _removed_facts(self) -> Iterator[Problem]:
        """The facts that were stated and are not: rules wait for them which they decided, or pass by a default instead."""
        if self.former is None:
            return
        decided = {
            (one.rule, one.subject) for one in self.former.outcomes if one.verdict in (Verdict.PASS, Verdict.FAIL)
        }
        waiting: dict[str, list[str]] = {}
        for one in self.report.outcomes:
            if one.verdict is Verdict.UNKNOWN and (one.rule, one.subject) in decided:
                for fact in one.missing:
                    waiting.setdefault(fact, []).append(one.rule)
        then = self.former.design.graph.subjects
        for rule, fact in self._defaulted_rules(then):
            waiting.setdefault(fact, []).append(rule)
        gone: dict[str, list[str]] = {}
        for fact, rules in waiting.items():
            for stated in _stated_for(then, fact):
                if not _is_catalogued(self.design.graph.subjects, stated):
                    gone.setdefault(stated, []).extend(rules)
        for fact in list(gone)[:MOST_FACTS]:
            yield self._gone(fact, sorted(set(gone[fact])))

    def _defaulted_rules(self, then: Mapping[str, Subject]) -> Iterator[tuple[str, str]]:
        """The rules that no longer fail on a value that was stated, with the fact for which a default now speaks."""
        failing = {(one.rule, one.subject) for one in self.report.outcomes if one.verdict is Verdict.FAIL}
        for one in self.former.findings if self.former is not None else ():
            if (one.rule, one.subject) in failing or one.subject not in then:
                continue
            for owner, word in then[one.subject].follow(one.constraint.partition("[")[0].split("/")):
                known = self.engine.vocabulary.classes[owner.cls].get(word)
                fact = f"{owner.path}/{word}".lstrip("/")
                if known is not None and known.default is not None and not _states(self.design.graph.subjects, fact):
                    yield one.rule, fact

    def _gone(self, fact: str, rules: list[str]) -> Problem:
        change = "replaces" if _states(subjects := self.design.graph.subjects, fact) else "removes"
        owner, _, word = fact.rpartition("/")
        while owner and owner not in subjects:
            owner = owner.rpartition("/")[0]
        at = spot(subjects.get(owner, self.design.graph.root), word)
        return self._at("review/fact-removed", at, {"change": change, "fact": fact, "rules": cut(rules, MOST_RULES)})

    # -- requirements

    def _relaxed_requirements(self) -> Iterator[Problem]:
        """The requirements that the change relaxes."""
        if self.former is None:
            return
        found = [*self.report.findings, *self.report.accepted]
        for one in find_relaxed(self.former.design, self.design, found):
            fact = f"{one.path}/{one.word}".lstrip("/")
            change = f"sets {fact} to {one.after}" if one.after else f"removes {fact}"
            otherwise = f"with the former {one.before}" if one.before else "without it"
            at = spot(self.design.graph.subjects[one.path], one.word)
            yield self._at(
                "review/requirement-relaxed",
                at,
                {"change": f"{change}; {otherwise}", "rules": cut(one.rules, MOST_RULES)},
            )


def _is_waived(finding: Finding) -> bool:
    return finding.accepted is not None and finding.accepted.how == "waiver"


def _then(finding: Finding, before: Result) -> Finding:
    """A finding of now at the place that it had, or would have had, then."""
    old = next((one for one in (*before.findings, *before.accepted) if one.key == finding.key), None)
    subject = before.design.graph.subjects.get(finding.subject)
    if old is not None or subject is None:
        return old or replace(finding, location=NOWHERE, values={})
    ends = list(subject.follow(finding.constraint.partition("[")[0].split("/")))
    return replace(finding, location=spot(*ends[0]) if ends else NOWHERE, values={})


def _states(subjects: Mapping[str, Subject], fact: str) -> bool:
    """Whether a design stated a fact, or a part, by its path."""
    owner, _, word = fact.rpartition("/")
    part, holder = subjects.get(fact), subjects.get(owner)
    return (part is not None and part.node is not None) or (holder is not None and word in holder.keys)


def _stated_for(subjects: Mapping[str, Subject], fact: str) -> Iterator[str]:
    """The paths that a design stated for a fact: the fact itself, else the names of catalogue entries that gave it its value."""
    if _states(subjects, fact):
        yield fact
        return
    owner, _, word = fact.rpartition("/")
    asked, seen = [(subjects.get(owner), word)], set[tuple[str, str]]()
    while asked and len(seen) < MOST_ORIGINS:
        holder, word = asked.pop()
        if holder is None or word not in holder.origins or (holder.path, word) in seen:
            continue
        seen.add((holder.path, word))
        origin = holder.origins[word]
        if origin.how != "catalog":
            asked.extend(origin.inputs)
            continue
        while holder is not None and holder.node is None:
            holder = holder.owner
        if holder is not None and isinstance(holder.facts.get("model"), str):
            yield holder.path if holder.node is not None and holder.node.kind == "scalar" else f"{holder.path}/model"


def _is_catalogued(subjects: Mapping[str, Subject], fact: str) -> bool:
    """Whether a name is still one of the catalogue: its figures are other ones, but none is hidden."""
    holder = subjects.get(fact.removesuffix("/model"))
    return (
        holder is not None and "model" in holder.facts and any(one.how == "catalog" for one in holder.origins.values())
    )
