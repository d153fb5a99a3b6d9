"""What an approver asks first, answered in plain words from the judgements and facts of the design."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.applying.routes import too_large
from designlint.findings.model import Severity, Verdict
from designlint.language.sentences import many
from designlint.report.dossier import (
    Distance,
    DossierAnswer,
    DossierFault,
    DossierField,
    DossierGap,
    DossierPlan,
    DossierPoint,
)
from designlint.report.wording import CALLED, fact_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.design.design import Design
    from designlint.findings.report import Report
    from designlint.report.profile import Profile

#: What faults of a file's text are called.
SYNTAX = "syntax/"
#: Points of an answer.
MOST = 5
#: What is said of the cost of changes where no price is known.
UNPRICED = "Prices are not stated, so the cost in money is unknown."
#: Less room than this is called near to the limit.
NEAR = 0.1
#: What a workload aims at and what was computed for it: words, and how they are called.
AIMS = (
    ("deadline", "deadline"),
    ("training_time", CALLED["training_time"]),
    ("training_time_with_failures", "training time with failures and checkpoints"),
    ("mfu", "targeted utilisation (MFU)"),
    ("mfu_needed", "utilisation required by the deadline"),
    ("memory_per_gpu", CALLED["memory_per_gpu"]),
    ("goodput", "goodput"),
)


class Answers:
    """The four answers about one design."""

    def __init__(
        self,
        design: Design,
        report: Report,
        profile: Profile,
        found: Sequence[DossierFault],
        accepted: Sequence[DossierFault],
        margins: Sequence[Distance],
        plans: Sequence[DossierPlan],
        *,
        cut: bool,
    ) -> None:
        self.design, self.report, self.profile = design, report, profile
        self.found, self.accepted, self.margins, self.plans = found, accepted, margins, plans
        self.cut, self.untried = cut, too_large(design)

    def all(self, gaps: Sequence[DossierGap], fields: Sequence[DossierField]) -> list[DossierAnswer]:
        """Whether it reaches its target, what breaks first, what mending costs, what nobody knows."""
        return [self.reachable(), self.breaks(), self.costs(), self.unknown(gaps, fields)]

    def reachable(self) -> DossierAnswer:
        """Whether the workloads reach what they are for."""
        question = "Is the target reachable?"
        against = [one for one in self.found if self.profile.decides(one.rule)]
        errors = [one for one in against if one.severity == Severity.ERROR]
        outcomes = [one for one in self.report.outcomes if self.profile.decides(one.rule)]
        passed = sum(one.verdict is Verdict.PASS for one in outcomes)
        open_ = sum(one.verdict is Verdict.UNKNOWN for one in outcomes)
        points = [DossierPoint(one.severity, one.message, _finding(one)) for one in (errors or against)[:MOST]]
        points += self._aims()
        waiting = f"{passed} of {passed + open_} checks of targets pass" + (
            f", {open_} {'lacks' if open_ == 1 else 'lack'} facts." if open_ else "."
        )
        if errors:
            return DossierAnswer(
                question,
                f"No, not as designed: {many(len(errors), 'error')} in checks of targets.{self._hope()}",
                points,
            )
        if against:
            return DossierAnswer(
                question, f"Doubtful: {many(len(against), 'finding')} in checks of targets; {waiting}", points
            )
        if not passed:
            return DossierAnswer(question, "Unknown: no target could be checked, because facts are missing.", points)
        if passed < open_:
            return DossierAnswer(question, f"No check contradicts it, but most checks are unknown: {waiting}", points)
        return DossierAnswer(question, f"Yes, as far as it could be checked: {waiting}", points)

    def _hope(self) -> str:
        """Whether a plan keeps the aims and leaves no error."""
        if any(one.keeps and not one.errors for one in self.plans):
            return " A plan below keeps every target and leaves no error."
        if any(not one.errors for one in self.plans):
            return (
                " No plan was found that keeps every target; the plan below gives up some of them and leaves no error."
            )
        if self.untried:
            return " Plans were not tried, because the files are too large."
        return f" No plan was found that leaves no error{', but the search was not complete' if self.cut else ''}."

    def _aims(self) -> Iterator[DossierPoint]:
        for job in self.design.graph.by_class.get("Workload", ())[:MOST]:
            targets = [one for one in self.design.graph.subjects.values() if one.path == f"{job.path}/targets"]
            known = {
                name: text
                for word, name in AIMS
                for subject in (*targets, job)
                if word in self.design.engine.vocabulary.classes[subject.cls]
                and (text := fact_text(subject, word, self.design))
            }
            if known:
                yield DossierPoint(job.name, ", ".join(f"{name} {text}" for name, text in known.items()))

    def breaks(self) -> DossierAnswer:
        """What is at fault, the gravest and furthest first; what is nearest to a limit; what fails in operation."""
        question = "What breaks first?"
        bad = sorted((one for one in self.found if one.severity != Severity.INFO), key=_grave)
        tight = [one for one in self.margins if one.holds and 0 < one.room <= NEAR and self._limits(one.rule)]
        points = [DossierPoint(_beyond(one), one.message, _finding(one)) for one in bad[:MOST]]
        points += [
            DossierPoint(f"accepted, {_beyond(one)}", one.message, _finding(one))
            for one in self.accepted
            if one.distance is not None
        ][:MOST]
        points += [
            DossierPoint(f"only {one.text} margin", f"{one.subject or 'the design'}: {one.measured} (`{one.rule}`)")
            for one in tight[:3]
        ]
        points += self._failures()
        if bad:
            return DossierAnswer(question, bad[0].message, points)
        if tight:
            at = tight[0]
            told = f"{at.measured} ({at.subject or 'the design'}), with {at.text} margin."
            return DossierAnswer(question, f"No checked value is beyond its limit; the tightest is {told}", points)
        return DossierAnswer(question, "No checked value is beyond its limit or within 10 % of it.", points)

    def _limits(self, rule: str) -> bool:
        """Whether a rule holds the design against a limit: it is no good practice, and doubts no number that is stated."""
        found = self.design.engine.rules.get(rule)
        return found is not None and found.severity is not Severity.INFO and not found.texts.claim

    def _failures(self) -> Iterator[DossierPoint]:
        for job in self.design.graph.by_class.get("Workload", ())[:MOST]:
            words = ("mtbf", "time_lost_per_failure", "time_lost_to_failures")
            between, lost, all_lost = (fact_text(job, word, self.design) for word in words)
            times = job.facts.get("failures_in_run")
            if between:
                text = f"one failure every {between}"
                if isinstance(times, float):
                    text += f", about {times:.0f} in the run" if times >= 1 else ", fewer than one in the run"
                    text += f" ({times:.2g} expected)" if times < 10 else ""
                text += f"; each costs {lost}" if lost else ""
                yield DossierPoint(job.name, text + (f", {all_lost} in total" if lost and all_lost else ""))

    def costs(self) -> DossierAnswer:
        """What the ways out take: plans of proven changes and, for what they leave, what its remedy says."""
        question = "What does it cost to fix?"
        open_ = [one for one in self.found if one.severity != Severity.INFO] or list(self.found)
        if not open_:
            return DossierAnswer(question, "Nothing: there is no finding to fix.", [])
        points = [self._price_point(one, number) for number, one in enumerate(self.plans, 1)]
        alone = [one for one in open_ if all(any(left.rule == one.rule for left in plan.left) for plan in self.plans)]
        points += [self._way(one) for one in alone[: 2 * MOST]]
        if len(alone) > 2 * MOST:
            points.append(DossierPoint("Also", f"{len(alone) - 2 * MOST} more findings below"))
        points += self._money()
        return DossierAnswer(question, " ".join(self._ways(open_, points)), points)

    def _ways(self, open_: Sequence[DossierFault], points: Sequence[DossierPoint]) -> Iterator[str]:
        for one in self.plans:
            changes, rest = (
                many(len(one.revisions), "change"),
                f"{many(one.errors, 'error')} and {many(one.warnings, 'warning')}",
            )
            yield f"{one.title}: {changes}, tried together, leave {rest}."
        if self.cut:
            yield "The search was not complete, so there may be better plans."
        if not self.plans:
            helps = "Plans were not tried, because the files are too large" if self.untried else "No tried change helps"
            yield f"{helps}: {many(len(open_), 'finding')} below {'needs' if len(open_) == 1 else 'need'} a decision."
        if not any(one.key == "Money" for one in points) and not all(one.rule.startswith(SYNTAX) for one in open_):
            yield UNPRICED

    @staticmethod
    def _price_point(one: DossierPlan, number: int) -> DossierPoint:
        """What a plan gives up, and what it takes."""
        told = [
            f"{each.path} {each.before or 'not stated'} → {each.after or 'not stated'}"
            for each in one.revisions
            if each.path in one.given_up
        ]
        told += [f"{each.meaning} {each.before} → {each.after}" for each in one.effects[:MOST]]
        return DossierPoint(one.title, ", ".join(told) or "no counted quantity changes", f"plan-{number}")

    @staticmethod
    def _way(one: DossierFault) -> DossierPoint:
        fix = next((fix for fix in one.repairs if fix.weight), None)
        if fix is not None:
            return DossierPoint(f"{fix.title} ({', '.join(fix.changes)})", f"fixes only `{one.rule}`", _finding(one))
        gap = f" It is {_beyond(one)}." if one.distance and one.distance.room < 0 else ""
        return DossierPoint(one.remedy.rstrip("."), f"for `{one.rule}`.{gap}", _finding(one))

    def _money(self) -> Iterator[DossierPoint]:
        for one in self.design.graph.by_class.get("Procurement", ()):
            spent, most = fact_text(one, "ordered_cost", self.design), fact_text(one, "budget", self.design)
            if spent:
                yield DossierPoint("Money", f"orders of {spent}" + (f" against a budget of {most}" if most else ""))

    def unknown(self, gaps: Sequence[DossierGap], fields: Sequence[DossierField]) -> DossierAnswer:
        """How much was not judged, and what would decide most of it."""
        total = {one: self.report.total(one) for one in Verdict}
        open_, decided = total[Verdict.UNKNOWN], total[Verdict.PASS] + total[Verdict.FAIL]
        points = [*_group_gaps(gaps)]
        blind = [one.topic for one in fields if not one.judged and one.unknown]
        if blind:
            points.append(DossierPoint("Topics without any check", ", ".join(blind)))
        question = "What is not known yet?"
        if not open_ + decided:
            return DossierAnswer(question, "Everything: nothing could be checked.", points)
        unread = [
            DossierPoint("Fix first", one.message, _finding(one)) for one in self.found if one.rule.startswith(SYNTAX)
        ]
        if unread:
            told = f"The files could not be read completely, so {open_} of {open_ + decided} checks are unknown."
            return DossierAnswer(question, told, unread[:MOST])
        if not open_:
            return DossierAnswer(question, "Nothing that a rule needs: every applicable check was made.", points)
        rules = self.design.engine.rules
        grave = sum(
            one.verdict is Verdict.UNKNOWN and rules[one.rule].severity is Severity.ERROR
            for one in self.report.outcomes
        )
        return DossierAnswer(
            question,
            f"{open_} of {open_ + decided} applicable checks ({100 * open_ / (open_ + decided):.0f} %) are unknown: "
            f"they need facts that the design does not state; {grave} of them could become errors.",
            points,
        )


def _finding(one: DossierFault) -> str:
    return f"finding-{one.id}"


def _grave(one: DossierFault) -> tuple[int, float]:
    """What sorts the gravest first, then what lies furthest beyond its limit."""
    return Severity(one.severity).rank, 0.0 if one.distance is None else one.distance.room


def _beyond(one: DossierFault) -> str:
    """How far a finding is beyond its limit; how bad it is, where that is no number."""
    far = one.distance
    if far is None or far.room >= 0:
        return one.severity
    return f"{far.text.lstrip('-')} beyond its limit" if far.room > -2 else f"{1 - far.room:.3g} times its limit"


def _group_gaps(gaps: Sequence[DossierGap]) -> Iterator[DossierPoint]:
    """The missing facts by the part that they are about, those that decide most first."""
    parts: dict[str, list[tuple[str, int]]] = {}
    for one in gaps:
        steps = one.fact.split("/")
        cut = 2 if len(steps) > 2 else 1
        parts.setdefault("/".join(steps[:cut]), []).append(("/".join(steps[cut:]), one.rules))
    for part, facts in list(parts.items())[:MOST]:
        told = [f"{fact or 'everything'} ({many(rules, 'rule')})" for fact, rules in facts[:4]]
        more = [many(len(facts) - 4, "more fact")] if len(facts) > 4 else []
        yield DossierPoint(part, ", ".join([*told, *more]))
