"""What holds for every text: reading never fails, agrees with PyYAML, and edits do no harm."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.random_edits import expected, value_of

from designlint.reading import Document, Node, read_bytes, tree_paths
from designlint.reading import edits as source_edits
from designlint.reading.edit import Edit
from designlint.reading.edits import EditRefused, apply
from designlint.reading.splices import Splice

Path = tuple[str | int, ...]

SIGNS = "{}[],:#'\"\n \t\r%@`\\\ufeff\x00é𝒳\u2028"
SNIPPETS = [
    "a: ",
    "- ",
    "? ",
    "&a ",
    "*a",
    "!!str ",
    "|\n",
    ">-\n",
    "{{ x }}",
    "{% y %}",
    "<<: ",
    "---\n",
    "...\n",
]
soup = st.lists(st.sampled_from([*SNIPPETS, *SIGNS]), max_size=40).map("".join)


def check_document(document: Document) -> None:
    """Every place lies in the text and can be named; every value has a type."""
    assert document.problems or document.root is not None
    spans = [(problem.start, problem.end) for problem in document.problems]
    for _, node in tree_paths(document.root) if document.root else ():
        spans.append((node.start, node.end))
        assert node.outer <= node.start
        assert isinstance(node.scalar(), bool | int | float | str | None)
    for start, end in spans:
        assert 0 <= start <= end <= len(document.text)
        line, column, end_line, _ = document.place(start, end)
        assert line <= end_line
        assert column <= len(document.line(line)) + 2


@settings(max_examples=300, deadline=None)
@given(soup | st.text())
@example("a: &a [*a]\n? [b]\n: {{ c }}\n<<: *a")
@example("? |+\n\n: - &a\n  - *a")
def test_any_text_is_read(text: str) -> None:
    check_document(read_bytes(text.encode("utf-8"), "f"))


@settings(max_examples=100, deadline=None)
@given(st.binary())
def test_any_bytes_are_read(data: bytes) -> None:
    check_document(read_bytes(data, "f"))


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
data = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
styles = st.fixed_dictionaries(
    {
        "default_flow_style": st.sampled_from([True, False, None]),
        "default_style": st.sampled_from([None, None, '"', "'", "|", ">"]),
        "width": st.sampled_from([5, 80]),
        "indent": st.sampled_from([2, 4]),
        "allow_unicode": st.booleans(),
        "explicit_start": st.booleans(),
        "line_break": st.sampled_from(["\n", "\r\n"]),
    }
)


def as_pyyaml(node: yaml.Node | None) -> Any:
    """Nested keys and texts, as PyYAML's composer sees them."""
    if isinstance(node, yaml.MappingNode):
        return [(key.value, as_pyyaml(value)) for key, value in node.value]
    if isinstance(node, yaml.SequenceNode):
        return [as_pyyaml(item) for item in node.value]
    assert isinstance(node, yaml.ScalarNode)
    return node.value


def as_ours(node: Node) -> Any:
    if node.kind == "map":
        return [(key, as_ours(child)) for key, child in node.entries.items()]
    return [as_ours(item) for item in node.items] if node.kind == "list" else node.text


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.text(min_size=1, max_size=8), data, min_size=1, max_size=4), styles)
def test_the_tree_is_that_of_pyyaml(value: dict[str, Any], style: dict[str, Any]) -> None:
    text = yaml.dump(value, sort_keys=False, **style)
    document = read_bytes(text.encode("utf-8"), "f")
    assume(not any(problem.rule == "syntax/template" for problem in document.problems))
    assert document.problems == []
    assert document.root is not None
    assert as_ours(document.root) == as_pyyaml(yaml.compose(text, yaml.CSafeLoader))
    for _, node in tree_paths(document.root):
        source = text[node.start : node.end]
        if node.kind != "scalar" or "\n" in source:
            continue
        if source[:1] not in ("'", '"', "|", ">"):
            assert source == node.text
        elif source[:1] in ("'", '"'):
            assert yaml.safe_load(source) == node.text


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(st.text("abc", min_size=1), st.booleans() | st.none() | st.integers() | st.floats(allow_nan=False))
)
def test_numbers_survive(value: dict[str, Any]) -> None:
    root = read_bytes(yaml.dump(value).encode(), "f").root
    assert root is not None
    assert {key: node.scalar() for key, node in root.entries.items()} == value


# ---- edits


PLAIN = [
    "1",
    "x y",
    "400 Gbit/s",
    "'it''s'",
    '"q\\n"',
    "𝒳",
    "[a, {b: c}]",
    "",
    "~",
    "{a: 1, b: 2}",
    "[]",
    "{}",
    "'# no'",
    "*base",
    "{<<: *base, m: 1}",
]
COMMENT = re.compile("# (?:above|own|end)")
VALUES = ["7", "new text", "'quoted'", '"é"', "500e9", "[p, q]", "{r: s}", "a, b", "true"]


@st.composite
def blocks(draw: st.DrawFn, indent: int = 0, depth: int = 3) -> list[str]:
    """Lines of a block map or list, with comments and blank lines wherever they may stand."""
    lines: list[str] = []
    is_list = depth < 3 and draw(st.booleans())
    keys = draw(st.lists(st.sampled_from(["a", "b", "'c d'", "é"]), min_size=1, max_size=3, unique=True))
    for key in keys:
        if draw(st.integers(0, 4)) == 0:
            lines.append(draw(st.sampled_from(["", " " * indent + "# above"])))
        head = " " * indent + ("-" if is_list else f"{key}:")
        comment = draw(st.sampled_from(["", "", "  # own"]))
        choice = draw(st.integers(0, 6 if depth else 4))
        if choice == 4:
            lines += [
                f"{head} {draw(st.sampled_from(['|', '|-', '>', '|+']))}",
                " " * (indent + 3) + "text # no comment",
                "",
            ]
        elif choice > 4:
            inner = draw(blocks(indent + 2, depth - 1))
            if is_list and draw(st.booleans()) and inner[0].strip() and not inner[0].strip().startswith("#"):
                lines += [f"{head} {inner[0].strip()}", *inner[1:]]
            else:
                lines += [head + comment, *inner]
        else:
            value = draw(st.sampled_from(PLAIN))
            lines.append(f"{head} {value}{comment}" if value else head + comment)
    return lines


@st.composite
def documents(draw: st.DrawFn) -> str:
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    base = "base: &base {k: 1, l: [1, 2]}"
    return newline.join([base, *draw(blocks())]) + draw(st.sampled_from(["", newline, newline + "# end" + newline]))


def lines_kept(before: str, after: str) -> bool:
    """Whether all the lines but one run are the same."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    head = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return min(len(old), len(new)) - head - tail <= 2


@st.composite
def edits(draw: st.DrawFn, document: Document) -> Edit:
    assert document.root is not None
    paths = [path for path, _ in tree_paths(document.root) if path]
    path = draw(st.sampled_from(paths))
    op = draw(st.sampled_from(["set", "set", "insert", "append", "remove", "create", "rename"]))
    value = draw(st.sampled_from(VALUES))
    if op == "remove":
        return Edit("remove", path)
    if op == "rename":
        return Edit("rename", path, key="new: key")
    if op == "insert":
        return Edit("insert", path, value, "added: key")
    if op == "create":
        return Edit("set", (*path, "new", "deeper"), value)
    return Edit("append" if op == "append" else "set", path, value)


@settings(max_examples=300, deadline=None)
@given(documents(), st.data())
def test_edits_do_what_they_say_and_nothing_else(text: str, choices: st.DataObject) -> None:
    document = read_bytes(text.encode("utf-8"), "f")
    assert document.problems == []
    edit = choices.draw(edits(document))
    try:
        after = apply(document, [edit])
    except EditRefused:
        return
    assert value_of(after) == expected(value_of(text), edit)
    assert lines_kept(text, after)
    assert (
        len(re.findall("# (above|own|end)", after)) == len(re.findall("# (above|own|end)", text)) or edit.op == "remove"
    )
    assert ("\r\n" in after) <= ("\r\n" in text)
    assert after.endswith("\n") == text.endswith("\n")
    if edit.op == "set":
        assert apply(read_bytes(after.encode("utf-8"), "f"), [edit]) == after


@settings(max_examples=150, deadline=None)
@given(documents(), st.data())
def test_a_scalar_in_one_line_can_always_be_set(text: str, choices: st.DataObject) -> None:
    text = text.replace("<<: *base, ", "").replace("*base", "1")  # what is shared is refused with reason
    document = read_bytes(text.encode("utf-8"), "f")
    assert document.root is not None
    plain = [
        p for p, n in tree_paths(document.root) if n.kind == "scalar" and p and text[n.start : n.start + 1] not in "|>"
    ]
    assume(plain)
    picked = choices.draw(st.lists(st.sampled_from(plain), min_size=1, max_size=3, unique=True))
    after = apply(document, [Edit("set", path, "7") for path in picked])
    root = read_bytes(after.encode("utf-8"), "f").root
    assert root is not None
    found = dict(tree_paths(root))
    assert [found[path].scalar() for path in picked] == [7] * len(picked)


@settings(max_examples=150, deadline=None)
@given(documents(), st.data())
def test_no_raw_splice_passes_the_guard_with_harm(text: str, choices: st.DataObject) -> None:
    """A planner that cuts anywhere: what gets through still reads as it should."""
    document = read_bytes(text.encode("utf-8"), "f")
    assert document.root is not None
    path = choices.draw(st.sampled_from([p for p, _ in tree_paths(document.root) if p]))
    start, end = sorted(choices.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    splice = Splice(start, end, choices.draw(st.sampled_from(["7", "", "\n", " 7", "7\n", "# c", "x: 7"])))
    edit = Edit("set", path, "7")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source_edits, "_plan", lambda document, edit: splice)
        try:
            after = apply(document, [edit])
        except EditRefused:
            return
    assert value_of(after) == expected(value_of(text), edit)
    assert COMMENT.findall(after) == COMMENT.findall(text)
