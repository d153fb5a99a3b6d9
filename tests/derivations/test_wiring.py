"""Explicit wirings small enough to count by hand."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from designlint.derivations import wiring


def test_roles_are_counted() -> None:
    roles = ("leaf", "leaf", "leaf", "spine", "spine")
    assert (wiring.listed_leaves(roles), wiring.listed_spines(roles), wiring.listed_tiers(roles)) == (3, 2, 2)
    assert wiring.listed_tiers((*roles, "core")) == 3


def test_rate_of_the_topology() -> None:
    assert wiring.speed((400e9,)) == 400e9


def test_parts() -> None:
    names = ("a", "b", "c", "d")
    assert wiring.separate_parts(names, (), ()) == 4
    assert wiring.separate_parts(names, ("a", "c"), ("b", "d")) == 2
    assert wiring.separate_parts(names, ("a", "c", "d"), ("b", "d", "a")) == 1
    assert wiring.separate_parts(names, ("a", "a"), ("a", "elsewhere")) == 4


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20))
def test_a_link_joins_two_parts_at_most(links: list[tuple[int, int]]) -> None:
    names = tuple(str(number) for number in range(10))
    parts = [
        wiring.separate_parts(names, tuple(str(a) for a, _ in links[:n]), tuple(str(b) for _, b in links[:n]))
        for n in range(len(links) + 1)
    ]
    assert parts[0] == 10
    assert all(before - 1 <= after <= before for before, after in pairwise(parts))
