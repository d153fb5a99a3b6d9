"""Every value stands exactly where its node says, whatever its style, and means what YAML 1.2 says."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from designlint.reading import Document, Node, read_bytes, tree_paths

if TYPE_CHECKING:
    from designlint.reading.tree import Path, Value

DESIGN = """\
# a design
designlint: 1
name: "hawk-4096"   # quoted
nodes:
  - name: 𝒽awk é
    count: 512
    networks: [{fabric: compute, ports: 8}, {fabric: storage, ports: }]
  - &second
    name: 'it''s'
    text: |+ # keep
      one

      two


# between
    empty:
    tagged: !!str 12
  - *second
folded: >-
  a
  b
last:
- x
-
"""


def read(text: str) -> Document:
    return read_bytes(text.encode("utf-8"), "design.yaml")


def at(document: Document, *path: str | int) -> Node:
    assert document.root is not None
    return dict(tree_paths(document.root))[path]


def source(node: Node) -> str:
    return node.document.text[node.start : node.end]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("designlint",), "1"),
        (("name",), '"hawk-4096"'),
        (("nodes", 0, "name"), "𝒽awk é"),
        (("nodes", 0, "networks"), "[{fabric: compute, ports: 8}, {fabric: storage, ports: }]"),
        (("nodes", 0, "networks", 0), "{fabric: compute, ports: 8}"),
        (("nodes", 0, "networks", 1, "ports"), ""),
        (("nodes", 1, "name"), "'it''s'"),
        (("nodes", 1, "text"), "|+ # keep\n      one\n\n      two"),
        (("nodes", 1, "tagged"), "12"),
        (("nodes", 1, "empty"), ""),
        (("folded",), ">-\n  a\n  b"),
        (("last",), "- x\n-"),
        (("last", 0), "x"),
        (("last", 1), ""),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_spans_are_exact(path: Path, expected: str, newline: str) -> None:
    document = read(DESIGN.replace("\n", newline))
    assert document.problems == []
    assert document.newline == newline
    assert source(at(document, *path)) == expected.replace("\n", newline)


def test_block_collections_end_at_their_last_content() -> None:
    document = read(DESIGN)
    assert source(at(document, "nodes", 0)).endswith("ports: }]")
    assert source(at(document, "nodes", 1)).startswith("name: 'it''s'\n")
    assert source(at(document, "nodes", 1)).endswith("tagged: !!str 12")
    assert source(at(document, "nodes")).endswith("- *second")
    assert source(at(document)) == DESIGN[DESIGN.index("designlint") :].rstrip("\n")


def test_keys_and_properties() -> None:
    document = read("'a b': &x\n  ? c\n  ? d\n  : !!int 1\n*y : {e, f: g}\n".replace("*y ", "y"))
    node = at(document, "a b")
    assert document.text[node.key_start : node.key_end] == "'a b'"
    assert document.text[node.outer : node.end] == "&x\n  ? c\n  ? d\n  : !!int 1"
    assert node.anchor == "x"
    assert at(document, "a b", "c").start == at(document, "a b", "c").key_end
    assert source(at(document, "a b", "d")) == "1"
    empty = at(document, "y", "e")
    assert (empty.start, empty.scalar()) == (empty.key_end, None)
    assert at(document).key_start == -1


def test_columns_count_characters_and_lines_count_every_line_end() -> None:
    document = read("a: 𝒳𝒳 # é\r\nb: [𝒳, c]\nd: e\rf: g")
    node = at(document, "b", 1)
    assert document.place(node.start, node.end) == (2, 8, 2, 9)
    assert document.place(at(document, "f").start, len(document.text)) == (4, 4, 4, 5)
    assert [document.line(n) for n in (1, 2, 3, 4)] == ["a: 𝒳𝒳 # é", "b: [𝒳, c]", "d: e", "f: g"]
    assert document.place(0, 0) == (1, 1, 1, 1)


def test_byte_order_mark_is_no_part_of_the_text() -> None:
    document = read("\ufeffdesignlint: 1\n")
    assert document.bom
    assert document.text == "designlint: 1\n"
    assert at(document, "designlint").start == 12


def test_alias_sites_are_nodes_of_their_own() -> None:
    document = read("base: &b {x: 1}\none: *b\ntwo: *b\nlist: [*b]\n")
    sites = [at(document, *path).alias_site for path in (("one",), ("two",), ("list", 0))]
    assert [document.text[slice(*site)] for site in sites if site] == ["*b", "*b", "*b"]
    assert len(set(sites)) == 3
    assert at(document, "one", "x").scalar() == 1
    assert at(document, "base").alias_site is None
    assert document.text[at(document, "two").key_start :].startswith("two:")


def test_merge_keys_give_way_to_explicit_and_earlier_ones() -> None:
    text = "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  z: 3\n  <<: [*a, *b]\nd: {<<: {q: 4}, '<<': 5}\n"
    document = read(text)
    assert {key: node.scalar() for key, node in at(document, "c").entries.items()} == {"x": 1, "y": 1, "z": 3}
    assert at(document, "c", "x").merged
    assert not at(document, "c", "z").merged
    site = at(document, "c", "y").alias_site
    assert site is not None
    assert text[slice(*site)] == "*a"
    assert {key: node.scalar() for key, node in at(document, "d").entries.items()} == {"<<": 5, "q": 4}


def test_an_anchor_may_be_defined_again() -> None:
    document = read("a: &x 1\nb: *x\nc: &x 2\nd: *x\n")
    assert document.problems == []
    assert [at(document, key).scalar() for key in "abcd"] == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("0o17", 15),
        ("0x1F", 31),
        ("012", 12),
        ("-7", -7),
        ("+7", 7),
        ("1e3", 1000.0),
        ("500e9", 5e11),
        (".5", 0.5),
        ("1.", 1.0),
        ("-.inf", -math.inf),
        ("no", "no"),
        ("on", "on"),
        ("1_000", "1_000"),
        ("12:30:45", "12:30:45"),
        ("2026-01-01", "2026-01-01"),
        ("400 Gbit/s", "400 Gbit/s"),
        ("1e999", "1e999"),
        ("-", "-"),
        (".", "."),
        ("0x", "0x"),
        ("١٢", "١٢"),
        ("'5'", "5"),
        ('"true"', "true"),
        ("!!str 5", "5"),
        ("! 5", "5"),
        ("9" * 400, "9" * 400),
        ("1.2.3", "1.2.3"),
        ("0x" + "f" * 400, "0x" + "f" * 400),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_scalars_follow_the_core_schema(text: str, value: Value) -> None:
    node = at(read(f"[{text}]"), 0)
    assert (node.scalar(), type(node.scalar())) == (value, type(value))


def test_not_a_number() -> None:
    value = at(read("[.nan]"), 0).scalar()
    assert isinstance(value, float)
    assert math.isnan(value)
