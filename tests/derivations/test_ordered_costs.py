"""Priced orders against the planned split of the cost, by hand."""

from __future__ import annotations

from designlint.derivations.operations.ordered_costs import PlannedShares, exceeded_share


def test_orders_without_a_price_can_only_add() -> None:
    """38 of 60 million are 63.3 %; 20 % and 10 % are planned. The switches have no price."""
    planned = PlannedShares(0.2, 0.1, 0.3, None)
    found = exceeded_share((38e6, None), ("server", "network"), 60e6, planned)
    assert found == "GPUs and servers: 63.3 % of the budget; planned: 30 %"
    assert exceeded_share((38e6, None), ("server", "network"), 60e6, PlannedShares(0.5, 0.15, 0.3, None)) == "none"


def test_a_part_without_a_planned_share_is_left_out() -> None:
    assert exceeded_share((38e6,), ("server",), 60e6, PlannedShares(0.2, None, 0.3, None)) == "none"
    assert exceeded_share((38e6,), ("server",), 60e6, PlannedShares(None, None, None, None)) is None
