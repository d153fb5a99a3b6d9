"""What the orders of a design cost together, and the shares of network, storage and servers in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count, Money, Ratio


@derivation(of="Procurement")
def ordered_cost(order_prices: tuple[Money, ...]) -> Money:
    """
    Total price of all orders. [USD]

    Holds where every order has a price.
    """
    return sum(order_prices)


@derivation(of="Procurement", kind=lower)
def least_ordered_cost(order_prices: tuple[Money | None, ...]) -> Money | None:
    """
    Known part of the total price of all orders. [USD]

    A lower bound: orders without a price are left out. Absent where none has one.
    """
    return sum(one for one in order_prices if one is not None) or None


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
