"""From judgements and evidence to what is known about each principle."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from designlint.findings.model import Verdict
from designlint.report.dossier import Decider, DossierEvidence, DossierJudged, DossierPlace, Matrix, Status, Tally

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from designlint.compiler.principles import PrincipleRow
    from designlint.design.design import Design
    from designlint.findings.report import Report
    from designlint.graph.subjects import Subject
    from designlint.report.profile import Profile


#: What a configuration does to a rule, in words.
OFF = "switched off"
CHANGED = {"replaced": "replaced", "severity": "severity changed", "limit": "limit changed"}


def judge_principles(
    rows: Sequence[PrincipleRow], design: Design, report: Report, profile: Profile
) -> list[DossierJudged]:
    """Every principle that the profile is about."""
    seen, attested, changed = _seen_statuses(report), defaultdict(list), _changed_rules(report)
    for one in evidence(design):
        attested[one.principle].append(one)
    return [
        _judge_principle(row, _deciders(row, seen, changed), attested[row.principle.id], profile)
        for row in rows
        if profile.applies(row.principle)
    ]


def _changed_rules(report: Report) -> Mapping[str, str]:
    """What the configuration did to each rule that it is about."""
    told: dict[str, list[str]] = defaultdict(list)
    for one in report.settings:
        for rule in one.rules:
            told[rule].append(OFF if one.leaves_out else CHANGED[one.what])
    return {rule: ", ".join(dict.fromkeys(words)) for rule, words in told.items()}


def _seen_statuses(report: Report) -> Mapping[str, Collection[Status]]:
    """What each rule says about the parts of the design, as statuses."""
    waived = {(one.rule, one.subject) for one in report.accepted}
    counted = {(one.rule, one.subject) for one in report.findings}
    told = {Verdict.PASS: Status.PROVEN, Verdict.UNKNOWN: Status.UNKNOWN, Verdict.NOT_APPLICABLE: Status.NOT_APPLICABLE}
    seen: dict[str, set[Status]] = defaultdict(set)
    for one in report.outcomes:
        key = one.rule, one.subject
        failed = Status.WAIVED if key in waived and key not in counted else Status.VIOLATED
        seen[one.rule].add(told.get(one.verdict, failed))
    for rule, _ in waived:
        seen[rule].add(Status.WAIVED)
    for rule, _ in counted:  # faults of text and shape have no judgements
        seen[rule].add(Status.VIOLATED)
    return seen


def together(seen: Iterable[Status]) -> Status:
    """What several answers come to: proven only where nothing is unknown."""
    all_of = set(seen) - {Status.NOT_APPLICABLE, Status.TAILORED}
    if not all_of:
        return Status.NOT_APPLICABLE
    if Status.VIOLATED in all_of:
        return Status.VIOLATED
    if all_of & {
        Status.UNKNOWN,
        Status.PARTLY,
    }:  # partly proven only where something is: to accept a fault proves nothing
        return Status.PARTLY if all_of & {Status.PARTLY, Status.PROVEN} else Status.UNKNOWN
    return next(one for one in (Status.WAIVED, Status.ATTESTED, Status.PROVEN) if one in all_of)


def _deciders(row: PrincipleRow, seen: Mapping[str, Collection[Status]], changed: Mapping[str, str]) -> list[Decider]:
    """What the rules of a principle say; one that was switched off says nothing, so the principle is not proven."""
    return [
        Decider(rule, together(seen.get(rule, {Status.UNKNOWN})), changed.get(rule, ""))
        for rule in row.rules
        if rule in seen or OFF in changed.get(rule, "")
    ]


def _judge_principle(
    row: PrincipleRow, rules: Sequence[Decider], attested: Sequence[DossierEvidence], profile: Profile
) -> DossierJudged:
    one, left = row.principle, profile.exclusion(row.principle.id)
    silent = [rule for rule in row.rules if rule not in {each.rule for each in rules}]
    status = Status.TAILORED if left else _status(rules, attested, by_person=one.judged_by == "evidence")
    return DossierJudged(
        one.id, one.document, one.place, one.phase, one.topic, one.statement, one.judged_by, status, rules,
        silent, attested, left.reason if left else "",
    )  # fmt: skip


def _status(rules: Sequence[Decider], attested: Sequence[DossierEvidence], *, by_person: bool) -> Status:
    """What rules and people say together: a person can settle what rules leave open, and must where only a person can."""
    found = together(one.status for one in rules) if rules else Status.UNKNOWN
    vouched = any(one.valid for one in attested)
    if found is Status.VIOLATED or (found is Status.WAIVED and (vouched or not by_person)):
        return found
    if vouched and (by_person or found is Status.UNKNOWN):
        return Status.ATTESTED
    if by_person:
        return Status.PARTLY if found in (Status.PROVEN, Status.PARTLY) else Status.UNKNOWN
    return found


def evidence(design: Design) -> list[DossierEvidence]:
    """What people attest, in the order of the design."""
    return [_evidence(one, design) for one in design.graph.by_class.get("Evidence", ())]


def _evidence(one: Subject, design: Design) -> DossierEvidence:
    told = {word: str(one.facts.get(word, "")) for word in ("for", "by", "on", "until", "link", "note")}
    valid = bool(told["by"]) and (not told["until"] or told["until"] >= design.engine.today)
    return DossierEvidence(
        told["for"], told["by"], told["on"], told["until"], told["link"], told["note"], valid, place_of(one, "for")
    )


def place_of(subject: Subject, word: str) -> DossierPlace | None:
    """Where a design states a word; None where it does not."""
    node = subject.keys.get(word)
    if node is None:
        return None
    line, column, _, _ = node.document.place(node.start, node.end)
    return DossierPlace(node.document.file, line, column)


def count_statuses(judged: Sequence[DossierJudged]) -> list[tuple[Status, int]]:
    """How many principles have which status, worst first."""
    counts = Counter(one.status for one in judged)
    return [(one, counts[one]) for one in Status]


def tally(title: str, judged: Sequence[DossierJudged]) -> Tally:
    """Some principles as one row."""
    status = together(one.status for one in judged)
    return Tally(title, status, count_statuses(judged), [one.id for one in judged])


def matrices(judged: Sequence[DossierJudged], profile: Profile) -> list[Matrix]:
    """The matrices of a profile; rows that it is not about are left out."""
    made = []
    for title, groups in profile.matrices:
        rows = [(group.title, [one for one in judged if group.of(one.id)]) for group in groups]
        made.append(Matrix(title, [tally(name, members) for name, members in rows if members]))
    return [one for one in made if one.rows]
