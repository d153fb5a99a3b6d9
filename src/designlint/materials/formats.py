"""A bill of materials as text, CSV and JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from designlint.language.sentences import cut
from designlint.materials.prices import cost
from designlint.reporters.shared.spreadsheet import comma_separated
from designlint.reporters.shared.tables import align_rows
from designlint.reporters.shared.terminal import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from designlint.materials.bill import BillLine
    from designlint.materials.prices import PriceList

COLUMNS = ("category", "item", "count", "spares", "total", "ordered", "state", "where", "missing")
PRICED = ("price", "amount", "currency", "price_source", "price_date")
#: Letters of an item and of where it is that a table shows.
ITEM, WHERE = 44, 32
#: Items without a price that are named.
MOST_NAMED = 8


def text(lines: Sequence[BillLine], prices: PriceList | None, *, ordered: bool) -> str:
    """A table for people: what comes inside another item stands below a mark, and open counts name what they wait for."""
    head = ["category", "item", "pieces", "spares"] + ["ordered"] * ordered
    head += [f"each ({prices.currency})", f"amount ({prices.currency})"] if prices else []
    rows = [[*head, "for"], *(_line_cells(one, prices, ordered=ordered) for one in lines)]
    return "\n".join([*align_rows(rows, right=range(2, len(head))), *_summary(lines, prices)])


def _line_cells(line: BillLine, prices: PriceList | None, *, ordered: bool) -> list[str]:
    price = None if prices is None or line.included else prices.of(line)
    count = "?" if line.count is None else f"{line.count:,}"
    item = printable(line.item if not line.included else f"  {line.item} (inside)")
    row = [line.category, shorten(item, ITEM), count, f"{line.spares:,}" if line.spares else ""]
    row += ([_order_text(line)] if ordered else []) + (_amounts(line, price.price if price else None) if prices else [])
    where = f"open: state {line.missing}" if line.missing else shorten(printable(", ".join(line.where)), WHERE)
    return [*row, where]


def _order_text(line: BillLine) -> str:
    if line.ordered is None:
        return "none" if line.state else ""
    return f"{line.ordered:,}" + (f" ({line.state})" if line.state in ("short", "surplus") else "")


def _amounts(line: BillLine, price: float | None) -> list[str]:
    if price is None:
        return ["", ""]
    return [f"{price:,.10g}", "?" if line.total is None else f"{price * line.total:,.0f}"]


def _summary(lines: Sequence[BillLine], prices: PriceList | None) -> list[str]:
    if prices is None:
        return []
    costs = cost(lines, prices)
    least = "at least " if costs.open else ""
    source = ", ".join(filter(None, (prices.source, prices.date)))
    found = ["", printable(f"Total: {least}{costs.total:,.0f} {prices.currency}" + (f" ({source})" if source else ""))]
    if costs.open:
        named = cut(costs.open, MOST_NAMED)
        found.append(printable(f"Not in the total, because a price or a count is missing: {named}"))
    if unused := prices.leftovers(lines):
        found.append(printable(f"Prices that no item of the bill takes: {cut(unused, MOST_NAMED)}"))
    return found


def table(lines: Sequence[BillLine], prices: PriceList | None, *, ordered: bool) -> str:
    """RFC 4180, a row for each line; no cell is taken for a formula."""
    rows = (_values(one, prices) | {"where": " ".join(one.where)} for one in lines)
    return comma_separated([(*COLUMNS, *PRICED) if prices else COLUMNS, *(row.values() for row in rows)])


def _values(line: BillLine, prices: PriceList | None) -> dict[str, Any]:
    price = None if prices is None or line.included else prices.of(line)
    found: dict[str, Any] = {
        "category": line.category, "item": line.item, "count": line.count, "spares": line.spares, "total": line.total,
        "ordered": line.ordered, "state": "included" if line.included else line.state, "where": list(line.where),
        "missing": line.missing or None,
    }  # fmt: skip
    if prices is not None:
        found |= {
            "price": price.price if price else None,
            "amount": price.price * line.total if price and line.total is not None else None,
            "currency": prices.currency,
            "price_source": price.source if price else None,
            "price_date": price.date if price else None,
        }
    return found


def format_json(lines: Sequence[BillLine], prices: PriceList | None, *, ordered: bool) -> str:
    """JSON: the lines and, with a price list, the total and what it leaves out."""
    found: dict[str, Any] = {"lines": [_values(one, prices) for one in lines]}
    if prices is not None:
        costs = cost(lines, prices)
        found["cost"] = {
            "total": costs.total,
            "currency": prices.currency,
            "complete": not costs.open,
            "open": costs.open,
            "unused": prices.leftovers(lines),
        }
        found["prices"] = {"source": prices.source, "date": prices.date}
    return json.dumps(found, indent=2, ensure_ascii=False)


#: The ways to write a bill, by name.
FORMATS: dict[str, Callable[..., str]] = {"text": text, "csv": table, "json": format_json}
