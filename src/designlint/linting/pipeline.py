"""The whole program on one page: files, text, tree, graph, derived facts, judgements, findings, report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.configuration import Policy
from designlint.design.design import Design, read_design
from designlint.design.overlay import NOTHING_HELD
from designlint.findings.model import Finding, Outcome, Problem, Verdict
from designlint.findings.notices import Avoidance
from designlint.findings.timing import time_call
from designlint.judging import findings, fingerprints, judge
from designlint.judging.gaps import Gaps
from designlint.judging.judge import Fault, Judged, judgements
from designlint.judging.result import Result
from designlint.linting.merging import report
from designlint.reading.discovery import discover, open_document
from designlint.rules.wording import filled_text
from designlint.suppressions import waivers

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from designlint.design.overlay import Held
    from designlint.expressions.templates import Template
    from designlint.findings.report import Report
    from designlint.judging.judgement import Judgement
    from designlint.reading import Document
    from designlint.rules.engine import Engine
    from designlint.rules.rule import CompiledRule

__all__ = ["Design", "Result", "check", "judgements", "lint", "load", "read_design", "report"]


def lint(
    document: Document,
    engine: Engine,
    *,
    held: Held = NOTHING_HELD,
    repair: bool | Callable[[Finding], bool] = True,
    margins: bool = False,
    steps: Collection[int] | None = None,
) -> Result:
    """
    One design judged by every rule.

    Args:
        held: files that it extends, as far as they are in memory and not as on disk.
        repair: whether findings, or which of them, carry the fix that was proven on them.
        margins: each outcome carries its margin, passed or failed.
        steps: the calculations that are made; all when left out.
    """
    design = read_design(document, engine, held, steps)
    faults = judge.problems(design)
    outcomes: list[Outcome] = []
    avoid: list[Avoidance] = []
    gaps = Gaps(design)
    for rule, answers in judgements(design) if document.root is not None else ():
        outcomes += outcomes_of(answers, design, gaps, margins)
        if not answers and (absent := gaps.absent(rule.about)) is not None:
            outcomes.append(Outcome(rule.id, document.file, "", absent.verdict, absent.facts))
        if rule.avoid is not None:
            avoid += _avoidances(rule, rule.avoid, answers, design)
        faults += judge.faults(design, answers)
    if not document.complete:  # what is missing may stand behind the fault
        outcomes = [replace(one, missing=()) for one in outcomes]
    if engine.settings.shapes and document.root is not None:
        from designlint.judging import shapes

        more, judged = shapes.judge_shapes(design)
        outcomes += judged
        faults += [Fault(one, Problem(one.rule, document, 0, 0, {})) for one in more]
    faults.sort(key=lambda one: findings.order(one.finding))
    found, about = waivers.apply_waivers([one.finding for one in faults], design, removals=bool(repair))
    untried = 0
    if repair:
        wanted = repair if callable(repair) else lambda _: True
        faults = [Fault(new, one.cause) for new, one in zip(found, faults, strict=True)]
        found, untried = _with_fixes(design, faults, wanted)
    found = fingerprints.distinct(sorted([*found, *about], key=findings.order) if about else found)
    accepted = [one for one in found if one.accepted]
    return Result(design, [one for one in found if one.accepted is None], outcomes, avoid, accepted, untried)


def _with_fixes(design: Design, faults: list[Fault], wanted: Callable[[Finding], bool]) -> tuple[list[Finding], int]:
    """The findings, those that count and are wanted with the fix that was proven; and how many were not tried."""
    rules, found = design.engine.rules, [one.finding for one in faults]
    counting = [one for one in faults if one.finding.accepted is None and rules[one.rule].texts.fixes]
    mendable = [one for one in counting if wanted(one.finding)]
    if not found:
        return found, 0
    from designlint.fixes.causes import with_causes

    untried = 0
    if mendable:
        from designlint.fixes.proof import proven

        fixes, untried = time_call("repair", proven, Judged(design, found), mendable)
        faults = [
            replace(one, finding=replace(one.finding, fixes=(fixes[one],))) if one in fixes else one for one in faults
        ]
    return with_causes(faults), untried


def _avoidances(
    rule: CompiledRule, avoid: Template, judgements: Sequence[Judgement], design: Design
) -> Iterator[Avoidance]:
    """What a rule rules out: said where it surely applies and every value of the statement is known."""
    units, needed = design.engine.vocabulary.units, set(avoid.names) - {"focus"}
    unsure = () if rule.condition is not None and rule.condition.when is not None else (Verdict.UNKNOWN,)
    for one in judgements:
        if one.verdict in (Verdict.PASS, Verdict.FAIL, *unsure) and needed <= one.values.keys():
            said = filled_text(avoid, rule.kind, one.values | {"focus": one.subject}, units)
            yield Avoidance(rule.id, design.document.file, one.subject.path, said)


def outcomes_of(judgements: Iterable[Judgement], design: Design, gaps: Gaps, margins: bool) -> list[Outcome]:
    """What comes of judgements, as reports have it."""
    file, unknown, found = design.document.file, Verdict.UNKNOWN, list[Outcome]()
    for one in judgements:
        rule, verdict = one.rule, one.verdict
        if verdict is unknown:
            verdict, facts, weight = gaps.of(one)
            found.append(Outcome(rule.id, file, one.subject.path, verdict, facts, weight=weight))
            continue
        margin = one.margin(design.engine.vocabulary.units) if margins else None
        location = None if margin is None else findings.location(one)
        doubts = margin is not None and bool(rule.texts.claim)
        found.append(Outcome(rule.id, file, one.subject.path, verdict, (), margin, location, doubts=doubts))
    return found


def load(path: str) -> Design:
    """One design, read and derived, with the settings of the configuration above it."""
    return read_design(open_document(path), Policy().engine(path))


def check(paths: Sequence[str], stdin: bytes | None = None, stdin_filename: str = "<stdin>") -> Report:
    """The report on all designs that the paths mean."""
    policy = Policy()
    documents = [open_document(path, stdin, stdin_filename) for path in discover(paths)]
    judged = [(document, policy.engine(document.file)) for document in documents]
    return report([lint(document, engine, steps=engine.steps).report() for document, engine in judged])
