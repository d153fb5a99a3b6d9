"""SHACL shapes of an organisation beside the rules: located, worded, chosen, waived, and shut in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.running import ROOT, designlint

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLE = ROOT / "examples/own-shapes.ttl"
HEAD = """\
@prefix : <https://w3id.org/designlint/ns#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix our: <https://example.org/shapes#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
"""
DESIGN = b"""\
designlint: 1
nodes:
  - {name: train, model: dgx-h100, count: 4}
  - {name: large, model: dgx-h100, count: 16}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "design.yaml").write_bytes(DESIGN)
    (tmp_path / "own.ttl").write_bytes(EXAMPLE.read_bytes())
    (tmp_path / "designlint.toml").write_text('shapes = ["own.ttl"]\nselect = ["shapes"]\n', "utf-8")
    return tmp_path


def test_results_are_located_findings_with_words_and_evidence(folder: Path) -> None:
    data = designlint("check", "--format", "json", cwd=folder).data
    one = next(one for one in data["findings"] if one["rule"] == "shapes/EnoughServers")
    assert (one["severity"], one["subject"]) == ("warning", "nodes/train")
    assert one["message"] == "count of train is 4, at least 8 is required"
    assert one["remedy"] == "Order at least eight servers."
    assert (one["location"]["line"], one["location"]["column"]) == (3, 43)
    assert one["values"]["count"]["value"] == 4
    assert one["limits"]["minInclusive"]["value"] == 8
    derived = [one for one in data["findings"] if one["rule"] == "shapes/PowerfulServers"]
    assert [one["message"] for one in derived] == [
        f"gpu_memory_per_server of {name} is 640 GB, at least 1 TB is required" for name in ("train", "large")
    ]
    judgements = data["summary"]["judgements"]
    assert (judgements["pass"], judgements["fail"]) == (1, 3)


def test_shapes_are_given_by_option_too(folder: Path) -> None:
    run = designlint("check", "--isolated", "--shapes", "own.ttl", "--format", "json", cwd=folder)
    assert {"shapes/EnoughServers", "shapes/PowerfulServers"} <= {one["rule"] for one in run.data["findings"]}


def test_shapes_are_ignored_lowered_and_waived_like_rules(folder: Path) -> None:
    config = 'shapes = ["own.ttl"]\nselect = ["shapes"]\nignore = ["shapes/PowerfulServers"]\n'
    config += '[severity]\n"shapes/EnoughServers" = {level = "info", reason = "A start."}\n'
    (folder / "designlint.toml").write_text(config, "utf-8")
    data = designlint("check", "--format", "json", cwd=folder).data
    assert [(one["rule"], one["severity"]) for one in data["findings"]] == [("shapes/EnoughServers", "info")]
    waiver = b'  # designlint: ignore[shapes/EnoughServers] reason="A start." owner=me until=2999-01-01\n'
    (folder / "design.yaml").write_bytes(DESIGN.replace(b"count: 4}\n", b"count: 4}" + waiver))
    data = designlint("check", "--format", "json", cwd=folder).data
    assert [one["rule"] for one in data["findings"]] == []
    assert [one["rule"] for one in data["accepted"]] == ["shapes/EnoughServers"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("our:A a sh:NodeShape ; sh:targetClass :NodePool", 6, "not valid Turtle"),
        ("our:A a sh:NodeShape .", 1, "no named shape has a target"),
        ("<> owl:imports <http://127.0.0.1:9/> .\nour:A sh:targetClass :NodePool .", 5, "owl:imports"),
        ("our:A sh:targetClass :NodePool ;\n  sh:js [ sh:jsFunctionName 'f' ] .", 6, "would run code"),
        (
            "our:A sh:targetClass :NodePool ; sh:sparql [ sh:select\n"
            "'SELECT $this { SERVICE <http://127.0.0.1:9/> { $this ?a ?b } }' ] .",
            6,
            "reads the design alone",
        ),
        (
            "our:A sh:targetClass :NodePool ; sh:sparql [ sh:select\n"
            "'SELECT $this { $this ?a 1service <http://127.0.0.1:9/> { $this ?a ?b } }' ] .",
            6,
            "reads the design alone",
        ),
        (
            r"our:A sh:targetClass :NodePool ; sh:sparql [ sh:select 'SELECT $this { \\u0053ERVICE <http://127.0.0.1/> {} }' ] .",
            5,
            "reads the design alone",
        ),
        (
            "our:A sh:targetClass :NodePool ; sh:sparql [ sh:select\n'SELECT $this { FILTER(rand() < 0.5) }' ] .",
            6,
            "the same from run to run",
        ),
        ("our:A sh:targetClass :NodePool . <http://other/A> sh:targetClass :Workload .", 5, "two shapes are called A"),
    ],
)
def test_a_file_of_shapes_that_is_wrong_or_hostile_is_named(text: str, line: int, words: str, folder: Path) -> None:
    (folder / "own.ttl").write_text(HEAD + text + "\n", "utf-8")
    run = designlint("check", cwd=folder)
    assert (run.code, run.out) == (2, "")
    assert words in run.err
    assert run.err.startswith(f"designlint: own.ttl:{line}: ")


def test_without_pyshacl_it_is_said_what_to_install(folder: Path) -> None:
    (folder / "hidden").mkdir()
    (folder / "hidden/pyshacl.py").write_text("raise ImportError", "utf-8")
    run = designlint("check", cwd=folder, PYTHONPATH=str(folder / "hidden"))
    assert (run.code, run.out) == (2, "")
    assert "pip install designlint[shacl]" in run.err
