"""One run over designs: which files, judged how, fixed first or not, and what came of it."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from designlint import checking, discovery
from designlint.cli import verdict
from designlint.cli import watch as guard
from designlint.settings import FailOn
from designlint.timing import HANGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from designlint.cli.wish import Wish
    from designlint.configuration import Policy
    from designlint.model import Report
    from designlint.notices import Fixed
    from designlint.settings import Settings
    from designlint.since import Since
    from designlint.source import Document

#: Progress is shown where a run has already taken so many seconds.
PATIENCE = 2.0


class Run:
    """
    The designs of one call of `check`.

    Args:
        named: what the call named: files, folders, `-`.
        policy: how each design is judged.
        stdin_filename: name of the design that comes by standard input.
        since: the git revision against which findings are compared; empty where they are not.
    """

    def __init__(
        self, named: Sequence[str], policy: Policy, stdin_filename: str, since: str = "", *, designs_only: bool = False
    ) -> None:
        self.named, self.policy, self.stdin_filename = named, policy, stdin_filename
        stdin = discovery.standard_input() if discovery.STDIN in named else None
        #: Designs that are not as on disk.
        self.held: dict[str, Document] = {}
        if stdin is not None:
            self.held[discovery.STDIN] = discovery.open_document(discovery.STDIN, stdin, stdin_filename)
        found = discovery.discover(named, designs_only=designs_only)
        self.before = _before(since) if since else None
        self.files = found if self.before is None else self.before.changed(found, stdin, stdin_filename)
        if len(self.files) < len(found):
            same = f"{len(found) - len(self.files)} of {len(found)} designs"
            print(f"designlint: {same} unchanged since {since}", file=sys.stderr)
        self.fixed: list[Fixed] = []

    @cached_property
    def settings(self) -> dict[str, Settings]:
        """How each design is judged; foreign rules among it may not hang the run."""
        named = {file: self.stdin_filename if file == discovery.STDIN else file for file in self.files}
        found = {file: self.policy.settings(name) for file, name in named.items()}
        packs = dict.fromkeys(str(folder) for one in found.values() for folder in (*one.rules, *one.shapes))
        if packs:
            guard(f"the rules in {', '.join(packs)} take more than {HANGS} seconds", HANGS)
        return found

    @property
    def piped(self) -> bool:
        """Whether a design came by standard input."""
        return discovery.STDIN in self.held

    def mend(self, wish: Wish) -> None:
        """Make, or show, the fixes that are wished for; what is read afterwards is the designs as they are then."""
        from designlint.cli import fixing

        _ = self.settings  # faulty configurations and hanging rules end the run before a file is touched
        documents = self.held | {file: discovery.open_document(file) for file in self.files if file not in self.held}
        piped = self.held.get(discovery.STDIN)
        self.fixed, documents = fixing.run(wish, documents, lambda one: self.policy.engine(one.file), piped)
        self.held = {file: documents[file] for file in self.held if file in documents}

    def reports(self, jobs: int, *, margins: bool, timed: bool, cached: bool) -> list[Report]:
        """The answer for each design."""
        tasks = [checking.Job(file, self.settings[file], self.held.get(file), margins, timed) for file in self.files]
        reports = list(_with_progress(checking.run(tasks, jobs, cached=cached), len(tasks)))
        if self.before is None:
            return reports
        from designlint import engine

        pairs = zip(self.files, reports, strict=True)
        return [self.before.caused(one, engine.configured(self.settings[file])) for file, one in pairs]

    def joined(self, reports: Sequence[Report]) -> Report:
        """The answer for all designs, without what a baseline holds."""
        settings = [self.settings[file] for file in self.files]
        return replace(verdict.joined(reports, settings, self.named, whole=self.before is None), fixed=self.fixed)

    def least(self, reports: Sequence[Report]) -> dict[str, FailOn]:
        """For each design, as reports name it, the least that fails the run."""
        pairs = zip(self.files, reports, strict=True)
        return {one.files[0]: FailOn(self.settings[file].fail_on or FailOn.ERROR) for file, one in pairs}


def _before(revision: str) -> Since:
    """The designs as they were, kept until the process ends."""
    from atexit import register
    from contextlib import ExitStack

    from designlint.since import Since

    held = ExitStack()
    register(held.close)
    return Since(revision, held)


def _with_progress(reports: Iterable[Report], designs: int) -> Iterator[Report]:
    start, shown = time.monotonic(), False
    for number, report in enumerate(reports, 1):
        yield report
        if sys.stderr.isatty() and time.monotonic() - start > PATIENCE:
            shown = True
            print(f"\rchecked {number} of {designs} designs", end="", file=sys.stderr, flush=True)
    if shown:
        print(file=sys.stderr)
