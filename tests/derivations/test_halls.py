"""What several halls hold, by hand."""

from __future__ import annotations

from designlint.derivations.facility import halls


def of(
    *, own: tuple[str, ...] = (), placed: tuple[str, ...] = (), here: float = 0, all_parts: float = 0
) -> halls.Parts:
    """A hall with pools by name, and with a share of pool `p`."""
    parts = ("p",) if all_parts else ()
    return halls.Parts(("p",) if here else (), (here,) if here else (), parts, (all_parts,)[: len(parts)], own, placed)


def test_servers_of_a_pool_in_two_halls_count_in_neither() -> None:
    """A pool of 1 MW stands in this hall alone, one of 2 MW may stand in another."""
    two = ("x", "y")
    assert halls.least_hall_power(of(own=("a", "b"), placed=("a", "b", "b")), (1e6, 2e6), (), None, two, (9e6,)) == 1e6
    assert halls.least_hall_power(of(own=("b",), placed=("b", "b")), (2e6,), (), None, two, (9e6,)) is None


def test_parts_of_a_pool_and_other_loads_count_where_they_stand() -> None:
    """A quarter of 4 MW and 0.3 MW of switches here, half of it and 0.1 MW in another hall, of 6 MW in all."""
    here = of(own=("a",), placed=("a",), here=0.25, all_parts=0.75)
    two = ("x", "y")
    assert halls.least_hall_power(here, (1e6,), (4e6,), 0.3e6, two, (9e6,)) == 2.3e6
    assert halls.least_hall_racks(here, (10.5,), (40.0,), two, (100,)) == 21
    assert halls.most_hall_power(here, (6e6,), (1e6,), (4e6,), 0.3e6, (0.3e6, 0.1e6)) == 3.9e6
    assert halls.share(64, 256) == 0.25
    assert halls.share(300, 256) == 1
    assert halls.hall_servers((64, 128)) == 192


def test_everything_stands_in_the_only_hall() -> None:
    one = ("x",)
    assert halls.least_hall_power(of(own=("a",), placed=("a",)), (1e6,), (), None, one, (1.4e6,)) == 1.4e6
    assert halls.least_hall_racks(of(own=("a",), placed=("a",)), (10.5,), (), one, (16,)) == 16
    assert halls.halls_power((2e6,)) is None


def test_limits_of_all_halls_add_up() -> None:
    assert halls.halls_power((2e6, 3e6)) == 5e6
    assert halls.halls_cooling((2e6, 1.5e6)) == 3.5e6
    assert halls.halls_positions((66, 8)) == 74
    assert halls.halls_power(()) is None


def test_kinds_of_rack_without_a_number_are_left_out() -> None:
    assert halls.least_racks(64, (8, None)) == 72
    assert halls.least_racks(None, (8,)) == 8
    assert halls.least_racks(None, (None,)) is None
