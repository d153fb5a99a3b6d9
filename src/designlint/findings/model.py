"""The values that travel between the parts: places, problems, outcomes, findings, reports."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field

from designlint.language import kinds
from designlint.language.citations import cite_source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.reading.location import Location, Replacement
    from designlint.reading.tree import Document


class Severity(StrEnum):
    """How bad a finding is, worst first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """What sorts the worst first."""
        return SEVERITIES.index(self)


SEVERITIES = tuple(Severity)


class Verdict(StrEnum):
    """The four answers of a rule about one subject."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not applicable"


class Problem(Struct, frozen=True):
    """A fault of a file's text or shape, before any rule judged it; places are offsets into the document."""

    rule: str
    document: Document
    start: int
    end: int
    values: Mapping[str, Any]


class Quantity(Struct, frozen=True, order=True):
    """
    A value as a finding shows it.

    Attributes:
        value: in the canonical unit.
        unit: symbol of the canonical unit; empty for text and flags.
        text: as messages print it.
        origin: where it comes from, in words: `stated`, `dgx-h100 in the catalogue`, `derived` ...
        location: where the design states it.
        confidence: how a source that it comes from is known: `verified`, `secondary`, `from-memory`.
        certainty: of a calculated value that is not exact: `lower`, `upper` (bounds of the truth), or `estimate`.
        error: largest error of an estimate, as a share of the truth, where it was measured.
    """

    value: bool | int | float | str
    unit: str
    text: str
    origin: str = ""
    location: Location | None = None
    confidence: str = ""
    certainty: str = ""
    error: float | None = None

    @property
    def cited(self) -> str:
        """Where it comes from, with how a source is known, and what it is where it is not exact."""
        told = kinds.of_data((self.certainty, self.error)).label if self.certainty else ""
        return ", ".join(filter(None, (cite_source(self.origin, self.confidence), told)))


class Change(NamedTuple):
    """One value that a fix sets: the place by its path in the design, the value as YAML spells it; None takes it out."""

    path: str
    value: str | None


#: What a fix says of a comment beside the value that it changes.
STALE_COMMENT = "The comment beside the value may no longer be true."


class Fix(Struct, frozen=True):
    """
    A repair of one finding: all changes or none.

    Attributes:
        safety: `safe` where intent cannot change, `unsafe`, or `display` where it is shown but never applied.
        proven: the changed design was judged again: the finding is gone, no new error or worse finding came of it.
        resolves: findings that are gone when it is made, its own included; `causes`: those that come, all of them lesser.
        reveals: those that come because a misspelt word is read, however severe they are.
        replacements: the changes as stretches of text, apart from each other, in the order of files and places.
        cures: the keys of the findings that are gone, each as one text.
    """

    title: str
    safety: str
    changes: tuple[Change, ...]
    because: str = ""
    proven: bool = False
    resolves: int = 0
    causes: int = 0
    reveals: int = 0
    replacements: tuple[Replacement, ...] = ()
    cures: tuple[str, ...] = ()

    @property
    def weight(self) -> str:
        """How many findings go and come, in words."""
        revealed = f", reveals {self.reveals}" if self.reveals else ""
        return f"resolves {self.resolves}, causes {self.causes}{revealed}"


class Margin(Struct, frozen=True, order=True):
    """
    How far a number is from what it is compared with.

    Attributes:
        name: what is measured, and `against` what: variables or expressions of the rule.
        value: measured, and the `limit`, both in the canonical unit.
        comparison: `<=`, `<`, `>=` or `>`: how the value must stand to the limit.
        room: share of the limit that is left, or of the value where the limit is 0; negative where the value is beyond
            it, and 0 where it stands at it.
        text: the value, and `limit_text` the limit, as messages print them.
        words: the whole comparison as a person reads it: `tokens / parameters 20.06 ≥ limit 20`.
    """

    name: str
    against: str
    comparison: str
    value: float
    limit: float
    unit: str
    room: float
    text: str = ""
    limit_text: str = ""
    words: str = ""


class Acceptance(Struct, frozen=True, order=True):
    """
    Why a finding does not count.

    Attributes:
        how: `waiver`, `baseline`, or `revision` for what was there at the revision that a run compares with.
        until: the last day on which a waiver holds, YYYY-MM-DD; empty where it has none.
        location: where it is stated.
        ticket: where it was decided, a link or a number.
    """

    how: str
    reason: str
    owner: str = ""
    until: str = ""
    location: Location | None = None
    ticket: str = ""


class Finding(Struct, frozen=True):
    """
    One fault of a design, with its evidence.

    Attributes:
        constraint: what of the subject is at fault, as a path below it.
        identity: the subject with unnamed list items told by what they state, not by number; empty where it has none.
        margin: how far beyond the limit, where the judgement is a comparison of numbers.
        accepted: why it does not count; None where it does.
        design: the file that was checked; the location is in another one where it stands in a base of the design.
        caused_by: rule and subject of the finding whose fix mends this one, too, or which compares the same value; empty where it
            stands by itself.
    """

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
    constraint: str = ""
    margin: Margin | None = None
    accepted: Acceptance | None = None
    identity: str = ""
    design: str = ""
    caused_by: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """What names the finding within its design, however lines move and sections or items are reordered."""
        return self.rule, self.identity or self.subject, self.constraint


class Outcome(Struct, frozen=True, order=True):
    """
    What one rule says about one subject.

    Attributes:
        missing: the facts that an unknown waits for.
        margin: of a comparison of numbers that passed or failed, where margins were asked for.
        location: what was measured, where there is a margin.
        weight: of an unknown, what it could turn out to be: 4 a missed target that the design states, 3 an error, 2 a
            warning, 1 a note, 0 where it is about a network of management.
        doubts: with a margin, whether it says how plausible a stated number is, not how near the design is to a limit.
    """

    rule: str
    file: str
    subject: str
    verdict: Verdict
    missing: tuple[str, ...] = ()
    margin: Margin | None = None
    location: Location | None = None
    weight: int = 0
    doubts: bool = False
