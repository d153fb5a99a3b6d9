"""The currency of a design: its amounts of money are read and shown in that one; no exchange rate is ever assumed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The currency of a design that states none, in which the units of the ontology are written.
USUAL = "USD"
#: Kinds of quantities that are amounts of money, or have one in them.
MONEY = ("Money", "EnergyPrice")


def in_currency(table: Mapping[str, Any], code: str) -> dict[str, Any]:
    """The table of units with another currency in the place of the usual one, which is refused instead."""
    kinds = dict(table["kinds"])
    for kind in MONEY:
        text = msgspec.json.encode(kinds[kind]).decode()
        swapped = re.sub(rf"{USUAL}|{code}", lambda found: code if found[0] == USUAL else USUAL, text)
        kinds[kind] = msgspec.json.decode(swapped)
    return {**table, "kinds": kinds}
