"""What is at fault: where, why, how far beyond which limit, and how it is mended or why it is accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence


class DossierPlace(Struct, frozen=True):
    """A stretch of a file."""

    file: str
    line: int
    column: int


class DossierLine(Struct, frozen=True):
    """A line of a file as an excerpt shows it: the marked stretch stands between what is before and after."""

    file: str
    number: int
    before: str
    marked: str
    after: str
    label: str


class Step(Struct, frozen=True):
    """A fact of a calculation, how it comes about, and from what."""

    fact: str
    note: str
    formula: str
    sources: Sequence[str]
    again: bool
    inputs: Sequence[Step]


class DossierRepair(Struct, frozen=True):
    """A fix as a reader sees it: `weight` says what it was seen to do, empty where it was not tried; `diff` is unified."""

    title: str
    safety: str
    weight: str
    because: str
    changes: Sequence[str]
    diff: str


class DossierAcceptance(Struct, frozen=True):
    """Why a finding does not count."""

    how: str
    reason: str
    owner: str
    until: str
    ticket: str
    place: DossierPlace | None


class Distance(Struct, frozen=True):
    """How far a judgement is from its limit: a share of it, negative beyond."""

    rule: str
    subject: str
    measured: str
    room: float
    text: str
    holds: bool
    place: DossierPlace | None


class DossierFault(Struct, frozen=True):
    """
    One finding.

    Attributes:
        id: that no other finding has, the same from run to run.
        excerpt: the lines that it is about; empty where many findings of the rule are shown in full before.
        evidence: what was seen, and `limits` what that was compared with.
    """

    id: str
    rule: str
    title: str
    severity: str
    message: str
    subject: str
    place: DossierPlace
    excerpt: Sequence[DossierLine]
    evidence: Sequence[str]
    limits: Sequence[str]
    problem: str
    remedy: str
    principles: Sequence[str]
    calculation: Sequence[Step]
    repairs: Sequence[DossierRepair]
    distance: Distance | None
    accepted: DossierAcceptance | None
