"""Every example of every shipped rule: marked lines, exact words, what is missing, and that the fix cures."""

from __future__ import annotations

import pytest

from designlint.compiler import examples
from designlint.configuration import engine
from designlint.running.examples import WAIVERS, faults

ENGINE = engine.shipped_engine()


@pytest.mark.parametrize("name", ENGINE.rules)
def test_a_rule_answers_as_its_examples_say(name: str) -> None:
    rule = ENGINE.rules[name]
    found = examples.of_rule(rule, ENGINE.vocabulary)
    answers = {f"{one.kind} {one.number}": faults(one, rule, ENGINE) for one in found}
    assert {example: wrong for example, wrong in answers.items() if wrong} == {}
    assert list(examples.gaps(rule, found)) == []
    cured = any(one.kind == "bad" and one.stated.get("fixed") for one in found)
    offered = any(fix.safety != "display" for fix in rule.texts.fixes) and not name.startswith(WAIVERS)
    assert cured or not offered, "no example shows that the fix cures"


def test_texts_are_sentences() -> None:
    texts = {name: rule.texts for name, rule in ENGINE.rules.items()}
    assert [name for name, one in texts.items() if not str(one.remedy).rstrip().endswith(".")] == []
    assert [name for name, one in texts.items() if not str(one.problem).rstrip().endswith(".")] == []
    assert [name for name, one in texts.items() if one.title.endswith(".")] == []


def test_what_a_rule_says_in_general_names_its_limits() -> None:
    problem = ENGINE.rules["checkpoint/first-after-a-day"].standard.problem
    assert "The limit of 24 h is" in problem
    said = [text for rule in ENGINE.rules.values() for text in (rule.standard.problem, rule.standard.remedy)]
    assert [text for text in said if "{" in text] == []
