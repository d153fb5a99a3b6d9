"""What an approver asks first, answered in plain words from the judgements and facts of the design."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.compliance.dossier import Answer, Distance, Fault, Field, Gap, Point
from designlint.model import Severity, Verdict
from designlint.reporters.shared.margins import percent
from designlint.reporters.text import shortened
from designlint.wording import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.compliance.profile import Profile
    from designlint.design import Design
    from designlint.graph.subjects import Subject
    from designlint.model import Report

#: Points of an answer.
MOST = 5
#: Less room than this is called near to the limit.
NEAR = 0.1
#: What a workload aims at and what was computed for it: words, and how they are called.
AIMS = (
    ("deadline", "deadline"),
    ("run_time", "time to train with failures"),
    ("training_time", "time to train without failures"),
    ("mfu", "targeted utilisation (MFU)"),
    ("mfu_needed", "utilisation that the deadline needs"),
    ("memory_per_gpu", "memory needed per GPU"),
    ("goodput", "share of time that trains"),
)


def many(number: int, what: str) -> str:
    """A number with its noun."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def told(subject: Subject, word: str, design: Design) -> str:
    """A fact as a person reads it; empty where it is not known."""
    fact, node = subject.facts.get(word), subject.keys.get(word)
    if node is not None and node.kind == "scalar":
        return shortened(node.text, 200)
    if fact is None or isinstance(fact, list):
        return ""
    kind = design.engine.vocabulary.classes[subject.cls][word].kind
    if kind == "Ratio" and isinstance(fact, float) and 0 < fact < 1:
        return percent(fact)
    return shortened(plain(fact, kind, design.engine.vocabulary.units), 200)


class Answers:
    """The four answers about one design."""

    def __init__(
        self, design: Design, report: Report, profile: Profile, found: Sequence[Fault], margins: Sequence[Distance]
    ) -> None:
        self.design, self.report, self.profile = design, report, profile
        self.found, self.margins = found, margins

    def all(self, gaps: Sequence[Gap], fields: Sequence[Field]) -> list[Answer]:
        """Whether it reaches its target, what breaks first, what mending costs, what nobody knows."""
        return [self.reachable(), self.breaks(), self.costs(), self.unknown(gaps, fields)]

    def reachable(self) -> Answer:
        """Whether the workloads reach what they are for."""
        question = "Is the target reachable?"
        against = [one for one in self.found if self.profile.aims(one.rule)]
        errors = [one for one in against if one.severity == Severity.ERROR]
        outcomes = [one for one in self.report.outcomes if self.profile.aims(one.rule)]
        passed = sum(one.verdict is Verdict.PASS for one in outcomes)
        open_ = sum(one.verdict is Verdict.UNKNOWN for one in outcomes)
        points = [Point(one.severity, one.message, one.id) for one in (errors or against)[:MOST]]
        points += self._aims()
        waiting = f"{passed} of {passed + open_} judgements on targets hold" + (
            f", {open_} wait for facts." if open_ else "."
        )
        if errors:
            return Answer(question, f"No, not as designed: {many(len(errors), 'error')} against it.", points)
        if against:
            return Answer(question, f"Doubtful: {many(len(against), 'reservation')}; {waiting}", points)
        if not passed:
            return Answer(question, "Nobody can tell: no target was judged, for want of facts.", points)
        return Answer(question, f"Yes, as far as it was judged: {waiting}", points)

    def _aims(self) -> Iterator[Point]:
        for job in self.design.graph.by_class.get("Workload", ())[:MOST]:
            targets = [one for one in self.design.graph.subjects.values() if one.path == f"{job.path}/targets"]
            known = {
                name: text
                for word, name in AIMS
                for subject in (*targets, job)
                if word in self.design.engine.vocabulary.classes[subject.cls]
                and (text := told(subject, word, self.design))
            }
            if known:
                yield Point(job.name, ", ".join(f"{name} {text}" for name, text in known.items()))

    def breaks(self) -> Answer:
        """What is beyond its limit, what is nearest to one, and what fails in operation."""
        beyond = [one for one in self.margins if not one.holds and one.room <= 0]
        tight = [one for one in self.margins if one.holds and 0 < one.room <= NEAR]
        by_rule = {(one.rule, one.subject): one for one in self.found}
        points = []
        for one in beyond[:MOST]:
            fault = by_rule.get((one.rule, one.subject))
            text = f"{one.subject or 'the design'}: {one.measured}"
            points.append(Point(f"{one.text.lstrip('-')} beyond its limit", text, fault.id if fault else ""))
        points += [
            Point(f"only {one.text} to spare", f"{one.subject or 'the design'}: {one.measured}") for one in tight[:3]
        ]
        points += self._failures()
        question = "What breaks first?"
        if beyond:
            worst = by_rule.get((beyond[0].rule, beyond[0].subject))
            return Answer(question, worst.message if worst else beyond[0].measured, points)
        if tight:
            at = tight[0]
            return Answer(
                question,
                f"Nothing is beyond a limit; the tightest is {at.measured} ({at.subject or 'the design'}), "
                f"{at.text} to spare.",
                points,
            )
        return Answer(question, "No judged number is beyond its limit or within 10 % of it.", points)

    def _failures(self) -> Iterator[Point]:
        for job in self.design.graph.by_class.get("Workload", ())[:MOST]:
            between, lost = told(job, "mtbf", self.design), told(job, "time_lost_per_failure", self.design)
            times = told(job, "failures_in_run", self.design)
            if between:
                text = f"something fails every {between}" + (f", {times} times in the run" if times else "")
                yield Point(job.name, text + (f"; each time costs {lost}" if lost else ""))

    def costs(self) -> Answer:
        """What each open finding takes: a proven change of the design, or what its remedy says."""
        question = "What does it cost to fix?"
        open_ = [one for one in self.found if one.severity != Severity.INFO] or list(self.found)
        open_.sort(key=lambda one: list(Severity).index(Severity(one.severity)))
        fixed = [one for one in open_ if any(fix.proven for fix in one.repairs)]
        points = [self._way(one) for one in open_[: 2 * MOST]]
        if len(open_) > 2 * MOST:
            points.append(Point("And", f"{len(open_) - 2 * MOST} more findings below"))
        points += self._money()
        if not open_:
            return Answer(question, "Nothing: there is no finding to fix.", points)
        rest = len(open_) - len(fixed)
        text = (
            f"{many(len(fixed), 'finding')} of {len(open_)} by a change of the design that was tried and judged again"
        )
        if rest:
            text += f"; {rest} by a decision or a purchase, named below"
        if not any(one.key == "Money" for one in points):
            text += ". Prices are not stated, so nobody can say it in money"
        return Answer(question, text + ".", points)

    @staticmethod
    def _way(one: Fault) -> Point:
        fix = next((fix for fix in one.repairs if fix.proven), None)
        if fix is not None:
            return Point(f"{fix.title} ({', '.join(fix.changes)})", f"cures `{one.rule}`", one.id)
        short = one.distance
        gap = f" It is {short.text.lstrip('-')} beyond the limit." if short and short.room < 0 else ""
        return Point(one.remedy.rstrip("."), f"for `{one.rule}`.{gap}", one.id)

    def _money(self) -> Iterator[Point]:
        for one in self.design.graph.by_class.get("Procurement", ()):
            spent, most = told(one, "ordered_cost", self.design), told(one, "budget", self.design)
            if spent:
                yield Point("Money", f"{spent} is ordered" + (f" of a budget of {most}" if most else ""))

    def unknown(self, gaps: Sequence[Gap], fields: Sequence[Field]) -> Answer:
        """How much was not judged, and what would decide most of it."""
        total = {one: self.report.total(one) for one in Verdict}
        open_, decided = total[Verdict.UNKNOWN], total[Verdict.PASS] + total[Verdict.FAIL]
        points = [Point(one.fact, f"would decide {many(one.rules, 'rule')}") for one in gaps[:MOST]]
        blind = [one.topic for one in fields if not one.judged and one.unknown]
        if blind:
            points.append(Point("Not judged at all", ", ".join(blind)))
        question = "What does nobody know yet?"
        if not open_:
            return Answer(question, "Nothing that a rule asks for: every applicable judgement was made.", points)
        return Answer(
            question,
            f"{open_} of {open_ + decided} applicable judgements ({100 * open_ / (open_ + decided):.0f} %) wait for facts "
            "that the design does not state.",
            points,
        )
