"""Making fixes: one after another, each proven on what the last one left, in all designs of a run."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from designlint import findings, waivers
from designlint.design import read
from designlint.fixes import Trial, harmed, tried, ways, with_texts
from designlint.judging import judged, rejudged
from designlint.model import Severity, Verdict
from designlint.pipeline import lint
from designlint.rules import judge
from designlint.source.edits import EditRefused
from designlint.source.stretches import replaced

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from designlint.design import Design
    from designlint.engine import Engine
    from designlint.fixes import Key
    from designlint.judging import Judged
    from designlint.model import Finding, Fix, Problem
    from designlint.repairs import Repair
    from designlint.rules import Row, Rule
    from designlint.source import Document

    #: Whether a proven fix of a finding is to be made.
    Wanted = Callable[[Finding, Fix, Trial], bool]

#: Times that all findings are gone through: what is left then mends by undoing what another fix did.
MOST_PASSES = 10


#: What a try costs beside the letters of the design that it reads, in letters that take as long: it judges, and holds the
#: findings against those before (10 ms and 0.5 ms where 1,000 letters took 1.5 ms, 2026-11-20).
EACH, EACH_FINDING = 7_000, 350


@dataclass(slots=True)
class Tries:
    """
    How much may still be tried, in letters read: each try reads and judges a design again. Counted, not timed: the same
    design gets as far on every machine.

    Attributes:
        cut: more was wanted.
    """

    left: float = math.inf
    cut: bool = False

    def over(self) -> bool:
        """Whether no more may be tried; who asks wants more."""
        self.cut = self.cut or self.left <= 0
        return self.cut

    def another(self, state: Judged) -> bool:
        """Whether a design may be tried once more, which then counts."""
        if not self.over():
            self.left -= EACH + letters(state.design) + EACH_FINDING * len(state.findings)
        return not self.cut


def letters(design: Design) -> int:
    """The letters of all files of a design."""
    return sum(map(len, design.texts().values()))


class Made(NamedTuple):
    """A finding and the fix that was made of it."""

    finding: Finding
    fix: Fix


@dataclass(slots=True)
class Mended:
    """
    What making the fixes of one design came to.

    Attributes:
        before, after: the design, and with its fixes made.
        undone: rules whose fixes undo each other; the design is then left as it was when that began.
    """

    before: Judged
    after: Judged
    made: list[Made] = field(default_factory=list)
    undone: list[str] = field(default_factory=list)

    def changed(self) -> dict[str, tuple[str, str]]:
        """The old and the new text of each file that changed, by name."""
        old, new = self.before.design.texts(), self.after.design.texts()
        return {file: (old[file], new[file]) for file in sorted(old.keys() & new.keys()) if old[file] != new[file]}


def mended(
    design: Design, wanted: Wanted, left: Collection[Key] = (), *, bases: bool = True, tries: Tries | None = None
) -> Mended:
    """
    A design with every fix made that is wanted and that holds on the design as the fixes before left it.

    Args:
        left: findings that are left alone, because somebody accepted them.
        bases: whether files that the design extends may change, too.
        tries: how much may be tried; what was mended when that ends is kept.
    """
    first, tries = judged(design), tries or Tries()
    done = Mended(first, first)
    seen = {_state(design)}
    for _ in range(MOST_PASSES):
        given_up = {*left, *_waived(done.after)}
        count = len(done.made)
        while (
            step := _next(done.after, wanted, given_up, bases, tries) or _removal(done.after, wanted, given_up, tries)
        ) is not None:
            made, after = step
            state = _state(after.design)
            if state in seen:
                done.undone.append(made.finding.rule)
                return done
            seen.add(state)
            done.made.append(made)
            done.after = after
        if len(done.made) == count:
            break
    return done


def _state(design: Design) -> int:
    return hash(tuple(sorted(design.texts().items())))


def _next(state: Judged, wanted: Wanted, given_up: set[Key], bases: bool, tries: Tries) -> tuple[Made, Judged] | None:
    """The next fix that is made, and the design with it; what cannot be mended is not tried again in this pass."""
    for finding in sorted(state.findings, key=_urgency):
        if finding.key in given_up:
            continue
        if tries.over():
            return None
        for repair, trial in _cures(finding, state, bases, tries):
            fix = repair.fix(proven=True, resolves=trial.gone, causes=trial.new)
            if wanted(finding, fix, trial):
                return Made(finding, fix), trial.judged
        given_up.add(finding.key)
    return None


def _waived(state: Judged) -> set[Key]:
    return {one.key for one in waivers.applied(_placed(state), state.design, None)[0] if one.accepted is not None}


def _placed(state: Judged) -> list[Finding]:
    """The findings where they stand now, for waivers hold by line; those kept through a change may have moved."""
    waived = any("ignore[" in text or "waivers" in text for text in state.design.texts().values())
    return sorted(judged(state.design).findings if waived else state.findings, key=findings.order)


def _removal(state: Judged, wanted: Wanted, given_up: set[Key], tries: Tries) -> tuple[Made, Judged] | None:
    """The next waiver without effect that is taken out."""
    if tries.cut:
        return None
    _, about = waivers.applied(_placed(state), state.design, lint)
    for finding in about:
        for fix in finding.fixes if finding.key not in given_up else ():
            if not tries.another(state):
                return None
            changed = {state.design.document: replaced(state.design.document, fix.replacements)}
            trial = Trial(rejudged(state, with_texts(state.design, changed)), changed, True, fix.resolves, 0)
            if wanted(finding, fix, trial):
                return Made(finding, fix), trial.judged
        given_up.add(finding.key)
    return None


def _urgency(finding: Finding) -> tuple[int, tuple[object, ...]]:
    return finding.severity.rank, findings.order(finding)


def _cures(finding: Finding, state: Judged, bases: bool, tries: Tries) -> Iterator[tuple[Repair, Trial]]:
    """The repairs of a finding that hold, as far as they may be tried."""
    for repair in cures(finding, state.design, bases=bases):
        if not tries.another(state):
            return
        try:
            trial = tried(state, [repair], [finding])
        except EditRefused:
            continue
        if trial.cured:
            yield repair, trial


def cures(finding: Finding, design: Design, *, bases: bool = True) -> Iterator[Repair]:
    """The repairs that its rule has for a finding, proven or not."""
    for rule, fault in _faults(finding, design):
        yield from ways(rule, fault, design, bases=bases)


def _faults(finding: Finding, design: Design) -> Iterator[tuple[Rule, Row | Problem]]:
    """What a finding comes from: asked again, because answers do not outlive a change of the design."""
    rule = design.engine.rules.get(finding.rule)
    if rule is None or not rule["fix"]:
        return
    if rule.built_in:
        for problem in design.problems:
            if problem.rule == rule.id and findings.of_problem(problem, design.engine).location == finding.location:
                yield rule, problem
        return
    alone = replace(design, engine=replace(design.engine, rules={rule.id: rule}))
    for row in judge(rule, alone.judged):
        failed = row.verdict is Verdict.FAIL and row.subject.path == finding.subject
        if failed and findings.of_row(rule, row, design.engine).message == finding.message:
            yield rule, row


@dataclass(slots=True)
class Workshop:
    """
    The designs of one run, which may share files: what is mended of one counts for those that come after it.

    Attributes:
        engine: the engine that judges a design.
        held: the files as they are now, by resolved path.
        old: the text of each changed file as it was, by name.
    """

    engine: Callable[[Document], Engine]
    documents: Sequence[Document]
    held: dict[Path, Document] = field(default_factory=dict)
    old: dict[str, str] = field(default_factory=dict)

    def mend(self, wanted: Wanted, left: Collection[Key] = ()) -> Iterator[tuple[Document, Mended]]:
        """Every design with its fixes made, those that extend nothing first."""
        for document in sorted(self.documents, key=_extends):
            design = self._read(document)
            done = mended(design, wanted, left)
            foreign = {file for file in done.changed() if file != document.file}
            if foreign and self._harms_others(document, done, foreign):
                done = mended(design, wanted, left, bases=False)
            for file, (text, _) in done.changed().items():
                self.old.setdefault(file, text)
            self.held |= _files(done.after.design)
            yield document, done

    def changed(self) -> dict[str, tuple[str, str]]:
        """The old and the new text of each file that changed, by name."""
        now = {one.file: one.text for one in self.held.values()}
        return {file: (text, now[file]) for file, text in sorted(self.old.items()) if text != now[file]}

    def _read(self, document: Document, more: Mapping[Path, Document] = MappingProxyType({})) -> Design:
        held = {**self.held, **more}
        return read(held.get(Path(document.file).resolve(), document), self.engine(document), held)

    def _harms_others(self, document: Document, done: Mended, foreign: set[str]) -> bool:
        """Whether another design of the run that is made of these files would have a new error."""
        for other in self.documents:
            if other is document or not foreign & (design := self._read(other)).texts().keys():
                continue
            before = judged(design)
            after = rejudged(before, self._read(other, _files(done.after.design)))
            if harmed(before.findings, after.findings, Severity.ERROR):
                return True
        return False


def _extends(document: Document) -> bool:
    return document.root is not None and "extends" in document.root.entries


def _files(design: Design) -> dict[Path, Document]:
    """The files of a design as they are in memory, by resolved path."""
    return {**design.held, Path(design.document.file).resolve(): design.document}
