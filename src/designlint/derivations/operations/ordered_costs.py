"""What the orders of a design cost together, and the shares of network, storage and servers in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, exact, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count, Money, Ratio

#: By how much a share may be off that is stated in whole percent.
ROUNDING = 0.01


class PlannedShares(Struct, frozen=True):
    """The planned split of the whole cost."""

    planned_gpu_share: Ratio | None
    planned_server_share: Ratio | None
    planned_network_share: Ratio | None
    planned_storage_share: Ratio | None

    def by_part(self) -> dict[str, tuple[tuple[str, ...], float]]:
        """Categories of orders and the planned share of each part of the cluster whose share is stated."""
        gpus, servers = self.planned_gpu_share, self.planned_server_share
        parts = {
            "GPUs and servers": (("gpu", "server"), None if gpus is None or servers is None else gpus + servers),
            "network": (("network", "cable"), self.planned_network_share),
            "storage": (("storage",), self.planned_storage_share),
        }
        return {part: (categories, share) for part, (categories, share) in parts.items() if share is not None}


@derivation(of="Procurement", kind=lower)
def least_ordered_cost(order_prices: tuple[Money | None, ...]) -> Money | None:
    """
    Known part of the total price of all orders. [USD]

    A lower bound: orders without a price are left out. Absent where none has one.
    """
    return sum(one for one in order_prices if one is not None) or None


@derivation(
    of="Procurement", kind=exact.because("orders without a price can only add to a share"), groups=(PlannedShares,)
)
def exceeded_share(
    order_prices: tuple[Money | None, ...],
    order_categories: tuple[Text | None, ...],
    budget: Money,
    shares: PlannedShares,
) -> Text | None:
    """
    Part of the cluster whose priced orders exceed its planned share of the whole budget most, with both; "none" if none does.

    A share of the budget is the least share of the cost, which is no more than the budget.
    """
    lines = list(zip(order_prices, order_categories, strict=True))
    ordered = {
        part: (sum(price or 0 for price, one in lines if one in categories) / budget, planned)
        for part, (categories, planned) in shares.by_part().items()
    }
    over = [(some - planned, part) for part, (some, planned) in ordered.items() if some > planned + ROUNDING]
    if not ordered or not over:
        return "none" if ordered else None
    part = max(over)[1]
    some, planned = ordered[part]
    return f"{part}: {100 * some:.3g} % of the budget; planned: {100 * planned:.3g} %"


@derivation(of="Procurement")
def unpriced_orders(order_prices: tuple[Money | None, ...]) -> Count:
    """Orders without a known price. [1]"""
    return order_prices.count(None)


@derivation(of="Procurement")
def ordered_network_share(
    order_prices: tuple[Money, ...], order_categories: tuple[Text, ...], ordered_cost: Money
) -> Ratio | None:
    """
    Share of the network, cables included, in the price of all orders. [1]

    Holds where every order has a price and a category.
    """
    return _share(("network", "cable"), order_prices, order_categories, ordered_cost)


@derivation(of="Procurement")
def ordered_storage_share(
    order_prices: tuple[Money, ...], order_categories: tuple[Text, ...], ordered_cost: Money
) -> Ratio | None:
    """
    Share of storage in the total price of all orders. [1]

    Holds where every order has a price and a category.
    """
    return _share(("storage",), order_prices, order_categories, ordered_cost)


@derivation(of="Procurement")
def ordered_compute_share(
    order_prices: tuple[Money, ...], order_categories: tuple[Text, ...], ordered_cost: Money
) -> Ratio | None:
    """
    Share of GPUs and servers in the total price of all orders. [1]

    Holds where every order has a price and a category.
    """
    return _share(("gpu", "server"), order_prices, order_categories, ordered_cost)


def _share(
    wanted: tuple[str, ...], prices: tuple[float, ...], categories: tuple[str, ...], cost: float
) -> float | None:
    """The part of the cost in some categories; None where there is no cost."""
    return sum(price for price, one in zip(prices, categories, strict=True) if one in wanted) / cost if cost else None
