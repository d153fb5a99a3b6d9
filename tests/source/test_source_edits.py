"""Edits change what they name and not one byte more, or are refused with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designlint.reading import read_bytes
from designlint.reading.edit import Edit
from designlint.reading.edits import EditRefused, apply
from designlint.reading.stretches import stretches


def change(text: str, *edits: Edit) -> str:
    return apply(read_bytes(text.encode("utf-8"), "design.yaml"), list(edits))


def put(path: str, value: str) -> Edit:
    return Edit("set", steps(path), value)


def insert(path: str, key: str, value: str) -> Edit:
    return Edit("insert", steps(path), value, key)


def append(path: str, value: str) -> Edit:
    return Edit("append", steps(path), value)


def shared(path: str, value: str) -> Edit:
    return Edit("set", steps(path), value, shared=True)


def rename(path: str, key: str) -> Edit:
    return Edit("rename", steps(path), key=key)


def remove(path: str) -> Edit:
    return Edit("remove", steps(path))


def steps(path: str) -> tuple[str | int, ...]:
    return tuple(int(step) if step.isdigit() else step for step in path.split("/") if step)


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        ("a: 1 # c\n", put("a", "2"), "a: 2 # c\n"),
        ("a: 'x'\n", put("a", "it's"), "a: 'it''s'\n"),
        ("a: 'x'\n", put("a", '"\\x01"'), 'a: "\\x01"\n'),
        ('a: "12.8"\n', put("a", "'12.9'"), 'a: "12.9"\n'),
        ('a: "12.8"\n', put("a", "12.9"), "a: 12.9\n"),
        ("a:\t1\t# c\n", put("a", "2"), "a:\t2\t# c\n"),
        ("a: 400 Gbit/s\n", put("a", "800 Gbit/s"), "a: 800 Gbit/s\n"),
        ("a: &x 1\nb: 2\n", put("a", "3"), "a: &x 3\nb: 2\n"),
        ("a:\nb: 1\n", put("a", "2"), "a: 2\nb: 1\n"),
        ("a: # c\nb: 1\n", put("a", "2"), "a: 2 # c\nb: 1\n"),
        ("a: &x\nb: 1\n", put("a", "2"), "a: &x 2\nb: 1\n"),
        ("- \n-\n", put("1", "2"), "- \n- 2\n"),
        ("a: {b, c: }\n", put("a/b", "2"), "a: {b: 2, c: }\n"),
        ("a: {b, c: }\n", put("a/c", "2"), "a: {b, c: 2 }\n"),
        ("a: [x, y]\n", put("a/1", "b, c"), 'a: [x, "b, c"]\n'),
        ("a: [x, y]\n", put("a", "{b: c}"), "a: {b: c}\n"),
        ("a: |\n  x\n  y\n\nb: 1\n", put("a", "z"), "a: z\n\nb: 1\n"),
        ("a: x\n  y # c\nb: 1\n", put("a", "z"), "a: z # c\nb: 1\n"),
        ("a: {b: 1,\n  c: 2} # d\n", put("a/c", "3"), "a: {b: 1,\n  c: 3} # d\n"),
        ("a: &x 1\nb: *x\n", put("b", "2"), "a: &x 1\nb: 2\n"),
        ("é: '𝒳' # 𝒳\nb: 1\n", put("b", "𝒳"), "é: '𝒳' # 𝒳\nb: 𝒳\n"),
        ("a: 1\n---\nb: {{\n", put("a", "2"), "a: 2\n---\nb: {{\n"),
        ("%YAML 1.2\n---\na: 1\n...\n", put("a", "2"), "%YAML 1.2\n---\na: 2\n...\n"),
        ("a: !!str 5\n", put("a", "'6'"), "a: !!str '6'\n"),
        ("a: &x {b: 1}\nc: *x\n", shared("a/b", "2"), "a: &x {b: 2}\nc: *x\n"),
        (
            "a: &x {b: {k: 1}}\nc: {<<: *x}\nd: {b: *x}\n",
            shared("a/b/k", "2"),
            "a: &x {b: {k: 2}}\nc: {<<: *x}\nd: {b: *x}\n",
        ),
        ("a: &x 1\nb: [*x]\n", shared("a", "2"), "a: &x 2\nb: [*x]\n"),
    ],
)
def test_set_replaces(before: str, edit: Edit, after: str) -> None:
    assert change(before, edit) == after
    assert change(after, edit) == after


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        ("a: 1\n", put("b", "2"), "a: 1\nb: 2\n"),
        ("a: 1", put("b", "2"), "a: 1\nb: 2"),
        ("a: 1\r\n# c\r\n", insert("", "b", "2"), "a: 1\r\nb: 2\r\n# c\r\n"),
        (
            "a:\n    x: 1 # c\n    # d\n\nb: 1\n",
            put("a/y", "2"),
            "a:\n    x: 1 # c\n    y: 2\n    # d\n\nb: 1\n",
        ),
        (
            "a:\n   b:\n      c: 1\n",
            put("a/d/e/f", "2"),
            "a:\n   b:\n      c: 1\n   d:\n      e:\n         f: 2\n",
        ),
        ("- a: 1\n- b: 2\n", put("0/c", "3"), "- a: 1\n  c: 3\n- b: 2\n"),
        ("- - a: 1\n", put("0/0/c", "3"), "- - a: 1\n    c: 3\n"),
        ("a: {b: 1}\n", put("a/c", "2"), "a: {b: 1, c: 2}\n"),
        ("a: {b: 1, }\n", put("a/c", "2"), "a: {b: 1, c: 2 }\n"),
        ("a: {b: 1,\n  c: 2 # d\n}\n", put("a/e", "3"), "a: {b: 1,\n  c: 2, e: 3 # d\n}\n"),
        ("a: {\n  b: 'x',  # d\n}\n", put("a/e/f", "3"), "a: {\n  b: 'x', e: {f: 3},  # d\n}\n"),
        ("a: [\n  1,\n  {b: 2}\n]\n", append("a", "3"), "a: [\n  1,\n  {b: 2}, 3\n]\n"),
        ("a: {\n  b:\n}\n", put("a/e", "3"), "a: {\n  b: , e: 3\n}\n"),
        ("a: {}\n", put("a/b/c", "x"), "a: {b: {c: x}}\n"),
        ("a: { }\n", insert("a", "b", "[1]"), "a: {b: [1] }\n"),
        ("a:  # c\nb: 1\n", put("a/k", "2"), "a:  # c\n  k: 2\nb: 1\n"),
        ("a: {b: , c: 1}\n", put("a/b/k", "2"), "a: {b: {k: 2} , c: 1}\n"),
        ("a: |\n  x\n\n\nb: 1\n", put("c", "2"), "a: |\n  x\n\n\nb: 1\nc: 2\n"),
        ("a: |+\n  x\n\n\n", put("c", "2"), "a: |+\n  x\n\n\nc: 2\n"),
        ("a: |\n  x\n\n\n", put("c", "2"), "a: |\n  x\nc: 2\n\n\n"),
        ("a: 1\n", insert("", "b: c", "2"), 'a: 1\n"b: c": 2\n'),
        ("a: {b: 1}\n", insert("a", "c, d", "2"), 'a: {b: 1, "c, d": 2}\n'),
        ("d: &d {x: 1}\na:\n  <<: *d\n", put("a/x", "2"), "d: &d {x: 1}\na:\n  <<: *d\n  x: 2\n"),
        ("a:\n- 1\n", append("a", "2"), "a:\n- 1\n- 2\n"),
        ("a:\n  - 1 # c\nb: 1\n", append("a", "{x: 1}"), "a:\n  - 1 # c\n  - {x: 1}\nb: 1\n"),
        ("- - a\n  - b\n", append("0", "c"), "- - a\n  - b\n  - c\n"),
        ("a: [1]\n", append("a", "x, y"), 'a: [1, "x, y"]\n'),
        ("a: []\n", append("a", "1"), "a: [1]\n"),
        ("a:\nb: 1\n", append("a", "1"), "a: [1]\nb: 1\n"),
        ("b: 1\n", append("a/c", "1"), "b: 1\na:\n  c: [1]\n"),
        ("- 1", append("", "2"), "- 1\n- 2"),
    ],
)
def test_additions_stand_behind_the_last_sibling(before: str, edit: Edit, after: str) -> None:
    assert change(before, edit) == after


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        ("a: 1\n# keep\nb: 2 # own\n# keep\nc: 3\n", remove("b"), "a: 1\n# keep\n# keep\nc: 3\n"),
        ("a: 1\nb:\n  c: 2\n  # within\n  d: 3\n# keep\n", remove("b"), "a: 1\n# keep\n"),
        ("a: 1\r\nb: 2", remove("b"), "a: 1"),
        ("a: 1\nb: 2", remove("a"), "b: 2"),
        ("- a: 1 # own\n  b: 2\n", remove("0/a"), "- b: 2\n"),
        ("- - a\n  - b\n", remove("0/0"), "- - b\n"),
        ("x:\n  - a: 1\n    b: 1\n  # keep\n  - c: 2\n", remove("x/0"), "x:\n  # keep\n  - c: 2\n"),
        ("x:\n-\n  a: 1\n- # own\n  b: 2\n- c\n", remove("x/1"), "x:\n-\n  a: 1\n- c\n"),
        ("{a: 1, b: 2, c: 3}\n", remove("b"), "{a: 1, c: 3}\n"),
        ("{a: 1, b: 2, c: 3}\n", remove("a"), "{b: 2, c: 3}\n"),
        ("{a: 1, b: 2, c: }\n", remove("c"), "{a: 1, b: 2 }\n"),
        ("{a: 1}\n", remove("a"), "{}\n"),
        ("[&x a, *x, c]\n", remove("1"), "[&x a, c]\n"),
        ("[&x a, b, c]\n", remove("0"), "[b, c]\n"),
        ("a: &x 1\nb: *x\n", remove("b"), "a: &x 1\n"),
        ("a: 1\nb: |\n  x\n\nc: 2\n", remove("b"), "a: 1\n\nc: 2\n"),
    ],
)
def test_removals_take_their_lines_and_comments(before: str, edit: Edit, after: str) -> None:
    assert change(before, edit) == after


@pytest.mark.parametrize(
    ("before", "edits", "after"),
    [
        ("a: 1\nb: 2\n", [put("b", "3"), put("a", "2")], "a: 2\nb: 3\n"),
        ("a: 1\n", [put("n/x", "1"), put("n/y", "2")], "a: 1\nn:\n  x: 1\n  y: 2\n"),
        (
            "n: [0, 1, 2, 3]\n",
            [remove("n/0"), put("n/3", "x"), remove("n/1"), append("n", "y")],
            "n: [2, x, y]\n",
        ),
        ("- 0\n- 1\n- 2\n", [remove("1"), remove("0"), put("2", "x")], "- x\n"),
        ("a:\n  b: 1\n", [remove("a/b"), put("a/c", "2")], "a:\n  c: 2\n"),
        ("{a: 1, b: 2, c: 3}\n", [remove("a"), remove("b"), put("c", "4")], "{c: 4}\n"),
    ],
)
def test_several_edits_name_paths_of_the_text_as_it_was(before: str, edits: list[Edit], after: str) -> None:
    assert change(before, *edits) == after


@pytest.mark.parametrize(
    ("before", "key", "after"),
    [
        ("a: 1 # c\n", "b", "b: 1 # c\n"),
        ("'a' : 1\n", "b", "'b' : 1\n"),
        ("a:\n  - 1\n", "b: c", '"b: c":\n  - 1\n'),
    ],
)
def test_renaming_keeps_the_value(before: str, key: str, after: str) -> None:
    assert change(before, rename("a", key)) == after


@given(st.text("ab\n\r#: é𝒳", max_size=30), st.text("ab\n\r#: é𝒳", max_size=30))
def test_stretches_rebuild_the_text(before: str, after: str) -> None:
    text, last, pieces = before, 0, []
    for start, end, new in stretches(before, after):
        assert last <= start <= end
        pieces += [text[last:start], new]
        last = end
    assert "".join(pieces) + text[last:] == after


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "x # c",
        "b: c",
        "- b",
        "? b",
        "a\nb",
        "a\u2028b",
        "|",
        ">-",
        "*x",
        "&x 1",
        "!!str 1",
        "[1",
        "1]x: [",
        "'a' b",
        "{{ x }}",
        "\0",
        "@x",
        " 1",
        "1 ",
    ],
)
def test_values_are_one_node_each(value: str) -> None:
    with pytest.raises(EditRefused):
        change("x: &x 1\na: 1\n", put("a", value))
