"""Messages agree in number with what they count."""

from __future__ import annotations

import pytest

from designlint.rules import wording


@pytest.mark.parametrize(
    ("value", "after", "said"),
    [
        ("1", ") leaves room for 32", ") leaves room for 32"),
        ("1", " servers have no spare", " server has no spare"),
        ("2", " servers have no spare", " servers have no spare"),
        ("1", " switches, of which", " switch, of which"),
        ("1", " leaves are full", " leaf is full"),
        ("1", " takes the first", " takes the first"),
        ("1.5", " GPUs", " GPUs"),
        ("1", "; none is left", "; none is left"),
        ("1", "", ""),
    ],
)
def test_one_takes_the_singular(value: str, after: str, said: str) -> None:
    assert wording.agreed(value, after) == said
