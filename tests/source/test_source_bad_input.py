"""A design is untrusted input: every fault is a problem with a place, never an exception or a hang."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from designlint.reading import Document, Limits, composer, looks_like_design, read_bytes, read_file, tree_paths

if TYPE_CHECKING:
    from pathlib import Path


def read(text: str | bytes) -> Document:
    return read_bytes(text.encode("utf-8") if isinstance(text, str) else text, "design.yaml")


def faults(document: Document) -> list[tuple[str, str]]:
    """Rule and marked text of every problem."""
    return [(problem.rule, document.text[problem.start : problem.end]) for problem in document.problems]


def keys(document: Document) -> list[str]:
    return list(document.root.entries) if document.root else []


@pytest.fixture(params=["libyaml", "python"])
def _loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composer, "LOADER", {"libyaml": yaml.CSafeLoader, "python": yaml.SafeLoader}[request.param])


both_loaders = pytest.mark.usefixtures("_loader")


@both_loaders
@pytest.mark.parametrize("text", ["", "\n\n", "# only\n# comments", "---\n", "--- # nothing\n...\n", "\ufeff"])
def test_empty(text: str) -> None:
    document = read(text)
    assert [rule for rule, _ in faults(document)] == ["syntax/empty"]
    assert document.root is None


@both_loaders
@pytest.mark.parametrize(
    ("text", "rule", "marked", "kept"),
    [
        ("a: 1\nb: {c: d\n", "syntax/not-yaml", "", ["a"]),
        ("a: 1\nb: c: d\n", "syntax/not-yaml", ":", ["a"]),
        ("a: 1\nb: 'open\nc: 2\n", "syntax/not-yaml", "'", ["a"]),
        ("a: 1\nb: @x\n", "syntax/not-yaml", "@", ["a"]),
        ("a: 1\nb:\n\tc: 2\n", "syntax/not-yaml", "\t", ["a"]),
        ("a: 1\nb:\n  c: 1\n\td: 2\n", "syntax/not-yaml", "\t", ["a"]),
        ("a: 1\nb: {% if x %}\n", "syntax/template", "{% if x %}", ["a"]),
        ("a: 1\n{{- range .Values }}\nb: 1\n{{- end }}\n", "syntax/template", "{{- range .Values }}", ["a"]),
        ("a: 1\nb: {{ x }}y\n", "syntax/template", "{{ x }}", ["a"]),
        ("a: 1\nb: {# note #}\n", "syntax/template", "{# note #}", ["a"]),
    ],
)
def test_entries_before_a_fault_are_kept(text: str, rule: str, marked: str, kept: list[str]) -> None:
    document = read(text)
    assert faults(document) == [(rule, marked)]
    assert keys(document) == kept
    assert not document.complete


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a:\n\tb: 1\n", "a tab is used for indentation"),
        ("a: `x`\n", "a value cannot start with ```"),
        ("a: [1,\n 2\nb: 3\n", "the `[` of line 1 is not closed"),
        ('a: "x\n', "a quoted text is not closed"),
        ("a: 1\nb\nc: 2\n", "neither `key: value` nor"),
        ('a: "\\q"\n', "unknown escape"),
        ("a: {{ x }}\n", "`{{ x }}` must be rendered first"),
        ("{a: 1}}\n", "after the end of the document"),
    ],
)
def test_words_are_friendly(text: str, words: str) -> None:
    assert words in str(read(text).problems[0].values["what"])


@both_loaders
def test_what_is_wrong_but_readable_is_read() -> None:
    document = read("a: 1\nb: *none\na: 2\n[c]: 3\nd: !!python/object:os.system [x]\ne: {{ f }}\ng: x-{{ h }}\n")
    assert faults(document) == [
        ("syntax/undefined-alias", "*none"),
        ("syntax/duplicate-key", "a"),
        ("syntax/unsupported-key", "[c]"),
        ("syntax/unsupported-tag", "!!python/object:os.system"),
        ("syntax/template", "{{ f }}"),
        ("syntax/template", "x-{{ h }}"),
    ]
    assert document.complete
    assert document.root is not None
    assert document.root.entries["a"].scalar() == 1
    assert document.root.entries["e"].scalar() == "{{ f }}"
    assert document.problems[1].values == {"key": "a", "first_line": 1}
    assert keys(document) == ["a", "b", "d", "e", "g"]


@pytest.mark.parametrize(
    ("text", "rule", "marked"),
    [
        ("a: &x [*x]\n", "syntax/undefined-alias", "*x"),
        ("a: {<<: 1}\n", "syntax/unsupported-key", "<<"),
        ("a: !!int x\n", "syntax/unsupported-tag", "!!int"),
        ("a: !ours [1]\n", "syntax/unsupported-tag", "!ours"),
        ("%TAG !e! tag:x\n---\na: 1\n", "syntax/unsupported-tag", "%TAG !e! tag:x"),
        ("a: 1\n---\nb: [\n", "syntax/several-documents", "---"),
        ("a: 1\n...\n# c\n%YAML 1.2\n---\nb: 2\n", "syntax/several-documents", "%"),
    ],
)
def test_one_fault_each(text: str, rule: str, marked: str) -> None:
    document = read(text)
    assert faults(document) == [(rule, marked)]
    assert document.complete


@pytest.mark.parametrize("text", ["%YAML 1.2\n---\na: 1\n...\n# end\n", "--- # c\na: 1", "a: 1\r\n", "'a': 1\n...\n"])
def test_unusual_but_right(text: str) -> None:
    document = read(text)
    assert document.problems == []
    assert keys(document) == ["a"]


def test_other_roots_than_a_map_are_kept_for_the_schema() -> None:
    roots = [read(text).root for text in ("- a\n- b\n", "just text", "{}")]
    assert [root.kind for root in roots if root] == ["list", "scalar", "map"]


@pytest.mark.parametrize(
    ("data", "words", "marked"),
    [
        ("a: 1\nb: é\n".encode("latin-1"), "the byte 0xE9 in line 2 is not UTF-8", "\ufffd"),
        ("a: é\n".encode("utf-16"), "it is UTF-16", "\ufffd"),
        ("a: e\n".encode("utf-16-le"), "it is UTF-16", "\0"),
        (b"a: 1\nb: \0\n", "line 2 holds the control character U+0000", "\0"),
        ("a: \x85ok\nb: \x9f".encode(), "line 2 holds the control character U+009F", "\x9f"),
        (b"\xef\xbb\xbf\xef\xbb\xbfa: 1\n", "line 1 holds the control character U+FEFF", "\ufeff"),
        (b"a: \xed\xa0\x80\n", "the byte 0xED in line 1 is not UTF-8", "\ufffd"),
    ],
)
def test_bytes_that_are_no_text(data: bytes, words: str, marked: str) -> None:
    document = read(data)
    assert faults(document) == [("syntax/not-utf8", marked)]
    assert document.problems[0].values == {"what": words}
    assert document.root is None


@pytest.mark.parametrize("text", ["[" * 100_000, "- " * 100_000, "{a: " * 100_000, "? " * 100_000])
def test_nesting_is_bounded(text: str) -> None:
    assert [rule for rule, _ in faults(read(text))] == ["syntax/too-deep"]


def test_deep_block_maps_are_bounded() -> None:
    document = read("a: 1\n" + "\n".join(" " * depth + "b:" for depth in range(2_000)))
    assert [rule for rule, _ in faults(document)] == ["syntax/too-deep"]
    assert keys(document) == ["a"]


def bomb(width: int, levels: int) -> str:
    lines = [f"b{i}: &b{i} [{', '.join([f'*b{i - 1}'] * width)}]" for i in range(1, levels)]
    return "\n".join(["b0: &b0 [x]", *lines])


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (bomb(10, 10), "syntax/too-large"),
        (bomb(1, 1000), "syntax/too-deep"),
        ("{<<: " * 90 + "{" + ",".join(f"k{i}" for i in range(5000)) + "}" * 91, "syntax/too-large"),
        (
            f"a: &a {{{','.join(f'k{i}' for i in range(1000))}}}\nb: [{','.join(['{<<: *a}'] * 200)}]",
            "syntax/too-large",
        ),
        ("[" + "a," * 300_000 + "]", "syntax/too-large"),
    ],
)
def test_repetition_is_bounded(text: str, rule: str) -> None:
    document = read(text)
    assert [found for found, _ in faults(document)] == [rule]
    assert not document.complete
    assert document.root is None or sum(1 for _ in tree_paths(document.root)) <= 300_001


def test_large_files_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "noise.yaml"
    path.write_bytes(bytes(range(32, 127)) * 110_000)
    document = read_file(path)
    assert document.problems[0].values == {"most": 4 * 1024 * 1024, "what": "bytes"}
    assert document.text == ""
    assert document.file == str(path)
    assert read_file(path, "name").file == "name"


def test_limits_are_the_callers() -> None:
    assert read_bytes(b"[[1]]", "f", Limits(depth=1)).problems[0].values == {"most": 1}
    assert read_bytes(b"[1, 2]", "f", Limits(nodes=2)).problems[0].values == {"most": 2, "what": "values"}
    assert read_bytes(b"[1, 2]", "f", Limits(nodes=3)).problems == []


def test_many_tag_directives_reach_no_parser() -> None:
    many = "".join(f"%TAG !a{i}! tag:x\n" for i in range(100_000))
    assert [rule for rule, _ in faults(read(many + "---\na: 1\n"))] == ["syntax/unsupported-tag"]
    later = read("a: 1\n...\n" + many + "---\nb: 1\n")
    assert {rule for rule, _ in faults(later)} == {"syntax/several-documents", "syntax/unsupported-tag"}
    assert keys(later) == ["a"]


@pytest.mark.parametrize(
    "data",
    [
        b"designlint: 1",
        b"\xef\xbb\xbf# c\n\n---\n'designlint': 1\n",
        b'%YAML 1.2\n--- # x\n"designlint" : 1\r\n',
        b"# \xff\r\n\r\n  designlint:\n",
        b"a: 1\ndesignlint: 1\n",
    ],
)
def test_designs_are_recognised(data: bytes) -> None:
    assert looks_like_design(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"# designlint: 1\n",
        b"designlints: 1",
        b"designlint:1\n",
        b"- designlint: 1",
    ],
)
def test_other_files_are_not(data: bytes) -> None:
    assert not looks_like_design(data)
