"""One run over designs: which files, judged how, fixed first or not, and what came of it."""

from __future__ import annotations

import os
import sys
import time
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.cli.shared import verdict
from designlint.cli.shared.terminal import complain, fault
from designlint.language import resources
from designlint.reading import discovery
from designlint.rules.settings import FailOn
from designlint.running import jobs, pool, setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from designlint.cli.shared.fix_options import FixOptions
    from designlint.configuration import Policy
    from designlint.findings.notices import Fixed
    from designlint.findings.report import Report
    from designlint.reading import Document
    from designlint.reviewing.since import Since
    from designlint.rules.settings import Settings

#: Where `designlint baseline create` writes, unless it is told otherwise.
BASELINE = Path("designlint-baseline.json")
#: Progress is shown where a run has already taken so many seconds.
PATIENCE = 2.0


class CheckRun:
    """
    The designs of one call of `check`.

    Args:
        named: what the call named: files, folders, `-`.
        policy: how each design is judged.
        stdin_filename: name of the design that comes by standard input.
        since: the git revision against which findings are compared; empty where they are not.
        trusted: what a change since then brings along may judge it.
        cluster: the design that jobs are judged against, whatever configurations say.
        given: variables and words of jobs, such as `nodes`.
    """

    def __init__(
        self, named: Sequence[str], policy: Policy, stdin_filename: str, since: str = "", *, designs_only: bool = False,
        trusted: bool = False, cluster: str = "", given: Mapping[str, str] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self.named, self.policy, self.stdin_filename = named, policy, stdin_filename
        stdin = discovery.standard_input() if discovery.STDIN in named else None
        #: Designs that are not as on disk.
        self.held: dict[str, Document] = {}
        if stdin is not None:
            self.held[discovery.STDIN] = discovery.open_document(discovery.STDIN, stdin, stdin_filename)
        self.searches: list[discovery.FolderSearch] = []
        self.tasks: dict[str, jobs.Task] = {}
        self.passed: list[discovery.Unjudged] = []
        self.found = self._find_files(jobs.JobFileSearch(cluster, given, policy.settings), designs_only=designs_only)
        self.before = _before(since, policy, trusted=trusted) if since else None
        self.files = self.found if self.before is None else self._select_changed(self.found, since, stdin)
        self.fixed: list[Fixed] = []

    def _find_files(self, search: jobs.JobFileSearch, *, designs_only: bool) -> list[str]:
        """The designs and the files of jobs that are meant, designs first."""
        found, tasks = search.find(self.named, designs_only=designs_only, searches=self.searches)
        self.passed = search.passed
        setting.refuse_unread(tasks, dict(search.given), self.named)
        self.tasks = {one.file: one for one in tasks}
        return [*found, *self.tasks]

    def _select_changed(self, found: Sequence[str], since: str, stdin: bytes | None) -> list[str]:
        """Those of the files that are other than they were, of jobs also those whose cluster is."""
        assert self.before is not None
        clusters = {one.cluster for one in self.tasks.values() if one.cluster}
        changed = set(self.before.changed_files([*found, *clusters], stdin, self.stdin_filename))
        files = [one for one in found if one in changed or (one in self.tasks and self.tasks[one].cluster in changed)]
        if len(files) < len(found):
            fault(f"{len(found) - len(files)} of {len(found)} {self._kinds(found)} unchanged since {since}")
        return files

    def _kinds(self, found: Sequence[str]) -> str:
        """What the files of a run are called."""
        return "designs" if not self.tasks else "jobs" if len(self.tasks) == len(found) else "designs and jobs"

    @cached_property
    def settings(self) -> dict[str, Settings]:
        """How each design is judged."""
        before = self.before
        if before is None:
            return self._own(self.files)
        return {file: before.settings(self._display_name(file), one) for file, one in self._own(self.files).items()}

    def _own(self, files: Iterable[str]) -> dict[str, Settings]:
        """How designs are judged as the files stand."""
        return {file: self._beside(self.policy.settings(self._display_name(file))) for file in files}

    def _display_name(self, file: str) -> str:
        return self.stdin_filename if file == discovery.STDIN else file

    def _beside(self, settings: Settings) -> Settings:
        """The settings, with the baseline of the working folder where they name none."""
        if settings.baseline is None and settings.baselines and not self.policy.isolated and BASELINE.is_file():
            return replace(settings, baseline=BASELINE)
        return settings

    @property
    def piped(self) -> bool:
        """Whether a design came by standard input."""
        return discovery.STDIN in self.held

    def mend(self, wish: FixOptions) -> None:
        """Make, or show, the fixes that are wished for; what is read afterwards is the designs as they are then."""
        from designlint.cli.shared import fixing

        _ = self.settings  # faulty configurations and hanging rules end the run before a file is touched
        designs = [one for one in self.files if one not in self.tasks]
        documents = self.held | {file: discovery.open_document(file) for file in designs if file not in self.held}
        piped = self.held.get(discovery.STDIN)
        tasks = [(task, self.settings[file]) for file, task in self.tasks.items() if file in self.settings]
        self.fixed, documents = fixing.run(wish, documents, lambda one: self.policy.engine(one.file), piped, tasks)
        self.held = {file: documents[file] for file in self.held if file in documents}

    def reports(self, processes: int, *, margins: bool, timed: bool, cached: bool) -> list[Report]:
        """The answer for each design."""
        todo = [
            pool.CheckJob(file, self.settings[file], self.held.get(file), margins, timed, task=self.tasks.get(file))
            for file in self.files
        ]
        before = self.before
        cached = cached and (before is None or self.settings == self._own(self.files))
        found = _with_progress(pool.run(todo, processes, cached=cached), len(todo), self._kinds(self.files))
        reports = self._read_once(list(found))
        if before is None:
            return reports
        from designlint.configuration import engine

        pairs = zip(self.files, reports, strict=True)
        return [
            one
            if file in self.tasks
            else before.keep_caused(one, engine.configure_engine(self.settings[file]), self.held.get(file))
            for file, one in pairs
        ]

    def _read_once(self, reports: list[Report]) -> list[Report]:
        """The reports without files that a job of the run reads anyhow, and without those that hold no job."""
        read: set[str] = set()
        for file, one in zip(self.files, reports, strict=True):
            if file in self.tasks and one.outcomes:
                read |= {os.path.normpath(text) for text in one.texts} - {os.path.normpath(file)}
        pairs = [
            (file, one)
            for file, one in zip(self.files, reports, strict=True)
            if file not in self.tasks or not (one.unjudged or os.path.normpath(file) in read)
        ]
        self.passed = [*self.passed, *(missed for one in reports for missed in one.unjudged)]
        self.files = [file for file, _ in pairs]
        return [one for _, one in pairs]

    def join_reports(self, reports: Sequence[Report]) -> Report:
        """The answer for all designs, without what a baseline holds."""
        settings, before = [self.settings[file] for file in self.files], self.before
        if before is None:
            report = verdict.join_reports(reports, settings, self.named, whole=True)
        else:
            report = verdict.join_reports(reports, settings, self.named, whole=False, read=before.baseline)
            report = self._review(before, report)
        return replace(report, fixed=self.fixed, unjudged=self._list_unjudged(report))

    def _review(self, before: Since, report: Report) -> Report:
        """The report, with what the change contains that judges: configurations, baselines, rules and shapes."""
        from designlint.configuration import engine

        own = {self._display_name(file): one for file, one in self._own(self.found).items()}
        files = [one for name in own for one in self.policy.files(name)]
        files += [one.baseline for one in own.values() if one.baseline is not None]
        files += [shape for one in own.values() for shape in one.shapes]
        files += [rule for one in own.values() for folder in one.rules for rule in resources.files(folder, ".yaml")]
        found, texts = before.find_weakened(own, engine.shipped_engine())
        standards = {one.rule: engine.shipped_engine().rules[one.rule].standard for one in found}
        report = before.display_report(report)
        report = replace(
            report,
            findings=[*report.findings, *found],
            texts={**report.texts, **texts},
            standards={**report.standards, **standards},
        )
        return replace(report, settings=[*before.differing(files), *report.settings])

    def _list_unjudged(self, report: Report) -> list[discovery.Unjudged]:
        """What looks like a design and was not judged; files that a design extends were judged with it."""
        read = {os.path.realpath(file) for file in report.texts}
        others = [one for search in self.searches for one in search.others if os.path.realpath(one) not in read]
        found = [one for search in self.searches for one in search.passed if os.path.realpath(one.file) not in read]
        found += [one for one in self.passed if os.path.realpath(one.file) not in read]
        if self.before is not None:
            found += self.before.removed_designs(search.folder for search in self.searches)
        if others:
            from designlint.configuration import engine

            words = engine.shipped_engine().vocabulary.classes["Design"].values()
            found += discovery.alike(others, {one.name for one in words if one.form in ("part", "parts")})
        return found

    def least(self, reports: Sequence[Report]) -> dict[str, FailOn]:
        """For each design, as reports name it, the least that fails the run."""
        pairs = zip(self.files, reports, strict=True)
        return {one.files[0]: FailOn(self.settings[file].fail_on or FailOn.ERROR) for file, one in pairs}


def _before(revision: str, policy: Policy, *, trusted: bool) -> Since:
    """The designs as they were, kept until the process ends."""
    from atexit import register
    from contextlib import ExitStack

    from designlint.reviewing.since import Since

    held = ExitStack()
    register(held.close)
    return Since(revision, held, policy, BASELINE, trusted=trusted)


def _with_progress(reports: Iterable[Report], total: int, kinds: str) -> Iterator[Report]:
    start, shown = time.monotonic(), False
    for number, report in enumerate(reports, 1):
        yield report
        if sys.stderr is not None and sys.stderr.isatty() and time.monotonic() - start > PATIENCE:
            shown = True
            complain(f"\rchecked {number} of {total} {kinds}", end="")
    if shown:
        complain("")
