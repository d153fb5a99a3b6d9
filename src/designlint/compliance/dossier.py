"""What the document says, as plain values: the one content that every format writes down."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.figures import Figure, Omission


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


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a file."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Evidence:
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
    place: Place | None


@dataclass(frozen=True, slots=True)
class Decider:
    """What one rule says about the whole design, for the principles that it cites."""

    rule: str
    status: Status


@dataclass(frozen=True, slots=True)
class Judged:
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
    evidence: Sequence[Evidence]
    why: str


@dataclass(frozen=True, slots=True)
class Tally:
    """How many principles have which status, and what that comes to."""

    title: str
    status: Status
    counts: Sequence[tuple[Status, int]]
    principles: Sequence[str]

    @property
    def total(self) -> int:
        """The principles of the row."""
        return sum(number for _, number in self.counts)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of principles that belong together."""

    title: str
    rows: Sequence[Tally]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file as an excerpt shows it: the marked stretch stands between what is before and after."""

    file: str
    number: int
    before: str
    marked: str
    after: str
    label: str


@dataclass(frozen=True, slots=True)
class Step:
    """A fact of a calculation, how it comes about, and from what."""

    fact: str
    note: str
    formula: str
    sources: Sequence[str]
    again: bool
    inputs: Sequence[Step]


@dataclass(frozen=True, slots=True)
class Repair:
    """A fix as a reader sees it; `diff` is unified."""

    title: str
    safety: str
    proven: bool
    resolves: int
    causes: int
    because: str
    changes: Sequence[str]
    diff: str


@dataclass(frozen=True, slots=True)
class Revision:
    """A value that a plan changes, and the rule whose fix did so last; empty is not stated."""

    path: str
    before: str
    after: str
    title: str
    rule: str


@dataclass(frozen=True, slots=True)
class Effect:
    """A quantity that a plan changes in turn."""

    subject: str
    word: str
    meaning: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Left:
    """A finding that a plan leaves, or causes."""

    severity: str
    rule: str
    message: str


@dataclass(frozen=True, slots=True)
class Plan:
    """
    Fixes that were made together and judged as a whole.

    Attributes:
        keeps: nothing that the design is for was given up; `given_up` are the paths of what was.
        diff: of all files, unified.
    """

    title: str
    keeps: bool
    given_up: Sequence[str]
    revisions: Sequence[Revision]
    effects: Sequence[Effect]
    errors: int
    warnings: int
    left: Sequence[Left]
    diff: str


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Why a finding does not count."""

    how: str
    reason: str
    owner: str
    until: str
    ticket: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class Distance:
    """How far a judgement is from its limit: a share of it, negative beyond."""

    rule: str
    subject: str
    measured: str
    room: float
    text: str
    holds: bool
    place: Place | None


@dataclass(frozen=True, slots=True)
class Fault:
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
    place: Place
    excerpt: Sequence[Line]
    evidence: Sequence[str]
    limits: Sequence[str]
    problem: str
    remedy: str
    principles: Sequence[str]
    calculation: Sequence[Step]
    repairs: Sequence[Repair]
    distance: Distance | None
    accepted: Acceptance | None


@dataclass(frozen=True, slots=True)
class Gap:
    """A fact that nobody stated, and how many rules wait for it."""

    fact: str
    rules: int
    meaning: str


@dataclass(frozen=True, slots=True)
class Field:
    """How much of a topic was judged."""

    topic: str
    judged: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Point:
    """One sentence of an answer: bold first, then the rest; `anchor` is the finding or plan that says more."""

    key: str
    text: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an approver asks first."""

    question: str
    answer: str
    points: Sequence[Point]


@dataclass(frozen=True, slots=True)
class Risk:
    """A risk as the design states it."""

    name: str
    domain: str
    impact: str
    likelihood: str
    gpus_lost: str
    mitigation: str
    owner: str
    reviewed: str


@dataclass(frozen=True, slots=True)
class Avoided:
    """What the stated hardware rules out."""

    rule: str
    subject: str
    statement: str


@dataclass(frozen=True, slots=True)
class Digest:
    """A file that the design is made of."""

    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Dossier:
    """
    All about one design.

    Attributes:
        verdict: `refused`, `errors`, `warnings` or `clean`, and `told` in words.
        plans: ways out of all findings together; none where no fix holds, or where the files are too large to try.
        untried: they are.
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
    answers: Sequence[Answer]
    gaps: Sequence[Gap]
    fields: Sequence[Field]
    matrices: Sequence[Matrix]
    principles: Sequence[Judged]
    findings: Sequence[Fault]
    plans: Sequence[Plan]
    untried: bool
    accepted: Sequence[Fault]
    margins: Sequence[Distance]
    evidence: Sequence[Evidence]
    avoid: Sequence[Avoided]
    risks: Sequence[Risk]
    losses: Sequence[Point]
    decisions: Sequence[Point]
    figures: Sequence[Figure]
    undrawn: Sequence[Omission]
    files: Sequence[Digest]


@dataclass(frozen=True, slots=True)
class Document:
    """A source of principles."""

    key: str
    title: str
    author: str
    principles: int


@dataclass(frozen=True, slots=True)
class Override:
    """A limit, severity or choice of rules that the configuration changed, and the rules that it concerns."""

    what: str
    value: str
    reason: str
    stated: str
    rules: Sequence[str]


@dataclass(frozen=True, slots=True)
class Tailoring:
    """Principles that a profile leaves out."""

    principles: str
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class Portfolio:
    """The whole document: some designs held against one profile."""

    title: str
    version: str
    today: str
    profile: str
    profile_file: str
    about: str
    documents: Sequence[Document]
    tailoring: Sequence[Tailoring]
    packs: Sequence[Digest]
    overrides: Sequence[Override]
    designs: Sequence[Dossier]
