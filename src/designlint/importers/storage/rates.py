"""Rates that a benchmark measured, and the one of them that is its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.importers.base import How, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Fragment, Words

#: Bytes of what IOR, IO500 and MLPerf Storage count in, whatever they call it.
MEBI, GIBI = 1024.0**2, 1024.0**3


class MeasuredRate(NamedTuple):
    """
    What one test measured.

    Attributes:
        word: `read` or `write`.
        rate: bytes in a second.
        note: how the rate follows from the value.
        random: whether the order was random, so that it says nothing of a rate in order.
    """

    word: str
    rate: float
    value: Value
    note: str
    random: bool = False

    def as_value(self, note: str = "") -> Value:
        """The rate as a design states it."""
        return self.value.but(f"{self.rate / 1e9:.4g} GB/s", note or self.note, How.MEASURED)


def best(measured: Sequence[MeasuredRate], words: Words, found: Fragment) -> None:
    """
    The fastest of several tests: storage has reached its rate, whatever slows the others down.

    What was done in random order is a fact.
    """
    for word in ("read", "write"):
        for random in (False, True):
            tests = [one for one in measured if one.word == word and one.random == random and one.rate > 0]
            if not tests:
                continue
            first = max(tests, key=lambda one: one.rate)
            value = first.as_value(f"{first.note}, the fastest of {len(tests)} tests" if len(tests) > 1 else "")
            if random:
                found.fact(f"{word} in random order", value)
            else:
                words[word] = value
