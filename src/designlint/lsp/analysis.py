"""One version of an open design: read and judged, its repairs proven when they are first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from designlint import engine as engines
from designlint import pipeline
from designlint.settings import Settings
from designlint.source import looks_like_design, read_bytes

if TYPE_CHECKING:
    from designlint.design import Design
    from designlint.engine import Engine
    from designlint.model import Finding
    from designlint.source import Document


class Analysis:
    """What is known about one version of a design."""

    def __init__(self, document: Document, engine: Engine, version: int | None) -> None:
        self.document, self.engine, self.version = document, engine, version
        result = pipeline.lint(document, engine, repair=False)
        self.design: Design = result.design
        self.findings: list[Finding] = result.findings
        #: Of every file that a place may name.
        self.texts = result.texts()

    @cached_property
    def repaired(self) -> list[Finding]:
        """The findings with their proven fixes: each proof judges the design anew, so only where somebody asks."""
        return pipeline.lint(self.document, self.engine).findings


def analysis(text: str, file: str, version: int | None) -> Analysis | None:
    """
    A text judged as the file's settings want; None where it is no design.

    Raises:
        AuthoringError: a configuration or rule file that says something wrong.
    """
    data = text.encode("utf-8", "surrogatepass")
    if not looks_like_design(data):
        return None
    return Analysis(read_bytes(data, file), engine_for(file), version)


def engine_for(file: str) -> Engine:
    """The engine that judges a file today; a server may run for weeks."""
    import time

    del file
    return engines.configured(Settings(today=time.strftime("%Y-%m-%d")))
