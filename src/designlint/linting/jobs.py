"""Jobs judged against a cluster: what each of them draws, without what the cluster draws by itself."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.design import jobs
from designlint.design.design import may_ask_any
from designlint.findings.model import Problem, Verdict
from designlint.findings.notices import Adjustment
from designlint.findings.report import Report
from designlint.findings.timing import time_call
from designlint.fixes import foreign
from designlint.fixes.trial import FactTrials
from designlint.fixes.weighing import weigh_change
from designlint.judging import findings, fingerprints, judge
from designlint.judging.gaps import Gaps
from designlint.judging.judge import Fault, Judged
from designlint.judging.judgement import Judgement
from designlint.judging.result import Result
from designlint.language.sentences import cut
from designlint.linting import merging, pipeline
from designlint.reading.discovery import Unjudged
from designlint.suppressions import waivers

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from designlint.design.design import Design
    from designlint.design.jobs import Cluster, Job, JobFile
    from designlint.findings.model import Finding, Fix
    from designlint.fixes.changed import Failure
    from designlint.fixes.weighing import Weight
    from designlint.graph.subjects import Subject
    from designlint.reading import Document
    from designlint.rules.engine import Engine

#: Where the subjects of a job are.
WITHIN = "workloads/"
#: Parts of the cluster that a job brings some of: the most special first.
BROUGHT = ("software/environment", "software")
#: Repairs that are tried on one job: each reads and judges it again.
MOST_TRIES = 12
#: Parts of a workload whose unknown values decide most.
SIZES = ("job", "runs_on", "parallelism", "model", "checkpoint")
#: Unknown values that are findings by themselves.
FOUND = ("walltime", "gpus_per_server")
#: Unknown values of one job that its notice names.
MOST_UNKNOWN = 3


class JobCluster:
    """
    A cluster that jobs are judged against; what it draws by itself is found once.

    Args:
        document: the design of the cluster; None where there is none, and only what a file says alone is judged.
    """

    def __init__(self, document: Document | None, engine: Engine) -> None:
        self.engine = engine
        self.cluster: Cluster = jobs.cluster(document, engine)
        self.known: list[Finding] = []
        if document is not None:
            self.known = [one for one in judge.judge_design(self.cluster.design).findings if one.rule in engine.rules]
        self.alone = {(one.rule, one.subject) for one in self.known}
        self.files = {one.file for one in self.cluster.documents()}
        if not may_ask_any(self.cluster.documents()):
            words = {word for one in self._with_environment.rules.values() for word in one.words}
            self.cluster.steps = engine.plan.needed_steps(words)

    def report(
        self, file: JobFile, *, named: bool = True, margins: bool = False, again: Callable[[str], JobFile] | None = None
    ) -> Report:
        """
        The answer for one file of jobs.

        Args:
            named: somebody named the file; that it holds no job is a fault then.
            again: reads the file with another text; where it is given, findings carry the fixes that were proven on them.
        """
        if file.refusal or not file.jobs:
            return self._refusal_report(file, named)
        parts = [self._job(at, file, margins, again).report() for at in range(len(file.jobs))]
        whole = merging.report(parts)
        found = fingerprints.distinct(sorted(whole.findings, key=findings.order))
        told = [self._left_out(file), *_unknown(file), *whole.settings]
        return replace(whole, files=[file.document.file], findings=found, settings=told)

    # -- one job

    def _job(self, at: int, file: JobFile, margins: bool, again: Callable[[str], JobFile] | None) -> Result:
        """One of the jobs of a file, by its number."""
        job, asked = file.jobs[at], self._restrict(file.jobs[at].design)
        design = job.design
        answers = self._answers(asked)
        outcomes = pipeline.outcomes_of(answers, asked, Gaps(asked), margins)
        faults = self._faults(design, answers)
        found, about = waivers.apply_waivers([one.finding for one in faults], design)
        if again is not None:
            faults = [Fault(new, one.cause) for new, one in zip(found, faults, strict=True)]
            found = time_call("repair", self._with_fixes, faults, at, file, asked, again)
        found = fingerprints.distinct(sorted([*found, *about], key=findings.order))
        accepted = [one for one in found if one.accepted]
        return Result(design, [one for one in found if one.accepted is None], outcomes, [], accepted)

    def _answers(self, asked: Design) -> list[Judgement]:
        """What the rules say about the job."""
        return [one for _, answers in judge.judgements(asked) for one in answers if self._belongs(one)]

    def _faults(self, design: Design, answers: Sequence[Judgement]) -> list[Fault]:
        """What is wrong with the job: its text, its shape, what it asks."""
        faults = [Fault(findings.of_problem(one, self.engine), one) for one in design.problems]
        faults += [_at_job(one, design, self.files) for one in judge.faults(design, answers)]
        return sorted(faults, key=lambda one: findings.order(one.finding))

    def _with_fixes(
        self, faults: Sequence[Fault], at: int, file: JobFile, asked: Design, again: Callable[[str], JobFile]
    ) -> list[Finding]:
        """The findings, those with a fix that holds on the file as it would be then with that fix."""
        trials = FactTrials(Judged(asked, [one.finding for one in faults]))
        tries = iter(range(MOST_TRIES))
        found = []
        for one in faults:
            fix = None
            if one.finding.accepted is None:
                fix = self._fix(one, trials, at, file, again, tries)
            found.append(one.finding if fix is None else replace(one.finding, fixes=(fix,)))
        return found

    def _fix(
        self, fault: Fault, trials: FactTrials, at: int, file: JobFile, again: Callable[[str], JobFile],
        tries: Iterator[int],
    ) -> Fix | None:  # fmt: skip
        """The first repair that cures a fault, and brings nothing as bad; else one that has to be made by hand."""
        shown: Fix | None = None
        for repair in foreign.repairs(fault, file.jobs[at].design):
            if not repair.edits or not foreign.apart(repair.edits) or next(tries, None) is None:
                shown = shown or (None if repair.edits else repair.fix())
                continue
            after = again(repair.text())
            if after.refusal or len(after.jobs) != len(file.jobs):
                continue
            weight = self._weigh_change(fault, trials, file.jobs[at], after.jobs[at])
            if weight.cured:
                return repair.fix(resolves=len(weight.gone), causes=weight.new)
        return shown

    def _weigh_change(self, fault: Fault, trials: FactTrials, old: Job, new: Job) -> Weight:
        """What a change of the file comes to: tried on the graph where it changes facts alone, else on a graph of its own."""
        statements = foreign.statements(old, new)
        if statements is not None:
            with trials.assuming(statements) as changed:
                found = [one for one in changed.failures if self._of_job(one)]
                return weigh_change(changed.before, found, [fault.finding], changed.verdicts)
        answers = self._answers(self._restrict(new.design))
        verdicts = {(one.rule.id, one.subject.path): one.verdict for one in answers}
        verdicts.setdefault((fault.rule, fault.finding.subject), Verdict.PASS)
        after = [one.finding for one in self._faults(new.design, answers)]
        return weigh_change(trials.judged.findings, after, [fault.finding], verdicts)

    def _restrict(self, design: Design) -> Design:
        """The design with the rules that a job can make a difference to, at a place of its own."""
        software = design.graph.root.facts["software"]
        sets = "environment" in software.keys or _sets(software, "cuda", self.files)  # type: ignore[union-attr, arg-type]
        return replace(design, engine=self._with_environment if sets else self._without)

    @cached_property
    def _without(self) -> Engine:
        """The engine with the rules about jobs and their parts."""
        parts = {"Workload", *self.engine.vocabulary.reachable("Workload")} - {"Environment"}
        return replace(self.engine, rules={name: one for name, one in self.engine.rules.items() if one.about in parts})

    @cached_property
    def _with_environment(self) -> Engine:
        """The same, with those that read what jobs bring of their software: variables, and the CUDA release of an image."""
        variables = {"environment", "cuda", *self.engine.vocabulary.classes["Environment"]}
        more = {name: one for name, one in self.engine.rules.items() if variables.intersection(one.words)}
        return replace(self.engine, rules={**self._without.rules, **more})

    def _belongs(self, one: Judgement) -> bool:
        """Whether an answer is about the job, or a fault that the cluster has with the job and not alone."""
        if one.subject.path.startswith(WITHIN):
            return True
        known = (one.rule.id, one.subject.path) in self.alone
        return one.verdict is Verdict.FAIL and (not known or findings.location(one).file not in self.files)

    def _of_job(self, one: Failure) -> bool:
        """The same of what fails in a trial."""
        known = (one.rule, one.subject) in self.alone
        return one.subject.startswith(WITHIN) or not known or one.location.file not in self.files

    # -- what is said besides

    def _refusal_report(self, file: JobFile, named: bool) -> Report:
        """A file that is not judged: one that was named is at fault, one that was met is told."""
        document = file.document
        why = file.refusal or "it starts no job"
        texts = {document.file: document.text}
        if not named or "import/not-read" not in self.engine.rules:
            reason = f"{why}. {file.remedy}" if file.remedy else why
            return Report([document.file], [], [], texts=texts, unjudged=[Unjudged(document.file, reason)])
        values = {"name": document.file, "why": why, "remedy": file.remedy or "Name a file that starts a job."}
        problem = Problem("import/not-read", document, 0, min(1, len(document.text)), values)
        found = replace(findings.of_problem(problem, self.engine), design=document.file)
        standards = {found.rule: self.engine.rules[found.rule].standard}
        return Report([document.file], [found], [], texts=texts, standards=standards)

    def _left_out(self, file: JobFile) -> Adjustment:
        """What was judged, and which findings are the cluster's own."""
        name = self.cluster.design.document.file
        count = f"{len(self.known)} findings" if len(self.known) != 1 else "1 finding"
        text = f"{count} on the cluster alone not shown; `designlint check {name}` shows them"
        if not self.known:
            text = f"Checked against {name}, which has no findings of its own"
        if not name:
            text = "No cluster: job files are checked on their own; name the cluster's design with --design"
        return Adjustment("cluster", (), text, "", name or "--design", (file.document.file,))


def _at_job(fault: Fault, design: Design, files: Collection[str]) -> Fault:
    """A fault at a place of the job: a variable that it sets, or the job itself, where it points at a file of the cluster."""
    cause = fault.cause
    if fault.finding.location.file not in files or not isinstance(cause, Judgement):
        return fault
    brought = [one for path in BROUGHT if (one := design.graph.subjects.get(path)) is not None]
    sets = [(part, word) for part in brought for word in sorted(cause.rule.words) if _sets(part, word, files)]
    if cause.subject.path.startswith(WITHIN) or not sets:
        jobs_own = cause.subject if cause.subject.path.startswith(WITHIN) else design.graph.by_class["Workload"][0]
        location = findings.nearest(jobs_own)
    else:
        location = findings.spot(*sets[0])
    return replace(fault, finding=replace(fault.finding, location=location))


def _sets(variables: Subject, word: str, files: Collection[str]) -> bool:
    """Whether the job, and not a file of the cluster, sets a variable."""
    node = variables.keys.get(word)
    return node is not None and node.document.file not in files


def _unknown(file: JobFile) -> Iterator[Adjustment]:
    """What the text of a job leaves open, and what would find out."""
    reasons: dict[str, str] = {}
    for one in file.unknowns:
        *_, part, word = f"/{one.word}".split("/")
        if part in SIZES and word not in FOUND:
            reasons.setdefault(word, f"{one.why}; {one.command.replace(' import', ' check')}")
    if not reasons:
        return
    name = file.document.file
    listed = cut([f"{word} ({why})" for word, why in reasons.items()], MOST_UNKNOWN)
    yield Adjustment("unknown", (), f"{name} leaves open: {listed}", "", f"{name}:1", (name,))


def check_job_file(
    path: Path, bench: JobCluster, given: Mapping[str, str], *, format: str = "", text: str | None = None,
    named: bool = True, margins: bool = False, repair: bool = True,
) -> Report:  # fmt: skip
    """
    One file of jobs, read and judged.

    Args:
        text: what the file holds, where that is not as on disk.
        repair: whether findings carry the fixes that were proven on them.
    """

    def again(changed: str | None) -> JobFile:
        return jobs.read_job_file(path, str(path), bench.cluster, given, format=format, text=changed)

    return bench.report(again(text), named=named, margins=margins, again=again if repair else None)
