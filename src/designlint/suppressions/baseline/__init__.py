"""Baselines: the findings that a repository had when it began, kept in a file, so that only new and worse ones count."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from designlint.findings.model import Acceptance, Problem, Severity, Verdict
from designlint.judging.findings import of_problem, place
from designlint.language.units import NOISE
from designlint.reading.tree import Document
from designlint.suppressions.baseline.file import NAME, Baseline, BaselineEntry, parse_baseline, read_baseline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from designlint.findings.model import Finding
    from designlint.findings.report import Report
    from designlint.rules.engine import Engine
    from designlint.rules.rule import CompiledRule
    from designlint.suppressions.baseline.file import Key

__all__ = [
    "NAME",
    "Baseline",
    "Checked",
    "apply_baseline",
    "create_baseline",
    "milder",
    "parse_baseline",
    "prune_baseline",
    "read_baseline",
]

STALE = "baseline/stale"


class Checked(NamedTuple):
    """
    What a run was about.

    Attributes:
        paths: the files and folders that it was given.
        rules: all rules that it knows, chosen or not, by id.
        whole: whether it told all findings of the designs, so that what is missing is gone.
    """

    paths: Sequence[str]
    rules: Mapping[str, CompiledRule]
    whole: bool = True


class _Compared(Struct):
    """The findings of a run beside the entries of a baseline."""

    counting: list[Finding] = field(default_factory=list)
    accepted: list[Finding] = field(default_factory=list)
    met: dict[Key, Finding] = field(default_factory=dict)


def apply_baseline(report: Report, baseline: Baseline, checked: Checked, engine: Engine) -> Report:
    """The report without the findings that the baseline holds, with those that it should hold no longer."""
    document = Document(str(baseline.path), baseline.text)
    compared = _compare_entries(report.findings, baseline, checked, document)
    stale = [_stale(one, document, engine) for one in _gone(report, baseline, checked, compared)]
    if not baseline.entries:
        return report
    standards = {STALE: engine.rules[STALE].standard} if stale else {}
    return replace(
        report,
        findings=[*compared.counting, *stale],
        accepted=[*report.accepted, *compared.accepted],
        texts={**report.texts, document.file: document.text},
        standards={**report.standards, **standards},
    )


def _compare_entries(found: Iterable[Finding], baseline: Baseline, checked: Checked, document: Document) -> _Compared:
    compared = _Compared()
    for one in found:
        entry = baseline.entries.get(baseline.key(one))
        if entry is None or not _may_be_held(one, checked):
            compared.counting.append(one)
            continue
        compared.met[entry.key] = one
        worse = _worse(one, entry)
        if worse:
            compared.counting.append(replace(one, message=f"{one.message}; {worse}"))
        else:
            at = place(document, entry.start, entry.end)
            accepted = Acceptance("baseline", str(entry.stated.get("reason", "")), location=at)
            compared.accepted.append(replace(one, accepted=accepted))
    return compared


def _may_be_held(finding: Finding, checked: Checked) -> bool:
    """Whether a baseline may hold a finding: none that nobody may waive."""
    rule = checked.rules.get(finding.rule)
    return rule is None or bool(rule.waivable)


def _worse(finding: Finding, entry: BaselineEntry) -> str:
    """How a finding is worse than when it was taken into the baseline; empty where it is not."""
    before, margin = Severity(entry.stated["severity"]), finding.margin
    if finding.severity.rank < before.rank:
        return f"worse than the baseline: {before} -> {finding.severity}"
    if margin is not None and "room" not in entry.stated:
        return f"the baseline does not say how bad it was; it is {margin.text} now"
    if margin is None or margin.room >= entry.stated["room"] - NOISE:
        return ""
    return f"worse than the baseline: {entry.stated.get('measured', entry.stated.get('value'))} -> {margin.text}"


def milder(entry: BaselineEntry, old: BaselineEntry) -> bool:
    """Whether an entry holds findings that are worse than those that an older one held."""
    before, now = Severity(old.stated["severity"]), Severity(entry.stated["severity"])
    room, least = entry.stated.get("room"), old.stated.get("room")
    return now.rank < before.rank or (least is not None and (room is None or room < least - NOISE))


def _gone(report: Report, baseline: Baseline, checked: Checked, compared: _Compared) -> Iterator[BaselineEntry]:
    """The entries whose finding this run would have had, and has not; what has become unknown is not gone."""
    files = {baseline.name(one) for one in report.files}
    open_ = {
        (baseline.name(one.file), one.rule, one.subject) for one in report.outcomes if one.verdict is Verdict.UNKNOWN
    }
    judged = {(baseline.name(one.file), one.rule) for one in report.outcomes}
    folders = [Path(one).resolve() for one in checked.paths if Path(one).is_dir()]
    for key, entry in baseline.entries.items():
        if key in compared.met or not checked.whole or key[:3] in open_:
            continue
        file, name = key[:2]
        rule = checked.rules.get(name)
        if file in files:
            if rule is None or rule.built_in or (file, name) in judged:
                yield entry
        elif _is_removed(baseline.path.parent / file, folders):
            yield entry


def _is_removed(path: Path, folders: Iterable[Path]) -> bool:
    """Whether a design is no longer there, in a folder that was searched."""
    where = path.resolve()
    return not where.exists() and any(where.is_relative_to(folder) for folder in folders)


def _stale(entry: BaselineEntry, document: Document, engine: Engine) -> Finding:
    file, rule, subject, constraint = entry.key
    values = {"rule": rule, "design": file, "place": "/".join(filter(None, (subject, constraint))) or "the design"}
    found = of_problem(Problem(STALE, document, entry.start, entry.end, values), engine)
    return replace(found, subject=subject, constraint=constraint, design=str(document.file))


def create_baseline(
    report: Report, path: Path, checked: Checked, reasons: Mapping[Key, BaselineEntry]
) -> tuple[Baseline, int]:
    """
    A baseline of all findings of a run, and how many it may not hold.

    Args:
        reasons: entries of the baseline that it replaces, whose reasons are kept.
    """
    empty = Baseline(path, "", {})
    held = [one for one in report.findings if _may_be_held(one, checked)]
    entries: dict[Key, BaselineEntry] = {}
    for one in held:
        old = reasons.get(empty.key(one))
        entry = empty.entry(one, str(old.stated.get("reason", "")) if old else "")
        entries[entry.key] = entry
    return Baseline(path, "", entries), len(report.findings) - len(held)


def prune_baseline(report: Report, baseline: Baseline, checked: Checked) -> tuple[Baseline, int, int]:
    """The baseline without stale entries and with values that became better; how many of each. Nothing is added."""
    compared = _compare_entries(report.findings, baseline, checked, Document(str(baseline.path), baseline.text))
    gone = {one.key for one in _gone(report, baseline, checked, compared)}
    entries: dict[Key, BaselineEntry] = {}
    for key, entry in baseline.entries.items():
        if key not in gone:
            entries[key] = _tighten_entry(entry, compared.met.get(key), baseline)
    tighter = sum(entries[key].stated != baseline.entries[key].stated for key in entries)
    return Baseline(baseline.path, baseline.text, entries), len(gone), tighter


def _tighten_entry(entry: BaselineEntry, finding: Finding | None, baseline: Baseline) -> BaselineEntry:
    if finding is None or _worse(finding, entry):
        return entry
    new = baseline.entry(finding, str(entry.stated.get("reason", "")))
    old = entry.stated
    better = finding.severity.rank > Severity(old["severity"]).rank
    closer = "room" in new.stated and ("room" not in old or new.stated["room"] > old["room"] + NOISE)
    return new if better or closer else entry
