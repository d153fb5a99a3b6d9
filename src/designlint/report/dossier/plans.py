"""Ways out of all findings together: what they change, what follows, what they leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


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
class Comparison:
    """A job's stated layout beside the one that a plan would choose: seconds of a step, utilisation, share of GPU memory."""

    subject: str
    stated: str
    stated_step: float | None
    stated_mfu: float | None
    planned: str
    step: float
    mfu: float | None
    memory_share: float
    told: str
