"""Queries answered in place against pyoxigraph: all rules over real designs, and random patterns over one."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from designlint.configuration import engine
from designlint.expressions.limits import PREFIXES
from designlint.expressions.python import readable
from designlint.expressions.selects import loops, python
from designlint.expressions.selects.parser import compile_select
from designlint.expressions.selects.regular import quick, translate_pattern
from designlint.expressions.selects.rows import Cells
from designlint.graph.index import Index
from designlint.graph.store import Store
from designlint.graph.subjects import Subject
from designlint.linting.pipeline import load, read_design
from designlint.reading.reader import read_bytes

from .corpus.convert import designs
from .running import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.design.design import Design

EXAMPLES = sorted(str(one) for one in (ROOT / "examples").rglob("design.yaml"))
#: Rules of which a sample of several values is shown: any of them is one.
SAMPLED = {"checkpoint/one-tier", "storage/one-tier"}


def plain(value: Any) -> str:
    if isinstance(value, Subject):
        return f"subject {value.path}"
    return f"{value:.10g}" if isinstance(value, int | float) and not isinstance(value, bool) else repr(value)


def rows(found: Iterable[Iterable[Any]]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(map(plain, row)) for row in found)


def test_all_queries_of_shipped_rules_are_answered_in_place() -> None:
    queries = [one for one in engine.shipped_engine().rules.values() if one.select]
    assert len(queries) > 100
    assert [one.id for one in queries if one.joined is None] == []


def agree(design: Design) -> None:
    index, store = Index(design.graph), Store(design.graph)
    for rule in design.engine.rules.values():
        if rule.joined is None or rule.id in SAMPLED:
            continue
        names, found = store.select(rule.sparql)
        assert list(rule.joined.names) == names, rule.id
        assert rows(rule.joined.rows(index)) == rows(found), rule.id


@pytest.mark.parametrize("path", EXAMPLES)
def test_rules_give_the_rows_of_an_engine_on_examples(path: str) -> None:
    agree(load(path))


def test_rules_give_the_rows_of_an_engine_on_published_designs() -> None:
    for case in islice(designs(), 0, None, 12):
        agree(read_design(read_bytes(case.yaml.encode(), "design.yaml"), engine.shipped_engine()))


WORDS = ("runs_on", "nodes", "networks", "fabric", "name", "purpose", "kind", "count", "gpus", "checkpoint", "tiers", "data",
         "storage", "topology", "tags")  # fmt: skip
CLASSES = ("Workload", "NodePool", "Fabric", "StorageTier", "Attachment", "Design")
VARIABLES = ("?focus", "?a", "?b", "?c")
CONDITIONS = ("BOUND({0})", "{0} = {1}", "{0} != {1}", "{0} > 8", 'COALESCE({0} IN ("compute", "storage"), true)',
              'BOUND({1}) || REGEX({0}, "^s[a-z]+e")', "BOUND({0}) && NOT EXISTS {{ {0} :name {1} }}")  # fmt: skip
NESTED = ("OPTIONAL {{ {0} }}", "{{ {0} }} UNION {{ {1} }}", "FILTER EXISTS {{ {0} }}", "FILTER NOT EXISTS {{ {0} }}",
          "{{ {0} }}", "{{ SELECT ?focus (COUNT(DISTINCT ?a) AS ?b) WHERE {{ {0} }} GROUP BY ?focus }}",
          "OPTIONAL {{ SELECT (MAX(?b) AS ?c) (COUNT(?a) AS ?b) WHERE {{ {0} }} }}",
          "{{ SELECT DISTINCT ?a ?b WHERE {{ {0} }} }}")  # fmt: skip


class Patterns(Random):
    """Random groups of patterns over the words of a small design."""

    def path(self) -> str:
        one, two, three = (f":{self.choice(WORDS)}" for _ in range(3))
        return self.choice((one, one, f"{one}/{two}", f"^{one}", f"({one}|{two})", f"({one}/{two})|{three}",
                            f"({one}|{two})/{three}"))  # fmt: skip

    def triple(self) -> str:
        end = self.choice((*VARIABLES, '"compute"', "8"))
        cls = self.choice(CLASSES)
        return self.choice((f"{self.choice(VARIABLES)} {self.path()} {end} .", f"{self.choice(VARIABLES)} a :{cls} .",
                            f"{self.choice(VARIABLES)} a :{cls} ; {self.path()} {end} ."))  # fmt: skip

    def pattern(self, depth: int) -> str:
        kind = self.random()
        if depth == 0 or kind < 0.5:
            return self.triple()
        if kind < 0.6:
            return f"FILTER({self.choice(CONDITIONS).format(*self.sample(VARIABLES, 2))})"
        if kind < 0.68:
            return f"BIND({self.choice(('?a', '?b > 8', 'BOUND(?c)'))} AS ?d)"
        if kind < 0.72:
            return f'VALUES {self.choice(VARIABLES)} {{ "compute" "storage" }}'
        return self.choice(NESTED).format(self.group(depth - 1), self.group(depth - 1))

    def group(self, depth: int) -> str:
        return " ".join(self.pattern(depth) for _ in range(self.randint(1, 3)))


@pytest.fixture(scope="module")
def asked() -> tuple[Index, Store]:
    graph = load(str(ROOT / "examples" / "ten-lines" / "design.yaml")).graph
    return Index(graph), Store(graph)


@pytest.mark.parametrize("many", [loops.MANY_LOOPS, 1])
@settings(max_examples=700, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**9))
@example(seed=456597)  # the largest of parts and numbers
def test_random_patterns_give_the_rows_of_an_engine(
    asked: tuple[Index, Store], monkeypatch: pytest.MonkeyPatch, many: int, seed: int
) -> None:
    monkeypatch.setattr(loops, "MANY_LOOPS", many)
    index, store = asked
    random = Patterns(seed)
    query = f"SELECT {random.choice(('', 'DISTINCT '))}?focus ?a ?b ?c (BOUND(?a) AS ?ok) WHERE {{ {random.group(2)} }}"
    data = compile_select(query, ())
    event("in place" if data is not None else "left to the engine")
    try:
        _, wanted = store.select(PREFIXES + query)
    except (SyntaxError, ValueError):
        return
    if data is not None:
        assert rows(python.select(data).rows(index)) == rows(wanted), query


def test_more_loops_than_python_reads_are_gathered_and_too_deep_ones_left_to_an_engine(
    asked: tuple[Index, Store],
) -> None:
    index, store = asked
    long = "SELECT ?focus ?v29 { ?focus a :Workload . " + " ".join(f"?focus :name ?v{n} ." for n in range(30)) + " }"
    found = compile_select(long, ())
    assert found is not None
    assert rows(python.select(found).rows(index)) == rows(store.select(PREFIXES + long)[1])
    deep = "?focus :name ?v ."
    for n in range(60):
        deep = f"?focus :name ?v{n} . ?focus :kind ?k{n} . OPTIONAL {{ {deep} ?focus :count ?c{n} }}"
    nested = compile_select(f"SELECT ?focus {{ ?focus a :Workload . {deep} }}", ())
    assert nested is not None
    assert not readable(partial(python.write_select, nested, {}))


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("SELECT ?focus { ?focus a :Workload OPTIONAL { ?focus :data ?d BIND(?x AS ?y) } }", ""),
        ("SELECT ?focus { ?focus a :Workload . ?focus :kind ?k OPTIONAL { ?focus :data ?d BIND(?k AS ?y) } }", "hidden"),
        ("SELECT ?focus { ?focus :kind ?k { ?focus a :Workload FILTER(?k = 1) } }", "hidden"),
        ("SELECT ?focus { ?focus :kind ?k OPTIONAL { ?focus :data ?d FILTER(?k = 1) } }", ""),
        ("SELECT ?focus { ?focus :kind ?k FILTER(REGEX(?k, \"(a*)*b\")) }", "slow"),
        ("SELECT ?focus { ?focus :kind ?k } LIMIT 1", "modifier"),
        ("SELECT ?focus { ?focus :kind ?k MINUS { ?focus :name ?k } }", "pattern"),
        ("SELECT ?focus { ?focus :kind* ?k }", "path"),
    ],
)  # fmt: skip
def test_what_might_differ_is_left_to_an_engine(query: str, why: str) -> None:
    assert (compile_select(query, ()) is None) == bool(why)


def test_regular_expressions_that_take_long_are_refused() -> None:
    assert [one for one in ("^(all|reduce)_", ", $", "(a+)+$", "a*a*a*b", r"\w+") if quick(one)] == [
        "^(all|reduce)_",
        ", $",
    ]
    assert translate_pattern("x$").search("x\n") is None


def test_rows_of_an_inner_query_fit_by_value_and_type() -> None:
    cells = Cells(2, [(None, 1), ("a", 1.0), ("b", 2), (None, True)])
    assert [list(cells.fitting((None, value))) for value in (1, 1.0, True, 3)] == [
        [(None, 1)], [("a", 1.0)], [(None, True)], [],
    ]  # fmt: skip
    assert list(cells.fitting(("a", None))) == list(cells.every)
    assert list(Cells(1, [(None,), ("a",)]).fitting(("a",))) == [(None,), ("a",)]
