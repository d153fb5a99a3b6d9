"""No text of a finding prints a value that is not known, whatever fact a design leaves out."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from msgspec.structs import replace

from designlint.compiler import examples
from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.findings.model import Verdict
from designlint.fixes.repairs import propose_repairs
from designlint.judging.asking import judge
from designlint.judging.doubts import deciding_words
from designlint.judging.findings import of_judgement
from designlint.reading import read_bytes
from designlint.running.examples import DAY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.expressions.templates import Template
    from designlint.rules.rule import CompiledRule

SHIPPED = engine.shipped_engine()
#: Examples with these are no design alone.
BESIDE = {"before", "built", "files", "baseline"}
OPEN = re.compile(r"\bunknown\b")


def less(data: Any, root: Any) -> Iterator[str]:
    """A design without each of its facts."""
    for key, below in list(data.items() if isinstance(data, dict) else enumerate(data)):
        if isinstance(below, dict | list):
            yield from less(below, root)
        elif isinstance(data, dict):
            del data[key]
            yield json.dumps(root, default=str)
            data[key] = below


def designs(rule: CompiledRule) -> Iterator[str]:
    """The bad examples of a rule, whole and without each of their facts."""
    for one in examples.of_rule(rule, SHIPPED.vocabulary):
        if one.kind == "bad" and not BESIDE & one.stated.keys():
            yield one.design
            data = yaml.load(one.design, Loader=yaml.CSafeLoader)
            yield from less(data, data)


def said(rule: CompiledRule) -> Iterator[tuple[str, Template]]:
    """What the rule says of its bad examples, whole and without each of their facts, beside the template of each text."""
    alone = replace(SHIPPED, rules={rule.id: rule}, today=DAY)
    steps, texts = SHIPPED.plan.needed_steps(deciding_words([rule], SHIPPED.vocabulary)), rule.texts
    for text in designs(rule):
        design = read_design(read_bytes(text.encode(), "design.yaml"), alone, steps=steps)
        for one in judge(rule, design.judged):
            if one.verdict is Verdict.FAIL:
                finding = of_judgement(one, alone)
                yield from ((finding.message, texts.message), (finding.remedy, texts.remedy))
                if not any(fix.planned for fix in texts.fixes):
                    yield from ((fix.title, texts.fixes[0].title) for fix, _ in propose_repairs(one, design))


def values(rule: CompiledRule) -> set[str]:
    """What the texts of a rule that judges a graph name, beside its limits."""
    texts = rule.texts
    templates = (texts.message, texts.remedy, *(one.title for one in texts.fixes))
    return set() if rule.built_in else {name for one in templates for name in one.names} - {*texts.limits, "focus"}


@pytest.mark.parametrize("topic", sorted({name.partition("/")[0] for name in SHIPPED.rules}))
def test_a_text_prints_no_value_that_is_not_known(topic: str) -> None:
    rules = [one for one in SHIPPED.rules.values() if one.id.startswith(f"{topic}/") and values(one)]
    assert {
        (one.id, words)
        for one in rules
        for words, template in said(one)
        if len(OPEN.findall(words)) > len(OPEN.findall(template.fill(lambda _: "")))
    } == set()
