"""The layout that a plan would choose for a job of a design, as a change that brings no error and no warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.findings.model import Severity
from designlint.fixes import repairs
from designlint.fixes.layouts import proposal
from designlint.fixes.proof import with_texts
from designlint.fixes.weighing import harmed_findings
from designlint.judging.judge import judge_design, rejudge_design
from designlint.layouts.search import distinct
from designlint.reading.edits import EditRefused

if TYPE_CHECKING:
    from designlint.design.design import Design
    from designlint.fixes.repairs import Repair
    from designlint.layouts.jobs import LayoutComparison

#: Share by which a layout must be faster to be proposed, and the layouts that are tried.
GAIN, TRIED = 0.02, 4


def repair(found: LayoutComparison, design: Design) -> Repair | None:
    """The change to the fastest layout that brings no error and no warning; None where none is clearly faster."""
    before = judge_design(design)
    for one in distinct(found.layouts, TRIED):
        if found.stated is not None and one.cost.step > found.stated.cost.step * (1 - GAIN):
            return None
        made = repairs.of_words(*proposal(found, one.words, one.cost.step), design)
        if made.refusal or not made.placed:
            continue
        try:
            changed = made.changed_files()
        except EditRefused:
            continue
        after = rejudge_design(before, with_texts(design, changed))
        if not harmed_findings(before.findings, after.findings, Severity.WARNING):
            return made
    return None
