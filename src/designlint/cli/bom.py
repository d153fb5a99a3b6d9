"""`designlint bom`: what has to be bought for a design, and what it costs at given prices."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from designlint.cli.shared.loading import load_design
from designlint.cli.shared.terminal import print_text


class BillFormat(StrEnum):
    """Ways to write a bill."""

    TEXT = "text"
    CSV = "csv"
    JSON = "json"


def command(
    file: Annotated[str, typer.Argument(help="A design.")],
    format: Annotated[BillFormat, typer.Option(help="Output format.")] = BillFormat.TEXT,
    prices: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Price list (YAML) with the unit price of each item.")
    ] = None,
) -> None:
    """List the bill of materials: servers, switches, optics, cables, racks, power and cooling plant."""
    from designlint.materials.bill import bill
    from designlint.materials.formats import FORMATS
    from designlint.materials.prices import read_prices

    design, listed = load_design(file), None if prices is None else read_prices(prices)
    orders = bool(design.graph.by_class.get("Order"))
    told = FORMATS[format](bill(design), listed, ordered=orders)
    if listed is not None and format is BillFormat.TEXT and (listed.running or listed.lifetime):
        from designlint.materials.money import lines, money

        told = "\n".join([told, "", *lines(money(design, listed))])
    print_text(told)
