"""Wherever a source is cited, how its content is known stands beside it; explanations leave nothing out."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from designlint.compiler import principles
from designlint.compiler.sources import bibliography
from designlint.configuration import engine
from designlint.language.citations import LABELS, cite_source
from designlint.report import coverage
from tests.running import ROOT, designlint

if TYPE_CHECKING:
    from pathlib import Path

ENGINE = engine.shipped_engine()
HAWK = ROOT / "examples/hawk-4096"
KNOWN = "|".join(LABELS.values())


def test_every_source_says_how_it_is_known() -> None:
    assert bibliography()["nvidia-h100-datasheet"].confidence in LABELS
    assert cite_source("zero-2020", "from-memory") == "zero-2020, from memory"
    assert cite_source("our-handbook", "") == "our-handbook"
    used = {source for rule in ENGINE.rules.values() for source in rule.texts.sources}
    assert used <= bibliography().keys()


def test_findings_say_how_limits_and_figures_are_known() -> None:
    limits = [(one["rule"], limit) for one in designlint("check", HAWK, "--format", "json").data["findings"]
              for limit in one["limits"].values()]  # fmt: skip
    assert limits
    assert [(limit["origin"], limit["confidence"]) for _, limit in limits] == [
        (limit["origin"], bibliography()[limit["origin"]].confidence) for _, limit in limits
    ]
    text = designlint("check", HAWK).out
    assert "limit most 1.1 (hpn-2024, verified)" in text
    assert "(dgx-h100 in the catalogue, verified)" in text
    told = designlint("check", HAWK, "--format", "sarif").data["runs"][0]["tool"]["driver"]["rules"]
    helped = "\n".join(rule["help"]["text"] for rule in told)
    assert re.search(rf"Sources: [a-z0-9-]+, ({KNOWN})", helped)


def test_a_limit_of_the_configuration_cites_its_setting_alone(tmp_path: Path) -> None:
    shutil.copyfile(HAWK / "design.yaml", tmp_path / "design.yaml")
    text = '[limits."network/leaf-oversubscribed"]\nmost = {value = "1.5", reason = "storage only"}\n'
    (tmp_path / "designlint.toml").write_text(text, "utf-8")
    found = designlint("check", "--format", "json", cwd=tmp_path).data["findings"]
    limit = next(one for one in found if one["rule"] == "network/leaf-oversubscribed")["limits"]["most"]
    told = "designlint.toml:2, instead of 1.1 (hpn-2024, verified): storage only"
    assert (limit["origin"], "confidence" in limit) == (told, False)


@pytest.mark.parametrize("what", ["training_time", "memory_per_gpu"])
def test_why_says_of_every_source_how_it_is_known(what: str) -> None:
    told = re.findall(
        r"   \[([^\]]+)\]$| \[([^\]]+)\]\)$", designlint("why", HAWK / "design.yaml", what).out, re.MULTILINE
    )
    sources = [source for groups in told for source in "".join(groups).split("; ")]
    assert len(sources) > 3
    assert [one for one in sources if not re.fullmatch(rf"[a-z0-9-]+, ({KNOWN})", one)] == []


def test_explain_shows_every_let_and_how_sources_are_known() -> None:
    for rule in ("power/feeds-overloaded", "network/leaf-oversubscribed"):
        text = designlint("explain", rule).out
        for name, expression in ENGINE.rules[rule].texts.lets.items():
            assert f"# ?{name} is\n{expression.strip()}\n" in text
        assert all(
            f"{cite_source(source, bibliography()[source].confidence)}" in text
            for source in ENGINE.rules[rule].texts.sources
        )
    assert len(ENGINE.rules["power/feeds-overloaded"].texts.lets) > 2


def test_coverage_says_how_documents_are_known() -> None:
    rows = principles.coverage(ENGINE.rules)
    assert {row.principle.source for row in rows} >= {"technical-guide, verified"}
    assert "Sources (secondary source): " in coverage.of_rules(rows, "text")
    assert '"confidence": "secondary"' in coverage.of_rules(rows, "json")
    alone = [replace(rows[0], principle=replace(rows[0].principle, document="x", confidence="secondary"))]
    assert "| x, secondary source |" in coverage.of_rules(alone, "markdown")
