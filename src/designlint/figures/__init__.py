"""
Pictures of a design, for people who would rather look than read.

In: a design and its report. Out: SVG with a title and words for those who do not see it.
It knows no rule, and no formula but those of derivations.

Each module of this folder is a kind of figure: `draw(design, report)` yields its figures, and what it left out with the reason.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.figures.shared.figure import Figure, Omission

if TYPE_CHECKING:
    from designlint.design.design import Design
    from designlint.findings.report import Report


def kinds() -> list[str]:
    """The kinds of figures there are."""
    return sorted(file.stem for file in Path(__file__).parent.glob("*.py") if file.stem != "__init__")


def draw_figures(kind: str, design: Design, report: Report) -> list[Figure | Omission]:
    """The figures of one kind, and what was left out of it; only its module is imported."""
    found: list[Figure | Omission] = [*import_module(f"designlint.figures.{kind}").draw(design, report)]
    return found


def every(design: Design, report: Report) -> tuple[list[Figure], list[Omission]]:
    """All pictures of a design, as a document has them, and those that it does not say enough for."""
    found = [one for kind in sorted(kinds(), key=_order) for one in draw_figures(kind, design, report)]
    return [one for one in found if isinstance(one, Figure)], [one for one in found if isinstance(one, Omission)]


def _order(kind: str) -> int:
    """Where a kind stands in a document: it says so itself."""
    place: int = import_module(f"designlint.figures.{kind}").PLACE
    return place
