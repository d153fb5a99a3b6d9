"""Ways out of all that is wrong with a design: chains of proven fixes, with its aims kept or given up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from designlint.fixes import tried
from designlint.fixing import Made, cures, mended
from designlint.model import Severity
from designlint.source.edits import EditRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from designlint.design import Design
    from designlint.fixes import Key, Trial
    from designlint.judging import Judged
    from designlint.model import Finding, Fix

    #: Whether a value, by its path, is what the design is for, and not a means to it.
    Aim = Callable[[str], bool]

#: Changes in a row that mend a finding at the price of others; findings of a design that are tried for each.
MOST_LEAPS, MOST_TRIED = 6, 8
#: Letters of a design's files: each try reads them again.
LARGEST = 60_000


@dataclass(frozen=True, slots=True)
class Route:
    """
    A design and the fixes that lead out.

    Attributes:
        keeps: no aim was given up.
        made: one after another, each on what the last one left.
    """

    keeps: bool
    made: Sequence[Made]
    after: Judged

    @property
    def weight(self) -> tuple[int, int, int]:
        """Less is better: errors left, then warnings, then changes."""
        errors, warnings = (sum(one.severity is severity for one in self.after.findings) for severity in WEIGHTY)
        return errors, warnings, len(self.made)


WEIGHTY = Severity.ERROR, Severity.WARNING


def routes(design: Design, aim: Aim, left: Collection[Key] = ()) -> list[Route]:
    """
    How the errors and warnings of a design can be mended together: first with its aims kept, as far as that goes, then
    with aims given up where that leaves less. Empty where no fix holds, and for files too large to try.

    Args:
        left: findings that are left alone, because somebody accepted them.
    """
    if sum(map(len, design.texts().values())) > LARGEST:
        return []
    search = _Search(aim, left)
    kept = search.kept(design)
    done = mended(design, lambda *_: True, left)
    moved = Route(not any(aim(one.path) for made in done.made for one in made.fix.changes), done.made, done.after)
    found = [kept] if kept.made else []
    if moved.made and moved.weight[:2] < kept.weight[:2]:
        found.append(moved)
    return found


@dataclass(frozen=True, slots=True)
class _Search:
    aim: Aim
    left: Collection[Key]

    def kept(self, design: Design) -> Route:
        """The fixes that keep every aim, also such as cause other findings which can be mended in turn."""
        done = mended(design, self.wanted, self.left)
        route = Route(True, done.made, done.after)
        for _ in range(MOST_LEAPS):
            best = min(self.leaps(route), key=lambda one: one.weight, default=route)
            if best.weight[:2] >= route.weight[:2]:
                break
            route = best
        return route

    def wanted(self, _: Finding, fix: Fix, __: Trial) -> bool:
        """Whether a fix keeps every aim."""
        return not any(self.aim(one.path) for one in fix.changes)

    def leaps(self, route: Route) -> Iterator[Route]:
        """The design with one more finding mended, whatever that causes, and then with that mended."""
        waiting = [one for one in route.after.findings if one.severity in WEIGHTY and one.key not in self.left]
        waiting.sort(key=lambda one: WEIGHTY.index(one.severity))
        for finding in waiting[:MOST_TRIED]:
            for repair in cures(finding, route.after.design):
                fix = repair.fix()
                if any(self.aim(one.path) for one in fix.changes):
                    continue
                try:
                    trial = tried(route.after, [repair], [finding])
                except EditRefused:
                    continue
                if all(one.key != finding.key for one in trial.judged.findings):
                    rest = mended(trial.judged.design, self.wanted, self.left)
                    yield Route(True, [*route.made, Made(finding, fix), *rest.made], rest.after)
