"""Pictures of a design, for people who would rather look than read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from designlint.design import Design
    from designlint.model import Report


@dataclass(frozen=True, slots=True)
class Figure:
    """
    One picture.

    Attributes:
        name: of its kind, such as `fabric`.
        svg: the whole `<svg>` element, its strings escaped; it names nothing outside itself.
        alternative: what it shows in words, for those who do not see it.
    """

    name: str
    title: str
    svg: str
    alternative: str


def all_of(design: Design, report: Report) -> list[Figure]:
    """The pictures that a design says enough for."""
    return []
