"""The bill of materials: what is counted, what orders bring, what it costs."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from designlint.configuration import engine
from designlint.linting import pipeline
from designlint.materials import prices
from designlint.materials.bill import BillLine, bill
from designlint.materials.formats import format_json, table, text
from designlint.reading import read_bytes
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

DESIGN = """
designlint: 1
nodes:
  - {name: train, model: dgx-h100, count: 32, spares: 1, networks: [{fabric: compute, ports: 8, nic: connectx-7}]}
fabrics:
  - name: compute
    speed: 400 Gbit/s
    topology: {kind: fat-tree, tiers: 2, switch: qm9700, leaves: 8, spines: 4, host_ports_per_leaf: 32, uplinks_per_leaf: 32}
    cabling:
      - {name: up, between: leaf-spine, medium: single-mode, optic: dr4, longest: 80 m,
         lower_end: mms4x00-nm, upper_end: mms4x00-nm}
operations: {spare_optics: 2 %}
facility: {racks: {count: 9, pdus: 4}}
"""
ORDERS = """
procurement:
  orders:
    - {item: DGX-H100, category: server, quantity: 33}
    - {item: MQM9700, category: network, quantity: 10}
    - {item: mms4x00-nm, category: network, quantity: 300}
"""
PRICES = (
    "currency: EUR\ndate: 2026-11-01\nsource: quotation 4711\nprices:\n  dgx-h100: 300000\n  switch: {price: 20000}\n"
)


def lines(design: str = DESIGN) -> list[BillLine]:
    return bill(pipeline.read_design(read_bytes(design.encode(), "design.yaml"), engine.shipped_engine()))


def found(item: str, design: str = DESIGN) -> BillLine:
    return next(one for one in lines(design) if one.item == item)


def test_racks_that_are_one_domain_bring_switch_trays() -> None:
    """Nine trays join the 18 compute trays of a GB200 NVL72 rack; 20 compute trays begin a second rack."""
    design = "designlint: 1\nnodes: [{name: train, model: gb200-nvl72-tray, count: 18, spares: 2}]\n"
    line = found("scale-up switch tray", design)
    assert (line.category, line.count, line.included) == ("switch", 18, True)
    assert found("scale-up switch tray", design.replace("spares: 2", "spares: 0")).count == 9
    assert not any(one.item == "scale-up switch tray" for one in lines())


def listed(folder: Path, written: str) -> prices.PriceList:
    file = folder / "prices.yaml"
    file.write_text(written, "utf-8")
    return prices.read_prices(file)


def test_two_ports_within_the_rate_of_an_adapter_take_one_adapter() -> None:
    design = DESIGN.replace(
        "nic: connectx-7}", "nic: connectx-7, speed: 400 Gbit/s}, {ports: 2, nic: connectx-7, speed: 200 Gbit/s}"
    )
    assert found("connectx-7", design).count == 33 * (8 + 1)


def test_every_part_is_counted() -> None:
    counted = {one.item: (one.count, one.spares) for one in lines()}
    assert counted == {
        "dgx-h100": (32, 1),
        "h100-sxm-80gb": (264, 0),
        "connectx-7": (264, 0),
        "qm9700": (12, 0),
        "mms4x00-nm": (256, 6),
        "link, server to leaf": (264, 6),
        "single-mode dr4 400 Gbit/s up to 80 m": (256, 6),
        "rack for GPU servers": (9, 0),
        "power distribution unit of GPU servers": (36, 0),
    }
    assert [one.item for one in lines() if one.included] == ["h100-sxm-80gb", "connectx-7"]


def test_spares_of_both_ends_are_rounded_once() -> None:
    line = found("mms4x00-nm", DESIGN.replace("spare_optics: 2 %", "spare_optics: 1 %"))
    assert (line.count, line.spares) == (256, 3)


def test_an_open_count_names_what_it_waits_for() -> None:
    line = found("our-server", "designlint: 1\nnodes: [{name: train, model: our-server, gpus: 8, power: 10 kW}]\n")
    assert (line.count, line.missing) == (None, "nodes/train/count")


def test_links_are_open_where_a_run_does_not_say_what_it_joins() -> None:
    line = found(
        "link, server to leaf", DESIGN.replace("cabling:", "cabling:\n      - {name: other, medium: dac, cables: 9}")
    )
    assert (line.count, line.missing) == (None, "fabrics/compute/cabling/other/between")


def test_orders_are_matched_by_any_spelling_of_the_catalogue() -> None:
    states = {one.item: (one.ordered, one.state) for one in lines(DESIGN + ORDERS) if one.ordered is not None}
    assert states == {"dgx-h100": (33, "ordered"), "qm9700": (10, "short"), "mms4x00-nm": (300, "surplus")}
    assert found("rack for GPU servers", DESIGN + ORDERS).state == "not ordered"


def test_a_price_is_that_of_the_item_else_of_its_category_and_the_rest_is_told(tmp_path: Path) -> None:
    costs = prices.cost(lines(), listed(tmp_path, PRICES))
    assert costs.total == 33 * 300000 + 12 * 20000
    assert "mms4x00-nm" in costs.open
    assert "h100-sxm-80gb" not in costs.open


def test_a_price_list_may_spell_parts_as_vendors_do_and_unused_prices_are_named(tmp_path: Path) -> None:
    vendor = "currency: EUR\nprices: {DGX H100: 300000 EUR, MQM9700-NS2F: 20000, Transciever: 900}\n"
    known = listed(tmp_path, vendor)
    assert prices.cost(lines(), known).total == 33 * 300000 + 12 * 20000
    assert known.leftovers(lines()) == ["transciever"]
    assert text(lines(), known, ordered=False).endswith("\nPrices that no item of the bill takes: transciever")
    with pytest.raises(UsageError, match="`DGX H100` is in USD; the list is in EUR"):
        listed(tmp_path, vendor.replace("300000 EUR", "300000 USD"))


def test_formats_agree(tmp_path: Path) -> None:
    own, known = lines(DESIGN + ORDERS), listed(tmp_path, PRICES)
    data = json.loads(format_json(own, known, ordered=True))
    rows = list(csv.DictReader(io.StringIO(table(own, known, ordered=True))))
    assert [row["item"] for row in rows] == [one["item"] for one in data["lines"]]
    assert data["cost"] == {
        "total": 10140000.0,
        "currency": "EUR",
        "complete": False,
        "open": list(prices.cost(own, known).open),
        "unused": [],
    }
    assert rows[0]["price_source"] == "quotation 4711"
    shown = text(own, known, ordered=True)
    assert "Total: at least 10,140,000 EUR (quotation 4711, 2026-11-01)" in shown
    assert "10 (short)" in shown


def test_no_cell_is_a_formula() -> None:
    design = 'designlint: 1\nnodes: [{name: "=cmd()", count: 1}]\n'
    rows = list(csv.DictReader(io.StringIO(table(lines(design), None, ordered=False))))
    assert [row["item"] for row in rows if "cmd" in row["item"]] == ["'=cmd()"] + ["GPU of =cmd()"] * (len(rows) - 1)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("prices: {dgx-h100: 1}\n", "`currency` is missing"),
        ("currency: EUR\nprices: {dgx-h100: much}\n", ":2: the price of `dgx-h100` is a number"),
        ("currency: EUR\nprices: {dgx-h100: -1}\n", ":2: the price of `dgx-h100` is a number"),
        ("currency: EUR\nprices: {dgx-h100: {cost: 1}}\n", ":2: `dgx-h100` is a number, or has"),
        ("currency: EUR\ndate: soon\nprices: {dgx-h100: 1}\n", ":2: `date` is a day"),
        ("currency: EUR\nprize: {}\nprices: {}\n", ":2: unknown key `prize`"),
        ("- 1\n", "not a price list"),
    ],
)
def test_a_broken_price_list_is_refused_with_its_line(tmp_path: Path, written: str, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        listed(tmp_path, written)
    assert says in str(refused.value)


def test_the_servers_may_hold_the_switches_of_a_torus() -> None:
    """Those of TPUs do; a design that buys switches names their model."""
    torus = "designlint: 1\nfabrics: [{{name: ici, topology: {{kind: torus, dimensions: [16, 16, 16], switch: {switch}}}}}]\n"
    open_ones = [one for one in lines(torus.format(switch="{ports: 6}")) if one.category == "switch"]
    assert [(one.count, one.missing) for one in open_ones] == [(None, "fabrics/ici/topology/switch/model")]
    named = [one for one in lines(torus.format(switch="{name: crossing}")) if one.category == "switch"]
    assert [(one.item, one.count) for one in named] == [("crossing", 4096)]
