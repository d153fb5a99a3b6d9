"""A change of facts in place gives what a fresh reading of the changed design gives, and leaves no trace."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.graph.incremental import Dependencies, Place, StatedFact, statement
from designlint.graph.subjects import Subject
from designlint.reading import Node, read_bytes
from designlint.reading.edit import Edit
from designlint.reading.edits import EditRefused, apply
from tests.running import ROOT

if TYPE_CHECKING:
    from designlint.design.design import Design
    from designlint.graph.subjects import Graph

EXAMPLES = sorted(path.parent.name for path in ROOT.glob("examples/*/design.yaml"))
CHANGES = 40


def design(text: str) -> Design:
    return read_design(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine())


def plain(fact: Any) -> Any:
    """A fact that compares with that of another graph."""
    if isinstance(fact, list):
        return [plain(one) for one in fact]
    return ("at", fact.path) if isinstance(fact, Subject) else fact


def facts(graph: Graph) -> dict[str, dict[str, Any]]:
    return {
        path: {word: (plain(fact), one.origins[word].how) for word, fact in one.facts.items()}
        for path, one in graph.subjects.items()
    }


def changed_value(node: Node, chance: random.Random) -> str:
    """A value of the same kind that a person could write there instead."""
    value = node.scalar()
    if isinstance(value, bool):
        return "false" if value else "true"
    number, _, unit = node.text.partition(" ")
    try:
        factor = chance.choice([0.5, 2, 3, 10, 1.25])
        scaled = float(number) * factor
    except ValueError:
        return node.text
    spelled = str(int(scaled)) if isinstance(value, int) or scaled == int(scaled) else f"{scaled:g}"
    return f"{spelled} {unit}".strip()


def stated(of: Design) -> list[tuple[str, Node]]:
    """Every word that a file states, with its value."""
    return [
        (f"{path}/{word}".lstrip("/"), node)
        for path, one in sorted(of.graph.subjects.items())
        for word, node in sorted(one.keys.items())
        if node.kind == "scalar"
    ]


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_change_in_place_is_a_change_of_the_file(name: str) -> None:
    text = (ROOT / "examples" / name / "design.yaml").read_text("utf-8")
    before = design(text)
    if before.bases:
        pytest.skip("its words stand in the file that it extends")
    untouched = facts(before.graph)
    dependencies = Dependencies(engine.shipped_engine().plan, before.graph)
    chance, tried = random.Random(name), 0
    words = stated(before)
    chance.shuffle(words)
    for path, node in words[:CHANGES]:
        owner, _, word = path.rpartition("/")
        new = None if chance.random() < 0.3 else changed_value(node, chance)
        place = (*node_path(before, owner), word)
        value = None if new is None else read_bytes(new.encode(), "value").root
        change = statement(before.graph, path, value)
        if change is None:
            continue
        try:
            after = apply(before.document, [Edit("set", place, new) if new is not None else Edit("remove", place)])
        except EditRefused:
            continue
        tried += 1
        fresh = design(after)
        with dependencies.assuming([change]) as places:
            now = facts(before.graph)
        expected = facts(fresh.graph)
        for subject in expected:
            assert now[subject] == expected[subject], f"{path} = {new}"
        differing = {
            (one, fact)
            for one in expected
            for fact in expected[one].keys() | untouched[one].keys()
            if expected[one].get(fact, (None,))[0] != untouched[one].get(fact, (None,))[0]
        }
        assert {(one.subject.path, one.word) for one in places} == differing
        assert facts(before.graph) == untouched, "not put back"
    assert tried > 3


def node_path(of: Design, owner: str) -> list[str | int]:
    """Where a node stands in the tree of its file: names of list items are their numbers there."""
    node, found = of.document.root, list[str | int]()
    for part in filter(None, owner.split("/")):
        assert node is not None
        if node.kind == "list":
            named = [item.entries["name"].text if "name" in item.entries else "" for item in node.items]
            number = named.index(part) if part in named else int(part)
            found.append(number)
            node = node.items[number]
        else:
            found.append(part)
            node = node.entries[part]
    return found


def test_what_would_change_nodes_is_no_change_of_facts() -> None:
    graph = design((ROOT / "examples/hawk-4096/design.yaml").read_text("utf-8")).graph
    value = read_bytes(b"dgx-a100", "value").root
    assert statement(graph, "nodes/train/model", value) is None
    assert statement(graph, "workloads/pretrain/runs_on/nodes", value) is None
    assert statement(graph, "workloads/pretrain/parallelism/tensor", value) is None, "no count"
    assert statement(graph, "nodes/nowhere/count", value) is None


def test_a_fact_that_nothing_reads_changes_alone() -> None:
    of = design("designlint: 1\nnodes: [{name: train, count: 4}]\n")
    dependencies = Dependencies(engine.shipped_engine().plan, of.graph)
    pool = of.graph.subjects["nodes/train"]
    with dependencies.assuming([StatedFact(pool, "count", 4)]) as places:
        assert places == {}
    with dependencies.assuming([StatedFact(pool, "count", 5)]) as places:
        assert Place(pool, "count") in places
