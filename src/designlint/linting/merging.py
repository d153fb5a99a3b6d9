"""Makes one report of several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.findings.report import Report
from designlint.suppressions.waivers.waiver import UNUSED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.findings.model import Finding
    from designlint.findings.notices import Adjustment


def report(reports: Sequence[Report]) -> Report:
    """The answers for several designs as one."""
    accepted = [found for one in reports for found in one.accepted]
    return Report(
        files=[file for one in reports for file in one.files],
        findings=_without_unused([found for one in reports for found in one.findings], accepted),
        outcomes=[outcome for one in reports for outcome in one.outcomes],
        avoid=list(dict.fromkeys(avoided for one in reports for avoided in one.avoid)),
        error=next((one.error for one in reports if one.error), ""),
        accepted=accepted,
        settings=_join_adjustments([adjusted for one in reports for adjusted in one.settings]),
        texts={file: text for one in reports for file, text in one.texts.items()},
        standards={name: rule for one in reports for name, rule in one.standards.items()},
        spent=_sum_times([one.spent for one in reports]),
        untried=sum(one.untried for one in reports),
    )


def _without_unused(found: Sequence[Finding], accepted: Sequence[Finding]) -> list[Finding]:
    """The findings without the waivers that nothing of their own file needs, but another design that extends it."""
    needed = {one.accepted.location for one in accepted if one.accepted is not None}
    return [one for one in found if one.rule != UNUSED or one.location not in needed]


def _sum_times(spent: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
    total: dict[str, float] = {}
    for one in spent:
        for name, seconds in one.items():
            total[name] = total.get(name, 0.0) + seconds
    return total


def _join_adjustments(adjustments: Sequence[Adjustment]) -> list[Adjustment]:
    """Each adjustment once, with all the designs that it is about."""
    files: dict[Adjustment, list[str]] = {}
    for one in adjustments:
        files.setdefault(replace(one, files=()), []).extend(one.files)
    return [replace(one, files=tuple(dict.fromkeys(named))) for one, named in files.items()]
