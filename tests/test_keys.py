"""What names a finding: unique in a design, and the same however it is written down."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from msgspec.structs import replace

from designlint.compiler import examples
from designlint.configuration import engine as engines
from designlint.linting import pipeline
from designlint.reading import read_bytes
from tests.running import ROOT

if TYPE_CHECKING:
    from designlint.findings.model import Finding
    from designlint.rules.engine import Engine

ENGINE = replace(engines.shipped_engine(), today="2026-11-20")
RULES = list(ENGINE.rules)
DESIGNS = sorted((ROOT / "tests/mutation/designs").rglob("*.yaml")) + sorted((ROOT / "examples").rglob("design.yaml"))


def findings(text: str, chosen: Engine = ENGINE) -> list[Finding]:
    return pipeline.lint(read_bytes(text.encode(), "design.yaml"), chosen, repair=False).findings


def keys(text: str) -> set[tuple[str, str, str]]:
    return {one.key for one in findings(text)}


@pytest.mark.parametrize("topic", sorted({rule.partition("/")[0] for rule in RULES}))
def test_no_two_findings_of_the_bad_examples_have_one_key_without_a_number(topic: str) -> None:
    for rule in (one for one in RULES if one.startswith(f"{topic}/")):
        alone = replace(ENGINE, rules={rule: ENGINE.rules[rule]})
        for example in examples.of_rule(ENGINE.rules[rule], ENGINE.vocabulary):
            if example.kind == "bad":
                found = [one for one in findings(example.design, alone) if one.rule == rule]
                assert len({one.key for one in found}) == len(found)
                assert not any("#" in one.constraint for one in found), f"{rule}: state `each`"


@pytest.mark.parametrize("path", DESIGNS, ids=lambda path: Path(path).parent.name + "/" + Path(path).stem)
def test_no_two_findings_of_a_design_have_one_key(path: Path) -> None:
    counted = Counter(one.key for one in findings(path.read_text("utf-8")))
    assert [key for key, number in counted.items() if number > 1] == []


@pytest.mark.parametrize("path", DESIGNS[:6], ids=lambda path: Path(path).parent.name + "/" + Path(path).stem)
def test_keys_stay_when_a_design_is_written_anew(path: Path) -> None:
    """All comments gone, all layout changed, sections and list items in another order."""
    text = path.read_text("utf-8")
    plain = yaml.load(text, yaml.BaseLoader)
    turned = {
        key: value[::-1] if isinstance(value, list) and key != "extends" else value for key, value in plain.items()
    }
    first = turned.pop("designlint")
    anew = yaml.safe_dump({"designlint": first} | dict(reversed(turned.items())), sort_keys=False, width=40)
    assert keys(anew.replace("'", "")) == keys(text)


def test_an_unnamed_item_is_told_by_what_it_states() -> None:
    text = "designlint: 1\nevidence:\n" + "".join(
        f"  - {{for: training-cluster-195/step-{number}, by: facilities}}\n" for number in (93, 1)
    )
    undated = {key for key in keys(text) if key[0] == "evidence/undated"}
    assert undated == {
        ("evidence/undated", f"evidence/for=training-cluster-195%2Fstep-{number}", "for") for number in (93, 1)
    }


def test_a_fault_of_the_shape_has_a_place_of_its_own() -> None:
    workloads = "workloads:\n  - name: a\n    parallelism: {tensr: 8, pipeline: x}\n  - {name: b, tensr: 1}\n"
    text = f"designlint: 1\n{workloads}storage: 3\n"
    told = {(one.rule, one.subject, one.constraint) for one in findings(text) if one.rule.startswith("shape/")}
    assert told == {
        ("shape/unknown-word", "workloads/a/parallelism", "tensr"),
        ("shape/wrong-type", "workloads/a/parallelism", "pipeline"),
        ("shape/unknown-word", "workloads/b", "tensr"),
        ("shape/wrong-type", "", "storage"),
    }
