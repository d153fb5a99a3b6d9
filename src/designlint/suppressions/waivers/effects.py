"""The waivers of a design at work: the findings that they are for, and what is wrong with the waivers themselves."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.configuration import engine as engines
from designlint.design.design import read_design
from designlint.findings.model import Acceptance, Problem
from designlint.judging.findings import of_problem, place
from designlint.judging.judge import judge_design
from designlint.language.values import closest
from designlint.reading.values import EditRefused
from designlint.suppressions.waivers import comments, conditions, entries
from designlint.suppressions.waivers.waiver import UNUSED, IdleWaiver, Waiver, documents, matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from designlint.design.design import Design
    from designlint.findings.model import Finding
    from designlint.reading import Document
    from designlint.reading.location import Location
    from designlint.rules.rule import CompiledRule
    from designlint.suppressions.waivers.waiver import WaivedRule

#: Faults of waivers that are listed, and those without effect that are looked into: a hostile file has thousands.
MOST_LISTED = 200
#: Misspelt rules that get a proposal.
MOST_PROPOSED = 20


def apply_waivers(
    found: list[Finding], design: Design, *, removals: bool = False
) -> tuple[list[Finding], list[Finding]]:
    """The findings, those that are waived with why; and the findings on the waivers themselves."""
    waivers = Waivers(design)
    accepted = waivers.acceptances(found)
    standing = [one for one, reason in zip(found, accepted, strict=True) if reason is None]
    idle = list(islice(waivers.idle(standing), MOST_LISTED))
    faults = [of_problem(one, design.engine) for one in waivers.problems[:MOST_LISTED]]
    idling = [of_problem(one.problem, design.engine) for one in idle]
    if idle and removals:
        idling = _removable(idle, idling, standing, design)
    told = [replace(one, accepted=why) if why else one for one, why in zip(found, accepted, strict=True)]
    return told, [*faults, *idling]


def _removable(
    idle: Sequence[IdleWaiver], told: Sequence[Finding], standing: Sequence[Finding], design: Design
) -> list[Finding]:
    """The findings on waivers without effect with the removal of each, proven by judging the design without all of them."""
    from designlint.suppressions.waivers import removal

    cuts = removal.splices_of(idle, design)
    try:
        after = read_design(removal.without(cuts, design.document), design.engine)
    except EditRefused:
        return list(told)
    left, _ = apply_waivers(list(judge_design(after).findings), after)
    if not {one.key for one in left if one.accepted is None} <= {one.key for one in standing}:
        return list(told)
    return removal.offer_removals(idle, told, cuts, design)


class Waivers:
    """The waivers of one design at work."""

    def __init__(self, design: Design) -> None:
        self.design, self.engine = design, design.engine
        self.known: dict[str, CompiledRule] = {**engines.shipped_engine().rules, **design.engine.rules}
        self.problems: list[Problem] = []
        self.unknown: list[tuple[Waiver, WaivedRule]] = []
        self.ended: list[tuple[Waiver, WaivedRule]] = []
        self.holding: list[tuple[Waiver, WaivedRule]] = []
        self._by_line: dict[tuple[str, int], list[tuple[Waiver, WaivedRule]]] = {}
        self._by_part: dict[tuple[str, str], list[tuple[Waiver, WaivedRule]]] = {}
        for one in _stated_waivers(design):
            if isinstance(one, Problem):
                self.problems.append(one)
            else:
                self._take(one)

    # -- what they are

    def _take(self, waiver: Waiver) -> None:
        """Let a waiver hold, as far as nothing is wrong with it."""
        if not waiver.explained:
            self.problems.append(waiver.problem("waiver/without-reason", waiver.rules[0], rule=waiver.rules[0].pattern))
            return
        for named in waiver.rules:
            fault = self._fault(named)
            if fault == "waiver/unknown-rule":
                self.unknown.append((waiver, named))
            elif fault:
                self.problems.append(waiver.problem(fault, named, rule=named.pattern))
            elif waiver.has_ended(self.engine.today):
                self.ended.append((waiver, named))
            else:
                self.holding.append((waiver, named))
                for line in waiver.lines:
                    self._by_line.setdefault((waiver.document.file, line), []).append((waiver, named))
                if waiver.on is not None:
                    self._by_part.setdefault((named.pattern, waiver.on), []).append((waiver, named))

    def _fault(self, named: WaivedRule) -> str:
        """The rule that a name breaks; empty where it can be waived."""
        meant = [rule for rule in self.known if matches(named.pattern, rule)]
        waivable = any(self.known[rule].waivable for rule in meant)
        return "" if waivable else "waiver/not-waivable" if meant else "waiver/unknown-rule"

    # -- what they do

    def acceptances(self, found: Sequence[Finding]) -> list[Acceptance | None]:
        """Why each finding does not count; None where it does."""
        return [self._acceptance(one) if self.known[one.rule].waivable else None for one in found]

    def _acceptance(self, finding: Finding) -> Acceptance | None:
        for waiver, named in self._for(finding):
            if not self._is_lapsed(waiver, named, finding):
                waiver.used.add(named)
                return _acceptance(waiver, named)
        return None

    def _for(self, finding: Finding) -> Iterator[tuple[Waiver, WaivedRule]]:
        """The waivers that are for a finding, nearest first."""
        for line in _lines(finding, self._by_line):
            yield from (one for one in self._by_line[line] if matches(one[1].pattern, finding.rule))
        if not self._by_part:
            return
        part = f"{finding.subject}/{finding.constraint}".strip("/")
        topic = finding.rule.partition("/")[0] + "/*"
        while True:
            for pattern in (finding.rule, topic):
                yield from self._by_part.get((pattern, part), ())
            if not part:
                return
            part = part.rpartition("/")[0]

    def of(self, finding: Finding) -> Iterator[Waiver]:
        """The waivers that are for a finding, whatever their condition."""
        if self.known[finding.rule].waivable:
            yield from (waiver for waiver, _ in self._for(finding))

    def _is_lapsed(self, waiver: Waiver, named: WaivedRule, finding: Finding) -> bool:
        condition = waiver.stated.get("while")
        if condition is None:
            return False
        subject = self.design.graph.subjects.get(finding.subject)
        seen = conditions.unmet(condition, finding, subject, self.engine)
        if seen:
            waiver.used.add(named)
            values = {"rule": finding.rule, "condition": condition[:80], "seen": seen}
            self.problems.append(waiver.problem("waiver/lapsed", named, **values))
        return bool(seen)

    # -- what has become of them

    def idle(self, standing: Sequence[Finding]) -> Iterator[IdleWaiver]:
        """The waivers without effect on the findings that stand."""
        for number, (waiver, named) in enumerate(self.unknown):
            near = self._near(named.pattern) if number < MOST_PROPOSED else None
            values = {"rule": named.pattern[:80], "proposal": near or ""}
            yield IdleWaiver(waiver, named, waiver.problem("waiver/unknown-rule", named, **values), near is None)
        for number, (waiver, named) in enumerate(self.ended):
            met = number >= MOST_LISTED or any(self._is_meant(waiver, named, one) for one in standing)
            values = {"rule": named.pattern, "until": waiver.stated["until"]}
            yield IdleWaiver(waiver, named, waiver.problem("waiver/expired", named, **values), not met)
        for waiver, named in self.holding:
            if named not in waiver.used and self._is_judged(waiver.document, named.pattern):
                yield IdleWaiver(waiver, named, waiver.problem(UNUSED, named, rule=named.pattern), True)

    def _near(self, pattern: str) -> str | None:
        """The rule that a misspelt name most likely meant; faults are compared, for many rules share a topic."""
        near = closest(pattern, list(self.known))
        alike = near is not None and closest(pattern.rpartition("/")[2], [near.rpartition("/")[2]])
        return near if alike else None

    def _is_meant(self, waiver: Waiver, named: WaivedRule, finding: Finding) -> bool:
        if not matches(named.pattern, finding.rule):
            return False
        if waiver.on is None:
            return bool(_lines(finding, {(waiver.document.file, line) for line in waiver.lines}))
        part = f"{finding.subject}/{finding.constraint}/"
        return not waiver.on or part.startswith(f"{waiver.on}/")

    def _is_judged(self, document: Document, pattern: str) -> bool:
        """Whether this run would have found what a waiver is for: its file is read whole, its rules are on."""
        here = document is self.design.document and document.complete
        return here and all(rule in self.engine.rules for rule in self.known if matches(pattern, rule))


def _stated_waivers(design: Design) -> Iterator[Waiver | Problem]:
    for document in documents(design):
        yield from comments.read_comments(document)
    yield from entries.read_entries(design.graph)


def _acceptance(waiver: Waiver, named: WaivedRule) -> Acceptance:
    stated = waiver.stated
    return Acceptance(
        how="waiver",
        reason=stated["reason"],
        owner=stated.get("owner", ""),
        until=stated.get("until", ""),
        location=place(waiver.document, named.start, named.end),
        ticket=stated.get("ticket", ""),
    )


def _lines(finding: Finding, wanted: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Those of the lines on which the finding, or a value that it shows, stands."""
    places = [finding.location, *(one.location for one in finding.values.values() if one.location is not None)]
    found: dict[tuple[str, int], None] = {}
    for at in places:
        found |= dict.fromkeys(_within(at, wanted))
    return list(found)


def _within(at: Location, wanted: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    last = at.end_line if at.end_column > 1 else max(at.line, at.end_line - 1)
    if last == at.line:
        return iter([(at.file, at.line)] if (at.file, at.line) in wanted else [])
    return (one for one in wanted if one[0] == at.file and at.line <= one[1] <= last)
