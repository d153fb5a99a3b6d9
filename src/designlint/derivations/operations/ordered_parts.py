"""Whether what an order names is what the design has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bandwidth, Count, DataRate, Power


class Ordered(Struct, frozen=True):
    """What the catalogue knows of the item of an order, and the servers and GPUs of all pools."""

    catalogued_server_gpus: Count | None
    catalogued_server_power: Power | None
    catalogued_server_gpu: Text | None
    catalogued_gpu_bandwidth: Bandwidth | None
    plan_server_models: tuple[Text | None, ...]
    plan_server_powers: tuple[Power | None, ...]
    plan_server_gpus: tuple[Count | None, ...]
    plan_gpu_models: tuple[Text | None, ...]
    plan_gpu_bandwidths: tuple[Bandwidth | None, ...]
    catalogued_server_cooling: Text | None = None
    plan_server_coolings: tuple[Text | None, ...] = ()

    @property
    def known(self) -> tuple[float | None, tuple[str | None, ...], tuple[float | None, ...]] | None:
        """A figure of the item, the models of its kind in the design, and the same figure of those; None for other items."""
        if self.catalogued_server_gpus is not None:
            lines = zip(self.plan_server_models, self.plan_server_powers, self.plan_server_gpus, strict=True)
            pools = [(model, power) for model, power, gpus in lines if gpus != 0 or model is not None]
            return self.catalogued_server_power, tuple(model for model, _ in pools), tuple(power for _, power in pools)
        if self.catalogued_gpu_bandwidth is not None:
            return self.catalogued_gpu_bandwidth, self.plan_gpu_models, self.plan_gpu_bandwidths
        return None

    @property
    def other_gpus(self) -> bool:
        """Whether the catalogued server that is ordered has GPUs that no pool has."""
        lines = zip(self.plan_gpu_models, self.plan_server_gpus, strict=True)
        gpu, pools = self.catalogued_server_gpu, [model for model, gpus in lines if gpus != 0]
        return bool(gpu and pools) and None not in pools and not any(alike(gpu, one) for one in pools)

    @property
    def other_cooling(self) -> bool:
        """Whether the catalogued server that is ordered is cooled as no pool is: by air instead of by liquid."""
        cooling, pools = self.catalogued_server_cooling, self.plan_server_coolings
        return bool(cooling and pools) and None not in pools and cooling not in pools


@derivation(of="Order")
def named_item(
    item: Text,
    catalogued_server: Text | None,
    catalogued_gpu: Text | None,
    catalogued_switch: Text | None,
    catalogued_adapter: Text | None,
    catalogued_optic: Text | None,
    catalogued_storage: Text | None,
) -> Text:
    """The ordered item by its name in the catalogue, else as it is written."""
    known = (
        catalogued_server,
        catalogued_gpu,
        catalogued_switch,
        catalogued_adapter,
        catalogued_optic,
        catalogued_storage,
    )
    return next((name for name in known if name), item)


@derivation(of="Order", groups=(Ordered,))
def of_the_design(item: Text, ordered: Ordered) -> Flag | None:
    """
    Whether the catalogued server or GPU that is ordered is one that a pool has.

    Names count as one where one holds the letters and digits of the other, or where the item has the power, the GPUs and the
    cooling, of GPUs the memory bandwidth, of a pool's: the catalogue knows parts by several names. Absent for items that the
    catalogue does not know as a server or a GPU, or not by that figure, and where a pool names no model.
    """
    known = ordered.known
    if known is None or not known[1] or None in known[1]:
        return None
    figure, models, figures = known
    if any(alike(item, model) for model in models):
        return True
    if ordered.other_gpus or ordered.other_cooling:
        return False
    return None if figure is None or None in figures else figure in figures


@derivation(of="Order", groups=(Ordered,))
def designed_models(ordered: Ordered) -> Text | None:
    """Models of the servers or GPUs in the design, of the same kind as the order."""
    known = ordered.known
    return None if known is None else ", ".join(sorted({one for one in known[1] if one})) or None


class Catalogued(Struct, frozen=True):
    """What the catalogue knows of the item of an order."""

    catalogued_server_gpus: Count | None
    catalogued_gpu_bandwidth: Bandwidth | None
    catalogued_switch_ports: Count | None
    catalogued_nic_speed: DataRate | None
    optic_ports: Count | None


#: Where the words of an item stop to say what it is: what it is for, its size, its model.
HEAD = re.compile(r"\b(?:for|to|with|of|in|per)\b|[,;:(/]|\s[0-9]")
#: A rate, whose stroke ends no words.
RATE = re.compile(r"[0-9.]+ ?[a-z]+/s")
#: Nouns that say what an item is only with the words before them.
GENERIC = ("unit", "units", "module", "modules", "system", "systems")


@derivation(of="Order")
def item_noun(item: Text) -> Text | None:
    """
    Noun that says what the item is: the last word of its name, or the last three before "units" and the like.

    What the item is for, and sizes at the end, do not count. Absent where the name ends in no word.
    """
    head = HEAD.split(RATE.sub("", item.casefold()).strip(), maxsplit=1)[0]
    words = re.findall(r"[a-z]+", head)
    if not words:
        return None
    return " ".join(words[-3:] if words[-1] in GENERIC else words[-1:])


@derivation(of="Order", groups=(Catalogued,))
def item_kind(item: Text, catalogued: Catalogued, named_kind: Text | None) -> Text | None:
    """Kind of the item: what the catalogue has under its name, else what its noun says; absent if neither says."""
    known = {
        "GPU": catalogued.catalogued_gpu_bandwidth,
        "GPU server": catalogued.catalogued_server_gpus,
        "switch": catalogued.catalogued_switch_ports,
        "network adapter": catalogued.catalogued_nic_speed,
        "transceiver": catalogued.optic_ports,
    }
    return next((kind for kind, figure in known.items() if figure), named_kind)


@derivation(of="Order")
def counted_category(category: Text | None, usual_category: Text | None) -> Text | None:
    """Category under which the order counts: the stated one, else that of the kind of its item."""
    return category or usual_category


@derivation(of="Order")
def excluded_categories(strange_categories: tuple[Text, ...]) -> Text:
    """Categories under which the kind of the item is never ordered, one after the other."""
    return " ".join(strange_categories)


@derivation(of="Order")
def category_fits(category: Text, strange_categories: tuple[Text, ...]) -> Flag:
    """Whether the category fits the kind of the item. Spares and user-defined categories always fit."""
    return category not in strange_categories


def alike(one: str | None, other: str | None) -> bool:
    """Whether one name holds the letters and digits of the other."""
    first, second = _plain(one or ""), _plain(other or "")
    return first in second or second in first


def _plain(name: str) -> str:
    """A name without what people write differently."""
    return "".join(one for one in name.casefold() if one.isalnum())
