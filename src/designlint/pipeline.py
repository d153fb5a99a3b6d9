"""The whole program on one page: files, text, tree, graph, derived facts, judgements, findings, report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from designlint import findings, keys, waivers
from designlint.configuration import Policy
from designlint.design import Design, read
from designlint.discovery import discover, open_document
from designlint.judging import Judged, judgements
from designlint.margins import measured
from designlint.merging import report
from designlint.model import Finding, Outcome, Problem, Report, Verdict
from designlint.notices import Avoidance
from designlint.overlay import NOTHING_HELD
from designlint.rules import absent, missing
from designlint.timing import timed
from designlint.wording import fields, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from designlint.engine import Engine
    from designlint.overlay import Held
    from designlint.rules import Row, Rule
    from designlint.source import Document

__all__ = ["Design", "Result", "check", "judgements", "lint", "load", "read", "report"]


@dataclass(slots=True)
class Result:
    """What checking one design gave."""

    design: Design
    findings: list[Finding]
    outcomes: list[Outcome]
    avoid: list[Avoidance]
    accepted: list[Finding]

    def report(self) -> Report:
        """The answer for this design alone."""
        rules, file = self.design.engine.rules, self.design.document.file
        return Report(
            files=[file],
            findings=[replace(one, design=file) for one in self.findings],
            outcomes=self.outcomes,
            avoid=self.avoid,
            error=next(filter(None, (rules[one.rule]["refusal"] for one in self.findings)), ""),
            accepted=[replace(one, design=file) for one in self.accepted],
            settings=[one._replace(files=(file,)) for one in self.design.engine.adjustments],
            texts=self.design.texts(),
            standards={
                name: rules[name].standard for name in sorted({one.rule for one in (*self.findings, *self.accepted)})
            },
        )


def lint(
    document: Document,
    engine: Engine,
    *,
    held: Held = NOTHING_HELD,
    repair: bool | Callable[[Finding], bool] = True,
    margins: bool = False,
) -> Result:
    """
    One design judged by every rule.

    Args:
        held: files that it extends, as far as they are in memory and not as on disk.
        repair: whether findings, or which of them, carry the fix that was proven on them.
        margins: each outcome carries its margin, passed or failed.
    """
    design = read(document, engine, held)
    found = [findings.of_problem(one, engine) for one in design.problems]
    faults: dict[int, tuple[Rule, Row | Problem]] = {
        id(one): (engine.rules[one.rule], problem) for one, problem in zip(found, design.problems, strict=True)
    }
    outcomes: list[Outcome] = []
    avoid: list[Avoidance] = []
    for rule, rows in judgements(design, measure=margins) if document.root is not None else ():
        outcomes += [_outcome(rule, row, design, margins) for row in rows] or absent(rule, document.file, design.judged)
        if rule["avoid"]:
            avoid += _avoidances(rule, rows, design)
        for row in (row for row in rows if row.verdict is Verdict.FAIL):
            found.append(findings.of_row(rule, row, engine))
            faults[id(found[-1])] = rule, row
    if engine.settings.shapes and document.root is not None:
        from designlint import shapes

        more, judged = shapes.judged(design)
        found, outcomes = [*found, *more], [*outcomes, *judged]
        faults |= {id(one): (engine.rules[one.rule], Problem(one.rule, document, 0, 0, {})) for one in more}
    found.sort(key=findings.order)
    wanted = repair if callable(repair) else lambda _: repair
    found, about = waivers.applied(found, design, lint if repair else None)
    mendable = [one for one in found if one.accepted is None and faults[id(one)][0]["fix"] and wanted(one)]
    if mendable:
        from designlint.fixes import proven

        fixes = timed("repair", proven, Judged(design, found), mendable, faults)
        found = [replace(one, fixes=(fixes[id(one)],)) if id(one) in fixes else one for one in found]
    found = keys.distinct(sorted([*found, *about], key=findings.order) if about else found)
    accepted = [one for one in found if one.accepted]
    return Result(design, [one for one in found if one.accepted is None], outcomes, avoid, accepted)


def _avoidances(rule: Rule, rows: list[Row], design: Design) -> list[Avoidance]:
    """What a rule rules out: told where it surely applies and every value of the statement is known."""
    units, needed = design.engine.vocabulary.units, set(fields(rule["avoid"])) - {"focus"}
    unsure = () if rule["when"] else (Verdict.UNKNOWN,)
    told = [row for row in rows if row.verdict in (Verdict.PASS, Verdict.FAIL, *unsure) and needed <= row.values.keys()]
    return [
        Avoidance(
            rule.id,
            design.document.file,
            row.subject.path,
            tell(rule["avoid"], rule, row.values | {"focus": row.subject}, units),
        )
        for row in told
    ]


def _outcome(rule: Rule, row: Row, design: Design, margins: bool) -> Outcome:
    lacks = missing(rule, row, design.engine.plan, design.judged) if row.verdict is Verdict.UNKNOWN else ()
    known = margins and row.verdict in (Verdict.PASS, Verdict.FAIL)
    margin = measured(rule, row, design.engine.vocabulary.units) if known else None
    location = None if margin is None else findings.location(rule, row)
    return Outcome(rule.id, design.document.file, row.subject.path, row.verdict, lacks, margin, location)


def load(path: str) -> Design:
    """One design, read and derived, with the settings of the configuration above it."""
    return read(open_document(path), Policy().engine(path))


def check(paths: Sequence[str], stdin: bytes | None = None, stdin_filename: str = "<stdin>") -> Report:
    """The report on all designs that the paths mean."""
    policy = Policy()
    documents = [open_document(path, stdin, stdin_filename) for path in discover(paths)]
    return report([lint(document, policy.engine(document.file)).report() for document in documents])
