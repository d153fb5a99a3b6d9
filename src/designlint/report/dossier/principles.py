"""What is known about each principle, and how many stand how."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.report.dossier.findings import DossierPlace


class Status(StrEnum):
    """What is known about a principle, worst first."""

    VIOLATED = "violated"
    UNKNOWN = "unknown"
    PARTLY = "partly proven"
    WAIVED = "waived"
    ATTESTED = "attested"
    PROVEN = "proven"
    NOT_APPLICABLE = "not applicable"
    TAILORED = "tailored out"


class DossierEvidence(Struct, frozen=True):
    """
    A person's word for a control.

    Attributes:
        valid: it names who attests it and has not run out.
    """

    principle: str
    owner: str
    on: str
    until: str
    link: str
    note: str
    valid: bool
    place: DossierPlace | None


class Decider(Struct, frozen=True):
    """
    What one rule says about the whole design, for the principles that it cites.

    Attributes:
        changed: what the configuration did to it, such as `switched off`; empty where it judged as it came.
    """

    rule: str
    status: Status
    changed: str


class DossierJudged(Struct, frozen=True):
    """
    One principle and what is known about it.

    Attributes:
        rules: those that decide it; `judged_by` tells whether a person has to.
        silent: rules that would decide it, for whose judgement the design states no part.
        why: the reason for which a profile leaves it out.
    """

    id: str
    document: str
    place: str
    phase: str
    topic: str
    statement: str
    judged_by: str
    status: Status
    rules: Sequence[Decider]
    silent: Sequence[str]
    evidence: Sequence[DossierEvidence]
    why: str


class Tally(Struct, frozen=True):
    """How many principles have which status, and what that comes to."""

    title: str
    status: Status
    counts: Sequence[tuple[Status, int]]
    principles: Sequence[str]

    @property
    def total(self) -> int:
        """The principles of the row."""
        return sum(number for _, number in self.counts)


class Matrix(Struct, frozen=True):
    """Rows of principles that belong together."""

    title: str
    rows: Sequence[Tally]
