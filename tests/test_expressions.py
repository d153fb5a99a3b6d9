"""Expressions: what they answer, what SPARQL answers to the same, how they are read and written, and what authors are told."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from designlint.configuration import engine
from designlint.expressions import limits, sparql, tree
from designlint.expressions.evaluation import evaluate
from designlint.expressions.parser import parse, type_of
from designlint.expressions.tree import Let, Limit, Operation, Type, WordNode, decode_node, encode_node
from designlint.expressions.writing import write_expression
from designlint.graph.rdf import term
from designlint.graph.subjects import Subject
from designlint.judging.asking import judge
from designlint.language.vocabulary import NAMESPACE
from designlint.linting import pipeline
from designlint.reading import read_bytes

from .corpus.convert import designs
from .mutation import harness
from .running import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.expressions.tree import Named, Node

NUMBER, TEXT, FLAG, DATE = Type.NUMBER, Type.TEXT, Type.FLAG, Type.DATE
KINDS = {NUMBER: "Count", TEXT: "Text", FLAG: "Flag", DATE: "Date"}
WORDS = {
    name: WordNode(name, (name,), KINDS[of], of)
    for of, names in {NUMBER: "abc", TEXT: "tu", FLAG: "fg", DATE: "de"}.items()
    for name in names
}
VALUES = {
    NUMBER: st.one_of(
        st.integers(-20, 200),
        st.integers(10**15, 2**53 - 1),  # a text of a larger number is that of its double
        st.floats(-1e3, 1e6, allow_subnormal=False),
        st.sampled_from([0, 0.1, 1.1, 2**53, 1e300]),
    ),
    TEXT: st.sampled_from(["", "ring", "Ring", "fat-tree", "ß", "İ", "12", "+5", " 7", "9007199254740993", "1.2"]),
    FLAG: st.booleans(),
    DATE: st.sampled_from(["2026-11-20", "2025-01-01", "2027-03-31"]),
}
FACTS = st.fixed_dictionaries({}, optional={name: VALUES[one.type] for name, one in WORDS.items()})
LITERALS = {
    NUMBER: ["0", "1", "8", "-3", "0.5", "1.1", "0.02", "1000000000000.0", "1e-05", "2.5e3", "9007199254740993"],
    TEXT: ['"ring"', '"fat-tree"', '""', '"a\\"b"', '"."'],
    FLAG: ["true", "false"],
    DATE: [],
}


def deferred(of: Type, depth: int) -> st.SearchStrategy[str]:
    return st.deferred(lambda: grown(of, depth))


def grown(of: Type, depth: int = 3) -> st.SearchStrategy[str]:
    """Expressions of a type, made of smaller ones."""
    leaves = st.sampled_from([*(f"?{name}" for name, one in WORDS.items() if one.type is of), *LITERALS[of]])
    if depth == 0:
        return leaves
    inner = {one: deferred(one, depth - 1) for one in KINDS}
    n, t, f = inner[NUMBER], inner[TEXT], inner[FLAG]
    made = {
        NUMBER: [
            st.builds("({} {} {})".format, n, st.sampled_from("+-*/"), n),
            st.builds("{}({})".format, st.sampled_from(["ABS", "FLOOR", "CEIL", "ROUND", "-"]), n),
            st.builds("STRLEN({})".format, t),
            st.builds("xsd:integer({})".format, t),
        ],
        TEXT: [
            st.builds("{}({}, {})".format, st.sampled_from(["CONCAT", "STRBEFORE", "STRAFTER"]), t, t),
            st.builds("{}({})".format, st.sampled_from(["LCASE", "UCASE"]), t),
            st.builds("STR({})".format, n),
        ],
        FLAG: [
            st.builds("({} {} {})".format, f, st.sampled_from(["||", "&&", "=", "!="]), f),
            st.builds("({} {} {})".format, n, st.sampled_from(["=", "!=", "<", ">", "<=", ">="]), n),
            st.builds("({} {} {})".format, inner[DATE], st.sampled_from(["=", "!=", "<", ">="]), inner[DATE]),
            st.builds("!{}".format, f),
            st.builds("({} {} ({}, {}))".format, n, st.sampled_from(["IN", "NOT IN"]), n, n),
            st.builds('({} {} ("ring", "fat-tree"))'.format, t, st.sampled_from(["IN", "NOT IN"])),
            st.builds("{}({}, {})".format, st.sampled_from(["STRSTARTS", "STRENDS", "CONTAINS"]), t, t),
            st.builds("BOUND(?{})".format, st.sampled_from(list(WORDS))),
        ],
        DATE: [],
    }
    same = inner[of]
    chosen = [st.builds("IF({}, {}, {})".format, f, same, same), st.builds("COALESCE({}, {})".format, same, same)]
    return st.one_of(leaves, *made[of], *chosen)


EXPRESSIONS = {of: grown(of) for of in (NUMBER, TEXT, FLAG)}


def resolve(name: str) -> Named:
    """What a name stands for in these tests. Raises LookupError."""
    known: dict[str, Named] = {**WORDS, "most": Limit("most", "Count", 8), "low": Limit("low", "Ratio", -0.5)}
    known["sum"] = Let("sum", "Count", Operation("+", (WORDS["a"], WORDS["b"])))
    if name not in known:
        raise LookupError(f"no word `{name}`")
    return known[name]


def about(facts: dict[str, Any]) -> Subject:
    subject = Subject("it", "Workload", None, None)
    subject.facts |= facts
    return subject


def asked(node: Node, facts: dict[str, Any]) -> Any:
    """What the query engine answers; None for unbound."""
    store, it = ox.Store(), ox.NamedNode("design:it")
    for name, fact in facts.items():
        store.add(ox.Quad(it, ox.NamedNode(f"{NAMESPACE}{name}"), term(WORDS[name].kind, fact)))
    reads = " ".join(f"OPTIONAL {{ <design:it> :{name} ?{name} }}" for name in WORDS)
    prefixes = f"PREFIX : <{NAMESPACE}> PREFIX xsd: <{limits.XSD}>"
    found = store.query(f"{prefixes} SELECT (({sparql.expression(node)}) AS ?ok) WHERE {{ {reads} }}")
    assert isinstance(found, ox.QuerySolutions)
    (row,) = found
    value = row["ok"]
    if not isinstance(value, ox.Literal):
        return None
    kind = value.datatype.value.removeprefix(limits.XSD)
    return (
        float(value.value)
        if kind in ("integer", "double")
        else value.value == "true"
        if kind == "boolean"
        else value.value
    )


@pytest.mark.parametrize("of", [NUMBER, TEXT, FLAG])
@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_random_expressions_answer_as_the_query_engine_does(of: Type, data: st.DataObject) -> None:
    text, facts = data.draw(EXPRESSIONS[of]), data.draw(FACTS)
    node = parse(text, resolve)
    here, there = evaluate(node, about(facts)), asked(node, facts)
    event(f"{of} {'unknown' if here is None else 'known'}")
    assert (here is None) is (there is None), sparql.expression(node)
    assert here == there or here != here, sparql.expression(node)


@pytest.mark.parametrize("of", [NUMBER, TEXT, FLAG])
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_what_is_written_and_kept_is_read_as_the_same(of: Type, data: st.DataObject) -> None:
    node = parse(data.draw(EXPRESSIONS[of]), resolve)
    assert parse(write_expression(node), resolve) == node
    assert decode_node(encode_node(node), {f"?{name}": one for name, one in WORDS.items()}) == node
    assert type_of(node) in (of, Type.ANY)


@pytest.mark.parametrize(
    ("text", "facts", "answer"),
    [
        ("FLOOR(?a / ?b) * ?b = ?a", {"a": 7, "b": 3}, False),
        ("FLOOR(?a / ?b) * ?b = ?a", {"a": 9, "b": 3}, True),
        ("?a <= 1.1", {"a": 1.1}, True),
        ("?a * 0.1 <= 1", {"a": 10}, True),
        ("?f || ?g", {"f": True}, True),
        ("?f && ?g", {"g": False}, False),
        ("?f && ?g", {"g": True}, None),
        ('?t IN ("ring", "torus")', {}, None),
        ("!BOUND(?a)", {}, True),
        ("?d < ?d", {"d": "2026-11-20"}, False),
        ("?a / ?b > 1", {"a": 1, "b": 0}, None),
        ("IF(?a > 1, 1/0, ?a) = 1", {"a": 1}, True),
        ("COALESCE(1/0, ?a) = 2", {"a": 2}, True),
        ("ROUND(2.5) = 3 && ROUND(-2.5) = -2", {}, True),
        ('xsd:integer(STRBEFORE(CONCAT(?t, "."), ".")) >= 12', {"t": "12.4"}, True),
        ("xsd:integer(?t) > 1", {"t": "latest"}, None),
        ("?sum <= ?most", {"a": 3, "b": 5}, True),
    ],
)
def test_answers(text: str, facts: dict[str, Any], answer: bool | None) -> None:
    assert evaluate(parse(text, resolve), about(facts)) is answer


def test_nothing_has_no_sign() -> None:
    for text in ("STR(CEIL(-(0.5)))", "STR(-(0.0))"):
        node = parse(text, resolve)
        assert evaluate(node, about({})) == asked(node, {}) == "0"


def some_designs() -> Iterator[str]:
    """Examples, mutations of whole designs and published ones: a few of each."""
    yield from (path.read_text("utf-8") for path in sorted((ROOT / "examples").rglob("*.yaml")))
    yield from (one.text for one in islice(harness.written(), 0, None, 40))
    yield from (case.yaml for case in islice(designs(), 0, None, 24))


def test_every_rule_answers_as_its_query_does() -> None:
    """Verdicts and all values, of every expression that a shipped rule states; a store knows no words that could not be read."""
    chosen = engine.shipped_engine()
    rules = [rule for rule in chosen.rules.values() if rule.condition is not None]
    assert len(rules) > 0.7 * len(chosen.rules)
    for text in some_designs():
        design = pipeline.read_design(read_bytes(text.encode(), "design.yaml"), chosen)
        for rule in rules:
            if design.graph.unread and rule.condition is not None and rule.condition.guesses:
                continue
            if not design.graph.by_class.get(rule.about):
                continue  # neither has anything to say
            here = {one.subject.path: (one.verdict, one.values) for one in judge(rule, design.judged)}
            names, rows = design.store.select(rule.sparql, rule.words)
            assert len(here) == len(rows), rule.id
            assert here == dict(answered(dict(zip(names, row, strict=True))) for row in rows), rule.id


def answered(row: dict[str, Any]) -> tuple[str, tuple[str, dict[str, Any]]]:
    """A row of a query as a judgement: subject, verdict and values."""
    subject, when, ok = (row.pop(name) for name in ("focus", "when", "ok"))
    verdict = "not applicable" if when is False else "unknown" if None in (when, ok) else "pass" if ok else "fail"
    return subject.path, (verdict, {name: value for name, value in row.items() if value is not None})


def test_the_tree_of_every_rule_is_kept_as_it_is_written() -> None:
    for rule in engine.shipped_engine().rules.values():
        if rule.condition is not None:
            names = rule.condition.names
            assert parse(write_expression(rule.condition.judge), names.__getitem__) == rule.condition.judge, rule.id
            assert {one.name for one in tree.walk(rule.condition.judge) if isinstance(one, WordNode)} <= names.keys()
