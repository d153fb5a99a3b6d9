"""Conditions that were written in Python: they answer as their trees do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from designlint.compiler import bundle
from designlint.configuration import engine
from designlint.expressions import condition, python
from designlint.expressions.evaluation import UNMET, SeveralError
from designlint.expressions.parser import parse
from designlint.expressions.tree import Let, Limit, Number, Operation, Type, WordNode, collect_names
from designlint.linting import pipeline
from designlint.reading import read_bytes

from .running import ROOT
from .test_expressions import VALUES, WORDS, about, grown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from designlint.expressions.condition import Condition
    from designlint.expressions.tree import Named, Node
    from designlint.graph.subjects import Subject

#: Where some of the words stand.
PATHS = {"a": ("a",), "b": ("part", "b"), "f": ("part", "inner", "f"), "t": ("part", "t")}
NESTED = {
    name: WordNode(name, PATHS.get(name, (name,)), one.kind, one.type, many=name == "c") for name, one in WORDS.items()
}
COUNTS = st.one_of(VALUES[Type.NUMBER], st.sampled_from([2**53 + 1, -(2**60)]))
SEVERAL = st.lists(COUNTS, max_size=3)
TEXTS = VALUES[Type.TEXT]
INNER = st.fixed_dictionaries({}, optional={"f": st.booleans()})
PART = st.fixed_dictionaries({}, optional={"b": COUNTS, "t": TEXTS, "inner": INNER})
FACTS = st.fixed_dictionaries(
    {},
    optional={
        "a": COUNTS, "c": SEVERAL, "u": TEXTS, "g": st.booleans(), "d": VALUES[Type.DATE], "e": VALUES[Type.DATE],
        "part": st.one_of(PART, st.just("elsewhere"), st.just([])),
    },
)  # fmt: skip


def resolve(name: str) -> Named:
    known: dict[str, Named] = {**NESTED, "most": Limit("most", "Count", 8)}
    known["sum"] = Let("sum", "Count", Operation("+", (NESTED["a"], NESTED["b"])))
    return known[name]


def subject(facts: dict[str, Any]) -> Subject:
    """A subject with these facts, and with parts where they are mappings."""
    return about({word: subject(one) if isinstance(one, dict) else one for word, one in facts.items()})


def made(judge: str, when: str) -> Condition:
    roots = [parse(judge, resolve), *([parse(when, resolve)] if when else [])]
    names = {name: one for root in roots for name, one in collect_names(root).items()}
    return condition.condition("Workload", condition.data(roots[0], roots[1] if when else None, names, ()))


def written(one: Condition) -> python.Written:
    return partial(python.write_condition, one)


def asked(answer: Callable[[Any], Any], one: Any) -> Any:
    try:
        return answer(one)
    except SeveralError:
        return SeveralError


@settings(max_examples=1500, deadline=None)
@given(grown(Type.FLAG), st.one_of(st.just(""), grown(Type.FLAG, 2)), FACTS)
def test_random_conditions_answer_alike(judge: str, when: str, facts: dict[str, Any]) -> None:
    one = made(judge, when)
    there = asked(one.evaluate_tree, subject(facts))
    event(str(there))
    assert asked(python.function(one), subject(facts)) is there


@pytest.mark.parametrize(
    ("judge", "when", "facts", "answer"),
    [
        ("?a <= ?most && ?sum > 0", "", {"a": 8, "part": {"b": -7}}, True),
        ("?a <= ?most && ?sum > 0", "", {"a": 9, "part": []}, False),
        ("?a <= ?most && ?sum > 0", "", {"a": 8, "part": []}, SeveralError),
        ("?b > 1 || ?f", "", {"part": {"b": 1, "inner": {"f": True}}}, True),
        ("?b > 1", "?f", {"part": {"b": 2, "inner": {"f": False}}}, UNMET),
        ("?b > 1", "?f", {"part": {"b": 2}}, None),
        ("?c = 1", "", {"c": [1]}, True),
        ("?c = 1", "", {"c": [1, 2]}, SeveralError),
        ("?a = ?c", "", {"c": [1, 2]}, None),
        ("!BOUND(?f)", "", {"part": {"inner": {}}}, True),
        ('?u IN ("it\'s", "\\"x\\"")', "", {"u": "it's"}, True),
    ],
)
def test_answers(judge: str, when: str, facts: dict[str, Any], answer: Any) -> None:
    one = made(judge, when)
    assert asked(python.function(one), subject(facts)) is answer
    assert asked(one.answer, subject(facts)) is answer


def test_what_is_too_deep_for_blocks_is_left_out() -> None:
    deep: Node = NESTED["a"]
    for _ in range(120):
        deep = Operation("+", (NESTED["b"], deep))
    names = {name: NESTED[name] for name in "ab"}
    left = condition.condition("Workload", condition.data(Operation(">", (deep, Number(1))), None, names, ()))
    found: dict[str, Any] = dict(python.NAMES)
    exec(python.module({"deep": written(left), "flat": written(made("?a > 1", ""))}, "now"), found)
    assert found[python.TABLE].keys() == {"flat"}
    assert found[python.TABLE]["flat"](subject({"a": 2})) is True


@pytest.mark.parametrize("name", ["superpod-4su/design.yaml", "hawk-4096/design.yaml"])
def test_all_rules_answer_alike(name: str) -> None:
    text = (ROOT / "examples" / name).read_bytes()
    design = pipeline.read_design(read_bytes(text, name), engine.shipped_engine())
    asked_of = 0
    for rule in engine.shipped_engine().rules.values():
        held = rule.condition
        for one in design.graph.by_class.get(rule.about, ()) if held is not None else ():
            assert held is not None
            assert asked(python.function(held), one) is asked(held.evaluate_tree, one), rule.id
            asked_of += 1
    assert asked_of > 300


def test_the_bundle_has_a_function_for_every_condition_and_takes_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "_home", lambda: tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    stamp = bundle.load()["stamp"]
    rules = {name: one for name, one in engine.shipped_engine().rules.items() if one.condition is not None}
    text = python.module(
        {name: written(one.condition) for name, one in rules.items() if one.condition is not None}, stamp
    )
    (tmp_path / bundle.FUNCTIONS).write_text(text, "utf-8")
    found = bundle._generated_functions.__wrapped__()
    assert found.keys() == rules.keys()
    rule = rules["parallelism/tensor-beyond-scale-up-domain"]
    held = condition.condition(rule.about, rule.stated or {}, {}, lambda: found[rule.id])
    assert held.answer(about({})) is None
    limited = condition.condition(
        "Workload", condition.data(parse("?a <= ?most", resolve), None, {n: resolve(n) for n in ("a", "most")}, ()),
        {"most": 3}, lambda: python.function(made("?a <= ?most", "")),
    )  # fmt: skip
    assert (limited.answer(about({"a": 3})), limited.answer(about({"a": 4}))) == (True, False)


def test_functions_of_another_bundle_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle.load()  # what is compiled anew would be written to the folder below
    monkeypatch.setattr(bundle, "_home", lambda: tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    (tmp_path / bundle.FUNCTIONS).write_text(python.module({"one": written(made("?a > 1", ""))}, "another"), "utf-8")
    assert bundle._generated_functions.__wrapped__() == {}
    (tmp_path / bundle.FUNCTIONS).unlink()
    assert bundle._generated_functions.__wrapped__() == {}


def test_a_file_that_changes_while_it_is_compiled_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, whole = ["before"], bundle.compile_all()

    def compiling() -> dict[str, Any]:
        now[0] = "after"
        return whole

    monkeypatch.setattr(bundle, "_home", lambda: tmp_path)
    monkeypatch.setattr(bundle, "_stamp", lambda: now[0])
    monkeypatch.setattr(bundle, "compile_all", compiling)
    assert bundle._compile_bundle.__wrapped__()[0]["stamp"] == "before"
