"""The page that describes training: each of its designs is sound, and what it says follows does follow."""

from __future__ import annotations

import re

import pytest

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.findings.model import Severity
from designlint.linting import pipeline
from designlint.reading import read_bytes
from tests.running import ROOT, designlint

PAGE = (ROOT / "docs" / "training.md").read_text("utf-8")
PARTS = re.findall(r"```yaml\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)


def test_every_section_has_an_example() -> None:
    assert PAGE.count("\n## ") == len(PARTS) == PAGE.count("```yaml")


@pytest.mark.parametrize("text", [design for design, _ in PARTS])
def test_no_example_has_an_error(text: str) -> None:
    document = read_bytes(text.encode(), "example.yaml")
    shipped = engine.shipped_engine()
    assert not read_design(document, shipped).problems
    found = pipeline.lint(document, shipped, repair=False).findings
    assert [one.message for one in found if one.severity is Severity.ERROR] == []


@pytest.mark.parametrize(("text", "results"), PARTS)
def test_what_is_said_to_follow_follows(text: str, results: str, tmp_path: object) -> None:
    path = f"{tmp_path}/design.yaml"
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(text)
    for line in results.splitlines():
        printed = designlint("why", path, line.partition(" = ")[0]).out
        assert re.sub(r"   .*", "", printed.splitlines()[0]) == line
