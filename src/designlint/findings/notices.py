"""What a report tells beside findings and outcomes: rules in general, what to avoid, what was set and fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from designlint.findings.model import Change, Severity

#: Adjustments by which a rule does not judge.
LEFT_OUT = ("ignored", "not selected")
#: Adjustments that say how jobs were judged, and change nothing.
OF_JOBS = ("cluster", "unknown")


class Standard(Struct, frozen=True, order=True):
    """
    What a rule says whatever the design.

    Attributes:
        remedy: with the names of values, in asterisks, where a finding has the values.
        citations: its sources, each with how it is known.
    """

    title: str
    severity: Severity
    problem: str
    remedy: str
    principles: tuple[str, ...]
    sources: tuple[str, ...]
    citations: tuple[str, ...] = ()


class Avoidance(Struct, frozen=True, order=True):
    """What the stated hardware rules out for one subject, whether the design does it or not."""

    rule: str
    file: str
    subject: str
    statement: str


class Adjustment(Struct, frozen=True, order=True):
    """
    One thing that a configuration changed about the judgement: told in every report, so that nothing is hidden by it.

    Attributes:
        what: `ignored`, `not selected`, `replaced`, `severity`, `limit`, `fail_on`, `changed` (since a revision), `built` (what
            was not compared); of jobs `cluster` (findings that are not theirs) and `unknown` (what their files leave open).
        rules: those that it is about.
        text: the word that ignores them, or what is changed, in words.
        origin: file and line, or the option.
        files: the designs that were judged so.
    """

    what: str
    rules: tuple[str, ...]
    text: str
    reason: str
    origin: str
    files: tuple[str, ...] = ()

    @property
    def leaves_out(self) -> bool:
        """Whether its rules do not judge."""
        return self.what in LEFT_OUT

    @property
    def of_jobs(self) -> bool:
        """Whether it says how a job was judged."""
        return self.what in OF_JOBS


class Fixed(Struct, frozen=True, order=True):
    """A fix that was made: of which finding, and what it did."""

    file: str
    rule: str
    severity: Severity
    subject: str
    title: str
    safety: str
    changes: tuple[Change, ...]
