"""Ways out of all findings together: what they change, what follows, what they leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence


class Revision(Struct, frozen=True):
    """A value that a plan changes, and the rule whose fix did so last; empty is not stated."""

    path: str
    before: str
    after: str
    title: str
    rule: str


class Effect(Struct, frozen=True):
    """A quantity that a plan changes in turn."""

    subject: str
    word: str
    meaning: str
    before: str
    after: str


class DossierLeft(Struct, frozen=True):
    """A finding that a plan leaves, or causes."""

    severity: str
    rule: str
    message: str


class DossierPlan(Struct, frozen=True):
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
    left: Sequence[DossierLeft]
    diff: str


class DossierComparison(Struct, frozen=True):
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
