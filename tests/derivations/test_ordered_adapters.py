"""AdapterNeeds and transceivers of orders against ports and fibres by hand."""

from __future__ import annotations

import pytest

from designlint.derivations.operations import ordered_adapters
from designlint.derivations.operations.ordered_adapters import AdapterNeeds, Optics
from designlint.derivations.operations.orders import Orders

#: 64 servers with 8 ports of 400 Gbit/s for training and 2 of 200 Gbit/s for storage; the adapter of a third network has no name.
SERVERS = AdapterNeeds(("thor-2", "connectx-7", None), (400e9, 400e9, 1e9), (512, 64, 64))


def of(*lines: tuple[str, int | None]) -> Orders:
    items, quantities = zip(*lines, strict=True)
    return Orders(items, ("network",) * len(lines), quantities, (None,) * len(lines))


@pytest.mark.parametrize(
    ("quantity", "told"), [(511, "Thor-2: 511; at least 512 are needed"), (512, "none"), (None, "none")]
)
def test_adapters_must_do_for_one_network_of_one_pool(quantity: int | None, told: str) -> None:
    assert ordered_adapters.short_adapter(of(("Thor-2", quantity)), SERVERS, (400e9,)) == told


def test_orders_in_two_parts_count_together() -> None:
    lines = of(("thor-2", 400), ("thor-2", 112))
    assert ordered_adapters.short_adapter(lines, SERVERS, (400e9, 400e9)) == "none"
    assert ordered_adapters.short_adapter(of(("cables", 400)), SERVERS, (None,)) is None


@pytest.mark.parametrize(("quantity", "told"), [(63, "none"), (64, "connectx-6: 64")])
def test_an_adapter_of_no_server_is_strange_from_the_number_of_a_network(quantity: int, told: str) -> None:
    assert ordered_adapters.strange_adapter(of(("connectx-6", quantity)), SERVERS, (200e9,)) == told
    assert ordered_adapters.strange_adapter(of(("connectx-7", quantity)), SERVERS, (400e9,)) == "none"


def test_an_adapter_without_a_name_may_be_one_of_its_rate() -> None:
    unnamed = AdapterNeeds(("thor-2", None), (400e9, 200e9), (512, 128))
    assert ordered_adapters.strange_adapter(of(("connectx-6", 600)), unnamed, (200e9,)) == "none"
    assert ordered_adapters.strange_adapter(of(("connectx-8", 600)), unnamed, (800e9,)) == "connectx-8: 600"


def test_both_ends_of_fibres_take_transceivers() -> None:
    """520 with two ports of 400 Gbit/s carry 416 Tbit/s; the ends of 512 fibres, 409.6; copper has none."""
    runs = Optics((2,), (400e9,), (None,), ("single-mode", "dac", "aoc"), (512, 64, 64), (400e9, 400e9, 400e9))
    assert ordered_adapters.ordered_optical_rate((520,), runs) == pytest.approx(416e12)
    assert ordered_adapters.fibre_ends_rate(runs) == pytest.approx(409.6e12)


@pytest.mark.parametrize("kind", ["transceiver", "cable"])
def test_optics_in_plain_words_leave_the_rate_unknown(kind: str) -> None:
    runs = Optics((2, None), (400e9, None), (None, kind), ("single-mode",), (512,), (400e9,))
    assert ordered_adapters.ordered_optical_rate((520, 10), runs) is None
    assert ordered_adapters.ordered_optical_rate((None, 10), runs) is None


def test_spares_are_a_share_of_the_ends() -> None:
    """5 % of 1,024 ends of 400 Gbit/s are 51.2 transceivers; one may be lost in rounding. An order for spares may hold some."""
    runs = Optics((1,), (400e9,), (None,), ("single-mode",), (512,), (400e9,))
    assert ordered_adapters.spare_ends_rate(409.6e12, (0.05,), ("network",), runs) == pytest.approx(50.2 * 400e9)
    assert ordered_adapters.spare_ends_rate(409.6e12, (), ("network",), runs) is None
    kit = Optics((1, None), (400e9, None), (None, None), ("single-mode",), (512,), (400e9,))
    assert ordered_adapters.spare_ends_rate(409.6e12, (0.05,), ("network", "spare"), kit) is None


def test_transceivers_of_the_design_are_known_by_its_cable_runs() -> None:
    own = ordered_adapters.OwnOptics(
        ("own-dr8", None), (1, None), (800e9, None), ("own-dr8", "fr4"), (1, 2), (800e9, None)
    )
    assert (ordered_adapters.optic_ports("own-dr8", None, own), ordered_adapters.optic_rate("own-dr8", None, own)) == (
        1,
        800e9,
    )
    assert ordered_adapters.optic_ports("racks", None, own) is None
    assert (ordered_adapters.optic_ports("fr4", 1, own), ordered_adapters.optic_rate("fr4", 400e9, own)) == (2, 400e9)
