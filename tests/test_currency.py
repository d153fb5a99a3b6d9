"""Designs whose amounts of money are in one stated currency."""

from __future__ import annotations

import pytest

from designlint.configuration import engine
from designlint.linting import pipeline
from designlint.reading import read_bytes

DESIGN = """
designlint: 1
currency: {code}
facility: {{energy_price: {price}/kWh}}
procurement:
  budget: {budget}
  orders: [{{item: dgx-h100, quantity: 2, unit_price: 300000 {code}}}]
"""


def findings(code: str, budget: str, price: str = "") -> list[str]:
    text = DESIGN.format(code=code, budget=budget, price=price or f"0.2 {code}")
    found = pipeline.lint(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine(), repair=False).findings
    return [
        f"{one.rule}: {one.message}" for one in found if one.rule.startswith(("procurement/", "shape/", "numbers/"))
    ]


@pytest.mark.parametrize("code", ["EUR", "GBP", "USD"])
def test_amounts_are_compared_and_shown_in_the_currency_of_the_design(code: str) -> None:
    assert findings(code, f"500 k {code}") == [
        f"procurement/orders-beyond-budget: orders cost 600000 {code}; the budget is 500000 {code}"
    ]
    assert findings(code, f"1 M {code}") == []


def test_an_amount_in_another_currency_is_not_converted() -> None:
    (found,) = findings("EUR", "1 M USD")
    assert found.startswith("shape/wrong-unit: `budget` is 1 M USD")
    assert "EUR" in found


def test_a_wrong_amount_is_answered_with_an_example_in_the_same_currency() -> None:
    text = "designlint: 1\ncurrency: EUR\nprocurement: {budget: plenty}\n"
    (found,) = pipeline.lint(read_bytes(text.encode(), "d.yaml"), engine.shipped_engine(), repair=False).findings
    assert "USD" not in f"{found.message} {found.remedy}"


def test_known_prices_in_dollars_are_not_those_in_another_currency() -> None:
    assert not any("energy_price" in one for one in findings("JPY", "1 M JPY", "30 JPY"))
    (found,) = findings("USD", "1 M USD", "30 USD")
    assert found.startswith("numbers/never-seen: `energy_price` is 30 USD/kWh")


def test_designs_of_two_currencies_do_not_disturb_each_other() -> None:
    findings("EUR", "1 M EUR")
    assert findings("USD", "1 M USD") == []
    assert engine.shipped_engine().vocabulary.units.format(5e6, "Money") == "5 M USD"


@pytest.mark.parametrize(
    ("code", "price", "each", "found"),
    [
        ("EUR", "0.2 EUR", "300000", []),
        ("EUR", "20 EUR", "300000", ["energy_price"]),
        ("CNY", "0.4 CNY", "2500000", []),
        ("CNY", "35 CNY", "2500000", ["energy_price"]),
        ("JPY", "25 JPY", "45000000", []),
        ("JPY", "0.08 JPY", "300000", ["energy_price", "unit_price"]),
        ("EUR", "0.2 EUR", "3800", ["unit_price"]),
    ],
)
def test_no_exchange_rate_puts_these_amounts_where_prices_have_been(
    code: str, price: str, each: str, found: list[str]
) -> None:
    """A server for 3800 EUR and power for 35 CNY/kWh are slips at every rate of the last decades."""
    text = DESIGN.format(code=code, budget=f"1e9 {code}", price=price).replace("300000", each)
    report = pipeline.lint(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine(), repair=False)
    seen = [str(one.values["word"].value) for one in report.findings if one.rule == "numbers/never-seen"]
    assert seen == found
    assert all("plausible" in one.message for one in report.findings if one.rule == "numbers/never-seen")
