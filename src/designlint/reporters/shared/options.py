"""How a report is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.findings.model import Severity

if TYPE_CHECKING:
    from collections.abc import Collection


class RenderOptions(Struct, frozen=True):
    """
    How a report is written, as far as its format can follow.

    Attributes:
        accepted: waived and baselined findings are listed too, marked as such.
        verbose: nothing is cut that a finding or the summary could say; by default a finding takes nine lines at most.
        quiet: findings and what was judged otherwise than usual, without counts and advice.
        links: rule ids lead to their pages, in terminals that can show it.
        least: the least severity that is shown; all where it is None. Findings count all the same.
        failing: the severities that fail a run.
        today: the day as of which the designs were judged, where it was given.
    """

    color: bool = False
    accepted: bool = False
    verbose: bool = False
    quiet: bool = False
    links: bool = False
    least: Severity | None = None
    failing: Collection[Severity] = (Severity.ERROR,)
    today: str = ""

    def shows(self, severity: Severity) -> bool:
        """Whether findings of a severity are shown."""
        return self.least is None or severity.rank <= self.least.rank
