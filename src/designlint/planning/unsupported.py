"""Jobs whose number format their GPUs do not multiply in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.planning.aims import SettledAims
from designlint.planning.choices import choices

if TYPE_CHECKING:
    from designlint.planning.brief import Brief

#: Formats that every GPU multiplies in, if slowly.
EVERYWHERE = ("fp32", "tf32")


def refuse_unsupported(brief: Brief) -> SettledAims | None:
    """Why a job cannot train in the number format that the brief states; None where it can, or that is not known."""
    named, known = _format(brief), brief.machine.gpu_figures.get("precisions")
    if named is None or known is None or named in (*EVERYWHERE, *known):
        return None
    usual = str(brief.hardware.get("precision", choices()["run"]["precision"]))
    why = f"{brief.gpu} does not support {named}; it supports {', '.join(known)}"
    return SettledAims(None, sure=False, conflict=("precision",), why=why, ways=(f"`precision: {usual}`",))


def _format(brief: Brief) -> str | None:
    """The format of matrix multiplications that the brief states."""
    stated: Any = brief.job.get("precision")
    own = stated if isinstance(stated, dict) else {"model": stated}
    entry = brief.vocabulary.catalogue_name("Precision", str(own.get("model")))
    figures = brief.vocabulary.catalog["Precision"][entry]["figures"] if entry else {}
    found = own.get("matmul", figures.get("matmul"))
    return None if found is None else str(found)
