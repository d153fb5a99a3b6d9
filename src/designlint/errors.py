"""The faults that are not findings: a wrong rule or ontology, and a run that could not start."""

from __future__ import annotations


class AuthoringError(Exception):
    """A rule, catalogue or ontology file that says something wrong; names file and line. Exit 2."""

    def __init__(self, message: str, *, file: str, line: int | None = None) -> None:
        self.file, self.line = file, line
        where = file if line is None else f"{file}:{line}"
        super().__init__(f"{where}: {message}")


class UsageError(Exception):
    """A run that cannot start: missing file, bad option, no design found. Exit 2."""
