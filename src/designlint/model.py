"""The values that travel between the parts: places, problems, outcomes, findings, reports."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.notices import Adjustment, Avoidance, Fixed, Standard
    from designlint.source.document import Document


LINE_END = re.compile(r"\r\n?|\n")
#: Numbers that differ by a smaller share are the same: floats are computed, and facts are kept to twelve digits.
NOISE = 1e-9


class Severity(StrEnum):
    """How bad a finding is, worst first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """What sorts the worst first."""
        return list(Severity).index(self)


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
    """One value that a fix sets: the place by its path in the design, the value as YAML spells it; None takes it out."""

    path: str
    value: str | None


class Replacement(NamedTuple):
    """The same change as an editor makes it: what stands at the location becomes the text."""

    location: Location
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """
    A repair of one finding: all changes or none.

    Attributes:
        safety: `safe` where intent cannot change, `unsafe`, or `display` where it is shown but never applied.
        proven: the changed design was judged again: the finding is gone, no new error or worse finding came.
        resolves: findings that are gone when it is made, its own included; `causes`: those that come, all of them lesser.
        replacements: the changes as stretches of text, apart from each other, in the order of files and places.
    """

    title: str
    safety: str
    changes: tuple[Change, ...]
    because: str = ""
    proven: bool = False
    resolves: int = 0
    causes: int = 0
    replacements: tuple[Replacement, ...] = ()


class Margin(NamedTuple):
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


class Acceptance(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class Finding:
    """
    One fault of a design, with its evidence.

    Attributes:
        constraint: what of the subject is at fault, as a path below it.
        identity: the subject with unnamed list items told by what they state, not by number; empty where it has none.
        margin: how far beyond the limit, where the judgement is a comparison of numbers.
        accepted: why it does not count; None where it does.
        design: the file that was checked; the location is in another one where it stands in a base of the design.
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

    @property
    def key(self) -> tuple[str, str, str]:
        """What names the finding within its design, however lines move and sections or items are reordered."""
        return self.rule, self.identity or self.subject, self.constraint


class Outcome(NamedTuple):
    """
    What one rule says about one subject.

    Attributes:
        missing: the facts that an unknown waits for.
        margin: of a comparison of numbers that passed or failed, where margins were asked for.
        location: what was measured, where there is a margin.
    """

    rule: str
    file: str
    subject: str
    verdict: Verdict
    missing: tuple[str, ...] = ()
    margin: Margin | None = None
    location: Location | None = None


@lru_cache(maxsize=64)
def lines(text: str) -> list[str]:
    """The lines of a text, without their line ends."""
    return LINE_END.split(text)


@dataclass(frozen=True, slots=True)
class Report:
    """
    The answer of a run: plain values, without the graphs, so that it can be sent and kept.

    Attributes:
        files: the designs, in the order in which they were checked.
        findings: those that count.
        outcomes: every judgement, failed or not.
        avoid: parallelisations and topologies that the hardware rules out.
        error: what a rule that refuses the whole design answers; empty where none does.
        accepted: findings that do not count, because of a waiver or the baseline.
        settings: what configurations and options changed about the judgement.
        texts: of every file that a location may name.
        fixed: what `--fix` did before the findings were looked for.
        standards: what the rules say that found something, by id.
        spent: seconds by phase and by rule, where somebody asked.
    """

    files: Sequence[str]
    findings: Sequence[Finding]
    outcomes: Sequence[Outcome]
    avoid: Sequence[Avoidance] = ()
    error: str = ""
    accepted: Sequence[Finding] = ()
    settings: Sequence[Adjustment] = ()
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    fixed: Sequence[Fixed] = ()
    standards: Mapping[str, Standard] = field(default_factory=dict, repr=False)
    spent: Mapping[str, float] = field(default_factory=dict, repr=False)

    def line(self, file: str, number: int) -> str:
        """A line of a file by its number, without its line end."""
        return lines(self.texts[file])[number - 1]

    def count(self, severity: Severity) -> int:
        """How many findings are of a severity."""
        return sum(one.severity is severity for one in self.findings)

    def total(self, verdict: Verdict) -> int:
        """How many judgements came out so."""
        return sum(one.verdict is verdict for one in self.outcomes)

    def margins(self) -> list[Outcome]:
        """The judgements whose margin is known, tightest first."""
        return sorted(
            (one for one in self.outcomes if one.margin is not None),
            key=lambda one: (one.margin and one.margin.room, one.file, one.rule, one.subject, one.margin),
        )

    def left_out(self) -> int:
        """How many rules did not judge every design, because a configuration or an option says so."""
        return len({rule for one in self.settings if one.leaves_out for rule in one.rules})

    def unlocking(self, most: int = 5) -> list[tuple[str, str, int]]:
        """The missing facts that most rules wait for: file, path of the fact, number of rules; most first."""
        waiting: dict[tuple[str, str], set[str]] = {}
        for one in self.outcomes:
            for fact in one.missing:
                waiting.setdefault((one.file, fact), set()).add(one.rule)
        ranked = sorted(waiting.items(), key=lambda item: (-len(item[1]), item[0]))
        return [(file, fact, len(rules)) for (file, fact), rules in ranked[:most]]
