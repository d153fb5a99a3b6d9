"""Faults that were written down without a look at the rules: as many are noticed as ever, and it is known why others are not."""

from __future__ import annotations

from . import blind

#: The shares that were reached: noticed at all, and as severely as the fault deserves.
NOTICED, SEVERE = 0.86, 0.79


def test_most_faults_are_noticed() -> None:
    found = list(blind.seen())
    print(blind.summary(found))
    assert len(found) >= 120
    assert sum(bool(one.right) for one in found) >= NOTICED * len(found)
    assert sum(one.severe for one in found) >= SEVERE * len(found)
    assert [str(one) for one in found if not one.right and "missed" not in one.fault] == []
