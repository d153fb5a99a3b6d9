"""The corpus itself: complete, consistent, and written in words that the design language has."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import pytest
import yaml
from pyoxigraph import NamedNode, RdfFormat, Store

from .convert import FOLDER, RUNS, Row, designs, rows

ONTOLOGY = Path(__file__).parents[2] / "ontology"
NS = "https://w3id.org/designlint/ns#"
TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
NAMING = {"names", "lists_names", "from_catalog"}

CASES = list(designs())
ALL_RUNS = [row for name in RUNS for row in rows(name)]
DEGREES = ("tensor", "pipeline", "context", "data")


@dataclass
class Word:
    """What the vocabulary says about one word of one class."""

    range: str
    written: bool
    least: float | None = None
    most: float | None = None
    entry: str = ""
    values: list[str] = field(default_factory=list)


@pytest.mark.parametrize(
    ("table", "count"),
    [("runs", 138), ("bridge", 157), ("foundry", 119), ("suspects", 8), ("families", 21), ("fabrics", 62)],
)
def test_tables_are_complete(table: str, count: int) -> None:
    assert len(rows(table)) == count


def test_published_outcomes() -> None:
    tables = {name: Counter(row["outcome"] for row in rows(name)) for name in RUNS}
    assert tables == {
        "runs": {"ran": 137, "did_not_fit": 1},
        "bridge": {"ran": 156, "ran_row_suspect": 1},
        "foundry": {"ran": 119},
        "suspects": {"ran_row_suspect": 4, "did_not_fit": 4},
    }


def test_every_row_becomes_one_case() -> None:
    assert [case.id for case in CASES] == [row["id"] for name in (*RUNS, "fabrics") for row in rows(name)]
    assert len({case.id for case in CASES}) == len(CASES) == 484


def test_every_row_has_a_source() -> None:
    assert all(case.source for case in CASES)
    cited = {row["source"] for name in (*RUNS, "families") for row in rows(name)}
    assert cited == {row["source"] for row in rows("sources")}
    assert {row["confidence"] for row in (*ALL_RUNS, *rows("fabrics"))} == {
        "read",
        "read-secondary",
        "remembered",
    }


def test_every_run_names_a_known_family() -> None:
    assert {row["family"] for row in ALL_RUNS if "family" in row} == {row["family"] for row in rows("families")}


def test_degrees_make_up_the_gpus_except_where_the_row_is_suspect() -> None:
    stated = [row for row in ALL_RUNS if {*DEGREES, "gpu_count"} <= row.keys()]
    assert len(stated) > 300
    assert {row["id"] for row in stated if not multiplies(row)} == contradictions()


def multiplies(row: Row) -> bool:
    """Whether the degrees of a run make up its GPUs and its batch."""
    batch = int(row.get("global_batch", 0)) % (int(row.get("micro_batch", 1)) * int(row["data"]))
    return prod(int(row[degree]) for degree in DEGREES) == int(row["gpu_count"]) and batch == 0


def test_servers_of_a_fabric_hold_its_gpus() -> None:
    stated = [row for row in rows("fabrics") if {"nodes", "gpus"} <= row.keys()]
    assert len(stated) > 10
    servers = {row["id"]: int(row["nodes"]) + int(row.get("spares", 0)) for row in stated}
    assert [row["id"] for row in stated if servers[row["id"]] * int(row["gpus_per_node"]) != int(row["gpus"])] == []


def test_what_merely_follows_or_is_assumed_stays_out_of_designs() -> None:
    texts = {case.id: case.yaml for case in CASES}
    for row in ALL_RUNS:
        unpublished = {*row.get("assumed", "").split(), *({"data"} & {*row.get("derived", "").split()})}
        for word in unpublished & {"data", "global_batch", "gpus_per_node", "scale_up_domain"}:
            written = "gpus" if word == "gpus_per_node" else word
            assert not re.search(rf"^ +{written}: \d", texts[row["id"]], re.MULTILINE), (row["id"], word)


def test_designs_are_written_in_the_design_language() -> None:
    assert [case.id for case in CASES if not case.yaml.startswith("designlint: 1\n")] == []
    wrong = {case.id: misuses(yaml.load(case.yaml, yaml.CSafeLoader), "Design") for case in CASES}
    assert {case: found for case, found in wrong.items() if found} == {}


def test_numbers_read_alike_in_yaml_1_1_and_1_2() -> None:
    spellings = {scalar for case in CASES for scalar in re.findall(r"(?<=: )[\d.+-][^\s,}]*$", case.yaml, re.MULTILINE)}
    assert [text for text in sorted(spellings) if not re.fullmatch(r"0|[1-9]\d*|\d+\.\d+", text)] == []


def test_no_file_names_a_path_of_a_machine() -> None:
    for path in sorted(FOLDER.iterdir()):
        if path.suffix in {".csv", ".md"}:
            assert re.findall(r"(?<![\w:/.*])/\w.*", path.read_text(encoding="utf-8")) == [], path.name


def contradictions() -> set[str]:
    """The suspect rows whose degrees or batch do not multiply out."""
    return {row["id"] for row in rows("suspects") if row["outcome"] == "ran_row_suspect"}


def misuses(node: Any, kind: str, place: str = "") -> list[str]:
    """What in a parsed design the vocabulary does not allow."""
    if not isinstance(node, dict):
        return [] if (kind, node) in catalogue() else [f"{place}: {node} is no {kind} of the catalogue"]
    found = []
    for key, value in node.items():
        where = f"{place}/{key}"
        word = words(kind).get(key)
        if word is None or not word.written:
            found.append(f"{where}: no such word in {kind}")
            continue
        for one in value if isinstance(value, list) else [value]:
            found += misuses(one, word.range, where) if words(word.range) else unfit(one, word, where)
    return found


def unfit(value: object, word: Word, where: str) -> list[str]:
    """What is wrong with a plain value."""
    if word.entry and (word.entry, value) not in catalogue():
        return [f"{where}: {value} is no {word.entry} of the catalogue"]
    if word.values and str(value) not in word.values:
        return [f"{where}: {value} is none of {word.values}"]
    if word.range == "Flag" and not isinstance(value, bool):
        return [f"{where}: {value} is neither true nor false"]
    if word.range == "Count" and (isinstance(value, bool) or not isinstance(value, int)):
        return [f"{where}: {value} is no whole number"]
    if word.range in {"Count", "Ratio"} and isinstance(value, (int, float)):
        inside = (word.least is None or value >= word.least) and (word.most is None or value <= word.most)
        return [] if inside else [f"{where}: {value} is out of bounds"]
    return []


@cache
def words(kind: str) -> dict[str, Word]:
    """The words of a class, those of its superclasses included; none for a kind of quantity."""
    found: dict[str, Word] = {}
    for above in said(NamedNode(NS + kind)).get("subClassOf", []):
        found |= words(local(above))
    for bracket in said(NamedNode(NS + kind)).get("property", []):
        says = {key: terms[0] for key, terms in said(bracket).items()}
        found[local(says["path"])] = described(says)
    return found


def described(says: dict[str, Any]) -> Word:
    """What one bracket of the vocabulary says."""
    meaning = next(
        local(says[key])
        for key in ("holds", "lists", "derives", "follows", "looks_up", "given", *NAMING)
        if key in says
    )
    least, most = (float(says[key].value) if key in says else None for key in ("minInclusive", "maxInclusive"))
    return Word(
        range="Text" if NAMING & says.keys() else meaning,
        written=not {"derives", "follows", "looks_up"} & says.keys(),
        least=least,
        most=most,
        entry=meaning if "from_catalog" in says else "",
        values=collection(says["in"]) if "in" in says and "open" not in says else [],
    )


def collection(head: Any) -> list[str]:
    """The members of an RDF list."""
    says = said(head)
    return [says["first"][0].value, *collection(says["rest"][0])] if says else []


def said(subject: Any) -> dict[str, list[Any]]:
    """Everything the vocabulary says of one node, by the local name of the predicate."""
    found: dict[str, list[Any]] = {}
    for quad in vocabulary().quads_for_pattern(subject, None, None):
        found.setdefault(local(quad.predicate), []).append(quad.object)
    return found


def local(node: Any) -> str:
    """The last part of an IRI."""
    return re.split("[#/]", str(node.value))[-1]


@cache
def catalogue() -> set[tuple[str, str]]:
    """Class and name of every catalogue entry."""
    entries = turtle("catalog").quads_for_pattern(None, TYPE, None)
    return {(local(entry.object), local(entry.subject)) for entry in entries}


@cache
def vocabulary() -> Store:
    """The words of the design language."""
    return turtle("vocabulary")


def turtle(folder: str) -> Store:
    """Every Turtle file of one folder of the ontology."""
    store = Store()
    for path in sorted((ONTOLOGY / folder).glob("*.ttl")):
        store.load(path=path, format=RdfFormat.TURTLE)
    return store
