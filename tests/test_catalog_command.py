"""`designlint catalog`: what a user finds, how it is shown, and that every figure says where it was read."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from designlint.configuration import engine
from tests.running import designlint


def listed(*search: str) -> list[dict[str, Any]]:
    """The entries that a search finds."""
    found: list[dict[str, Any]] = json.loads(designlint("catalog", *search, "--format", "json").out)
    return found


def test_all_entries_are_listed_by_class() -> None:
    vocabulary = engine.shipped_engine().vocabulary
    assert Counter(one["class"] for one in listed()) == {kind: len(one) for kind, one in vocabulary.catalog.items()}
    out = designlint("catalog").out
    assert "\n\nGpu\n" in out
    assert "\n\nModel\n" in out
    assert "llama-3-405b" in out


def test_another_spelling_names_one_entry() -> None:
    run = designlint("catalog", "H100")
    assert run.code == 0
    assert run.out.startswith("h100-sxm-80gb  NVIDIA H100 SXM5 80 GB\nGpu (also h100, ")
    assert "memory_bandwidth      3.35 TB/s                    ml-engineering, verified" in run.out
    assert "ml-engineering: Machine Learning Engineering Open Book. Stas Bekman. https://github.com/" in run.out


@pytest.mark.parametrize(
    ("printed", "entry"),
    [
        ("Tesla V100-SXM2-32GB", "v100-sxm2-32gb"),
        ("NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"),
        ("NVIDIA A100 80GB PCIe", "a100-pcie-80gb"),
        ("NVIDIA H100 80GB HBM3", "h100-sxm-80gb"),
        ("NVIDIA GH200 480GB", "gh200-96gb"),
        ("NVIDIA B300 SXM6 AC", "b300-sxm"),
        ("NVIDIA GB200", "gb200"),
        ("AMD Instinct MI300X", "mi300x"),
    ],
)
def test_gpus_are_known_by_the_names_that_their_drivers_print(printed: str, entry: str) -> None:
    assert engine.shipped_engine().vocabulary.catalogue_name("Gpu", printed) == entry


def test_several_words_must_all_match() -> None:
    names = {one["name"] for one in listed("supermicro", "8 x b300")}
    assert names == {"supermicro-as-8126gs-nb3rt-b300", "supermicro-sys-822gs-nb3rt-b300"}
    assert {one["class"] for one in listed("switch", "arista")} == {"Switch"}


def test_what_is_not_there_is_a_fault_with_near_names() -> None:
    run = designlint("catalog", "h1000")
    assert run.code == 2
    assert "nothing in the catalogue matches h1000; near it: h100" in run.err


def test_a_model_shows_what_is_computed_of_it() -> None:
    (model,) = listed("llama-3.1-405b")
    assert model["computed"]["parameters"]["value"] == 405_853_388_800
    assert "computed" in designlint("catalog", "llama-3.1-405b").out
    (hybrid,) = listed("nemotron-h-56b")
    assert "parameters" not in hybrid["figures"]
    assert hybrid["computed"]["parameters"]["value"] == 56_324_350_464


def test_every_figure_has_a_source_of_the_bibliography() -> None:
    from designlint.compiler.sources import bibliography

    known = bibliography()
    cited = {figure["source"] for one in listed() for figure in one["figures"].values()}
    assert cited <= set(known)
    assert all(known[key].title and known[key].identifier for key in cited)


def test_few_figures_are_from_memory() -> None:
    figures = [one for entry in listed() if entry["class"] != "Model" for one in entry["figures"].values()]
    share = sum(one["confidence"] == "from-memory" for one in figures) / len(figures)
    assert share < 0.1


def test_a_long_value_goes_on_below_its_first_line_and_keeps_the_columns() -> None:
    rows = designlint("catalog", "qm9700").out.split("\n\n")[1].splitlines()
    first = next(number for number, row in enumerate(rows) if row.startswith("  technologies"))
    column = rows[0].index("linkx-connectors")
    assert rows[first].index("quantum-docs, verified") == column
    assert rows[first + 1].strip() == "infiniband-edr"
    assert {row[column - 2 : column] for row in rows if len(row) > column} == {"  "}
