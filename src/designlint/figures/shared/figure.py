"""What a kind of figure yields: pictures, and what it left out."""

from __future__ import annotations

from msgspec import Struct


class Figure(Struct, frozen=True):
    """
    One picture.

    Attributes:
        name: its kind, and of what where a design has several, such as `fabric-compute`; letters, digits and hyphens,
            unique in a design.
        svg: the whole `<svg>` element, its strings escaped; it names nothing outside itself.
        alternative: what it shows in words, for those who do not see it.
    """

    name: str
    title: str
    svg: str
    alternative: str


class Omission(Struct, frozen=True):
    """A picture that the design does not say enough for, and what it lacks."""

    name: str
    title: str
    reason: str
