"""Money: sums worked by hand, what no price covers is said, and nothing costs anything without a list."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from designlint.exploring import columns, settings, sweep
from designlint.linting import pipeline
from designlint.materials.money import MONTH, lines, money
from designlint.materials.prices import read_prices
from designlint.reading.errors import UsageError
from tests.running import ROOT, designlint

if TYPE_CHECKING:
    from pathlib import Path

HAWK = str(ROOT / "examples/hawk-4096/design.yaml")
LIST = """\
currency: EUR
date: 2026-11-01
source: quotation 4711
prices: {dgx-h100: 300000, switch: 20000, cable: 100, storage: 5000, rack: 4000}
running: {energy: 0.1, rack: 1000, staff: {price: 90000, source: payroll}}
lifetime: 48
"""


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    file = tmp_path / "prices.yaml"
    file.write_text(LIST, "utf-8")
    return file


def test_sums_are_those_of_a_calculation_by_hand(prices: Path) -> None:
    design = pipeline.load(HAWK)
    found = money(design, read_prices(prices))
    capital = 528 * 300_000 + 340 * 20_000 + (5280 + 2176) * 100 + 72 * 5_000 + 132 * 4_000
    assert found.of("capital") == capital
    assert found.of("purchase per month") == pytest.approx(capital / 48)
    power = design.graph.subjects["facility"].facts["facility_power"]
    job = design.graph.subjects["workloads/pretrain"].facts
    assert isinstance(power, float)
    assert found.of("energy per month") == pytest.approx(power / 1000 * 365 * 24 / 12 * 0.1)
    held = capital / 48 + 132 * 1000 + 90_000
    assert found.of("month") == pytest.approx(held + power / 1000 * MONTH / 3600 * 0.1)
    time, energy = job["predicted_training_time"], job.get("run_energy")
    assert isinstance(time, float)
    run = held * time / MONTH + (energy / 3.6e6 * 0.1 if isinstance(energy, float) else 0)
    assert found.of("run of pretrain") == pytest.approx(run)
    assert found.of("million tokens of pretrain") == pytest.approx(run / 10e12 * 1e6)
    assert found.unpriced == []
    assert "Not priced" not in "\n".join(lines(found))
    assert [one.name for one in found.amounts if one.least] == []


@pytest.mark.parametrize(
    ("change", "least"),
    [
        (("running: {energy: 0.1, rack: 1000, staff", "running: {energy: 0.1, staff"), {"month", "run", "million"}),
        (("running: {energy: 0.1, rack: 1000, staff", "running: {rack: 1000, staff"), {"month", "run", "million"}),
        (("switch: 20000, ", ""), {"capital", "purchase", "month", "run", "million"}),
        (("lifetime: 48", ""), {"month", "run", "million"}),
    ],
)
def test_a_sum_of_which_a_part_has_no_price_is_the_least(
    change: tuple[str, str], least: set[str], prices: Path
) -> None:
    prices.write_text(LIST.replace(*change), "utf-8")
    found = money(pipeline.load(HAWK), read_prices(prices))
    assert {one.name.split()[0] for one in found.amounts if one.least} == least


def test_what_has_no_price_is_named(tmp_path: Path) -> None:
    file = tmp_path / "few.yaml"
    file.write_text("currency: USD\nprices: {dgx-h100: 300000}\n", "utf-8")
    found = money(pipeline.load(HAWK), read_prices(file))
    assert {"qm9700", "energy", "rack", "staff", "purchase by the month (no lifetime)"} <= set(found.unpriced)
    told = "\n".join(lines(found))
    assert "capital: at least 158,400,000 USD" in told
    assert "Not known: month, run of pretrain" in told


def test_what_is_unknown_costs_an_unknown_sum(prices: Path, tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_text("designlint: 1\nnodes: [{name: train, model: dgx-h100}]\n", "utf-8")
    found = money(pipeline.load(str(file)), read_prices(prices))
    assert found.of("capital") == 0
    assert "dgx-h100" in found.unpriced
    assert found.of("energy per month") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("running: {fuel: 3}", "unknown key `fuel`"),
        ("running: {energy: cheap}", "is a number"),
        ("lifetime: never", "`lifetime` is a number of months"),
        ("lifetime: 0", "`lifetime` is a number of months"),
    ],
)
def test_a_faulty_list_is_refused_with_its_line(text: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text(f"currency: USD\nprices: {{}}\n{text}\n", "utf-8")
    with pytest.raises(UsageError, match=told) as error:
        read_prices(file)
    assert f"{file}:3:" in str(error.value)


def test_a_sweep_shows_money_as_a_fresh_run_does(prices: Path, tmp_path: Path) -> None:
    design, listed = pipeline.load(HAWK), read_prices(prices)
    shown = columns.columns(design, ["capital", "cost_month", "cost_run", "cost_token"], listed)
    table = sweep.sweep_table(design, [settings.sweep(design, "nodes/train/count=512,640")], shown)
    file = tmp_path / "design.yaml"
    for point in table.points:
        file.write_text(
            pipeline.load(HAWK).document.text.replace("count: 512", f"count: {point.values[0]}", 1), "utf-8"
        )
        fresh = money(pipeline.load(str(file)), listed)
        names = ("capital", "month", "run of pretrain", "million tokens of pretrain")
        assert list(point.cells) == [fresh.of(name) for name in names]
    with pytest.raises(UsageError, match="--prices"):
        columns.columns(design, ["cost_run"])


def test_commands_show_money_only_at_somebodys_prices(prices: Path) -> None:
    for arguments in (("bom", HAWK), ("what-if", HAWK, "--set", "facility/utility_power=12 MW")):
        assert "Money" not in designlint(*arguments).out
        assert "Money (EUR, quotation 4711, 2026-11-01)" in designlint(*arguments, "--prices", prices).out
    planned = ("plan", "--model", "llama-3-8b", "--gpu", "h100", "--gpus", "64", "--tokens", "1T", "--format", "json")
    assert "money" not in json.loads(designlint(*planned).out)
    assert json.loads(designlint(*planned, "--prices", prices).out)["money"]["currency"] == "EUR"


def test_a_change_shows_each_sum_with_what_it_was_before(prices: Path) -> None:
    listed = read_prices(prices)
    run = designlint("what-if", HAWK, "--set", "nodes/train/count=640", "--prices", prices)
    old = money(pipeline.load(HAWK), listed).of("capital")
    (told,) = (line for line in run.out.splitlines() if line.startswith("  capital: "))
    assert old is not None
    assert f" EUR, {old:,.0f} before (" in told
    assert "e+0" not in told
    same = designlint("what-if", HAWK, "--set", "facility/utility_power=12 MW", "--prices", prices)
    assert " before (" not in same.out


def test_the_report_answers_what_it_costs(prices: Path) -> None:
    plain = designlint("report", HAWK, "--format", "markdown", "--today", "2026-11-20")
    assert "What does it cost?" not in plain.out
    priced = designlint("report", HAWK, "--format", "markdown", "--today", "2026-11-20", "--prices", prices)
    assert "### What does it cost?" in priced.out
    assert "Purchase: 166,833,600 EUR" in priced.out
    assert "Prices are not stated" in plain.out
    assert "Prices are not stated" not in priced.out
    told = designlint("report", HAWK, "--format", "json", "--today", "2026-11-20", "--prices", prices).data
    assert told["designs"][0]["answers"][-1]["question"] == "What does it cost?"


def test_the_example_list_is_read_and_has_sources() -> None:
    listed = read_prices(ROOT / "examples/prices.yaml")
    assert all(one.source and one.date for one in (*listed.prices.values(), *listed.running.values()))
