"""Fixes: repairs that were made on a copy of the design, which was judged again before they are offered."""

from __future__ import annotations

from collections import deque
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from designlint.design.design import read_design
from designlint.findings.model import Problem
from designlint.fixes.causes import spell_key
from designlint.fixes.repairs import (
    make_repairs,
    of_judgement,
    of_problem,
    replacements,
    reread,
    separate,
    unharmed_repairs,
)
from designlint.fixes.trial import FactTrials
from designlint.fixes.tries import EACH_FACT, TrialBudget, letters
from designlint.fixes.weighing import Weight, weigh_change
from designlint.judging.judge import Judged, problems, rejudge_design
from designlint.reading.edits import EditRefused
from designlint.reading.splices import walk
from designlint.rules import selection

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from designlint.design.design import Design
    from designlint.findings.model import Finding, Fix
    from designlint.fixes.placing import Placed
    from designlint.fixes.repairs import Repair
    from designlint.fixes.weighing import Key
    from designlint.judging.judge import Fault
    from designlint.reading import Document
    from designlint.reading.location import Replacement

#: What proving the fixes of one design may cost, see `TrialBudget`: about two seconds.
BUDGET = 1_500_000
#: Findings of one rule that are mended one by one; more are tried together.
FEW = 5


class Trial(Struct, frozen=True):
    """
    A design with a repair made.

    Attributes:
        changed: the new text of each changed file.
        cured: the findings that it was made for are gone, and nothing as bad came or grew.
        gone: all findings that went; `new` counts those that came, but for the `revealed` ones, see `Weight`.
    """

    judged: Judged
    changed: Mapping[Document, str]
    cured: bool
    gone: Sequence[Finding]
    new: int
    revealed: int = 0


class Proofs(NamedTuple):
    """
    What proving fixes came to.

    Attributes:
        fixes: of each fault that has one.
        untried: faults that have a way to be mended which nobody tried, because the budget was spent.
    """

    fixes: dict[Fault, Fix]
    untried: int


def proven(before: Judged, mendable: Sequence[Fault]) -> Proofs:
    """
    The fix of each fault that has one.

    A fix cures: its finding passes afterwards, nothing as bad came, and nothing as bad became worse. Where no file
    lets the change be made, the fix is shown and says why. When the budget is spent the rest is only counted.
    """
    workbench = _Workbench(before, TrialBudget(BUDGET))
    ordered = sorted(mendable, key=lambda one: (one.finding.severity.rank, one.rule))
    fixes, left = in_place(before, ordered, workbench.tries)
    by_rule = groupby(sorted(left, key=ordered.index), lambda one: one.rule)
    waiting = deque(part for _, group in by_rule for part in _parts(list(group)))
    untried = 0
    while waiting:
        some = waiting.popleft()
        found = workbench.proven(some)
        fixes |= found
        if not found and workbench.tries.cut:
            untried += len(some)
        elif not found and len(some) > 1:
            half = len(some) // 2
            waiting += [some[:half], some[half:]]
    return Proofs(fixes, untried)


def _parts(group: list[Fault]) -> list[list[Fault]]:
    return [[one] for one in group] if len(group) <= FEW else [group]


class _Workbench(Struct, frozen=True):
    """One design whose fixes are proven, within what may be tried."""

    before: Judged
    tries: TrialBudget

    def proven(self, some: Sequence[Fault]) -> dict[Fault, Fix]:
        """The fixes of faults that are tried together; none where they do not hold together."""
        if len(some) == 1:
            fix = self._best(some[0])
            return {} if fix is None else {some[0]: fix}
        if self.tries.over():
            return {}
        repairs = [next(ways(one, self.before.design), None) for one in some]
        chosen = [one for one in repairs if one is not None and one.placed and not one.refusal]
        if len(chosen) < len(some) or not self.tries.another(self.before):
            return {}
        try:
            trial = try_repairs(self.before, chosen, [one.finding for one in some])
        except EditRefused:
            return {}
        if not trial.cured:
            return {}
        written = self._apart(chosen)
        return {
            one: repair.fix(proven=True, resolves=1, replacements=edits)
            for one, repair, edits in zip(some, chosen, written, strict=True)
        }

    def _best(self, fault: Fault) -> Fix | None:
        shown: Fix | None = None
        for repair in ways(fault, self.before.design):
            if not self.tries.another(self.before):
                return shown
            try:
                trial = try_repairs(self.before, [repair], [fault.finding])
            except EditRefused as refused:
                shown = shown or repair.by_hand(refused).fix()
                continue
            if trial.cured:
                apart = separate([repair])
                edits = replacements(trial.changed) if apart is None else apart[0]
                return repair.fix(**_weight(trial), replacements=edits)
        return shown

    def _apart(self, repairs: Sequence[Repair]) -> Iterator[tuple[Replacement, ...]]:
        """What an editor would replace for each of the repairs, which hold together."""
        together = separate(repairs)
        if together is not None:
            yield from together
            return
        for one in repairs:
            self.tries.spend(letters(self.before.design))
            yield () if self.tries.over() else replacements(one.changed_files())


def in_place(before: Judged, faults: Sequence[Fault], tries: TrialBudget) -> tuple[dict[Fault, Fix], list[Fault]]:
    """
    The fixes that change single facts, each tried on the graph as it stands; and the faults that it says nothing of.

    The texts of the fixes are proven together at the end.
    """
    trials = FactTrials(before)
    chosen: dict[Fault, tuple[Repair, Fix]] = {}
    left: list[Fault] = []
    for fault in faults:
        for repair in ways(fault, before.design):
            able = not tries.over() and not repair.refusal and repair.placed
            weight = trials.weigh([repair], [fault.finding]) if able else None
            if weight is None:
                left.append(fault)  # this way and those behind it are tried on a copy of the files
                break
            tries.spend(EACH_FACT)
            if not weight.cured:
                continue
            if (edits := separate([repair])) is None:
                left.append(fault)
            else:
                fix = repair.fix(**_weight(weight), replacements=edits[0])
                chosen[fault] = repair, fix
            break
    sound = unharmed_repairs([repair for repair, _ in chosen.values()])
    left += [fault for fault, (repair, _) in chosen.items() if repair not in sound]
    return {fault: fix for fault, (repair, fix) in chosen.items() if repair in sound}, left


def ways(fault: Fault, design: Design, *, bases: bool = True) -> Iterator[Repair]:
    """The ways to mend what is at fault, the best first; `bases` says whether files that it extends may change."""
    if not selection.fixable(fault.rule, design.engine.settings):
        return iter(())
    if isinstance(fault.cause, Problem):
        return of_problem(fault.cause, design.engine.rules[fault.rule], design)
    return of_judgement(fault.cause, design, bases=bases)


def try_repairs(before: Judged, repairs: Sequence[Repair], findings: Sequence[Finding]) -> Trial:
    """The design with repairs made, for these findings. Raises: EditRefused where they cannot be made without damage."""
    changed = make_repairs(repairs)
    after = rejudge_design(before, with_texts(before.design, changed))
    names = _names_given([placed for one in repairs for placed in one.placed])
    unread = _come_to_light(after, repairs, names) if all(one.reveals for one in repairs) else ()
    old, new, mended = (_by_path(some, names) for some in (before.findings, after.findings, findings))
    weight = weigh_change(old, new, mended, after.verdicts, unread)
    stated = {id(one): found for one, found in zip(old, before.findings, strict=True)}
    return Trial(after, changed, *weight._replace(gone=weight.gone and [stated[id(one)] for one in weight.gone]))


def _name_given(placed: Placed) -> tuple[str, str] | None:
    """The path of a part of a list that an edit gives a name, and the one that it had before."""
    *above, name = placed.edit.path or ("",)
    if placed.edit.op != "set" or name != "name" or not above or not isinstance(above[-1], int):
        return None
    holder, rest = walk(placed.document, tuple(above))
    if rest or name in holder[-1].entries:
        return None
    place = "/".join(map(str, above[:-1]))
    return f"{place}/{placed.edit.value}", f"{place}/{above[-1]}"


def _names_given(placed: Sequence[Placed]) -> dict[str, str] | None:
    """By the path of each part that is given a name the one that it had before; None where items of a list change places."""
    if any(one.edit.op == "remove" and one.edit.path and isinstance(one.edit.path[-1], int) for one in placed):
        return None
    return dict(filter(None, map(_name_given, placed)))


def _by_path(findings: Sequence[Finding], names: Mapping[str, str] | None) -> Sequence[Finding]:
    """Findings by the places of their parts, whether these had their names or not, and whatever else they state."""

    def place(subject: str) -> str:
        path = next((path for path in names or () if f"{subject}/".startswith(f"{path}/")), "")
        return names[path] + subject[len(path) :] if names and path else subject

    if names is None or (not names and not any(one.identity for one in findings)):
        return findings
    return [replace(one, subject=place(one.subject), identity="") for one in findings]


def _come_to_light(after: Judged, repairs: Sequence[Repair], names: Mapping[str, str] | None) -> set[Key]:
    """
    The findings that are no harm where a word is read that was misspelt: what is judged of it, and further slips.

    Of a whole part everything is, since nothing but its key or form was at fault.
    """
    formed = all(_is_of_part(placed) for one in repairs for placed in one.placed)
    design = after.design
    rules = {name: one for name, one in design.engine.rules.items() if not one.sweep}
    found = [one for one in after.findings if one.rule in rules and not rules[one.rule].built_in]
    found += [one.finding for one in problems(design) if formed or any(way.reveals for way in ways(one, design))]
    return {one.key for one in _by_path(found, names)}


def _is_of_part(placed: Placed) -> bool:
    """Whether an edit gives a whole part another key or form."""
    return placed.edit.op in ("list", "rename") and walk(placed.document, placed.edit.path)[0][-1].kind != "scalar"


def _weight(weight: Trial | Weight) -> dict[str, Any]:
    """What a proven fix says of the findings that go and come."""
    cures = tuple(spell_key(one) for one in weight.gone)
    return {
        "proven": True,
        "resolves": len(weight.gone),
        "causes": weight.new,
        "reveals": weight.revealed,
        "cures": cures,
    }


def with_texts(design: Design, changed: Mapping[Document, str]) -> Design:
    """The same design with other texts of its files, in memory."""
    held = dict(design.held)
    held |= {Path(one.file).resolve(): reread(one, text) for one, text in changed.items() if one is not design.document}
    top = design.document
    return read_design(reread(top, changed[top]) if top in changed else top, design.engine, held, design.steps)
