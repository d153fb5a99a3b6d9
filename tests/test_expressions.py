"""What is judged without a query is judged as the query engine would: random expressions, and every rule on real designs."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from designlint import engine, pipeline
from designlint.arithmetic import BeyondError
from designlint.authoring import bundle
from designlint.authoring import expressions as authoring
from designlint.discovery import open_document
from designlint.expressions import compiled
from designlint.graph.store import term
from designlint.graph.subjects import Subject
from designlint.rules import Rule, judge
from designlint.source import read_bytes

from .corpus.convert import designs
from .mutation import harness
from .running import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ("a", "b", "c", "day")
PATHS: dict[str, tuple[list[str], str]] = {name: ([name], "Date" if name == "day" else "Count") for name in NAMES}
NUMBERS = st.one_of(
    st.integers(-20, 200),
    st.integers(10**15, 2**65),
    st.floats(-1e3, 1e6, allow_subnormal=False),
    st.sampled_from([0.1, 1.1]),
)
TEXTS = st.sampled_from(["", "ring", "Ring", "fat-tree", "ß", "1"])
DAYS = st.sampled_from(["2026-11-20", "2025-01-01", "2027-03-31"])
FACTS = st.fixed_dictionaries(
    {}, optional={name: DAYS if name == "day" else st.one_of(NUMBERS, TEXTS, st.booleans()) for name in NAMES}
)
LITERALS = st.sampled_from(
    [
        "0",
        "1",
        "8",
        "64",
        "0.5",
        "1.1",
        "0.02",
        "1000000000000.0",
        "1e-05",
        "2.5e3",
        '"ring"',
        '"fat-tree"',
        "true",
        "false",
    ]
)


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Expressions made of smaller ones."""
    signs = st.sampled_from(["||", "&&", "=", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/"])
    one = st.sampled_from(["!({0})", "FLOOR({0})", "ABS({0})", "LCASE({0})", "BOUND(?a) || {0}", "({0})"])
    two = st.sampled_from(
        ['(({0}) IN ({1}, "ring"))', "(({0}) NOT IN ({1}, 8))", "STRSTARTS({0}, {1})", "COALESCE({0}, {1})"]
    )
    return st.one_of(
        st.builds("({} {} {})".format, inner, signs, inner),
        st.builds(str.format, one, inner),
        st.builds(str.format, two, inner, inner),
        st.builds("IF({}, {}, {})".format, inner, inner, inner),
    )


EXPRESSIONS = st.recursive(st.one_of(st.sampled_from([f"?{name}" for name in NAMES]), LITERALS), grown, max_leaves=8)


def asked(text: str, facts: dict[str, Any]) -> str | None:
    """What the query engine answers, as it words it; None for unbound."""
    store, node = ox.Store(), ox.NamedNode("design:it")
    for name, fact in facts.items():
        store.add(ox.Quad(node, ox.NamedNode(f"n:{name}"), term(PATHS[name][1], fact)))
    reads = " ".join(f"OPTIONAL {{ <design:it> <n:{name}> ?{name} }}" for name in NAMES)
    found = store.query(f"SELECT (({text}) AS ?ok) WHERE {{ {reads} }}")
    assert isinstance(found, ox.QuerySolutions)
    (row,) = found
    value = row["ok"]
    return None if value is None else value.value if isinstance(value, ox.Literal) else str(value)


@given(EXPRESSIONS, FACTS)
@settings(max_examples=1500, deadline=None)
def test_random_expressions_answer_as_the_query_engine_does(text: str, facts: dict[str, Any]) -> None:
    for whole in (text, f"({text}) <= 8", f"({text}) = ?b", f"!({text})"):
        plain = authoring.plain([whole], {}, {}, PATHS)
        if plain is None:
            event("left to the engine")
            continue
        subject = Subject("it", "Workload", None, None)
        subject.facts |= facts
        try:
            answer = compiled(plain[0])(subject)
        except BeyondError:
            event("not sure")
            continue
        if answer is None or isinstance(answer, bool):
            event(f"answered {answer}")
            told = asked(whole, facts)
            assert told == (None if answer is None else str(answer).lower()), whole


@pytest.mark.parametrize(
    ("text", "facts", "answer"),
    [
        ("FLOOR(?a / ?b) * ?b = ?a", {"a": 7, "b": 3}, False),
        ("FLOOR(?a / ?b) * ?b = ?a", {"a": 9, "b": 3}, True),
        ("?a <= 1.1", {"a": 1.1}, True),
        ("?a * 0.1 <= 1", {"a": 10}, True),
        ("?a || ?b", {"a": True}, True),
        ("?a && ?b", {"b": False}, False),
        ("?a && ?b", {"b": True}, None),
        ('?a IN ("ring", "torus")', {}, None),
        ("!BOUND(?a)", {}, True),
        ("?day < ?day", {"day": "2026-11-20"}, False),
    ],
)
def test_answers(text: str, facts: dict[str, Any], answer: bool | None) -> None:
    plain = authoring.plain([text], {}, {}, PATHS)
    assert plain is not None
    subject = Subject("it", "Workload", None, None)
    subject.facts |= facts
    assert compiled(plain[0])(subject) is answer
    assert asked(text, facts) == (None if answer is None else str(answer).lower())


@pytest.mark.parametrize(
    "text",
    [
        "EXISTS { ?a ?b ?c }",
        "?a = <urn:x>",
        '?a = "x\\"y"',
        "?a < ?b < ?c",
        "?x",
        "!" * 100 + "?a",
        "REGEX(?a, ?b)",
        "?a ?b",
    ],
)
def test_left_to_the_engine(text: str) -> None:
    assert authoring.plain([text], {}, {}, PATHS) is None


def some_designs() -> Iterator[str]:
    """Examples, mutations of whole designs and published ones: a few of each here, all of them with `tools.bench`."""
    yield from (path.read_text("utf-8") for path in sorted((ROOT / "examples").rglob("*.yaml")))
    yield from (one.text for one in islice(harness.mutations(), 0, None, 40))
    yield from (case.yaml for case in islice(designs(), 0, None, 12))


def test_every_rule_answers_as_its_query_does() -> None:
    chosen = engine.shipped()
    compiled = {**bundle.load()["rules"]}
    plain = {name: rule for name, rule in chosen.rules.items() if not rule.built_in and not rule.asks}
    assert len(plain) > 0.7 * len(chosen.rules)
    asking = {name: Rule({**compiled[name], "plain": None}, bundle.texts) for name in plain}
    for text in some_designs():
        store = pipeline.read(read_bytes(text.encode(), "design.yaml"), chosen).judged
        for name, rule in plain.items():
            here, told = judge(rule, store), judge(asking[name], store)
            assert [(row.subject.path, row.verdict) for row in here] == [
                (row.subject.path, row.verdict) for row in told
            ], name


def test_nearly_nothing_of_a_whole_design_is_left_to_the_engine() -> None:
    chosen = engine.shipped()
    left = []
    for name in ("superpod-4su", "gb200-nvl72", "hawk-4096"):
        graph = pipeline.read(open_document(str(ROOT / "examples" / name / "design.yaml")), chosen).graph
        for rule in (one for one in chosen.rules.values() if not one.built_in and not one.asks):
            for subject in graph.by_class.get(rule.about, ()):
                try:
                    rule.decide(subject)
                except BeyondError:
                    left.append(f"{name}: {rule.id} of {subject.path}")
    assert len(left) < 10, left
