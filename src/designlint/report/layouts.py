"""The stated layouts beside those that a plan would choose, as a reader sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.language.sentences import percent
from designlint.layouts import jobs
from designlint.layouts.search import short
from designlint.planning.beside import GAIN
from designlint.report.dossier import DossierComparison

if TYPE_CHECKING:
    from designlint.design.design import Design
    from designlint.layouts.jobs import LayoutComparison


def compare_layouts(design: Design) -> list[DossierComparison]:
    """Each job for which layouts can be compared."""
    return [_comparison(one) for one in jobs.every(design)]


def _comparison(one: LayoutComparison) -> DossierComparison:
    stated, best = one.stated, one.best
    return DossierComparison(
        subject=one.job.path,
        stated="" if stated is None else short(stated.words),
        stated_step=None if stated is None else stated.cost.step,
        stated_mfu=None if stated is None else stated.cost.mfu,
        planned=short(best.words),
        step=best.cost.step,
        mfu=best.cost.mfu,
        memory_share=best.cost.memory / best.cost.usable,
        told=_outcome(one),
    )


def _outcome(one: LayoutComparison) -> str:
    """What the comparison comes to."""
    if one.gain is None:
        return "the stated layout does not fit, or its time is unknown"
    return f"{percent(one.gain)} less time per step" if one.gain >= GAIN else "equal within the error of the prediction"
