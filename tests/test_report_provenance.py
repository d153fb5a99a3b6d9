"""What a signature stands under: the digest of every file that was read, as other tools compute it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from tests.running import BAD, designlint

if TYPE_CHECKING:
    from pathlib import Path


def digests(folder: Path) -> dict[str, str]:
    """The digests that the report on a design tells."""
    run = designlint("report", "design.yaml", "--format", "json", cwd=folder)
    assert (run.code, run.err) == (0, "")
    return {one["file"]: one["sha256"] for one in run.data["designs"][0]["files"]}


def stored(folder: Path) -> dict[str, str]:
    """The digests of all files of a folder."""
    return {one.name: sha256(one.read_bytes()).hexdigest() for one in folder.iterdir()}


@pytest.mark.parametrize(
    "content",
    [
        BAD,
        b"\xef\xbb\xbf" + BAD,
        BAD.replace(b"\n", b"\r\n"),
        BAD.rstrip(),
        b"",
        b"\xff\xfe",
        b"name: '\xe9'\n",
        b"a: \x07\n",
    ],
    ids=["plain", "byte order mark", "CRLF", "no newline", "empty", "UTF-16", "Latin-1", "control character"],
)
def test_digest_is_that_of_the_stored_bytes(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_bytes(content)
    assert digests(tmp_path) == stored(tmp_path)


def test_every_file_that_was_read_is_named_whatever_counts_of_it(tmp_path: Path) -> None:
    """One file says nothing but what it extends, one is overruled in all it says, one gives a value inside a part."""
    for name, text in {
        "design.yaml": "extends: [middle.yaml, broken.yaml]\nnodes: [{name: a, model: dgx-h100, count: 8}]\n",
        "middle.yaml": "extends: base.yaml\n",
        "base.yaml": "nodes: [{name: a, count: 4}]\nworkloads: [{name: p, parallelism: {tensor: 16}}]\n",
        "broken.yaml": "nodes: [\n",
    }.items():
        (tmp_path / name).write_text(f"designlint: 1\n{text}", "utf-8")
    assert digests(tmp_path) == stored(tmp_path)


def test_lines_of_a_base_are_shown_where_only_a_value_comes_from_it(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("designlint: 1\nworkloads: [{name: p, parallelism: {tensor: 16}}]\n", "utf-8")
    (tmp_path / "design.yaml").write_text(
        "designlint: 1\nextends: base.yaml\nnodes: [{name: a, model: dgx-h100, count: 4}]\n"
        "workloads: [{name: p, parallelism: {pipeline: 1}}]\n",
        "utf-8",
    )
    run = designlint("report", "design.yaml", "--format", "json", cwd=tmp_path)
    (found,) = run.data["designs"][0]["findings"]
    assert [(one["file"], one["marked"]) for one in found["excerpt"] if one["marked"]] == [("base.yaml", "16")]
    assert "tensor: 16" in designlint("check", "design.yaml", cwd=tmp_path).out
