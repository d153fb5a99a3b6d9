"""`--since`: findings that stood at a revision already are set aside, so that a run answers for what a change causes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from designlint.comparing.changes import finding_changes
from designlint.comparing.renames import former_path
from designlint.comparing.revisions import Repository, Snapshot
from designlint.configuration import Policy
from designlint.configuration.source import display_path
from designlint.findings.model import Acceptance
from designlint.findings.notices import Adjustment
from designlint.judging.findings import of_problem
from designlint.judging.result import refusal
from designlint.linting import pipeline
from designlint.reading import LIMITS
from designlint.reading.discovery import STDIN, Unjudged, open_document
from designlint.reading.errors import UsageError
from designlint.reading.recognition import start
from designlint.reviewing.former import Former
from designlint.reviewing.reviewed import Reviewed
from designlint.reviewing.weakened import Weakened
from designlint.suppressions import baseline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import ExitStack

    from designlint.findings.model import Finding, Problem
    from designlint.findings.report import Report
    from designlint.judging.result import Result
    from designlint.reading import Document
    from designlint.rules.engine import Engine
    from designlint.rules.settings import Settings
    from designlint.suppressions.baseline import Baseline

#: The baseline of the working folder.
BESIDE = Path(baseline.NAME)
#: What a finding is set aside by, as `Acceptance.how` has it.
REVISION = "revision"


class Since:
    """
    Designs as they were at a revision, and what judged them.

    Args:
        held: keeps what is laid out of it until it is closed.
        policy: how designs find their settings now.
        beside: the baseline that counts where no configuration names one.
        trusted: whether the change may bring what judges it.
    """

    def __init__(
        self,
        revision: str,
        held: ExitStack,
        policy: Policy | None = None,
        beside: Path = BESIDE,
        *,
        trusted: bool = False,
    ) -> None:
        self.revision, self.held, self.trusted = revision, held, trusted
        self.policy, self.beside = policy or Policy(), beside
        self._snapshots: dict[Path, Snapshot] = {}
        self._folders: dict[Path, Snapshot] = {}
        self._here: Repository | None = None

    def changed_files(self, files: Sequence[str], stdin: bytes | None = None, stdin_filename: str = "") -> list[str]:
        """The files that are other than they were, or extend such. Raises UsageError where that cannot be told."""
        found: list[str] = []
        for file in files:
            name = Path(stdin_filename if file == STDIN else file)
            snapshot = self._at(name)
            if not snapshot.is_unchanged(snapshot.repository.path(name), stdin if file == STDIN else None):
                found.append(file)
        return found

    def settings(self, design: str, now: Settings) -> Settings:
        """The settings that judge a design: those that it had, unless the change is trusted. Raises AuthoringError."""
        return now if self.trusted else self._former(design).settings(design, now)

    def baseline(self, file: Path) -> Baseline:
        """A baseline as it was or is, its entries naming designs of the work tree."""
        found = baseline.read_baseline(file)
        for snapshot in self._snapshots.values():
            found = replace(found, path=Former(snapshot, self.policy, self.beside).place_baseline(found.path))
        return found

    def differing(self, files: Iterable[Path]) -> list[Adjustment]:
        """What is to be known of files that decide how designs are judged, where the change has other ones."""
        found: list[Adjustment] = []
        so = "and applies to this change" if self.trusted else "which does not apply to this change yet"
        for file in dict.fromkeys(files):
            snapshot = self._at(file)
            path = snapshot.repository.path(file)
            now = start(file, LIMITS.bytes) if file.is_file() else None
            before = snapshot.content(path)
            if now != before:
                how = "is new" if before is None else "is other than it was"
                text = f"{path} {how} since {self.revision}, {so}"
                found.append(Adjustment("changed", (), text, "", f"{path}:1"))
        return found

    def find_weakened(self, designs: Mapping[str, Settings], engine: Engine) -> tuple[list[Finding], dict[str, str]]:
        """Findings on what the change would make milder, by the settings of each design now; and the texts that they name."""
        pairs: dict[tuple[Settings, Settings], str] = {}
        for name, now in designs.items() if not self.trusted else ():
            then = self.settings(name, now)
            if then != now:
                configuration = self.policy.file(name)
                pairs.setdefault((now, then), name if configuration is None else display_path(configuration))
        found: dict[tuple[str, str, int, str], Problem] = {}
        for (now, then), fallback in pairs.items():
            for one in Weakened(now, then, fallback).problems(self.baseline):
                found.setdefault((one.rule, one.document.file, one.start, str(one.values)), one)
        texts = {one.document.file: one.document.text for one in found.values()}
        return [replace(of_problem(one, engine), design=one.document.file) for one in found.values()], texts

    def removed_designs(self, folders: Iterable[str]) -> list[Unjudged]:
        """The designs that stood below folders and do not any more, so that nothing is said of them."""
        found: dict[str, Unjudged] = {}
        for folder in folders:
            snapshot = self._at(Path(folder) / baseline.NAME)
            for path in snapshot.removed_designs(snapshot.repository.path(Path(folder))):
                here = os.path.relpath(snapshot.repository.root / path)
                found.setdefault(
                    path, Unjudged(here, f"it was a design at {self.revision}, and this change removes it")
                )
        return list(found.values())

    def display_report(self, report: Report) -> Report:
        """A report with the files of the revision as git calls them."""
        for snapshot in self._snapshots.values():
            report = _rename_texts(report, f"{snapshot.folder}{os.sep}", f"{self.revision}:")
        return report

    def keep_caused(self, report: Report, engine: Engine, held: Document | None = None) -> Report:
        """The report on one design, those findings set aside that stood then and are no worse now."""
        [file] = report.files
        snapshot = self._at(Path(file))
        path = snapshot.repository.path(Path(file))
        before = None
        if path in snapshot.files:
            before = pipeline.lint(snapshot.document(path), engine, repair=False)
        if not self.trusted:
            former = before or self._renamed_from(snapshot, held or open_document(file), engine)
            report = Reviewed(report, before, engine, lambda: held or open_document(file), former).judge_change()
        if before is None or not report.findings:
            return report
        turns, _ = finding_changes(before.findings, report.findings)
        bad = {one.finding.key for one in turns if one.how in ("introduced", "worse")}
        caused = [one for one in report.findings if one.key in bad]
        return replace(
            report,
            findings=caused,
            error=refusal(caused, engine.rules),
            accepted=[*report.accepted, *(self._aside(one) for one in report.findings if one.key not in bad)],
        )

    def _renamed_from(self, snapshot: Snapshot, document: Document, engine: Engine) -> Result | None:
        """What a design was under another name; None for a new one."""
        path = former_path(snapshot, document.text.encode())
        return None if path is None else pipeline.lint(snapshot.document(path), engine, repair=False)

    def at(self, folder: Path, snapshot: Snapshot) -> None:
        """Take what a folder was from a snapshot."""
        self._folders[folder.absolute()] = self._snapshots[snapshot.repository.root] = self.held.enter_context(snapshot)

    def _former(self, design: str) -> Former:
        return Former(self._at(Path(design)), self.policy, self.beside)

    def _aside(self, one: Finding) -> Finding:
        return replace(one, accepted=Acceptance(REVISION, f"there at {self.revision}"))

    def _at(self, file: Path) -> Snapshot:
        """The snapshot of the repository that holds a file."""
        folder = file.absolute().parent
        if folder not in self._folders:
            repository = self._around(folder)
            if repository.root not in self._snapshots:
                snapshot = Snapshot(repository, self.revision)
                self._snapshots[repository.root] = self.held.enter_context(snapshot)
            self._folders[folder] = self._snapshots[repository.root]
        return self._folders[folder]

    def _around(self, folder: Path) -> Repository:
        """The repository of the working folder, where it holds a folder: what lies below it may only look like one."""
        if self._here is None:
            with suppress(UsageError):
                self._here = Repository.around(Path())
        here = self._here
        return here if here is not None and here.holds(folder) else Repository.around(folder)


def _rename_texts(value: Any, old: str, new: str) -> Any:
    """A plain value with every text in it changed."""
    if isinstance(value, str):
        return value.replace(old, new) if old in value and not isinstance(value, Enum) else value
    if isinstance(value, Mapping):
        return {_rename_texts(key, old, new): _rename_texts(one, old, new) for key, one in value.items()}
    if isinstance(value, list):
        return [_rename_texts(one, old, new) for one in value]
    if isinstance(value, tuple):
        parts = [_rename_texts(one, old, new) for one in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, Struct):
        return replace(
            value, **{name: _rename_texts(getattr(value, name), old, new) for name in value.__struct_fields__}
        )
    return value
