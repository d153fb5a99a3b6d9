"""What the orders bring against what the design has: servers, GPUs, switches."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from designlint.derivations.base import derivation, upper
from designlint.language.units import NOISE

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count, Ratio


Names: TypeAlias = "tuple[str | None, ...]"
Lines: TypeAlias = "list[tuple[str | None, int | None]]"


class Orders(Struct, frozen=True):
    """The orders of a design, each by item, category and quantity."""

    order_items: tuple[Text | None, ...]
    order_categories: tuple[Text | None, ...]
    order_quantities: tuple[Count | None, ...]
    order_exclusions: tuple[Text | None, ...]

    def quantity(self, category: str) -> int | None:
        """Pieces of a category; None where nothing of it is ordered, or an order may be of it or states no quantity."""
        some = [count for _, one, count in self._lines() if one == category]
        return None if not some or None in some or self._may_have(category) else sum(count or 0 for count in some)

    def has(self, category: str) -> bool:
        """Whether something of a category is ordered, or may be."""
        return category in self.order_categories or self._may_have(category)

    def _may_have(self, category: str) -> bool:
        """Whether an order that states no category, nor names a kind of parts that tells it, may be of one."""
        open_ones = zip(self.order_categories, self.order_exclusions, strict=True)
        return any(one is None and category not in (excluded or "").split() for one, excluded in open_ones)

    def of_item(self, name: str, category: str = "") -> int | None:
        """Pieces of an item; None where it is not ordered, or an order states no quantity."""
        lines = self._lines()
        some = [count for item, one, count in lines if item and _same(item, name) and category in ("", one)]
        return None if not some or None in some else sum(count or 0 for count in some)

    def names(self, item: str, category: str = "") -> bool:
        """Whether an order is for an item."""
        return any(one and _same(one, item) and category in ("", kind) for one, kind, _ in self._lines())

    def all_name(self, names: tuple[Text | None, ...], category: str) -> bool:
        """Whether each order of a category is for one of these."""
        items = [item for item, one, _ in self._lines() if one == category]
        return bool(items) and all(item and any(name and _same(item, name) for name in names) for item in items)

    def _lines(self) -> list[tuple[str | None, str | None, int | None]]:
        return list(zip(self.order_items, self.order_categories, self.order_quantities, strict=True))


def _same(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()


@derivation(of="Procurement", groups=(Orders,))
def design_servers(
    orders: Orders, installed_servers: tuple[Count | None, ...], pool_models: tuple[Text | None, ...]
) -> Count | None:
    """
    Servers of the pools that the orders may be for, spares included. [1]

    Those are all pools, or those of the ordered models where each order of servers names the model of a pool: the others may
    be there already. Absent if the number of servers in such a pool is unknown.
    """
    by_model = orders.all_name(pool_models, "server")
    wanted = [
        servers
        for servers, model in zip(installed_servers, pool_models, strict=True)
        if not by_model or (model and orders.names(model, "server"))
    ]
    return None if not wanted or None in wanted else sum(servers or 0 for servers in wanted)


@derivation(of="Procurement")
def design_gpus(installed_servers: tuple[Count, ...], server_gpus: tuple[Count, ...]) -> Count:
    """
    GPUs in the servers of all pools, spares included. [1]

    Absent if the number of servers in a pool is unknown.
    """
    return sum(servers * gpus for servers, gpus in zip(installed_servers, server_gpus, strict=True))


@derivation(of="Procurement", groups=(Orders,))
def ordered_servers(orders: Orders, pool_models: tuple[Text | None, ...]) -> Count | None:
    """
    Servers that the orders bring, spare ones of the same model included. [1]

    Absent where no servers are ordered, or an order states no quantity.
    """
    servers = orders.quantity("server")
    models = {model.casefold() for model in pool_models if model}
    spare = [orders.of_item(model, "spare") for model in models if orders.names(model, "spare")]
    return None if servers is None or None in spare else servers + sum(one or 0 for one in spare)


@derivation(of="Procurement", kind=upper)
def design_cables(fabric_cables: tuple[Count | None, ...]) -> Count | None:
    """
    Cables of all fabrics with countable cables. [1]

    A fabric whose cables cannot be counted adds nothing. Absent where none can.
    """
    return sum(one for one in fabric_cables if one is not None) or None


@derivation(of="Procurement", groups=(Orders,))
def ordered_cables(orders: Orders, order_optic_ports: tuple[Count | None, ...]) -> Count | None:
    """
    Ordered cables, with other items that are ordered as cables, but for transceivers whose ports are known. [1]

    Absent where no cables are ordered, or an order states no quantity.
    """
    optics = [
        count
        for category, count, ports in zip(
            orders.order_categories, orders.order_quantities, order_optic_ports, strict=True
        )
        if category == "cable" and ports is not None
    ]
    pieces = orders.quantity("cable")
    return None if pieces is None else pieces - sum(one or 0 for one in optics) or None


@derivation(of="Procurement", groups=(Orders,))
def ordered_gpus(orders: Orders) -> Count | None:
    """
    Ordered GPUs, where the orders list GPUs but no servers. [1]

    Absent where servers are ordered, too: these hold GPUs, and the others may be spare ones.
    """
    return None if orders.has("server") else orders.quantity("gpu")


@derivation(of="Procurement", groups=(Orders,))
def ordered_spare_gpus(orders: Orders) -> Count | None:
    """
    GPUs that the orders bring besides those inside servers. [1]

    Absent where no servers are ordered: the GPUs may be those of the servers.
    """
    return None if orders.quantity("server") is None else orders.quantity("gpu")


@derivation(of="Procurement")
def planned_spare_gpus(service_gpus: tuple[Count, ...], spare_shares: tuple[Ratio, ...]) -> Count:
    """Planned spare GPUs: the stated share of the GPUs in service. [1]"""
    return math.ceil(sum(service_gpus) * spare_shares[0])


class NamedParts(Struct, frozen=True):
    """The parts of a design that have a name, in the catalogue or of the design's own, kind by kind, with the number of each."""

    leaf_models: tuple[Text | None, ...]
    leaf_names: tuple[Text | None, ...]
    leaf_counts: tuple[Count | None, ...]
    spine_models: tuple[Text | None, ...]
    spine_names: tuple[Text | None, ...]
    spine_counts: tuple[Count | None, ...]
    core_models: tuple[Text | None, ...]
    core_names: tuple[Text | None, ...]
    core_counts: tuple[Count | None, ...]
    lower_models: tuple[Text | None, ...]
    lower_names: tuple[Text | None, ...]
    lower_counts: tuple[Count | None, ...]
    upper_models: tuple[Text | None, ...]
    upper_names: tuple[Text | None, ...]
    upper_counts: tuple[Count | None, ...]
    storage_models: tuple[Text | None, ...]
    storage_units: tuple[Count | None, ...]
    fabric_tiers: tuple[Count | None, ...]

    def uncounted_models(self) -> set[str] | None:
        """Models of switches and transceivers of which some are not counted; None where a tier may have switches of any model."""
        found: set[str] = set()
        for depth, *tiers in zip(self.fabric_tiers, *self._switches, strict=True):
            there = tiers[: 2 if depth is None else depth]
            if any(model is None and count != 0 for model, count in there):
                return None
            found.update(model.casefold() for model, count in there if model and count is None)
        ends = [end for run in self._ends for end in run]
        anywhere = any(model is None for model, _ in ends)
        return found | {model.casefold() for model, count in ends if model and (count is None or anywhere)}

    def switches(self) -> Counter[str]:
        """Switches of all fabrics by model; tiers that are not counted are left out."""
        return count_pieces(*self._switches)

    def others(self) -> Counter[str]:
        """Transceivers and storage appliances by model."""
        return count_pieces(*self._ends, _pairs(self.storage_models, self.storage_models, self.storage_units))

    def transceivers(self, spare_share: float) -> Counter[str]:
        """Transceivers by model, with spares."""
        pieces = count_pieces(*self._ends)
        return Counter({model: count + math.ceil(count * spare_share - NOISE) for model, count in pieces.items()})

    @property
    def _switches(self) -> list[Lines]:
        return [
            _pairs(self.leaf_models, self.leaf_names, self.leaf_counts),
            _pairs(self.spine_models, self.spine_names, self.spine_counts),
            _pairs(self.core_models, self.core_names, self.core_counts),
        ]

    @property
    def _ends(self) -> list[Lines]:
        return [
            _pairs(self.lower_models, self.lower_names, self.lower_counts),
            _pairs(self.upper_models, self.upper_names, self.upper_counts),
        ]


def _pairs(models: Names, names: Names, counts: tuple[int | None, ...]) -> Lines:
    """Each part by its model, else by the name that the design gives it, with its number."""
    return [(model or name, count) for model, name, count in zip(models, names, counts, strict=True)]


def count_pieces(*lists: Lines) -> Counter[str]:
    """Pieces of each model; what has no model or no number is left out."""
    found: Counter[str] = Counter()
    for lines in lists:
        for model, count in lines:
            if model and count:
                found[model.casefold()] += count
    return found


def _short(orders: Orders, wanted: Counter[str]) -> str | None:
    """The first item of which fewer are ordered than wanted, with both numbers; None where no order names one."""
    ordered = {model: orders.of_item(model) for model in sorted(wanted)}
    if all(some is None for some in ordered.values()):
        return None
    short = (
        f"{model}: {some} of {wanted[model]}"
        for model, some in ordered.items()
        if some is not None and some < wanted[model]
    )
    return next(short, "none")


@derivation(of="Procurement", groups=(Orders, NamedParts))
def short_switch(orders: Orders, parts: NamedParts) -> Text | None:
    """
    The first model of switch of which fewer are ordered than the fabrics have, with both numbers; "none" where there is none.

    Switches that are not counted, and models that no order names, are left out; absent where no order names a model.
    """
    return _short(orders, parts.switches())


@derivation(of="Procurement", groups=(Orders, NamedParts))
def short_part(orders: Orders, parts: NamedParts) -> Text | None:
    """
    The first transceiver or appliance of which fewer are ordered than the design has; "none" where there is none.

    Parts that are not counted, and models that no order names, are left out; absent where no order names a model.
    """
    return _short(orders, parts.others())


@derivation(of="Procurement", groups=(Orders, NamedParts))
def short_spare_part(orders: Orders, parts: NamedParts, spare_optics_shares: tuple[Ratio, ...]) -> Text | None:
    """
    The first transceiver of which fewer are ordered than the design has with its spares; "none" where there is none.

    Parts that are not counted, and models that no order names, are left out; absent where no order names a model.
    """
    return _short(orders, parts.transceivers(spare_optics_shares[0]))
