"""Ways out of all that is wrong with a design: chains of proven fixes, with its aims kept or given up."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from designlint.applying.session import MadeFix, apply_fixes, cures, places, spares
from designlint.findings.model import Severity
from designlint.fixes.proof import try_repairs
from designlint.fixes.tries import TrialBudget, letters
from designlint.reading.edits import EditRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from designlint.design.design import Design
    from designlint.findings.model import Finding, Fix
    from designlint.fixes.proof import Trial
    from designlint.fixes.weighing import Key
    from designlint.judging.judge import Judged

    #: Whether a value, by its path, is what the design is for, and not a means to it.
    Aim = Callable[[str], bool]

#: Changes in a row that mend a finding at the price of others; findings of a design that are tried for each.
MOST_LEAPS, MOST_TRIED = 6, 8
#: Letters of a design's files: each try reads them again.
LARGEST = 60_000
#: How much may be tried for each of the two ways out: two and a half seconds where it was measured.
MOST_READ = 1_500_000


class Route(Struct, frozen=True):
    """
    A design and the fixes that lead out.

    Attributes:
        keeps: no aim was given up.
        made: one after another, each on what the last one left.
        left: the findings that remain, or came; without those that somebody accepted.
    """

    keeps: bool
    made: Sequence[MadeFix]
    after: Judged
    left: Sequence[Finding]

    @property
    def weight(self) -> tuple[int, int, int]:
        """Less is better: errors left, then warnings, then changes."""
        errors, warnings = (sum(one.severity is severity for one in self.left) for severity in WEIGHTY)
        return errors, warnings, len(self.made)


WEIGHTY = Severity.ERROR, Severity.WARNING


class Routes(NamedTuple):
    """The ways out that were found; `cut` tells that more was left to try when the search ended."""

    found: list[Route]
    cut: bool


def routes(design: Design, aim: Aim, accepted: Collection[Key] = ()) -> Routes:
    """
    How the errors and warnings of a design can be mended together: first with its aims kept, as far as that goes, then
    with aims given up where that leaves less or takes fewer changes. None where no fix holds, and for files too large to try.

    Args:
        accepted: findings that are left alone.
    """
    if too_large(design):
        return Routes([], cut=False)
    search, tries = _Search(aim, accepted, TrialBudget(MOST_READ)), TrialBudget(MOST_READ)
    kept = search.keep_aims(design)
    done = apply_fixes(design, lambda *_: True, accepted, tries=tries)
    moved = search.route(done.made, done.after)
    found = [kept] if kept.made else []
    if moved.made and moved.weight < kept.weight:
        found.append(moved)
    return Routes(found, search.tries.cut or tries.cut)


def too_large(design: Design) -> bool:
    """Whether the files of a design are too large for ways out to be tried."""
    return letters(design) > LARGEST


class _Search(Struct, frozen=True):
    aim: Aim
    accepted: Collection[Key]
    tries: TrialBudget

    def keep_aims(self, design: Design) -> Route:
        """The fixes that keep every aim, also such as cause other findings which can be mended in turn."""
        done = apply_fixes(design, self.is_wanted, self.accepted, tries=self.tries)
        route = self.route(done.made, done.after)
        for _ in range(MOST_LEAPS):
            best = min(self.leaps(route), key=lambda one: one.weight, default=route)
            if best.weight[:2] >= route.weight[:2]:
                break
            route = best
        return route

    def route(self, made: Sequence[MadeFix], after: Judged) -> Route:
        """Fixes and what they leave."""
        keeps = not any(self.aim(change.path) for one in made for change in one.fix.changes)
        return Route(keeps, made, after, [one for one in after.findings if one.key not in self.accepted])

    def is_wanted(self, _: Finding, fix: Fix, __: Trial) -> bool:
        """Whether a fix keeps every aim."""
        return not any(self.aim(one.path) for one in fix.changes)

    def leaps(self, route: Route) -> Iterator[Route]:
        """The design with one more finding mended, whatever that causes, and then with that mended."""
        accepted = places(route.after, self.accepted)
        waiting = [one for one in route.left if one.severity in WEIGHTY]
        waiting.sort(key=lambda one: WEIGHTY.index(one.severity))
        for finding in waiting[:MOST_TRIED]:
            if self.tries.over():
                return
            for repair in cures(finding, route.after):
                fix = repair.fix()
                if any(self.aim(one.path) for one in fix.changes) or not spares(finding, fix, accepted):
                    continue
                if not self.tries.another(route.after):
                    return
                try:
                    trial = try_repairs(route.after, [repair], [finding])
                except EditRefused:
                    continue
                if all(one.key != finding.key for one in trial.judged.findings):
                    rest = apply_fixes(trial.judged.design, self.is_wanted, self.accepted, tries=self.tries)
                    yield self.route([*route.made, MadeFix(finding, fix), *rest.made], rest.after)
