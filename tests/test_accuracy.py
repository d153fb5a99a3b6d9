"""What docs/accuracy.md says is what the code computes; no error grows past its bound, and no miss goes unexplained."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tools.accuracy import page
from tools.accuracy.designs import parse_yaml
from tools.accuracy.points import FOLDER, Row, every_row, files, section, sections

from designlint.configuration import engine

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

ROOT = Path(__file__).resolve().parent.parent
KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*-(?:\d{4}|ra|datasheet|docs|era|optimizer)(?![\w.])")


def test_page_is_current() -> None:
    """`make accuracy` would change nothing."""
    assert page.PAGE.read_text("utf-8") == page.text()


@pytest.mark.parametrize("name", files())
def test_errors_stay_within_their_bounds(name: str) -> None:
    loose = [row for row in every_row(section(name)) if not row.holds]
    assert not loose


@pytest.mark.parametrize("name", files())
def test_every_explanation_is_there_and_used(name: str) -> None:
    used = {row.why for row in every_row(section(name))} - {""}
    assert used == set(section(name).notes)


def measured(words: Collection[str]) -> Iterator[tuple[str, Row]]:
    """What is compared with measured numbers of some words: the word, and the line."""
    for name in files():
        said = parse_yaml((FOLDER / f"{name}.yaml").read_text("utf-8"))["tables"]
        for number, table in enumerate(said):
            facts = [point.get("fact", table.get("fact", "")).rpartition("/")[2] for point in table.get("points", ())]
            if not {*words}.isdisjoint(facts):
                rows = section(name).tables[number].rows
                compared = zip(facts, rows, strict="sweep" not in table)
                yield from ((word, row) for word, row in compared if word in words and row.error is not None)


def test_each_stated_error_holds_on_every_measured_point() -> None:
    words = engine.shipped_engine().vocabulary.classes["Workload"]
    stated = {name: word.certainty.error for name, word in words.items() if word.certainty.error is not None}
    points = list(measured(stated))
    assert len(points) > 8
    assert [(word, row) for word, row in points if abs(row.error or 0) > stated[word]] == []


def test_sources_are_in_the_bibliography() -> None:
    bibliography = (ROOT / "ontology" / "sources.ttl").read_text("utf-8")
    known = set(re.findall(r"^src:(\S+) a :Source", bibliography, re.MULTILINE))
    cited = {key for row in every_row(*sections()) for key in KEY.findall(row.source)}
    assert cited
    assert cited <= known


@pytest.mark.parametrize(
    ("row", "holds"),
    [
        (Row("", "", "", "", error=0.05, bound=0.05, why="a"), True),
        (Row("", "", "", "", error=0.05, bound=0.05), False),  # not explained
        (Row("", "", "", "", error=-0.06, bound=0.05, why="a"), False),
        (Row("", "", "", "", error=0.001, bound=0.05, floor=True), False),  # a lower bound above the truth
        (Row("", "", "", "", error=-0.04, bound=0.05, floor=True, why="a"), True),
        (Row("", "", "", "", agrees=False), False),
        (Row("", "", "", "", agrees=False, why="a"), True),
    ],
)
def test_rows_hold_or_not(row: Row, holds: bool) -> None:
    assert row.holds is holds
