"""Adapters and transceivers that orders name, compared with the ports of the design."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from designlint.derivations.base import derivation, lower, upper
from designlint.derivations.operations.ordered_parts import alike
from designlint.derivations.operations.orders import Orders
from designlint.language import optic_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.derivations.base import Text
    from designlint.language.units import Count, DataRate, Ratio

Value = TypeVar("Value")


class AdapterNeeds(Struct, frozen=True):
    """Adapters of the servers, for each pool and fabric: the model, its rate, and the least number that the ports need."""

    adapter_models: tuple[Text | None, ...]
    adapter_rates: tuple[DataRate | None, ...]
    adapter_counts: tuple[Count | None, ...]

    def needed_counts(self, item: str) -> list[int | None]:
        """Adapters of a model, for each pool and fabric that has them."""
        lines = zip(self.adapter_models, self.adapter_counts, strict=True)
        return [count for model, count in lines if model and alike(model, item)]

    def may_be(self, item: str, rate: float) -> bool:
        """Whether a server has adapters of a model and rate, or may have."""
        lines = zip(self.adapter_models, self.adapter_rates, strict=True)
        return any(alike(model, item) if model else own in (None, rate) for model, own in lines)


@derivation(of="Procurement", kind=lower, groups=(Orders, AdapterNeeds))
def short_adapter(
    orders: Orders, adapters: AdapterNeeds, order_adapter_rates: tuple[DataRate | None, ...]
) -> Text | None:
    """
    First ordered adapter too few for any one network of any one pool; "none" if there is none.

    Servers often come with the adapters of some networks, so that the others alone may be ordered. Absent where no order names
    an adapter that a pool has.
    """
    items = dict.fromkeys(
        item for item, _ in _catalogued_orders(orders, order_adapter_rates) if adapters.needed_counts(item)
    )
    known = [(item, orders.of_item(item), adapters.needed_counts(item)) for item in items]
    short = (
        f"{item}: {some}; at least {min(wanted)} are needed"
        for item, some, needed in known
        if some is not None and None not in needed and (wanted := [one for one in needed if one]) and some < min(wanted)
    )
    return next(short, "none") if known else None


@derivation(of="Procurement", kind=lower, groups=(Orders, AdapterNeeds))
def strange_adapter(
    orders: Orders, adapters: AdapterNeeds, order_adapter_rates: tuple[DataRate | None, ...]
) -> Text | None:
    """
    First ordered model of adapter that no server has, of which as many are ordered as a network of a pool needs; else "none".

    Smaller numbers may be for storage servers and gateways, which a design does not list. Absent where no order names an
    adapter of the catalogue, or the adapters of a network are not counted.
    """
    items = list(_catalogued_orders(orders, order_adapter_rates))
    counts = [count for model, count in zip(adapters.adapter_models, adapters.adapter_counts, strict=True) if model]
    if not items or not counts or None in counts:
        return None
    least = min(count for count in counts if count is not None)
    strange = (
        f"{item}: {some}"
        for item, rate in items
        if (some := orders.of_item(item)) is not None and some >= least and not adapters.may_be(item, rate)
    )
    return next(strange, "none")


def _catalogued_orders(orders: Orders, rates: tuple[float | None, ...]) -> Iterator[tuple[str, float]]:
    """Ordered adapters of the catalogue, with the rate of each."""
    for item, rate in zip(orders.order_items, rates, strict=True):
        if item and rate is not None:
            yield item, rate


class OwnOptics(Struct, frozen=True):
    """Transceivers that the cable runs describe under a name of their own."""

    plan_lower_names: tuple[Text | None, ...]
    plan_lower_ports: tuple[Count | None, ...]
    plan_lower_rates: tuple[DataRate | None, ...]
    plan_upper_names: tuple[Text | None, ...]
    plan_upper_ports: tuple[Count | None, ...]
    plan_upper_rates: tuple[DataRate | None, ...]

    def ports(self, item: str) -> Count | None:
        """Optical ports of a transceiver of the design; None where none has the name."""
        return self._value(item, (*self.plan_lower_ports, *self.plan_upper_ports))

    def rate(self, item: str) -> DataRate | None:
        """Line rate of a port of a transceiver of the design; None where none has the name."""
        return self._value(item, (*self.plan_lower_rates, *self.plan_upper_rates))

    def _value(self, item: str, values: tuple[Value | None, ...]) -> Value | None:
        names = (*self.plan_lower_names, *self.plan_upper_names)
        return next((value for name, value in zip(names, values, strict=True) if name == item and value), None)


@derivation(of="Order", groups=(OwnOptics,))
def optic_ports(item: Text, catalogued_optic_ports: Count | None, own: OwnOptics) -> Count | None:
    """Optical ports of the ordered transceiver, by the cable runs, the catalogue or its name; absent for other items. [1]"""
    named = optic_names.read(item)
    return own.ports(item) or catalogued_optic_ports or (named.ports if named else None)


@derivation(of="Order", groups=(OwnOptics,))
def optic_rate(item: Text, catalogued_optic_rate: DataRate | None, own: OwnOptics) -> DataRate | None:
    """Line rate of one port of the ordered transceiver, by the runs, the catalogue or its name; absent for others. [bit/s]"""
    named = optic_names.read(item)
    return own.rate(item) or catalogued_optic_rate or (named.port_speed if named else None)


class Optics(Struct, frozen=True):
    """Transceivers that the orders name, and the runs of fibre of all fabrics."""

    order_optic_ports: tuple[Count | None, ...]
    order_optic_rates: tuple[DataRate | None, ...]
    order_kinds: tuple[Text | None, ...]
    run_media: tuple[Text | None, ...]
    run_cables: tuple[Count | None, ...]
    run_rates: tuple[DataRate | None, ...]


@derivation(of="Procurement", kind=upper, groups=(Optics,))
def ordered_optical_rate(order_quantities: tuple[Count | None, ...], optics: Optics) -> DataRate | None:
    """
    Total line rate of the ordered transceivers. [bit/s]

    An upper bound: spare ones count. Absent where no order names transceivers of the catalogue, or one may be for others.
    """
    lines = zip(order_quantities, optics.order_optic_ports, optics.order_optic_rates, optics.order_kinds, strict=True)
    known, others = list[float](), False
    for quantity, ports, rate, kind in lines:
        if ports and rate and quantity:
            known.append(quantity * ports * rate)
        else:
            others = others or bool(ports) or kind in ("transceiver", "cable")
    return None if others or not known else sum(known)


@derivation(of="Procurement", kind=lower, groups=(Optics,))
def fibre_ends_rate(optics: Optics) -> DataRate | None:
    """
    Total line rate at both ends of all fibre runs. [bit/s]

    A lower bound: runs whose cables or rate are not known are left out, as are cables that come with their ends.
    """
    lines = zip(optics.run_media, optics.run_cables, optics.run_rates, strict=True)
    fibres = [
        2 * (cables or 0) * (rate or 0) for medium, cables, rate in lines if medium in ("multimode", "single-mode")
    ]
    return sum(fibres) or None


@derivation(of="Procurement", kind=lower, groups=(Optics,))
def spare_ends_rate(
    fibre_ends_rate: DataRate,
    spare_optics_shares: tuple[Ratio, ...],
    order_categories: tuple[Text | None, ...],
    optics: Optics,
) -> DataRate | None:
    """
    Total line rate of the planned spare transceivers. [bit/s]

    A lower bound: one transceiver less than the stated share of the ends, as shares are rounded. Absent where an order for
    spares may contain some.
    """
    lines = list(zip(order_categories, optics.order_optic_ports, optics.order_optic_rates, strict=True))
    if not spare_optics_shares or any(category in ("spare", None) and not ports for category, ports, _ in lines):
        return None
    largest = max((ports * rate for _, ports, rate in lines if ports and rate), default=0)
    return max(spare_optics_shares[0] * fibre_ends_rate - largest, 0)
