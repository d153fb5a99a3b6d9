"""Findings as a reader sees them: the lines, the calculation, the way out as a diff."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from designlint.findings.model import Verdict
from designlint.graph.subjects import Subject
from designlint.report import dossier
from designlint.report.dossier import Distance, DossierFault, DossierLine, DossierPlace, DossierRepair, Step
from designlint.reporters.shared.differences import difference
from designlint.reporters.shared.fingerprints import fingerprints
from designlint.reporters.shared.margins import percent
from designlint.views.provenance import grown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.design.design import Design
    from designlint.findings.model import Acceptance, Finding, Fix, Margin
    from designlint.findings.report import Report
    from designlint.reading.location import Location
    from designlint.views.provenance import Branch

#: Findings of one rule that are shown with lines, calculation and diff; of the others only what they say.
MOST = 10
#: Letters of a line around its mark; steps of a calculation; lines that an excerpt shows around the mark.
WIDEST, STEPS, AROUND = 160, 60, 2
#: Values of one finding that are told.
VALUES = 20


def faults(found: Sequence[Finding], design: Design, report: Report) -> list[DossierFault]:
    """The findings of one design, in their order."""
    seen: Counter[str] = Counter()
    made = []
    for one, name in fingerprints(found):
        seen[one.rule] += 1
        made.append(_fault(one, name, design, report, whole=seen[one.rule] <= MOST))
    return made


def _fault(one: Finding, name: str, design: Design, report: Report, *, whole: bool) -> DossierFault:
    rule = report.standards[one.rule]
    return DossierFault(
        id=name[:12],
        rule=one.rule,
        title=rule.title,
        severity=str(one.severity),
        message=one.message,
        subject=one.subject,
        place=place(one.location),
        excerpt=list(_excerpt(one, report)) if whole else [],
        evidence=[
            f"{name} = {value.text}" + (f" ({value.cited})" if value.origin else "")
            for name, value in list(one.values.items())[:VALUES]
        ],
        limits=[f"{name} {value.text} ({value.cited})" for name, value in one.limits.items()],
        problem=rule.problem,
        remedy=one.remedy,
        principles=list(one.principles),
        calculation=list(_calculation(one, design)) if whole else [],
        repairs=[_repair(fix, report) for fix in one.fixes] if whole else [],
        distance=None
        if one.margin is None
        else _distance(one.rule, one.subject, one.margin, one.location, holds=False),
        accepted=None if one.accepted is None else _acceptance(one.accepted),
    )


def place(at: Location) -> DossierPlace:
    """Where a stretch of a file begins."""
    return DossierPlace(at.file, at.line, at.column)


def _acceptance(one: Acceptance) -> dossier.DossierAcceptance:
    at = None if one.location is None else place(one.location)
    return dossier.DossierAcceptance(one.how, one.reason, one.owner, one.until, one.ticket, at)


# ---- lines


def _excerpt(one: Finding, report: Report) -> Iterator[DossierLine]:
    """The marked line between its neighbours, then the lines that hold what it was compared with."""
    at, text = one.location, report.texts.get(one.location.file)
    if text is None:
        return
    last = text.count("\n") + 1
    for number in range(max(1, at.line - AROUND), min(last, at.line + AROUND) + 1):
        if number == at.line:
            yield _mark_line(
                at, report, next((f"{n} = {v.text}" for n, v in one.values.items() if v.location == at), "")
            )
        else:
            yield DossierLine(at.file, number, _cut_text(report.line(at.file, number)), "", "", "")
    shown = {(at.file, number) for number in range(at.line - AROUND, at.line + AROUND + 1)}
    for name, value in one.values.items():
        if value.location is not None and (value.location.file, value.location.line) not in shown:
            yield _mark_line(value.location, report, f"{name} = {value.text}")


def _mark_line(at: Location, report: Report, label: str) -> DossierLine:
    line = report.line(at.file, at.line)
    first, last = at.column - 1, len(line) if at.end_line > at.line else at.end_column - 1
    start = max(0, first - WIDEST // 3) if len(line) > WIDEST else 0
    before = ("…" if start else "") + line[start:first]
    return DossierLine(
        at.file, at.line, before, _cut_text(line[first:last]), _cut_text(line[last : start + WIDEST]), label
    )


def _cut_text(text: str) -> str:
    return text if len(text) <= WIDEST else text[:WIDEST] + "…"


# ---- calculations


def _calculation(one: Finding, design: Design) -> Iterator[Step]:
    """How the calculated values that a rule needed come about."""
    rule, subject = design.engine.rules[one.rule], design.graph.subjects.get(one.subject)
    if subject is None or rule.about not in subject.kinds:
        return
    seen, left = set[tuple[Subject, str]](), [STEPS]
    for name in (*rule.needs, *(name for name in one.values if name in rule.texts.shown)):
        for end, word in subject.follow(tuple(rule.paths.get(name) or rule.texts.shown[name])):
            origin = end.origins.get(word)
            if origin is not None and origin.inputs and (end, word) not in seen and left[0] > 0:
                yield _step(grown(design, (end, word), seen, left))


def _step(one: Branch) -> Step:
    """A branch as plain data."""
    inputs = [_step(part) for part in one.inputs]
    return Step(
        one.fact,
        one.note + (" …" if one.cut else ""),
        one.formula.replace("\n", "; "),
        list(one.sources),
        one.again,
        inputs,
    )


# ---- fixes


def _repair(fix: Fix, report: Report) -> DossierRepair:
    changes = [f"{one.path} = {one.value}" if one.value is not None else f"without {one.path}" for one in fix.changes]
    weight = fix.weight if fix.proven else ""
    return DossierRepair(fix.title, fix.safety, weight, fix.because, changes, _diff(fix, report))


def _diff(fix: Fix, report: Report) -> str:
    """The changes as a unified diff, to be looked at: long lines are cut."""
    from designlint.reading.stretches import replace_nodes
    from designlint.reading.tree import Document

    told = ""
    for file in sorted({one.location.file for one in fix.replacements} & report.texts.keys()):
        old = report.texts[file]
        new = replace_nodes(Document(file, old), [one for one in fix.replacements if one.location.file == file])
        told += difference(file, old, new, context=2)
    return "\n".join(map(_cut_text, told.split("\n")))


# ---- margins


def margins(report: Report) -> list[Distance]:
    """The judgements whose margin is known, tightest first."""
    return [
        _distance(one.rule, one.subject, one.margin, one.location, holds=one.verdict is Verdict.PASS)
        for one in report.margins()
        if one.margin is not None
    ]


def _distance(rule: str, subject: str, margin: Margin, at: Location | None, *, holds: bool) -> Distance:
    where = None if at is None else place(at)
    return Distance(rule, subject, margin.words, margin.room, percent(margin.room), holds, where)
