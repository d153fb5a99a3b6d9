"""Numbers of switches for more ports, by hand."""

from __future__ import annotations

import pytest

from designlint.derivations.network import growth


@pytest.mark.parametrize(
    ("leaves", "uplinks", "planes", "spines"),
    [(24, 32, 1, 16), (26, 32, 1, 16), (33, 32, 1, 32), (48, 32, 2, 32), (9, 30, 1, 5)],
)
def test_spines_have_a_port_for_each_uplink_and_divide_them(
    leaves: int, uplinks: int, planes: int, spines: int
) -> None:
    """Switches of 64 ports: 26 leaves of 32 uplinks need 13 spines, but only 16 divide 32."""
    found = growth.even_spines(leaves, uplinks, 64, planes)
    assert found == spines
    assert uplinks % (spines // planes) == 0
    assert leaves * uplinks <= spines * 64


def test_uplinks_that_cannot_reach_every_spine_have_no_number() -> None:
    assert growth.even_spines(100, 4, 64, 1) is None
    assert growth.spines_for_ports(26, 32, 64, 3, 1) is None


def test_leaves_come_in_whole_sets_of_rails_or_planes() -> None:
    assert growth.leaves_for_ports(824, 32, None, None, 1) == 26
    assert growth.leaves_for_ports(824, 32, rail_optimized=True, rails=8, planes=1) == 32
    assert growth.leaves_for_ports(1000, 32, rail_optimized=False, rails=8, planes=2) == 32


def test_halved_leaves_and_their_spines_fit_together() -> None:
    """824 ports on switches of 64: 26 leaves of 32 and 32, and 16 spines."""
    assert growth.halved_leaves(824, 64, 1) == 26
    assert growth.halved_spines(26, 64, 64, 2, 1) == 16
    assert growth.even_spines_needed(13, 64, 2, 1) == 16
    assert growth.even_spines_needed(40, 64, 2, 1) is None
