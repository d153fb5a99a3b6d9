"""Whether a brief is a design at all: what no design can state is named before a plan is looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.design.design import read_design
from designlint.findings.model import Severity
from designlint.judging.judge import problems
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from designlint.judging.judge import Fault
    from designlint.reading import Document
    from designlint.rules.engine import Engine

#: The rules on names that nothing in a design has. A plan needs what is named, so the note is a fault here, too.
UNDESCRIBED = "shape/undescribed-reference"
UNKNOWN_NAMES = (UNDESCRIBED, "shape/unknown-reference")


def sound(document: Document, engine: Engine, name: str, networks: tuple[str, ...]) -> None:
    """
    Raises UsageError where a brief states what no design can.

    Args:
        name: what the brief is called: the path of its file, of which the line is named, too, or else in words.
        networks: those that a plan adds, which a brief may name without stating them.
    """
    for one in problems(read_design(document, engine)):
        fault = one.finding.severity is Severity.ERROR or one.finding.rule == UNDESCRIBED
        if fault and not _is_left_to_plan(one, document, networks):
            remedy = f". {one.finding.remedy}".removesuffix(".") if one.finding.remedy else ""
            place = f"{name}:{one.finding.location.line}" if name == document.file else name
            raise UsageError(f"{place}: {one.finding.message}{remedy}")


def _is_left_to_plan(problem: Fault, document: Document, networks: tuple[str, ...]) -> bool:
    """Whether a brief only names a network that it leaves to the plan."""
    place = problem.finding.location
    named = document.text.splitlines()[place.line - 1][place.column - 1 : place.end_column - 1]
    return problem.finding.rule in UNKNOWN_NAMES and named in networks
