"""
A user's price list: what one piece of each item costs.

```yaml
currency: USD
date: 2026-11-01
source: quotation 4711, Example Systems
prices:
  dgx-h100: 310000                                   # a name of the catalogue, or what the design calls the item
  qm9700: {price: 21000, source: list price}         # with a source or a date of its own
  cable: 180                                         # a category: every item of it that has no price of its own
running:                                             # what the site costs while it runs
  energy: 0.08                                       # one kWh at the meter
  rack: 1200                                         # one rack for a month
  staff: 90000                                       # everybody, for a month
lifetime: 48                                         # months over which the purchase is spread
```
"""

from __future__ import annotations

from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING

from msgspec import Struct, field

from designlint.language.values import is_date, is_number
from designlint.materials.bill import spell_name
from designlint.reading import read_file
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from designlint.materials.bill import BillLine
    from designlint.reading import Node

KEYS, PRICE_KEYS = {"currency", "date", "source", "prices", "running", "lifetime"}, {"price", "date", "source"}
#: What a list may price of a site that runs.
RUNNING = ("energy", "rack", "staff")


class Price(Struct, frozen=True):
    """What one piece costs, in the currency of its list, and where and when that was said."""

    price: float
    date: str
    source: str


class PriceList(Struct, frozen=True):
    """
    Prices by item or category, spelled as `spell_name` spells them.

    Attributes:
        currency: its name, such as USD.
        running: of `energy` one kWh, of a `rack` and of all `staff` a month.
        lifetime: months over which the purchase is spread; None where the list does not say.
    """

    currency: str
    date: str
    source: str
    prices: Mapping[str, Price]
    running: Mapping[str, Price] = field(default_factory=dict)
    lifetime: float | None = None

    def of(self, line: BillLine) -> Price | None:
        """The price of one piece: of the item, else of its category; None where the list has neither."""
        own = (price for name, price in self.prices.items() if name in line.names)
        return next(own, None) or self.prices.get(line.category)

    def leftovers(self, lines: Iterable[BillLine]) -> list[str]:
        """The names that no line of a bill takes its price from, nor could."""
        bought = [line for line in lines if not line.included]
        taken = frozenset().union(*(line.names | {line.category} for line in bought))
        return [name for name in self.prices if name not in taken]


class BillCost(Struct, frozen=True):
    """
    What a bill costs.

    Attributes:
        total: of the lines that have a price and a count.
        open: the items that have none, so that the total is the least.
    """

    total: float
    open: tuple[str, ...]


def cost(lines: Iterable[BillLine], prices: PriceList) -> BillCost:
    """The cost of a bill, spares included; what comes inside other items costs nothing more."""
    total, left = 0.0, []
    for line in lines:
        if line.included:
            continue
        price = prices.of(line)
        if price is None or line.total is None:
            left.append(line.item)
        else:
            total += price.price * line.total
    return BillCost(total, tuple(left))


def read_prices(path: Path) -> PriceList:
    """
    The price list in a file.

    Raises:
        UsageError: it is no price list; the message names file and line.
    """
    document = read_file(path)
    if document.root is None or document.root.kind != "map" or document.problems:
        raise UsageError(f"{path}: not a price list: it needs `currency`, `date`, `source` and `prices`")
    return _Reader(path, document.root).list()


class _Reader:
    def __init__(self, path: Path, root: Node) -> None:
        self.path, self.root = path, root

    def list(self) -> PriceList:
        """The whole list."""
        entries = self.root.entries
        for key, node in entries.items():
            if key not in KEYS:
                raise self._fault(f"unknown key `{key}`; a price list has {', '.join(sorted(KEYS))}", node)
        for key in ("currency", "prices"):
            if key not in entries:
                raise self._fault(f"`{key}` is missing", self.root)
        date, source = self._date(self.root, ""), self._text(self.root, "source", "")
        named = entries["prices"].entries
        prices = {spell_name(name): self._price(name, node, date, source) for name, node in named.items()}
        running = {}
        for name, node in entries["running"].entries.items() if "running" in entries else ():
            if name not in RUNNING:
                raise self._fault(f"unknown key `{name}`; `running` has {', '.join(RUNNING)}", node)
            running[name] = self._price(name, node, date, source)
        return PriceList(self._text(self.root, "currency", ""), date, source, prices, running, self._lifetime())

    def _lifetime(self) -> float | None:
        node = self.root.entries.get("lifetime")
        if node is None:
            return None
        value = node.scalar() if node.kind == "scalar" else None
        if not is_number(value) or not isfinite(value) or value <= 0:
            raise self._fault("`lifetime` is a number of months, such as 48", node)
        return float(value)

    def _price(self, name: str, node: Node, date: str, source: str) -> Price:
        amount = node.entries.get("price") if node.kind == "map" else node
        if amount is None or (node.kind == "map" and not node.entries.keys() <= PRICE_KEYS):
            raise self._fault(f"`{name}` is a number, or has `price`, `date` and `source`", node)
        value = self._amount(name, amount)
        if not is_number(value) or not isfinite(value) or value < 0:
            raise self._fault(f"the price of `{name}` is a number without separators, such as 310000", amount)
        if node.kind != "map":
            return Price(float(value), date, source)
        return Price(float(value), self._date(node, date), self._text(node, "source", source))

    def _amount(self, name: str, node: Node) -> object:
        """The number of a price, which may name the currency of its list: `310000 USD`."""
        number, _, unit = node.text.strip().partition(" ") if node.kind == "scalar" else ("", "", "")
        currency = self._text(self.root, "currency", "")
        if unit.isalpha() and unit != currency:
            raise self._fault(f"the price of `{name}` is in {unit}; the list is in {currency}", node)
        with suppress(ValueError):
            return float(number)
        return None

    def _date(self, node: Node, otherwise: str) -> str:
        text = self._text(node, "date", otherwise)
        if text and not is_date(text):
            raise self._fault("`date` is a day such as 2026-11-01", node.entries["date"])
        return text

    def _text(self, node: Node, key: str, otherwise: str) -> str:
        found = node.entries.get(key)
        if found is not None and found.kind != "scalar":
            raise self._fault(f"`{key}` is one text", found)
        return otherwise if found is None else found.text

    def _fault(self, message: str, node: Node) -> UsageError:
        line = node.document.place(max(node.key_start, 0) or node.start, node.end)[0]
        return UsageError(f"{self.path}:{line}: {message}")
