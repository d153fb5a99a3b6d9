"""Dragonflies and tori small enough to count, and published ones."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designlint.derivations.network import direct_networks as direct


def test_balanced_dragonfly() -> None:
    """Kim 2008, section 3: p = h = 4 and a = 8 take 15-port switches, 33 groups and 1056 hosts."""
    assert direct.group_switches("dragonfly", 33, 264, None) == 8
    assert direct.group_links(8, 4) == 32
    assert direct.group_ratio(1056, 33, 32) == 1


@given(st.integers(1, 32))
def test_balance_gives_every_host_its_rate(hosts: int) -> None:
    """a = 2p = 2h: as many global links as host ports in each group."""
    switches = 2 * hosts
    links = direct.group_links(switches, hosts)
    groups = links + 1
    assert direct.group_ratio(groups * switches * hosts, groups, links) == 1


def test_groups_that_do_not_divide() -> None:
    assert direct.group_switches("dragonfly", 33, 265, None) is None
    assert direct.group_switches("fat-tree", 33, 264, 264) is None
    assert direct.group_switches("dragonfly-plus", 4, 64, 32) == 8
    assert direct.group_switches("dragonfly-plus", 4, 64, None) is None
    assert direct.group_ratio(1056, 33, 0) is None


@pytest.mark.parametrize(
    ("dimensions", "links"),
    # 16 x 16 x 16: a cut takes 256 rings, each in two places
    [((16, 16, 16), 512), ((4,), 2), ((2, 2), 2), ((4, 2), 4), ((8, 4, 4), 32), ((3, 3), None), ((2,), 1)],
)
def test_bisection_of_tori(dimensions: tuple[int, ...], links: int | None) -> None:
    switches = direct.torus_switches(dimensions)
    assert switches is not None
    assert direct.torus_bisection("torus", dimensions, switches) == links
    assert direct.torus_bisection("fat-tree", dimensions, switches) is None


@given(st.lists(st.integers(2, 4), min_size=1, max_size=3))
def test_bisection_of_tori_by_counting(sizes: list[int]) -> None:
    """The links that a straight cut through the longest dimension takes, counted one by one."""
    dimensions, longest = tuple(sizes), max(sizes)
    along = sizes.index(longest)
    cut = 0
    for place in product(*map(range, sizes)):
        for axis, size in enumerate(sizes):
            if size == 2 and place[axis] == 1:
                continue
            other = tuple((at + 1) % size if axis == number else at for number, at in enumerate(place))
            cut += (place[along] < longest // 2) != (other[along] < longest // 2)
    found = direct.torus_bisection("torus", dimensions, direct.torus_switches(dimensions) or 0)
    assert found == (None if longest % 2 else cut)


def test_no_torus_has_so_many_dimensions() -> None:
    assert direct.torus_switches((2,) * 10) == 1024
    assert direct.torus_switches((10**300,) * 99) is None


@given(st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_links_of_tori_by_counting(sizes: list[int]) -> None:
    """Every pair of neighbours once."""
    places = [*product(*map(range, sizes))]
    pairs = {
        frozenset((place, (*place[:along], (place[along] + 1) % size, *place[along + 1 :])))
        for place in places
        for along, size in enumerate(sizes)
        if size > 1
    }
    degree = direct.torus_degree("torus", tuple(sizes))
    assert degree is not None
    assert direct.torus_links(degree, len(places)) == len(pairs)
    assert direct.torus_degree("fat-tree", tuple(sizes)) is None


def test_dimensions_of_which_none_is_sound() -> None:
    assert direct.torus_switches(()) is None
    assert direct.torus_bisection("torus", (), 1) is None
    assert direct.torus_degree("torus", ()) == 0


def test_a_spine_of_a_dragonfly_plus_shares_its_ports_among_leaves_and_groups() -> None:
    """JUWELS Booster: 20 groups of 10 leaves and 10 spines, 20 links down and 20 to other groups on 40 ports."""
    assert direct.dragonfly_spine_ports_used("dragonfly-plus", 200, 200, 20, 20) == 40
    assert direct.dragonfly_spine_ports_used("dragonfly-plus", 200, 150, 20, None) == 27  # the busiest of 26.7
    assert direct.dragonfly_spine_ports_used("dragonfly-plus", 200, 0, 20, 20) is None
    assert direct.dragonfly_spine_ports_used("dragonfly", 200, 200, 20, 20) is None


def test_a_switch_of_a_dragonfly_shares_its_ports_among_hosts_and_links() -> None:
    assert (
        direct.dragonfly_ports_used("dragonfly", 16, 31, 17, 2e11, 2e11, None) == 64
    )  # Slingshot, groups of 32 switches
    assert (
        direct.dragonfly_ports_used("dragonfly", 17, 31, 16, 4e11, 2e11, None) == 56
    )  # two hosts on a port, one alone
    assert direct.dragonfly_ports_used("dragonfly", None, 31, None, 2e11, 2e11, None) == 31
    assert (
        direct.dragonfly_ports_used("dragonfly", 32, 31, 64, 4e11, 2e11, 2e11) == 64
    )  # links between switches split too
    assert direct.dragonfly_ports_used("fat-tree", 16, 31, 17, 2e11, 2e11, None) is None


def test_every_switch_of_a_torus_is_a_leaf() -> None:
    assert direct.leaves("torus", 4096) == 4096
    assert direct.leaves("fat-tree", 4096) is None
