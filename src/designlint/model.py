"""The values that travel between the parts: places, problems, outcomes, findings, reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.source.document import Document


class Severity(StrEnum):
    """How bad a finding is, worst first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Verdict(StrEnum):
    """The four answers of a rule about one subject."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not applicable"


class Location(NamedTuple):
    """A stretch of a file: 1-based, columns count characters, the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault of a file's text or shape, before any rule judged it; places are offsets into the document."""

    rule: str
    document: Document
    start: int
    end: int
    values: Mapping[str, Any]


class Quantity(NamedTuple):
    """
    A value as a finding shows it.

    Attributes:
        value: in the canonical unit.
        unit: symbol of the canonical unit; empty for text and flags.
        text: as messages print it.
        origin: where it comes from, in words: `stated`, `dgx-h100 in the catalogue`, `derived` ...
        location: where the design states it.
    """

    value: bool | int | float | str
    unit: str
    text: str
    origin: str = ""
    location: Location | None = None


class Change(NamedTuple):
    """One value that a fix sets: the place by its path in the design, the value as YAML spells it."""

    path: str
    value: str


@dataclass(frozen=True, slots=True)
class Fix:
    """
    A repair of one finding: all changes or none.

    Attributes:
        safety: `safe` where intent cannot change, `unsafe`, or `display` where it is shown but never applied.
        proven: the changed design was judged again: the finding is gone, and no new error came.
    """

    title: str
    safety: str
    changes: tuple[Change, ...]
    because: str = ""
    proven: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a design, with its evidence."""

    rule: str
    severity: Severity
    message: str
    location: Location
    subject: str
    remedy: str = ""
    values: Mapping[str, Quantity] = field(default_factory=dict)
    limits: Mapping[str, Quantity] = field(default_factory=dict)
    principles: Sequence[str] = ()
    fixes: Sequence[Fix] = ()


class Outcome(NamedTuple):
    """What one rule says about one subject; `missing` names the facts that an unknown waits for."""

    rule: str
    file: str
    subject: str
    verdict: Verdict
    missing: tuple[str, ...] = ()


class Avoidance(NamedTuple):
    """What the stated hardware rules out for one subject, whether the design does it or not."""

    rule: str
    file: str
    subject: str
    statement: str


@dataclass(frozen=True, slots=True)
class Report:
    """
    The answer of a run.

    Attributes:
        files: the designs, in the order in which they were checked.
        outcomes: every judgement, failed or not.
        avoid: parallelisations and topologies that the hardware rules out.
        error: what a rule that refuses the whole design answers; empty where none does.
    """

    files: Sequence[str]
    findings: Sequence[Finding]
    outcomes: Sequence[Outcome]
    avoid: Sequence[Avoidance] = ()
    error: str = ""

    def count(self, severity: Severity) -> int:
        """How many findings are of a severity."""
        return sum(one.severity is severity for one in self.findings)

    def total(self, verdict: Verdict) -> int:
        """How many judgements came out so."""
        return sum(one.verdict is verdict for one in self.outcomes)

    def unlocking(self, most: int = 5) -> list[tuple[str, str, int]]:
        """The missing facts that most rules wait for: file, path of the fact, number of rules; most first."""
        waiting: dict[tuple[str, str], set[str]] = {}
        for one in self.outcomes:
            for fact in one.missing:
                waiting.setdefault((one.file, fact), set()).add(one.rule)
        ranked = sorted(waiting.items(), key=lambda item: (-len(item[1]), item[0]))
        return [(file, fact, len(rules)) for (file, fact), rules in ranked[:most]]
