"""Making fixes: one after another, each proven on what the last one left, in all designs of a run."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from designlint.design.design import read_design
from designlint.findings.model import Severity
from designlint.fixes.proof import Trial, try_repairs, ways, with_texts
from designlint.fixes.trial import FactTrials
from designlint.fixes.tries import EACH_FACT, TrialBudget
from designlint.fixes.weighing import harmed_findings
from designlint.judging import findings
from designlint.judging.judge import judge_design, of_rule, rejudge_design
from designlint.reading.edits import EditRefused
from designlint.reading.stretches import replace_nodes
from designlint.suppressions import waivers

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from designlint.design.design import Design
    from designlint.findings.model import Finding, Fix
    from designlint.fixes.repairs import Repair
    from designlint.fixes.weighing import Key, Weighable
    from designlint.judging.judge import Judged
    from designlint.reading import Document
    from designlint.rules.engine import Engine

    #: Whether a proven fix of a finding is to be made.
    Wanted = Callable[[Finding, Fix, Trial], bool]

#: Times that all findings are gone through: what is left then mends by undoing what another fix did.
MOST_PASSES = 10
#: Errors that one value must cause to be put right before any of them.
SEVERAL = 2


class MadeFix(NamedTuple):
    """A finding and the fix that was made of it."""

    finding: Finding
    fix: Fix


class FixResult(Struct):
    """
    What making the fixes of one design came to.

    Attributes:
        before, after: the design, and with its fixes made.
        undone: rules whose fixes undo each other; the design is then left as it was when that began.
    """

    before: Judged
    after: Judged
    made: list[MadeFix] = field(default_factory=list)
    undone: list[str] = field(default_factory=list)

    def changed_files(self) -> dict[str, tuple[str, str]]:
        """The old and the new text of each file that changed, by name."""
        old, new = self.before.design.texts(), self.after.design.texts()
        return {file: (old[file], new[file]) for file in sorted(old.keys() & new.keys()) if old[file] != new[file]}


def apply_fixes(
    design: Design, wanted: Wanted, left: Collection[Key] = (), *, bases: bool = True, tries: TrialBudget | None = None
) -> FixResult:
    """
    A design with every fix made that is wanted and that holds on the design as the fixes before left it.

    Args:
        left: findings that are left alone, because somebody accepted them.
        bases: whether files that the design extends may change, too.
        tries: how much may be tried; what was mended when that ends is kept.
    """
    first, tries = judge_design(design), tries or TrialBudget()
    done = FixResult(first, first)
    seen = {_state(design)}
    for _ in range(MOST_PASSES):
        given_up = {*left, *_waived_keys(done.after)}
        accepted = places(done.after, given_up)

        def spared(finding: Finding, fix: Fix, trial: Trial, accepted: Collection[str] = accepted) -> bool:
            return spares(finding, fix, accepted) and wanted(finding, fix, trial)

        count = len(done.made)
        while (
            step := _next(done.after, spared, given_up, bases, tries) or _removal(done.after, wanted, given_up, tries)
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


def places(state: Judged, accepted: Collection[Key]) -> set[str]:
    """The paths of the values that accepted findings are about, as changes name them."""
    return {_place(one) for one in state.findings if one.key in accepted}


def spares(finding: Finding, fix: Fix, accepted: Collection[str]) -> bool:
    """Whether a fix leaves alone what somebody accepted elsewhere."""
    return not any(one.path in accepted and one.path != _place(finding) for one in fix.changes)


def _place(finding: Finding) -> str:
    return "/".join(filter(None, (finding.subject, finding.constraint)))


def _state(design: Design) -> int:
    return hash(tuple(sorted(design.texts().items())))


def _next(
    state: Judged, wanted: Wanted, given_up: set[Key], bases: bool, tries: TrialBudget
) -> tuple[MadeFix, Judged] | None:
    """The next fix that is made, and the design with it; what cannot be mended is not tried again in this pass."""
    trials = FactTrials(state)
    shared = _shared_cause(trials, given_up, bases, tries)
    for finding in ([shared] if shared else []) + sorted(state.findings, key=_urgency):
        if finding.key in given_up:
            continue
        if tries.over():
            return None
        for repair, trial in _cures(finding, trials, bases, tries):
            fix = repair.fix(proven=True, resolves=len(trial.gone), causes=trial.new, reveals=trial.revealed)
            if wanted(finding, fix, trial):
                return MadeFix(finding, fix), trial.judged
        given_up.add(finding.key)
    return None


def _shared_cause(trials: FactTrials, given_up: set[Key], bases: bool, tries: TrialBudget) -> Finding | None:
    """
    The finding whose fix mends most errors at once, where one mends several: they follow from the value that it changes.

    Tried on single facts only, which costs little.
    """
    waiting = [one for one in trials.judged.findings if one.key not in given_up]
    if _errors(waiting) < SEVERAL:
        return None
    most, found = SEVERAL - 1, None
    for finding in sorted(waiting, key=_urgency):
        for repair in cures(finding, trials.judged, bases=bases):
            statements = None if tries.over() or repair.refusal else trials.statements([repair])
            if statements is None:
                break
            tries.spend(EACH_FACT)
            with trials.assuming(statements) as changed:
                cured = changed.weigh([finding]).cured
                mended = _errors(changed.before) - _errors(changed.failures) if cured else 0
            if cured:
                most, found = max((most, found), (mended, finding), key=lambda one: one[0])
                break
    return found


def _errors(found: Sequence[Weighable]) -> int:
    return sum(one.severity is Severity.ERROR for one in found)


def _waived_keys(state: Judged) -> set[Key]:
    return {
        one.key for one in waivers.apply_waivers(_place_findings(state), state.design)[0] if one.accepted is not None
    }


def _place_findings(state: Judged) -> list[Finding]:
    """The findings where they stand now, for waivers hold by line; those kept through a change may have moved."""
    waived = any("ignore[" in text or "waivers" in text for text in state.design.texts().values())
    return sorted(judge_design(state.design).findings if waived else state.findings, key=findings.order)


def _removal(state: Judged, wanted: Wanted, given_up: set[Key], tries: TrialBudget) -> tuple[MadeFix, Judged] | None:
    """The next waiver without effect that is taken out."""
    if tries.cut:
        return None
    _, about = waivers.apply_waivers(_place_findings(state), state.design, removals=True)
    for finding in about:
        for fix in finding.fixes if finding.key not in given_up else ():
            if not tries.another(state):
                return None
            changed = {state.design.document: replace_nodes(state.design.document, fix.replacements)}
            trial = Trial(rejudge_design(state, with_texts(state.design, changed)), changed, True, (finding,), 0)
            if wanted(finding, fix, trial):
                return MadeFix(finding, fix), trial.judged
        given_up.add(finding.key)
    return None


def _urgency(finding: Finding) -> tuple[int, tuple[object, ...]]:
    return finding.severity.rank, findings.order(finding)


def _cures(finding: Finding, trials: FactTrials, bases: bool, tries: TrialBudget) -> Iterator[tuple[Repair, Trial]]:
    """The repairs of a finding that hold, as far as they may be tried; what does not even hold in place is not read anew."""
    state = trials.judged
    for repair in cures(finding, state, bases=bases):
        if tries.over():
            return
        weight = None if repair.refusal else trials.weigh([repair], [finding])
        if weight is not None:
            tries.spend(EACH_FACT)
            if not weight.cured:
                continue
        if not tries.another(state):
            return
        try:
            trial = try_repairs(state, [repair], [finding])
        except EditRefused:
            continue
        if trial.cured:
            yield repair, trial


def cures(finding: Finding, state: Judged, *, bases: bool = True) -> Iterator[Repair]:
    """The repairs that its rule has for a finding, proven or not."""
    rule = state.design.engine.rules.get(finding.rule)
    if rule is None or not rule.texts.fixes:
        return
    # Asked again, because causes do not outlive a change of the design; of findings with one key, in their order.
    alike = [one for one in state.findings if one.key == finding.key]
    at = next((number for number, one in enumerate(alike) if one is finding), 0)
    found = [one for one in of_rule(state.design, rule.id) if one.finding.key == finding.key]
    for fault in found[at : at + 1]:
        yield from ways(fault, state.design, bases=bases)


class FixSession(Struct):
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

    def mend(self, wanted: Wanted) -> Iterator[tuple[Document, FixResult]]:
        """Every design with its fixes made, those that extend nothing first."""
        for document in sorted(self.documents, key=_extends):
            design = self._read_design(document)
            done = apply_fixes(design, wanted)
            foreign = {file for file in done.changed_files() if file != document.file}
            if foreign and self._harms_others(document, done, foreign):
                done = apply_fixes(design, wanted, bases=False)
            for file, (text, _) in done.changed_files().items():
                self.old.setdefault(file, text)
            self.held |= _files(done.after.design)
            yield document, done

    def changed_files(self) -> dict[str, tuple[str, str]]:
        """The old and the new text of each file that changed, by name."""
        now = {one.file: one.text for one in self.held.values()}
        return {file: (text, now[file]) for file, text in sorted(self.old.items()) if text != now[file]}

    def _read_design(self, document: Document, more: Mapping[Path, Document] = MappingProxyType({})) -> Design:
        held = {**self.held, **more}
        return read_design(held.get(Path(document.file).resolve(), document), self.engine(document), held)

    def _harms_others(self, document: Document, done: FixResult, foreign: set[str]) -> bool:
        """Whether another design of the run that is made of these files would have a new error."""
        for other in self.documents:
            if other is document or not foreign & (design := self._read_design(other)).texts().keys():
                continue
            before = judge_design(design)
            after = rejudge_design(before, self._read_design(other, _files(done.after.design)))
            if harmed_findings(before.findings, after.findings, Severity.ERROR):
                return True
        return False


def _extends(document: Document) -> bool:
    return document.root is not None and "extends" in document.root.entries


def _files(design: Design) -> dict[Path, Document]:
    """The files of a design as they are in memory, by resolved path."""
    return {**design.held, Path(design.document.file).resolve(): design.document}
