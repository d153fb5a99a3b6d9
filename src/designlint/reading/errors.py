"""The faults that are not findings: a wrong rule or ontology, and a run that could not start."""

from __future__ import annotations

from functools import partial
from typing import Any


class AuthoringError(Exception):
    """A rule, catalogue or ontology file that says something wrong; names file and line. Exit 2."""

    def __init__(self, message: str, *, file: str, line: int | None = None) -> None:
        self.message, self.file, self.line = message, file, line
        where = file if line is None else f"{file}:{line}"
        super().__init__(f"{where}: {message}")

    def __reduce__(self) -> tuple[Any, ...]:
        """How it is sent from one process to another."""
        return partial(type(self), file=self.file, line=self.line), (self.message,)


class UsageError(Exception):
    """A run that cannot start: missing file, bad option, no design found. Exit 2."""


class WorkerError(Exception):
    """A process of a run that was ended from outside. Exit 3."""
