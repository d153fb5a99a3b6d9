"""What several halls hold, by hand."""

from __future__ import annotations

from designlint.derivations.facility import halls


def test_servers_of_a_pool_in_two_halls_count_in_neither() -> None:
    """A pool of 1 MW stands in this hall alone, one of 2 MW may stand in another."""
    assert halls.least_hall_power(("a", "b"), (1e6, 2e6), ("a", "b", "b")) == 1e6
    assert halls.least_hall_power(("b",), (2e6,), ("b", "b")) is None


def test_limits_of_all_halls_add_up() -> None:
    assert halls.halls_power((2e6, 3e6)) == 5e6
    assert halls.halls_cooling((2e6, 1.5e6)) == 3.5e6
    assert halls.halls_positions((66, 8)) == 74
    assert halls.halls_power(()) is None


def test_kinds_of_rack_without_a_number_are_left_out() -> None:
    assert halls.least_racks(64, (8, None)) == 72
    assert halls.least_racks(None, (8,)) == 8
    assert halls.least_racks(None, (None,)) is None
