"""Explicit wirings small enough to count by hand."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.derivations.stated import stated

from designlint.derivations.network import wiring


def test_roles_are_counted() -> None:
    roles = ("leaf", "leaf", "leaf", "spine", "spine")
    assert (wiring.listed_leaves(roles), wiring.listed_spines(roles), wiring.listed_tiers(roles)) == (3, 2, 2)
    assert wiring.listed_tiers((*roles, "core")) == 3
    assert (wiring.listed_cores(roles), wiring.listed_cores((*roles, "core"))) == (0, 1)


def test_cables_are_counted_tier_by_tier() -> None:
    names, roles = ("a", "b", "s", "t", "c"), ("leaf", "leaf", "spine", "spine", "core")
    ends, others = ("a", "s", "b", "c", "s", "a"), ("s", "b", "t", "s", "t", "b")
    wired = (names, roles, ends, others, (2, 3, 4, 5, 6, 7))
    assert wiring.listed_leaf_cables(wiring.ListedLinks(*wired)) == 2 + 3 + 4
    assert wiring.listed_core_cables(wiring.ListedLinks(*wired)) == 5
    assert wiring.listed_leaf_cables(wiring.ListedLinks(names, roles, ends, others, (1,))) is None
    assert wiring.listed_core_cables(wiring.ListedLinks(names, roles[1:], ends, others, (1,) * 6)) is None


def test_rate_of_the_topology() -> None:
    assert stated("Link.speed")((400e9,)) == 400e9


def parts(names: tuple[str, ...], *links: tuple[str, str]) -> int | None:
    """Separate parts of switches and links."""
    sources, targets = tuple(one for one, _ in links), tuple(other for _, other in links)
    return wiring.separate_parts(names, sources, targets, (1,) * len(links))


def test_parts() -> None:
    names = ("a", "b", "c", "d")
    assert parts(names) == 4
    assert parts(names, ("a", "b"), ("c", "d")) == 2
    assert parts(names, ("a", "b"), ("c", "d"), ("d", "a")) == 1
    assert parts(names, ("a", "a"), ("a", "elsewhere")) == 4
    assert wiring.separate_parts(names, ("a",), ("b", "d"), (1, 1)) is None


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20))
def test_a_link_joins_two_parts_at_most(links: list[tuple[int, int]]) -> None:
    names = tuple(str(number) for number in range(10))
    found = [parts(names, *((str(a), str(b)) for a, b in links[:number])) for number in range(len(links) + 1)]
    assert found[0] == 10
    assert all(before - 1 <= after <= before for before, after in pairwise(number or 0 for number in found))
