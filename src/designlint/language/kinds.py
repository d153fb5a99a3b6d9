"""What a number is: exact, a bound of the truth, or an estimate."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace


class Side(StrEnum):
    """On which side of the truth a number may lie."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"
    ESTIMATE = "estimate"


class Kind(Struct, frozen=True):
    """
    What a calculated number is.

    Of a flag, `lower` means that true is certain, and `upper` that false is.

    Attributes:
        side: exact, a bound, or an estimate.
        error: largest error of an estimate, as a share of the truth; None where none is stated.
        reason: why it is more certain than what it reads.
    """

    side: Side
    error: float | None = None
    reason: str = ""

    @property
    def label(self) -> str:
        """What it is, in words before or after a value; empty where it is exact."""
        words = {Side.EXACT: "", Side.LOWER: "at least", Side.UPPER: "at most", Side.ESTIMATE: "estimate"}
        return words[self.side] + ("" if self.error is None else f", within {100 * self.error:g} %")

    def because(self, reason: str) -> Kind:
        """The same kind where it is more certain than what it reads, with the reason."""
        return replace(self, reason=reason)


#: Arithmetic on stated values, an assumption that is part of what the word means included; and bounds of the truth.
exact, lower, upper = Kind(Side.EXACT), Kind(Side.LOWER), Kind(Side.UPPER)


def estimate(error: float | None = None) -> Kind:
    """The kind of an estimate, with its largest error as a share of the truth where that was measured."""
    return Kind(Side.ESTIMATE, error)


def of_data(data: tuple[str, float | None] | None) -> Kind:
    """The kind that the bundle holds; exact where it holds none."""
    return exact if data is None else Kind(Side(data[0]), data[1])
