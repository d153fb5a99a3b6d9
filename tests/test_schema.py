"""The JSON Schema, the SHACL shapes and the reader agree on what a design may say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pyoxigraph as ox
import pytest
import yaml

from designlint.configuration import engine
from designlint.documentation import rdf, schema
from designlint.reading import read_file
from tests.running import ROOT, designlint

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.reading import Node

VOCABULARY = engine.shipped_engine().vocabulary
SCHEMA = jsonschema_rs.Draft202012Validator(schema.of_design(VOCABULARY))
EXAMPLES = sorted(ROOT.glob("examples/*/design.yaml"))


@pytest.mark.parametrize("file", EXAMPLES, ids=[file.parent.name for file in EXAMPLES])
def test_a_shipped_example_keeps_the_schema(file: Path) -> None:
    root = read_file(file).root
    assert root is not None
    assert [one.message for one in SCHEMA.iter_errors(_data(root))] == []


def _data(node: Node) -> Any:
    """The tree as an editor sees it: YAML 1.2, so `on` is a word and a day is text."""
    if node.kind == "map":
        return {key: _data(child) for key, child in node.entries.items()}
    return [_data(item) for item in node.items] if node.kind == "list" else node.scalar()


@pytest.mark.parametrize(
    "text",
    [
        "designlint: 1\nnodez: []",
        "designlint: 2",
        "designlint: 1\nnodes: 4",
        "designlint: 1\nnodes: [{count: 4}]",
        "designlint: 1\nnodes: [{name: a, power: 10}]",
        "designlint: 1\nscheduler: {kind: slurmy}",
        "designlint: 1\nscheduler: {gang_scheduling: 1}",
        "designlint: 1\nworkloads: [{name: w, parallelism: 8}]",
        "designlint: 1\nworkloads: [{name: w, model: {sequence: 8k}}]",
    ],
)
def test_what_the_schema_refuses_the_reader_refuses(text: str) -> None:
    assert not SCHEMA.is_valid(yaml.safe_load(text))
    found = designlint("check", "-", "--format", "json", stdin=text.encode()).data["findings"]
    assert [one for one in found if one["rule"].startswith("shape/")]


def test_schemas_are_schemas() -> None:
    jsonschema_rs.meta.validate(schema.of_design(VOCABULARY))
    jsonschema_rs.meta.validate(schema.of_report())


def test_shapes_name_every_word_of_every_class() -> None:
    store = ox.Store()
    store.load(rdf.shapes(VOCABULARY).encode(), format=ox.RdfFormat.TURTLE)
    found = store.query(
        "PREFIX sh: <http://www.w3.org/ns/shacl#> SELECT ?class ?word { ?class sh:property/sh:path ?word }"
    )
    assert isinstance(found, ox.QuerySolutions)
    pairs = {(row["class"].value.split("#")[1], row["word"].value.split("#")[1]) for row in found}
    assert pairs == {(name, word) for name, words in VOCABULARY.classes.items() for word in words}


def test_the_context_turns_names_into_links() -> None:
    terms = rdf.context(VOCABULARY)["@context"]
    assert terms["workloads"]["@type"] == "@id"
    assert "tensor" not in terms
