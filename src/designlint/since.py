"""`--since`: findings that stood at a revision already are set aside, so that a run answers for what a change causes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from designlint import pipeline
from designlint.changes import turned
from designlint.discovery import STDIN
from designlint.model import Acceptance
from designlint.revisions import Repository, Snapshot

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import ExitStack

    from designlint.engine import Engine
    from designlint.model import Finding, Report

#: What a finding is set aside by, as `Acceptance.how` has it.
REVISION = "revision"


class Since:
    """
    Designs as they were at a revision.

    Args:
        held: keeps what is laid out of it until it is closed.
    """

    def __init__(self, revision: str, held: ExitStack) -> None:
        self.revision, self.held = revision, held
        self._snapshots: dict[Path, Snapshot] = {}
        self._folders: dict[Path, Snapshot] = {}

    def changed(self, files: Sequence[str], stdin: bytes | None = None, stdin_filename: str = "") -> list[str]:
        """The files that are other than they were, or extend such. Raises UsageError where that cannot be told."""
        found: list[str] = []
        for file in files:
            name = Path(stdin_filename if file == STDIN else file)
            snapshot = self._at(name)
            if not snapshot.unchanged(snapshot.repository.path(name), stdin if file == STDIN else None):
                found.append(file)
        return found

    def caused(self, report: Report, engine: Engine) -> Report:
        """The report on one design, those findings set aside that stood then and are no worse now."""
        [file] = report.files
        snapshot = self._at(Path(file))
        path = snapshot.repository.path(Path(file))
        if not report.findings or path not in snapshot.files:
            return report
        before = pipeline.lint(snapshot.document(path), engine, repair=False)
        turns, _ = turned(before.findings, report.findings)
        bad = {id(one.finding) for one in turns if one.how in ("introduced", "worse")}
        caused = [one for one in report.findings if id(one) in bad]
        return replace(
            report,
            findings=caused,
            error=next(filter(None, (engine.rules[one.rule]["refusal"] for one in caused)), ""),
            accepted=[*report.accepted, *(self._aside(one) for one in report.findings if id(one) not in bad)],
        )

    def _aside(self, one: Finding) -> Finding:
        return replace(one, accepted=Acceptance(REVISION, f"there at {self.revision}"))

    def _at(self, file: Path) -> Snapshot:
        """The snapshot of the repository that holds a file."""
        folder = file.absolute().parent
        if folder not in self._folders:
            repository = Repository.around(folder)
            if repository.root not in self._snapshots:
                snapshot = Snapshot(repository, self.revision)
                self._snapshots[repository.root] = self.held.enter_context(snapshot)
            self._folders[folder] = self._snapshots[repository.root]
        return self._folders[folder]
