"""What the document says, as plain values: the one content that every format writes down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.report.dossier.findings import (
    Distance,
    DossierAcceptance,
    DossierFault,
    DossierLine,
    DossierPlace,
    DossierRepair,
    Step,
)
from designlint.report.dossier.plans import DossierComparison, DossierLeft, DossierPlan, Effect, Revision
from designlint.report.dossier.principles import Decider, DossierEvidence, DossierJudged, Matrix, Status, Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.figures.shared.figure import Figure, Omission

__all__ = [
    "Avoided",
    "Decider",
    "Digest",
    "Distance",
    "Dossier",
    "DossierAcceptance",
    "DossierAnswer",
    "DossierComparison",
    "DossierDocument",
    "DossierEvidence",
    "DossierFault",
    "DossierField",
    "DossierGap",
    "DossierJudged",
    "DossierLeft",
    "DossierLine",
    "DossierOverride",
    "DossierPlace",
    "DossierPlan",
    "DossierPoint",
    "DossierRepair",
    "Effect",
    "KeyFact",
    "Matrix",
    "Portfolio",
    "Revision",
    "Risk",
    "Status",
    "Step",
    "Tailoring",
    "Tally",
]


class DossierGap(Struct, frozen=True):
    """A fact that nobody stated, and how many rules wait for it."""

    fact: str
    rules: int
    meaning: str


class DossierField(Struct, frozen=True):
    """How much of a topic was judged."""

    topic: str
    judged: int
    unknown: int


class DossierPoint(Struct, frozen=True):
    """One sentence of an answer: bold first, then the rest; `anchor` is the finding or plan that says more."""

    key: str
    text: str
    anchor: str = ""


class DossierAnswer(Struct, frozen=True):
    """What an approver asks first."""

    question: str
    answer: str
    points: Sequence[DossierPoint]


class KeyFact(Struct, frozen=True):
    """One figure of the strip at the head: what it is of, the value, and what it is held against."""

    name: str
    value: str
    note: str


class Risk(Struct, frozen=True):
    """A risk as the design states it."""

    name: str
    domain: str
    impact: str
    likelihood: str
    gpus_lost: str
    mitigation: str
    owner: str
    reviewed: str


class Avoided(Struct, frozen=True):
    """What the stated hardware rules out."""

    rule: str
    subject: str
    statement: str


class Digest(Struct, frozen=True):
    """A file that the design is made of."""

    file: str
    sha256: str


class Dossier(Struct, frozen=True):
    """
    All about one design.

    Attributes:
        verdict: `refused`, `errors`, `warnings`, `unknown` (nothing was judged) or `clean`, and `told` in words.
        key_facts: GPUs, fabric, power, time, memory and cost, where known.
        plans: ways out of all findings together; none where no fix holds, or where the files are too large to try.
        layouts: the stated layout of each job beside the one that a plan would choose.
        untried: they are; `cut` tells that the search ended before all was tried.
        decisions: what the design decides, area by area.
        losses: failure domains: what is lost with one part.
        outcomes: judgements by verdict.
        undrawn: pictures that the design does not say enough for.
    """

    file: str
    name: str
    description: str
    verdict: str
    told: str
    errors: int
    warnings: int
    infos: int
    outcomes: Sequence[tuple[str, int]]
    statuses: Sequence[tuple[Status, int]]
    key_facts: Sequence[KeyFact]
    answers: Sequence[DossierAnswer]
    gaps: Sequence[DossierGap]
    fields: Sequence[DossierField]
    matrices: Sequence[Matrix]
    principles: Sequence[DossierJudged]
    findings: Sequence[DossierFault]
    plans: Sequence[DossierPlan]
    layouts: Sequence[DossierComparison]
    untried: bool
    cut: bool
    accepted: Sequence[DossierFault]
    margins: Sequence[Distance]
    evidence: Sequence[DossierEvidence]
    avoid: Sequence[Avoided]
    risks: Sequence[Risk]
    losses: Sequence[DossierPoint]
    decisions: Sequence[DossierPoint]
    figures: Sequence[Figure]
    undrawn: Sequence[Omission]
    files: Sequence[Digest]


class DossierDocument(Struct, frozen=True):
    """A source of principles, and in words how its content is known."""

    key: str
    title: str
    author: str
    principles: int
    confidence: str


class DossierOverride(Struct, frozen=True):
    """A limit, severity or choice of rules that the configuration changed, and the rules that it concerns."""

    what: str
    value: str
    reason: str
    stated: str
    rules: Sequence[str]


class Tailoring(Struct, frozen=True):
    """Principles that a profile leaves out."""

    principles: str
    reason: str
    count: int


class Portfolio(Struct, frozen=True):
    """The whole document: some designs held against one profile."""

    title: str
    version: str
    today: str
    profile: str
    profile_file: str
    about: str
    documents: Sequence[DossierDocument]
    tailoring: Sequence[Tailoring]
    standard: Digest
    packs: Sequence[Digest]
    overrides: Sequence[DossierOverride]
    designs: Sequence[Dossier]
