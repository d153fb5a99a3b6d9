"""Fixes: repairs that were made on a copy of the design, which was judged again before they are offered."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from designlint import selection
from designlint.design import read
from designlint.judging import Judged, rejudged
from designlint.model import NOISE, Problem, Severity, Verdict
from designlint.repairs import made, of_problem, of_row, replacements, reread
from designlint.source.edits import EditRefused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from designlint.design import Design
    from designlint.model import Finding, Fix
    from designlint.repairs import Repair
    from designlint.rules import Row, Rule
    from designlint.source import Document

    #: Names a finding, however the lines move.
    Key = tuple[str, str, str]
    #: What each finding comes from, by its `id`.
    Faults = Mapping[int, tuple[Rule, Row | Problem]]

#: Tries to prove fixes on one design: each reads it again.
MOST_TRIES = 40
#: Findings of one rule that are mended one by one; more are tried together.
FEW = 5


@dataclass(frozen=True, slots=True)
class Trial:
    """
    A design with a repair made.

    Attributes:
        changed: the new text of each changed file.
        cured: the findings that it was made for are gone, and nothing as bad came or grew.
        gone, new: all findings that went and came.
    """

    judged: Judged
    changed: Mapping[Document, str]
    cured: bool
    gone: int
    new: int


def proven(before: Judged, mendable: Sequence[Finding], faults: Faults) -> dict[int, Fix]:
    """
    The fix of each finding that has one, by its `id`.

    A fix cures: its finding passes afterwards, nothing as bad came, and nothing as bad became worse. Where no file
    lets the change be made, the fix is shown and says why. After so many tries the rest is not offered.
    """
    fixes: dict[int, Fix] = {}
    by_rule = groupby(sorted(mendable, key=lambda one: (one.severity.rank, one.rule)), lambda one: one.rule)
    waiting = [part for _, group in by_rule for part in _parts(list(group))]
    for _ in range(MOST_TRIES):
        if not waiting:
            break
        some = waiting.pop(0)
        found = _proven(before, some, faults)
        fixes |= found
        if not found and len(some) > 1:
            half = len(some) // 2
            waiting += [some[:half], some[half:]]
    return fixes


def _parts(group: list[Finding]) -> list[list[Finding]]:
    return [[one] for one in group] if len(group) <= FEW else [group]


def _proven(before: Judged, some: Sequence[Finding], faults: Faults) -> dict[int, Fix]:
    if len(some) == 1:
        fix = _best(before, some[0], ways(*faults[id(some[0])], before.design))
        return {} if fix is None else {id(some[0]): fix}
    repairs = [next(ways(*faults[id(one)], before.design), None) for one in some]
    chosen = [one for one in repairs if one is not None and one.placed and not one.refusal]
    try:
        trial = tried(before, chosen, some) if len(chosen) == len(some) else None
    except EditRefused:
        return {}
    if trial is None or not trial.cured:
        return {}
    return {id(one): repair.fix(proven=True, resolves=1, replacements=replacements(repair.changed()))
            for one, repair in zip(some, chosen, strict=True)}  # fmt: skip


def _best(before: Judged, finding: Finding, repairs: Iterable[Repair]) -> Fix | None:
    shown: Fix | None = None
    for repair in repairs:
        try:
            trial = tried(before, [repair], [finding])
        except EditRefused as refused:
            shown = shown or repair.refused(refused).fix()
            continue
        if trial.cured:
            edits = replacements(trial.changed)
            return repair.fix(proven=True, resolves=trial.gone, causes=trial.new, replacements=edits)
    return shown


def ways(rule: Rule, fault: Row | Problem, design: Design, *, bases: bool = True) -> Iterator[Repair]:
    """The ways to mend what is at fault, the best first; `bases` says whether files that it extends may change."""
    if not selection.fixable(rule.id, design.engine.settings):
        return iter(())
    if isinstance(fault, Problem):
        return of_problem(fault, rule, design)
    return of_row(rule, fault, design, bases=bases)


def tried(before: Judged, repairs: Sequence[Repair], findings: Sequence[Finding]) -> Trial:
    """The design with repairs made, for these findings. Raises: EditRefused where they cannot be made without damage."""
    changed = made(repairs)
    after = rejudged(before, with_texts(before.design, changed))
    old, new = _keyed(before.findings), _keyed(after.findings)
    came, went = _less(new, old), _less(old, new)
    least = max((one.severity for one in findings), key=lambda one: one.rank)
    cured = (
        not harmed(before.findings, after.findings, least)
        and _gone(findings, old, new)
        and all(_passes(one, after) for one in findings)
    )
    return Trial(after, changed, cured, len(went), len(came))


def with_texts(design: Design, changed: Mapping[Document, str]) -> Design:
    """The same design with other texts of its files, in memory."""
    held = dict(design.held)
    held |= {Path(one.file).resolve(): reread(one, text) for one, text in changed.items() if one is not design.document}
    top = design.document
    return read(reread(top, changed[top]) if top in changed else top, design.engine, held)


def harmed(before: Iterable[Finding], after: Iterable[Finding], least: Severity) -> list[Finding]:
    """The findings, at least as bad as this, that came or lie further beyond their limit than before."""
    old, new = _keyed(before), _keyed(after)
    return [one for one in (*_less(new, old), *_worse(old, new)) if one.severity.rank <= least.rank]


def _keyed(findings: Iterable[Finding]) -> dict[Key, list[Finding]]:
    found: dict[Key, list[Finding]] = {}
    for one in findings:
        found.setdefault(one.key, []).append(one)
    return found


def _less(these: dict[Key, list[Finding]], those: dict[Key, list[Finding]]) -> list[Finding]:
    counted = Counter({name: len(some) for name, some in those.items()})
    return [one for name, some in these.items() for one in some[counted[name] :]]


def _worse(old: dict[Key, list[Finding]], new: dict[Key, list[Finding]]) -> Iterator[Finding]:
    """Findings that stay and lie further beyond their limit."""
    for name in old.keys() & new.keys():
        before, after = old[name][0].margin, new[name][0].margin
        if before is not None and after is not None and after.room < before.room - NOISE:
            yield new[name][0]


def _gone(findings: Sequence[Finding], old: dict[Key, list[Finding]], new: dict[Key, list[Finding]]) -> bool:
    mended = Counter(one.key for one in findings)
    return all(len(new.get(name, ())) <= len(old[name]) - count for name, count in mended.items())


def _passes(finding: Finding, after: Judged) -> bool:
    """Whether its rule is content or no longer applies, and is not just left with nothing to judge by."""
    return after.verdicts.get((finding.rule, finding.subject)) not in (Verdict.FAIL, Verdict.UNKNOWN)
