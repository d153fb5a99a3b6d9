"""A linter for the designs of GPU training clusters."""

from __future__ import annotations

from designlint.version import __version__

TYPE_CHECKING = False  # as type checkers know it; the module `typing` takes as long to import as Python to start
if TYPE_CHECKING:
    from pathlib import Path

    from designlint.design.design import Design
    from designlint.findings.report import Report

__all__ = ["__version__", "check", "load"]


def check(*paths: str | Path) -> Report:
    """
    The report on designs: findings, outcomes, what could not be judged.

    Args:
        paths: design files, or folders that are searched for them.

    Raises:
        UsageError: a path that does not exist, or no design found.
        AuthoringError: a shipped rule or ontology file that says something wrong.
    """
    from designlint.linting.pipeline import check as run

    return run([str(path) for path in paths])


def load(path: str | Path) -> Design:
    """
    One design as a graph: `.graph` has its nodes and facts, `.query(sparql)` its rows, `.rdflib()` the same store.

    Raises:
        UsageError: the file cannot be read.
    """
    from designlint.linting.pipeline import load as run

    return run(str(path))
