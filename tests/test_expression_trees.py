"""Trees of expressions: what authors are told, which way an answer moves, and how a calculation is said to people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from designlint.configuration import engine
from designlint.expressions import condition
from designlint.expressions.directions import directions, sign
from designlint.expressions.evaluation import evaluate, of_values
from designlint.expressions.operators import OPERATORS
from designlint.expressions.parser import parse
from designlint.expressions.tokens import ExpressionError
from designlint.expressions.tree import Let, Operation, collect_names, fold
from designlint.expressions.writing import spoken, write_expression
from designlint.graph.asking import AskedGraph
from designlint.graph.subjects import Graph
from designlint.judging import asking

from .running import ROOT
from .test_expressions import WORDS, about, resolve

if TYPE_CHECKING:
    from designlint.expressions.tree import Node

COUNTS = st.recursive(
    st.sampled_from(["?a", "?b", "?c", "2", "-1", "0.5"]),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner),
        st.builds("{}({})".format, st.sampled_from(["ABS", "FLOOR", "CEIL", "ROUND", "-"]), inner),
        st.builds("IF(?f, {}, {})".format, inner, inner),
    ),
    max_leaves=5,
)
CONDITIONS = st.recursive(
    st.builds("({} {} {})".format, COUNTS, st.sampled_from(["<", "<=", ">", ">=", "="]), COUNTS),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["&&", "||"]), inner), st.builds("!{}".format, inner)
    ),
    max_leaves=3,
)


@settings(max_examples=700, deadline=None)
@given(CONDITIONS, st.tuples(*[st.integers(0, 12)] * 3), st.sampled_from("abc"), st.integers(1, 20))
def test_an_answer_moves_no_other_way_than_its_direction_says(
    text: str, counts: tuple[int, int, int], name: str, more: int
) -> None:
    node = parse(text, resolve)
    said = directions(node).get(name)
    facts: dict[str, Any] = {"f": True, **dict(zip("abc", counts, strict=True))}
    before, after = (evaluate(node, about(one)) for one in (facts, facts | {name: facts[name] + more}))
    event(f"{said}: {before} to {after}")
    assert not (said == "up" and before is True and after is False), write_expression(node)
    assert not (said == "down" and before is False and after is True), write_expression(node)
    assert not (said is None and before is not after), write_expression(node)


@pytest.mark.parametrize(
    ("text", "says", "at"),
    [
        ("EXISTS { ?a ?b ?c }", "a pattern such as EXISTS needs a whole SELECT", "EXISTS"),
        ("?a < ?b < ?c", "comparisons do not chain", "<"),
        ("?a && ?x", "no word `x`", "?x"),
        ("!" * 100 + "?f", "at most 40 levels deep", "!"),
        ('REGEX(?t, "x") || ?f', "`REGEX` is not a function of expressions", "REGEX"),
        ("?a ?b", "`?b` where the end is expected", "?b"),
        ("?a <= ", "a value is missing at the end", ""),
        ('?a <= "8"', "takes values of one type, not a number and a text", '?a <= "8"'),
        ("?f < ?g", "cannot order a flag", "?f < ?g"),
        ("?a && ?f", "`&&` takes a flag, not a number", "?a && ?f"),
        ("IF(?f, 1)", "`IF` takes 3 arguments, not 2", "IF(?f, 1)"),
        ("(?a <= 1", "the end where `)` is expected", ""),
        ("BOUND(?a + 1)", "`BOUND` takes a ?word", "BOUND(?a + 1)"),
        ("?a = 1e999", "beyond what a computer's number holds", "1e999"),
    ],
)
def test_faults_have_their_place(text: str, says: str, at: str) -> None:
    with pytest.raises(ExpressionError, match=r"(?s).*") as caught:
        parse(text, resolve)
    assert says in str(caught.value)
    assert text[caught.value.start : caught.value.end] == at


def test_computed_values_do_not_multiply_without_end() -> None:
    body: Node = WORDS["a"]
    for number in range(30):
        body = Let(f"l{number}", "", Operation("+", (body, body)))
    with pytest.raises(ExpressionError, match="at most 2000 parts"):
        parse("?top", lambda _: Let("top", "", body))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("?a <= ?most", {"a": "down", "most": "up"}),
        ("!(?a <= ?most)", {"a": "up", "most": "down"}),
        ("?a / ?b >= ?c * ?most", {"a": "up", "b": "down", "c": "down", "most": "down"}),
        ("?a * ?low <= ?b", {"a": "up", "low": "down", "b": "up"}),
        ("?a - ?b <= ?c", {"a": "down", "b": "up", "c": "up"}),
        ("?c * (?a - ?b) <= 1", {"c": "both", "a": "down", "b": "up"}),
        ("FLOOR(?a / ?b) * ?b = ?a", {"a": "both", "b": "both"}),
        ("IF(?f, ?a, ?b) <= ?c", {"f": "both", "a": "down", "b": "down", "c": "up"}),
        ("COALESCE(?a, ?b) <= ?c && !?f", {"a": "down", "b": "down", "c": "up", "f": "down"}),
        ("?sum <= ?most || ?a > 3", {"a": "both", "b": "down", "most": "up"}),
    ],
)
def test_directions(text: str, said: dict[str, str]) -> None:
    assert directions(parse(text, resolve)) == said


def test_a_sign_is_known_through_calculations() -> None:
    assert [sign(parse(text, resolve)).value for text in ("?a * ?b", "?low * ?a", "?a - ?b", "?a - -1", "ABS(?a - ?b)")] == [
        1, -1, 0, 1, 1,
    ]  # fmt: skip


def test_a_tree_folds_from_its_leaves() -> None:
    node = parse("?sum * 2 <= ?most", resolve)
    assert fold(node, lambda one, below: 1 + max(below, default=0)) == 5
    assert list(collect_names(node)) == ["sum", "a", "b", "most"]
    assert list(collect_names(node, inside=False)) == ["sum", "most"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("?a * (?b + 1)", "a × (b + 1)"),
        ("?sum / 2", "sum / 2"),
        ("?a - (?b - ?c)", "a - (b - c)"),
        ("IF(?f, ?a, ?b)", ""),
        ("LCASE(?t)", ""),
        ("?a + " * 20 + "?b", ""),
    ],
)
def test_calculations_are_said_to_people(text: str, words: str) -> None:
    assert spoken(parse(text, resolve)) == words


def test_every_operator_is_documented() -> None:
    page = (ROOT / "docs/expressions.md").read_text("utf-8").replace("\\|", "|")
    assert [
        name for name in OPERATORS if f"`{name}`" not in page and f"`{name}(" not in page and f"`{name} (" not in page
    ] == []


def test_a_limit_that_a_configuration_sets_decides_and_is_asked_for() -> None:
    rule = engine.shipped_engine().rules["network/leaf-oversubscribed"]
    looser = rule.with_limit("most", replace(rule.texts.limits["most"], value=2.5, text="2.5"))
    assert rule.condition is not None
    assert looser.condition is not None
    facts = {"working_oversubscription": 2.0}
    assert [evaluate(one.condition.judge, facts, of_values) for one in (rule, looser) if one.condition] == [
        False,
        True,
    ]
    assert "BIND(2.5e0 AS ?most)" in looser.sparql
    assert looser.texts.limits["most"].text == "2.5"
    assert "2.5" not in rule.sparql


def test_each_of_several_values_is_judged() -> None:
    subject = about({"a": [1, 9], "b": [2, 3, 4]})
    judge = condition.data(parse("?a <= ?b", resolve), None, {name: WORDS[name] for name in "ab"}, ())
    rule = replace(engine.shipped_engine().rules["network/leaf-oversubscribed"], stated=judge, made=None)
    graph = Graph(engine.shipped_engine().vocabulary, {"it": subject}, {rule.about: [subject]})
    found = asking.judge(rule, AskedGraph(graph, tuple, tuple))
    assert [(one.values["a"], one.values["b"], str(one.verdict)) for one in found] == [
        (1, 2, "pass"), (1, 3, "pass"), (1, 4, "pass"), (9, 2, "fail"), (9, 3, "fail"), (9, 4, "fail"),
    ]  # fmt: skip
    subject.facts["a"] = list(range(2000))
    assert [str(one.verdict) for one in asking.judge(rule, AskedGraph(graph, tuple, tuple))] == ["unknown"]
