"""What a plan comes to, and what a change of its conditions would do."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from designlint.language.sentences import percent

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.design.design import Design
    from designlint.findings.model import Finding
    from designlint.graph.subjects import Subject
    from designlint.judging.result import Result
    from designlint.layouts.search import Layout
    from designlint.planning.aims import SettledAims
    from designlint.planning.brief import Brief

#: Share of a run below which it takes no longer.
LEAST = 0.0005


class PlanChange(NamedTuple):
    """
    What happens to the run.

    Attributes:
        what: what is taken away.
        longer: by which share the run takes longer.
        instead: a layout that is then faster than the chosen one; empty where it stays the fastest.
        covered: what of the plan makes up for it; empty where nothing does.
    """

    what: str
    longer: float
    instead: str = ""
    covered: str = ""

    @property
    def sentence(self) -> str:
        """The change in one sentence without a full stop."""
        share = (
            "no longer"
            if abs(self.longer) < LEAST
            else f"{percent(abs(self.longer), '.1%')} {'longer' if self.longer > 0 else 'shorter'}"
        )
        instead = f"; {self.instead} is then faster" if self.instead else ""
        return f"{self.what}: {share}{instead}{f'; {self.covered}' if self.covered else ''}"


class PlanAnswer(Struct, dict=True):
    """
    What a plan comes to.

    Attributes:
        brief: what was fixed.
        settled: the size for the brief, or the aims that cannot hold together.
        text: the design; empty where the request is refused.
        layouts: those that fit, the chosen one first, then the fastest first.
        passed: why a faster layout was passed over, by its place among the others.
        find_changes: finds what a tenth less of each thing would do, which takes as long as the plan.
        error: in short, where it is refused: too little memory, aims that cannot hold, or not found.
        result: the design as judged.
    """

    brief: Brief
    settled: SettledAims
    text: str = ""
    layouts: list[Layout] = field(default_factory=list)
    passed: dict[int, str] = field(default_factory=dict)
    find_changes: Callable[[], list[PlanChange]] = list
    error: str = ""
    result: Result | None = None

    @cached_property
    def changes(self) -> list[PlanChange]:
        """What a tenth less of each thing would do: found when it is told, as not every plan tells it."""
        return self.find_changes()

    @property
    def refusal(self) -> list[str]:
        """What is in conflict; empty where there is a plan."""
        return [self.settled.why] if self.error else []

    @property
    def job(self) -> Subject:
        """The planned job, with all that follows."""
        return self.job_design.graph.by_class["Workload"][0]

    @property
    def job_design(self) -> Design:
        """The design of the plan, with all that follows."""
        assert self.result is not None
        return self.result.design

    @property
    def findings(self) -> list[Finding]:
        """What the rules still say of the plan."""
        return [] if self.result is None else self.result.findings
