"""Every example of every shipped rule: marked lines, exact words, what is missing, and that the fix cures."""

from __future__ import annotations

import pytest

from designlint.compiler import examples, rule_files
from designlint.configuration import engine
from designlint.language import resources
from designlint.running.examples import WAIVERS, faults

ENGINE = engine.shipped()
EXAMPLES = [
    one
    for source in rule_files.in_folder(resources.rules())
    for one in examples.of_source(source, ENGINE.rules[source.id], ENGINE.vocabulary)
]


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{one.rule}-{one.kind}-{one.number}" for one in EXAMPLES])
def test_example(example: examples.Example) -> None:
    assert faults(example, ENGINE.rules[example.rule], ENGINE) == []


@pytest.mark.parametrize("name", ENGINE.rules)
def test_rule_has_every_kind_of_example(name: str) -> None:
    found = [one for one in EXAMPLES if one.rule == name]
    assert list(examples.gaps(ENGINE.rules[name], found)) == []


@pytest.mark.parametrize("name", [name for name, rule in ENGINE.rules.items() if rule.texts.fixes])
def test_a_fix_is_shown_to_cure(name: str) -> None:
    bad = [one for one in EXAMPLES if one.rule == name and one.kind == "bad"]
    fixes = ENGINE.rules[name].texts.fixes
    shown = [one for one in bad if one.stated.get("fixed")]
    assert shown or name.startswith(WAIVERS) or all(fix.safety == "display" for fix in fixes)


@pytest.mark.parametrize("name", ENGINE.rules)
def test_texts_are_sentences(name: str) -> None:
    rule = ENGINE.rules[name]
    assert str(rule.texts.remedy).rstrip().endswith(".")
    assert rule.texts.problem.rstrip().endswith(".")
    assert not rule.texts.title.endswith(".")
