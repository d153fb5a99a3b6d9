"""A sample of the random edits and repairs that `make edits` makes ten thousand of."""

from __future__ import annotations

import pytest

from .random_edits import SEED, run


@pytest.mark.parametrize("part", range(4))
def test_edits_and_fixes_do_no_harm(part: int) -> None:
    tally = run(100, SEED + part)
    assert tally["made"] > 20
    assert tally["refused"] > 0
    assert tally["designs"] == 5
