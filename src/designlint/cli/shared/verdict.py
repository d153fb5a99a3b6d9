"""What a run comes to under the settings of each design: what a baseline holds, and whether the run fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.findings.model import Severity, Verdict
from designlint.linting import merging
from designlint.rules.settings import FailOn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from designlint.findings.report import Report
    from designlint.rules.settings import Settings
    from designlint.suppressions.baseline import Baseline


def join_reports(
    reports: Sequence[Report],
    settings: Sequence[Settings],
    paths: Sequence[str],
    *,
    whole: bool,
    read: Callable[[Path], Baseline] | None = None,
) -> Report:
    """
    The reports on single designs as one, each without what the baseline of its settings holds.

    Args:
        paths: what the run was given.
        whole: the reports tell all findings of their designs.
        read: reads a baseline, where that is not the file as it stands.
    """
    if not any(one.baseline for one in settings):
        return merging.report(reports)
    groups: dict[Path | None, list[int]] = {}
    for at, one in enumerate(settings):
        groups.setdefault(one.baseline, []).append(at)
    parts = []
    for baseline, places in groups.items():
        part = merging.report([reports[at] for at in places])
        own = [settings[at] for at in places]
        parts.append(_beside(part, baseline, own, paths, whole=whole, read=read) if baseline else part)
    order = {file: at for at, one in enumerate(reports) for file in one.files}
    report = merging.report(parts)
    found = sorted(report.findings, key=lambda one: order.get(one.design, len(order)))
    return replace(report, files=list(order), findings=found)


def _beside(
    report: Report,
    file: Path,
    settings: Sequence[Settings],
    paths: Sequence[str],
    *,
    whole: bool,
    read: Callable[[Path], Baseline] | None,
) -> Report:
    from designlint.configuration import engine
    from designlint.suppressions import baseline

    engines = [engine.configure_engine(one) for one in dict.fromkeys(settings)]
    known = {**engine.shipped_engine().rules, **{name: rule for one in engines for name, rule in one.rules.items()}}
    return baseline.apply_baseline(
        report, (read or baseline.read_baseline)(file), baseline.Checked(paths, known, whole), engines[0]
    )


def failing(fail_on: FailOn) -> list[Severity]:
    """The severities that fail a run; errors where none does, for what a report then calls a failure."""
    if fail_on is FailOn.NEVER:
        return [Severity.ERROR]
    least = Severity.INFO if fail_on is FailOn.UNKNOWN else Severity(fail_on)
    return [one for one in Severity if one.rank <= least.rank]


def fatal(least: Mapping[str, FailOn]) -> list[Severity]:
    """The severities that fail any of the designs."""
    found = {severity for one in set(least.values()) or {FailOn.ERROR} for severity in failing(one)}
    return sorted(found, key=lambda one: one.rank)


def fails(report: Report, least: Mapping[str, FailOn]) -> bool:
    """Whether a run fails, given the least that fails each design; what is of no design fails as it would any."""
    asked = set(least.values())
    if any(one.verdict is Verdict.UNKNOWN for one in report.outcomes if least.get(one.file) is FailOn.UNKNOWN):
        return True
    severities = {one: failing(one) if one is not FailOn.NEVER else [] for one in asked}
    everywhere = [severity for one in severities.values() for severity in one]
    return any(
        one.severity in (severities[least[one.design]] if one.design in least else everywhere)
        for one in report.findings
    )
