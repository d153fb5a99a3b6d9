"""Building equipment and storage servers that orders name in plain words, compared with the design."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.derivations.base import Text
    from designlint.language.units import Count

#: Equipment that a design counts, each kind with the names that orders use for it; patterns are compiled when first met.
KINDS = {
    "transformers": r"(?i)\btransformers?\b",
    "UPS modules": r"(?i)\bups\b.*\bmodules?\b|\bmodules?\b.*\bups\b",
    "generators": r"(?i)\b(generators?|gensets?)\b",
    "coolant distribution units": r"(?i)\b(cdus?|cool(ant|ing) distribution units?)\b",
    "air units": r"(?i)\b(crahs?|cracs?|(air handlers?|air[ -]conditioners?|air units?))\b",
    "racks": r"(?i)(server |it |gpu )?(racks?|cabinets?)( of [0-9]+ (u|units))?",
    "rack PDUs": r"(?i)\b(rack pdus?|rack power distribution units?)\b",
}
#: Servers of one kind of storage, as orders name them.
STORAGE = r"(?i)\b{kind}\b[ -]*(storage|object|data)?[ -]*(servers?|nodes?)\b"
#: Kinds that must be the whole item: their word is also part of the names of what fills a rack.
WHOLE = ("racks",)
#: Accessories that are ordered separately from the equipment.
ACCESSORIES = (
    r"(?i)\b(batter(y|ies)|cable|cables|container|contract|filters?|fuel|hoses?|kits?|maintenance|manifolds?|pumps?|"
    r"service|services|spares?|switchgear|tanks?|installation|commissioning|for [a-z ]*(spares|switches))\b"
)


#: What an order may say of units after it names them: their number and size, or that they are units.
UNITS = r"(?i)[\s-]*((units?|sets?|modules?)\b)?[\s-]*($|[0-9(,;:/].*)"
#: Where the words of an order stop to name what it is for.
ABOUT = r"(?i)\b(for|to|with|of|in|per)\b(?! [0-9]+ (u|units)\b)"
#: What holds several units in one.
BUNDLES = r"(?i)\b(pairs?|sets? of|systems?|plants?|lots?|packages?|skids?)\b"


class Equipment(Struct, frozen=True):
    """Equipment and storage servers that the design counts, redundant units included."""

    planned_transformers: tuple[Count | None, ...]
    planned_ups_modules: tuple[Count | None, ...]
    planned_generators: tuple[Count | None, ...]
    planned_cdus: tuple[Count | None, ...]
    planned_air_units: tuple[Count | None, ...]
    planned_racks: tuple[Count | None, ...]
    planned_rack_pdus: tuple[Count | None, ...]
    storage_kinds: tuple[Text | None, ...]
    planned_object_servers: tuple[Count | None, ...]

    def wanted_units(self) -> dict[str, tuple[str, int]]:
        """Pattern and units of each kind that is counted."""
        racks = _sum(self.planned_racks)
        counts = (
            _sum(self.planned_transformers),
            _sum(self.planned_ups_modules),
            _sum(self.planned_generators),
            _sum(self.planned_cdus),
            _sum(self.planned_air_units),
            racks,
            racks * _sum(self.planned_rack_pdus),
        )
        found = {kind: (KINDS[kind], count) for kind, count in zip(KINDS, counts, strict=True) if count}
        return found | self._storage_servers()

    def _storage_servers(self) -> dict[str, tuple[str, int]]:
        """Object servers of each kind of storage of which all tiers are counted; orders may have their metadata servers apart."""
        tiers = list(zip(self.storage_kinds, self.planned_object_servers, strict=True))
        return {
            f"{kind} servers": (STORAGE.format(kind=re.escape(kind)), _sum(counts))
            for kind in sorted({one for one, _ in tiers if one})
            if None not in (counts := tuple(count for one, count in tiers if one == kind))
        }


@derivation(of="Procurement", groups=(Equipment,))
def short_equipment(
    order_items: tuple[Text | None, ...], order_quantities: tuple[Count | None, ...], equipment: Equipment
) -> Text | None:
    """
    First equipment with fewer units ordered than the design has, with both numbers; "none" if there is none.

    Orders count if they name equipment in plain words, except accessories. Kinds that no order names, or of which an order
    states no quantity, holds several units in one, or names only what it is for, are left out. Absent if no order names any.
    """
    lines = [(item, count) for item, count in zip(order_items, order_quantities, strict=True) if item]
    known = list(_match_orders(lines, equipment.wanted_units()))
    short = (f"{kind}: {some} of {wanted}" for kind, some, wanted in known if some < wanted)
    return next(short, "none") if known else None


def _sum(counts: tuple[Count | None, ...]) -> int:
    return sum(one or 0 for one in counts)


def _match_orders(
    lines: list[tuple[str, int | None]], wanted: dict[str, tuple[str, int]]
) -> Iterator[tuple[str, int, int]]:
    """Each kind that orders name, with the units ordered and wanted."""
    for kind, (pattern, count) in wanted.items():
        whole = kind in WHOLE
        some = [
            units if _is_units(item, pattern) else None for item, units in lines if _names(item, pattern, whole=whole)
        ]
        if some and None not in some:
            yield kind, sum(one or 0 for one in some), count


def _names(item: str, pattern: str, *, whole: bool) -> bool:
    """Whether an order is for equipment of a kind."""
    found = re.fullmatch(pattern, item.strip()) if whole else re.search(pattern, item)
    return found is not None and not re.search(ACCESSORIES, item)


def _is_units(item: str, pattern: str) -> bool:
    """Whether an order that names equipment of a kind surely is for single units of it."""
    if re.search(BUNDLES, item):
        return False
    head = re.split(ABOUT, item, maxsplit=1)[0].strip()
    found = re.search(pattern, head)
    return found is not None and re.fullmatch(UNITS, head[found.end() :]) is not None
