"""Orders against the design by hand."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.derivations.stated import stated

from designlint.derivations.operations import ordered_parts, orders, unmatched


def of(*lines: tuple[str, str | None, int | None]) -> orders.Orders:
    items, categories, quantities = zip(*lines, strict=True)
    return orders.Orders(items, categories, quantities, (None,) * len(items))


def test_spare_servers_count_where_they_are_of_the_same_model() -> None:
    lines = of(("DGX-H100", "server", 512), ("dgx-h100", "spare", 16), ("h100-sxm-80gb", "spare", 4))
    assert orders.ordered_servers(lines, ("dgx-h100", "dgx-h100")) == 528
    assert orders.design_servers(lines, (512, 16), ("dgx-h100", "DGX-H100")) == 528
    assert orders.ordered_servers(of(("dgx-h100", "server", None)), ("dgx-h100",)) is None
    assert orders.ordered_servers(of(("qm9700", "network", 48)), ("dgx-h100",)) is None


def test_an_order_of_no_category_counts_unless_its_kind_rules_the_category_out() -> None:
    lines = of(("dgx-h100", "server", 60), ("transceivers", None, 10))
    assert orders.ordered_servers(lines, ("dgx-h100",)) is None
    optics = replace(lines, order_exclusions=(None, "gpu server power"))
    assert orders.ordered_servers(optics, ("dgx-h100",)) == 60
    assert (optics.has("gpu"), optics.has("cable")) == (False, True)


def test_pools_of_models_in_no_order_may_be_there_already() -> None:
    head = ("dgx-h100", None)
    assert orders.design_servers(of(("dgx-h100", "server", 8)), (8, 3), head) == 8
    assert orders.design_servers(of(("dgx-h100", "server", 8), ("qm9700", "network", 2)), (8, None), head) == 8
    assert orders.design_servers(of(("servers", "server", 8)), (8, 3), head) == 11
    assert orders.design_servers(of(("qm9700", "network", 2)), (8, 3), head) == 11
    assert orders.design_servers(of(("dgx-h100", "server", 8)), (None, 3), head) is None


def test_gpus_are_counted_where_no_servers_are_ordered() -> None:
    assert orders.ordered_gpus(of(("h100", "gpu", 4096))) == 4096
    assert orders.ordered_gpus(of(("h100", "gpu", 32), ("dgx-h100", "server", 512))) is None
    assert orders.design_gpus((512, 16), (8, 0)) == 4096


@pytest.mark.parametrize(("quantity", "told"), [(44, "qm9700: 44 of 48"), (48, "none"), (None, None)])
def test_switches_of_all_tiers_and_fabrics_are_counted_by_model(quantity: int | None, told: str | None) -> None:
    """30 leaves and 12 spines of one fabric, 6 leaves of another; its spines are not counted."""
    nothing: tuple[None, ...] = (None, None)
    parts = orders.NamedParts(
        ("qm9700", "qm9700"), nothing, (30, 6), ("qm9700", "sn5600"), nothing, (12, None), nothing, nothing, nothing,
        nothing, nothing, nothing, nothing, nothing, nothing, (), (), (2, 2),
    )  # fmt: skip
    assert orders.short_switch(of(("QM9700", "network", quantity)), parts) == told


def optics() -> orders.NamedParts:
    """256 transceivers at each end of one run, 48 switches, 12 appliances."""
    return orders.NamedParts(
        ("qm9700",), (None,), (32,), ("qm9700",), (None,), (16,), (None,), (None,), (None,),
        ("mms4x00-nm",), (None,), (256,), ("mms4x00-nm",), (None,), (256,), ("ddn-ai400x2",), (12,), (2,),
    )  # fmt: skip


def test_transceivers_count_at_both_ends() -> None:
    assert orders.short_part(of(("mms4x00-nm", "network", 511)), optics()) == "mms4x00-nm: 511 of 512"
    assert orders.short_part(of(("mms4x00-nm", "network", 500), ("MMS4X00-NM", "spare", 12)), optics()) == "none"
    assert orders.short_part(of(("optics", "network", 4)), optics()) is None


def test_a_part_counts_by_the_name_that_the_design_gives_it() -> None:
    own: dict[str, Any] = {
        "lower_models": (None,),
        "lower_names": ("our-dr4",),
        "spine_models": (None,),
        "spine_names": ("our-64",),
    }
    parts = replace(optics(), **own)
    assert orders.short_part(of(("our-dr4", "cable", 200)), parts) == "our-dr4: 200 of 256"
    assert orders.short_switch(of(("Our-64", "network", 12)), parts) == "our-64: 12 of 16"
    assert (
        unmatched.surplus_part(of(("our-64", "network", 32)), parts, unmatched.Pools((), (), ())) == "our-64: 32 for 16"
    )


def test_a_part_that_no_order_names_is_missed_where_others_of_its_kind_are_named() -> None:
    nobody = unmatched.Pools((), (), ())
    assert unmatched.unordered_parts(of(("qm9700", "network", 48)), optics(), nobody) == "none"
    assert unmatched.unordered_parts(of(("mms4x00-nm", "network", 512)), optics(), nobody) == "ddn-ai400x2: 12"
    assert unmatched.unordered_parts(of(("network", "network", 1)), optics(), nobody) is None


def test_named_transceivers_that_no_order_covers() -> None:
    """The runs of the design need 512 of one model."""
    assert unmatched.missing_transceivers(of(("mms4x00-nm", "network", 512)), optics()) == 0
    assert unmatched.missing_transceivers(of(("mms4x00-nm", "network", 200)), optics()) == 312
    assert unmatched.missing_transceivers(of(("mms4x00-nm", "network", None)), optics()) == 0
    assert unmatched.missing_transceivers(of(("qm9700", "network", 48)), optics()) is None


def test_a_switch_that_no_fabric_has_is_strange() -> None:
    every = ("compute", "storage", "out-of-band")
    lines = of(("dgx-h100", "server", 16), ("MQM9700", "network", 48), ("qm8700", "network", 2))
    assert unmatched.strange_switch(lines, optics(), (None, 64, 40), every) == "qm8700"
    assert (
        unmatched.strange_switch(lines, optics(), (None, 64, None), every) == "none"
    )  # the catalogue does not know it
    assert unmatched.strange_switch(lines, optics(), (None, None, None), every) is None
    any_leaf: dict[str, Any] = {"leaf_models": (None,)}
    assert unmatched.strange_switch(lines, replace(optics(), **any_leaf), (None, 64, 40), every) is None
    assert unmatched.strange_switch(lines, optics(), (None, 64, 40), every[:2]) is None, "it may be for management"


def test_the_largest_surplus_is_told() -> None:
    lines = of(("qm9700", "network", 50), ("mms4x00-nm", "network", 1024), ("dgx-h100", "server", 127))
    pools = unmatched.Pools(("dgx-h100",), (127,), (8,))
    assert unmatched.surplus_share(lines, optics(), pools) == 1
    assert unmatched.surplus_part(lines, optics(), pools) == "mms4x00-nm: 1024 for 512"


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, "qm9700: 96 for 48"),
        ({"spine_counts": (None,)}, None),
        ({"leaf_models": (None,)}, None),
        ({"core_counts": (None,), "core_models": ("qm9700",), "fabric_tiers": (3,)}, None),
        ({"spine_counts": (None,), "fabric_tiers": (1,)}, "qm9700: 96 for 32"),
        ({"lower_models": (None,), "upper_models": (None,)}, "qm9700: 96 for 48"),
    ],
)
def test_no_surplus_is_told_of_what_is_not_counted(changed: dict[str, Any], told: str | None) -> None:
    parts = replace(optics(), **changed)
    pools = unmatched.Pools((None,), (64,), (8,))
    assert unmatched.surplus_part(of(("qm9700", "network", 96)), parts, pools) == told


def test_servers_of_unknown_models_leave_no_surplus_of_any() -> None:
    lines, parts = of(("dgx-h100", "server", 64)), replace(optics(), leaf_models=(None,))
    assert (
        unmatched.surplus_part(lines, parts, unmatched.Pools(("dgx-h100", None), (16, 4), (8, 0)))
        == "dgx-h100: 64 for 16"
    )
    assert unmatched.surplus_part(lines, parts, unmatched.Pools(("dgx-h100", None), (16, 16), (8, 8))) is None
    assert unmatched.surplus_part(lines, parts, unmatched.Pools(("dgx-h100", "dgx-h100"), (16, None), (8, 8))) is None


def test_an_order_without_a_category_may_be_of_any() -> None:
    assert orders.ordered_servers(of(("dgx-h100", "server", 512)), ()) == 512
    assert orders.ordered_servers(of(("dgx-h100", "server", 512), ("login servers", None, 4)), ()) is None


def test_an_order_counts_as_it_says_else_as_its_item_is_ordered() -> None:
    assert ordered_parts.counted_category("spare", "server") == "spare"
    assert ordered_parts.counted_category(None, "server") == "server"
    assert ordered_parts.counted_category(None, None) is None


def test_price_of_an_order_is_that_of_its_pieces() -> None:
    assert stated("Order.price")(quantity=256, unit_price=280_000.0) == 71_680_000.0


def test_transceivers_ordered_as_cables_are_no_cables() -> None:
    lines = of(("fibres", "cable", 500), ("mma4z00-ns", "cable", 190), ("mma4z00-ns", "spare", 10))
    assert orders.ordered_cables(lines, (None, 2, 2)) == 500
    assert orders.ordered_cables(of(("mma4z00-ns", "cable", 190)), (2,)) is None
    assert orders.ordered_cables(of(("fibres", "cable", None)), (None,)) is None
