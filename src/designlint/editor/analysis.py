"""One version of an open design: read and judged, its repairs proven when they are first asked for."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.configuration import Policy
from designlint.configuration.engine import shipped_engine
from designlint.linting import pipeline
from designlint.reading import looks_like_design, read_bytes
from designlint.rules.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.design.design import Design
    from designlint.design.overlay import Held
    from designlint.findings.model import Finding
    from designlint.findings.report import Report
    from designlint.fixes.repairs import Repair
    from designlint.graph.subjects import Subject
    from designlint.reading import Document
    from designlint.reading.location import Location, Replacement
    from designlint.rules.engine import Engine


class Analysis:
    """
    What is known about one version of a design.

    Attributes:
        texts: of every file that a place may name.
    """

    def __init__(self, document: Document, engine: Engine, version: int | None, held: Held) -> None:
        self.document, self.engine, self.version, self.held = document, engine, version, held
        result = pipeline.lint(document, engine, held=held, repair=False)
        self.design: Design = result.design
        self.findings = _counting(result.report(), engine)
        self.texts = result.design.texts()
        self._planned: dict[str, Repair | None] = {}
        self._mended: dict[tuple[tuple[str, Location], ...], list[Finding]] = {}

    def propose_fixes(self, wanted: Sequence[Finding]) -> list[Finding]:
        """Some of the findings with their proven fixes: each proof judges the design anew, so only where somebody asks."""
        names = {_name(one) for one in wanted}
        key = tuple(sorted(names))
        if names and key not in self._mended:
            result = pipeline.lint(self.document, self.engine, held=self.held, repair=lambda one: _name(one) in names)
            self._mended[key] = [one for one in result.findings if _name(one) in names]
        return self._mended.get(key, [])

    def propose_layout(self, job: Subject) -> Repair | None:
        """The change of a job's layout to the one that a plan would choose; looked for where somebody asks."""
        from designlint.layouts import jobs
        from designlint.planning import beside

        if job.path not in self._planned:
            found = jobs.of(self.design, job)
            self._planned[job.path] = None if found is None else beside.repair(found, self.design)
        return self._planned[job.path]

    def safe_edits(self) -> tuple[Replacement, ...]:
        """What making every safe fix replaces in this file, one fix after another as `check --fix` makes them."""
        from designlint.applying.session import apply_fixes
        from designlint.fixes.repairs import replacements

        done = apply_fixes(self.design, lambda _, fix, __: fix.safety == "safe", bases=False)
        return replacements({self.document: done.after.design.document.text})


def _counting(report: Report, engine: Engine) -> Sequence[Finding]:
    """The findings that count: those that a baseline holds do not."""
    if engine.settings.baseline is None:
        return report.findings
    from designlint.suppressions import baseline

    known = {**shipped_engine().rules, **engine.rules}
    checked = baseline.Checked([], known, whole=False)
    return baseline.apply_baseline(report, baseline.read_baseline(engine.settings.baseline), checked, engine).findings


def _name(one: Finding) -> tuple[str, Location]:
    return one.rule, one.location


def analysis(text: str, file: str, version: int | None, others: Mapping[str, str]) -> Analysis | None:
    """
    A text judged as the file's settings want; None where it is no design.

    Args:
        others: texts of other open files, which count instead of what is on disk.

    Raises:
        AuthoringError: a configuration or rule file that says something wrong.
    """
    data = encode(text)
    if not looks_like_design(data):
        return None
    document = read_bytes(data, file)
    extends = document.root is not None and "extends" in document.root.entries
    held = {Path(name).resolve(): read_bytes(encode(one), name) for name, one in others.items()} if extends else {}
    return Analysis(document, engine_for(file), version, held)


def encode(text: str) -> bytes:
    """A text as its file would hold it; halves of characters, which no file can, stay wrong and are found so."""
    return text.encode("utf-8", "surrogatepass")


def engine_for(file: str) -> Engine:
    """The engine that judges a file as its configuration wants it, today: a server may run for weeks."""
    return Policy(Settings(today=time.strftime("%Y-%m-%d"))).engine(file)
